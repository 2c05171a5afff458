/** `usage`: tokens and cost of sessions, with what forks copied counted once. */
import { parseArgs } from 'node:util'
import type { Usage } from '@shared/session/usage'
import { SessionDocument } from '../../engine/session/session-document'
import { usageOfSessions } from '../../engine/session/session-usage'
import { journalStorage } from '../../engine/storage/open-journal'
import { type Command, UsageError } from '../command'
import { fileArgument, parsed } from '../options'
import { safeText } from '../plain-text'

export const usageCommand: Command = {
  name: 'usage',
  usage: 'usage FILE... [--json]',
  summary: 'tokens and cost of sessions together; what a fork copied counts once',
  async run(argv, io) {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args: argv,
        options: { json: { type: 'boolean', default: false } },
        allowPositionals: true,
      }),
    )
    if (positionals.length === 0) throw new UsageError('usage needs at least one session file.')
    const documents: SessionDocument[] = []
    for (const name of positionals) {
      const storage = journalStorage(io.env, fileArgument(name, io))
      const document = SessionDocument.open(storage, io.env.now)
      if (!document.ok) {
        io.error(`grove: ${document.error.message}`)
        return 1
      }
      documents.push(document.value)
    }
    const counted = usageOfSessions(documents)
    if (!counted.ok) {
      io.error(`grove: ${counted.error.message}`)
      return 1
    }
    const { total, sessions } = counted.value
    if (values.json) {
      io.print(JSON.stringify({ total, sessions }, null, 2))
      return 0
    }
    for (const { file, usage, copiedEntries } of sessions) {
      const copied = copiedEntries === 0 ? '' : `, ${copiedEntries} of them copied from another`
      io.print(`${safeText(file)}\n    ${usageText(usage)}${copied}`)
    }
    io.print(`Together: ${usageText(total)}`)
    return 0
  },
}

function usageText({ messages, totalTokens, cost, withoutCost }: Usage): string {
  const dollars = cost === null ? 'no cost told' : `$${cost.toFixed(4)}`
  const missing = withoutCost === 0 || cost === null ? '' : `, ${withoutCost} without cost`
  return `${totalTokens} tokens, ${dollars}${missing}, ${messages} answers`
}
