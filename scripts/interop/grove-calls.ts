/** The calls that a test names, on an open session. */
import { existsSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { ok, type Result } from '@shared/ipc/result'
import type { NewEntry, NewMessage } from '@shared/session/new-entry'
import type { TitleSource } from '@shared/session/title-slot'
import { plainLayout } from '../../src-main/engine/layout/agent-directories'
import type { AppendOptions, ForkOptions } from '../../src-main/engine/session/manager-options'
import type { SessionManager } from '../../src-main/engine/session/session-manager'
import { DriverError, factsOf } from './grove-facts'

export type Call = {
  call: string
  args?: unknown[]
  /** Name for what it answers, which later arguments mention as `$name`. */
  as?: string
  /** The code of the error that it must answer with. */
  refused?: string
}

/** Two programs begin together: each makes `ready` and waits for the `other` file. */
type Meeting = { ready: string; other: string; pauseMs: number }

/** Where the pictures of the session are. */
type Place = { blobsDir: string }

type Method = (
  manager: SessionManager,
  args: never,
  place: Place,
) => Promise<Result<unknown>> | Result<unknown>

type DraftState = { version: Parameters<SessionManager['saveDraft']>[1] }

/** A session that was made, told by its facts, and closed. */
async function told(made: Promise<Result<SessionManager>>, { blobsDir }: Place): Promise<Result<unknown>> {
  const session = await made
  if (!session.ok) return session
  const facts = factsOf(session.value, blobsDir)
  const closed = await session.value.close()
  return closed.ok ? ok(facts) : closed
}

const METHODS: Readonly<Record<string, Method>> = {
  append: (manager, [entry, options]: [NewEntry, AppendOptions?]) => manager.append(entry, options),
  appendMessage: (manager, [message]: [NewMessage]) => manager.appendMessage(message),
  setLabel: (manager, [id, label]: [string, string | null]) => manager.setLabel(id, label),
  setSessionName: (manager, [title, source, trigger]: [string, TitleSource, string?]) =>
    manager.setSessionName(title, source, trigger === undefined ? {} : { trigger }),
  branch: (manager, [id]: [string]) => manager.branch(id),
  resetLeaf: manager => {
    manager.resetLeaf()
    return ok(null)
  },
  branchWithSummary: (manager, [id, summary, details]: [string | null, string, unknown?]) =>
    manager.branchWithSummary(id, summary, details),
  continueBranch: (manager, [id]: [string]) => manager.continueBranch(id),
  undoContinueBranch: (manager, [id]: [string]) => manager.undoContinueBranch(id),
  createBranchedSession: (manager, [id]: [string], place) => told(manager.createBranchedSession(id), place),
  fork: (manager, [cwd, options]: [string, ForkOptions?], place) => told(manager.fork(cwd, options), place),
  moveTo: (manager, [cwd, options]: [string, { agentDir?: string; directory?: string }?]) =>
    manager.moveTo(cwd, {
      ...(options?.directory === undefined ? {} : { directory: options.directory }),
      ...(options?.agentDir === undefined ? {} : { layout: plainLayout(options.agentDir) }),
    }),
  dropSession: manager => manager.dropSession(),
  readDraft: manager => manager.readDraft(),
  /** Over the draft as it is now, or as an earlier `readDraft` answered it. */
  saveDraft: async (manager, [text, read]: [string, DraftState?]) => {
    const now = read === undefined ? manager.readDraft() : ok(read)
    return now.ok ? manager.saveDraft(text, now.value.version) : now
  },
  consumeDraft: manager => manager.consumeDraft(),
  saveArtifact: (manager, [text, tool]: [string, string]) => manager.artifacts.save(tool, Buffer.from(text)),
  allocateArtifact: (manager, [tool]: [string]) => manager.artifacts.allocate(tool),
  resolveArtifact: (manager, [id]: [string]) => manager.artifacts.resolve(id),
  ensureOnDisk: manager => manager.ensureOnDisk(),
  refresh: manager => manager.refresh(),
  check: manager => manager.check(),
  /** Many messages, as soon as the other program is there; answers the ids of those that are acknowledged. */
  appendMany: async (manager, [messages, { ready, other, pauseMs }]: [NewMessage[], Meeting]) => {
    const ids: string[] = []
    writeFileSync(ready, '')
    while (!existsSync(other)) await pause(pauseMs)
    for (const message of messages) {
      const appended = await manager.appendMessage(message)
      if (!appended.ok) return appended
      ids.push(appended.value)
      await pause(pauseMs)
    }
    return ok(ids)
  },
}

/** Does the calls in turn; what they answer is kept under their names in `answers`. */
export async function act(
  manager: SessionManager,
  calls: readonly Call[],
  answers: Record<string, unknown>,
  place: Place,
): Promise<void> {
  for (const { call, args = [], as, refused } of calls) {
    const method = METHODS[call]
    if (method === undefined) throw new Error(`There is no call ${call}.`)
    // What a test hands over is what the method wants, or the test is wrong.
    const result = await method(manager, known(args, answers) as never, place)
    if (refused !== undefined) {
      if (result.ok || result.error.code !== refused)
        throw new Error(`${call} should be refused as ${refused}: ${JSON.stringify(result)}`)
      if (as !== undefined) answers[as] = result.error
    } else if (!result.ok) throw new DriverError(result.error.code, `${call}: ${result.error.message}`)
    else if (as !== undefined) answers[as] = result.value
  }
}

/** The arguments, with what `$name` stands for in its place, at any depth. */
function known(value: unknown, answers: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string' && value.startsWith('$')) return answers[value.slice(1)]
  if (Array.isArray(value)) return value.map(item => known(item, answers))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, known(item, answers)]))
}
