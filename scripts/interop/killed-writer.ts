/**
 * Runs under Node.js with Grove's engine in it, until it is killed: opens a session as one of several programs, appends and
 * renames without end, and tells each acknowledged entry by a line of JSON on the standard output, at once.
 *
 *   node killed-writer.mjs JOURNAL
 */
import { writeSync } from 'node:fs'
import { ompLayout } from '../../src-main/engine/layout/agent-directories'
import { nodeEnvironment } from '../../src-main/engine/node-environment'
import { SessionManager } from '../../src-main/engine/session/session-manager'
import { unwrap } from './grove-facts'

const RENAME_EVERY = 5
const LONG_EVERY = 3
const LONG = 60_000

function tell(told: { id: string }): void {
  // Some bytes, which a pipe takes at once and whole.
  writeSync(1, `${JSON.stringify(told)}\n`)
}

const env = nodeEnvironment()
const settings = { layout: ompLayout(env, null), sharing: 'join' } as const
const manager = unwrap(SessionManager.open(env, settings, process.argv[2] ?? ''))
for (let count = 1; ; count++) {
  const content = count % LONG_EVERY === 0 ? 'ü'.repeat(LONG) : `${process.pid}, message ${count}`
  const appended = await manager.appendMessage({ role: 'user', content, timestamp: env.now() })
  // Refused only where the lock of a killed program is not old yet.
  if (appended.ok) tell({ id: appended.value })
  if (count % RENAME_EVERY === 0) await manager.setSessionName(`Name ${count} of ${process.pid}`, 'user')
}
