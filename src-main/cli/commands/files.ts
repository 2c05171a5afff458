/** `files`: which sessions wrote, edited, moved or deleted a file. Rule: docs/cli.md. */
import { parseArgs } from 'node:util'
import { silentWork } from '../../engine/environment'
import { libraryRoots } from '../../library/roots'
import { headTargets } from '../../library/search/head-targets'
import { IndexReader } from '../../library/search/index-reader'
import { sessionsTouching } from '../../library/search/touched-search'
import { type Command, UsageError } from '../command'
import { agentDirOption, agentDirProblem, isoOrNull, parsed } from '../options'
import { safeText } from '../plain-text'

export const filesCommand: Command = {
  name: 'files',
  usage: 'files PATH [--agent-dir DIR] [--json]',
  summary: 'which sessions changed a file: a whole path, the end of one, or a name',
  async run(argv, io) {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args: argv,
        options: { 'agent-dir': { type: 'string' }, json: { type: 'boolean', default: false } },
        allowPositionals: true,
      }),
    )
    const [asked, ...rest] = positionals
    if (asked === undefined || asked === '' || rest.length > 0)
      throw new UsageError('files needs exactly one path.')
    const only = agentDirOption(values['agent-dir'], io)
    const problem = agentDirProblem(only, io)
    if (problem !== null) {
      io.error(`grove: ${problem}`)
      return 1
    }
    const { targets, problems } = headTargets(io.env, libraryRoots(io.env, [], only))
    for (const one of problems) io.error(`grove: ${one}`)
    const index = new IndexReader(io.env)
    const wanted = asked.replace(/^\.\//, '')
    const found = await sessionsTouching(io.env, index, targets, wanted, silentWork)
    index.close()
    if (values.json) {
      const facts = found.map(({ file, path, count, ordinal, entryId, how, time }) => ({
        session: file,
        path,
        count,
        lastOrdinal: ordinal,
        lastEntryId: entryId,
        lastChange: how,
        time: isoOrNull(time),
      }))
      io.print(JSON.stringify(facts, null, 2))
    } else if (found.length === 0) io.print(`No session changed ${safeText(asked)}.`)
    else
      for (const { file, path, count, how, time } of found) {
        const when = isoOrNull(time)?.slice(0, 16).replace('T', ' ') ?? 'unknown time'
        io.print(
          `${when}  ${how.padEnd(6)}  ${safeText(path)}  (${count} ${count === 1 ? 'change' : 'changes'})`,
        )
        io.print(`    ${safeText(file)}`)
      }
    return problems.length === 0 ? 0 : 1
  },
}
