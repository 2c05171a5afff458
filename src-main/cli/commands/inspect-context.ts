/** What `inspect` says of the conversation at omp's leaf. Rules: docs/cli.md and docs/format.md, Context. */
import type { SessionContext } from '@shared/session/context'
import { sessionContext, sessionTranscript } from '../../engine/session/session-context'
import type { SessionDocument } from '../../engine/session/session-document'
import type { CommandIo } from '../command'

/** Context and transcript as facts; null, with one line of complaint for both, when the file changed meanwhile. */
export function contextFacts(document: SessionDocument, io: CommandIo) {
  const context = sessionContext(document, undefined)
  const transcript = sessionTranscript(document, undefined, 'full')
  const failed = [context, transcript].find(result => !result.ok)
  if (failed !== undefined && !failed.ok) io.error(`grove: ${failed.error.message}`)
  return {
    context: context.ok ? contextObject(context.value) : null,
    transcript: transcript.ok ? rolesObject(transcript.value) : null,
  }
}

function contextObject({ messages, thinkingLevel, models, mode }: SessionContext) {
  return { ...rolesObject(messages), thinkingLevel, models, mode }
}

function rolesObject(messages: readonly { role: string }[]): { length: number; roles: string[] } {
  return { length: messages.length, roles: messages.map(({ role }) => role) }
}
