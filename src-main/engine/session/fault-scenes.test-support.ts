/** For tests: changes of a session, each on a file system whose calls fail, or before whose calls somebody else writes. */
import fs from 'node:fs'
import type { Result } from '@shared/ipc/result'
import { encodeTitleSlot } from '@shared/session/title-slot'
import type { FileSystem } from '../storage/file-system'
import { HEADER, journal, message } from '../storage/journal.test-support'
import { nodeFileSystem } from '../storage/node-file-system'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import type { ManagerSettings } from './manager-settings'
import { SessionManager } from './session-manager'
import { settingsFor, value } from './session-world.test-support'

/** A session that is open, and one change of it. */
export type Scene = {
  env: TestEnvironment
  manager: SessionManager
  /** Ids that were acknowledged before, in the order of the file. */
  acknowledged: string[]
  /** Uses another file system from now on. */
  use(system: FileSystem): void
  /** Time passes: locks that a failure left are old by then. */
  later(): void
  run(): Promise<Result<unknown>>
  /** What is below home, as paths; blobs are left out, which stay once they are whole. */
  files(): string[]
}

export type SceneKind = {
  name: string
  /** How many entries the change adds when it is made. */
  adds: number
  prepare(): Promise<Scene>
}

const TIME = '2026-01-02T03:04:05.006Z'
const SLOT = encodeTitleSlot({ title: 'before', source: 'user', updatedAt: TIME })
/** Not a record: must be there after whatever happens. */
export const DAMAGED = '{"damaged":'
const BODY = [message('a', null), DAMAGED, message('b', 'a'), message('c', 'b')]
const PICTURE = Buffer.from('picture '.repeat(200)).toString('base64')

const user = (content: unknown) => ({ role: 'user', content, timestamp: 1 })
const answer = { role: 'assistant', content: [{ type: 'text', text: 'an answer' }], timestamp: 2 }
const withPicture = user([{ type: 'image', data: PICTURE, mimeType: 'image/png' }])

type Change = (manager: SessionManager, env: TestEnvironment) => Promise<Result<unknown>>

/** A session in a file. */
function onFile(
  name: string,
  adds: number,
  content: string,
  run: Change,
  settings: Partial<ManagerSettings> = {},
) {
  const prepare = async (): Promise<Scene> => {
    const stage = newStage()
    const file = stage.env.put('agent/sessions/-/s.jsonl', content)
    const manager = value(SessionManager.open(stage.env, stage.settings(settings), file))
    return sceneOf(stage, manager, run)
  }
  return { name, adds, prepare }
}

const plain = `${SLOT}${journal(HEADER, ...BODY)}`
const append: Change = manager => manager.appendMessage(user('one more'))
/** Long, so that half of the new slot and half of the old one are no slot. */
const rename: Change = manager => manager.setSessionName('after '.repeat(20), 'user')

export const SCENES: SceneKind[] = [
  onFile('an append', 1, plain, append),
  onFile('an append that is synced', 1, plain, append, { sync: 'disk' }),
  onFile('an append with a picture', 1, plain, manager => manager.appendMessage(withPicture)),
  onFile('an append after a torn line', 1, `${plain}{"torn`, append),
  onFile(
    'an append after a record without line feed',
    1,
    `${plain}${JSON.stringify(message('d', 'c'))}`,
    append,
  ),
  onFile('a title into the slot', 1, plain, rename),
  onFile('a title into the slot, synced', 1, plain, rename, { sync: 'disk' }),
  onFile('a title without a slot', 1, journal(HEADER, ...BODY), rename),
  onFile('a migration from version 2', 1, journal({ ...HEADER, version: 2 }, ...BODY), append),
  onFile('a migration from version 1', 1, journal({ ...HEADER, version: 1 }, ...BODY), append),
  onFile('a continued branch', 1, plain, manager => manager.continueBranch('a')),
  onFile('a branched session', 0, plain, manager => manager.createBranchedSession('b')),
  {
    name: 'a continued branch that is taken back',
    adds: -1,
    async prepare() {
      const stage = newStage()
      const file = stage.env.put('agent/sessions/-/s.jsonl', plain)
      const manager = value(SessionManager.open(stage.env, stage.settings(), file))
      const marker = value(await manager.continueBranch('a')) ?? ''
      return sceneOf(stage, manager, () => manager.undoContinueBranch(marker))
    },
  },
  {
    name: 'a first answer, which opens the gate',
    adds: 1,
    async prepare() {
      const stage = newStage()
      const manager = value(SessionManager.create(stage.env, stage.settings(), { cwd: stage.env.home }))
      value(await manager.appendMessage(withPicture))
      return sceneOf(stage, manager, () => manager.appendMessage(answer))
    },
  },
  {
    name: 'a first answer in a file that was empty',
    adds: 1,
    async prepare() {
      const stage = newStage()
      const file = stage.env.put('agent/sessions/-/s.jsonl', '')
      const manager = value(SessionManager.open(stage.env, stage.settings(), file))
      value(await manager.appendMessage(user('a question')))
      return sceneOf(stage, manager, () => manager.appendMessage(answer))
    },
  },
]

type Stage = {
  env: TestEnvironment
  use(system: FileSystem): void
  later(): void
  settings(changes?: Partial<ManagerSettings>): ManagerSettings
}

function newStage(): Stage {
  let system = nodeFileSystem
  let ahead = 0
  const names = Object.keys(nodeFileSystem)
  // Each method passes its arguments on to the method of the same name.
  const switched = Object.fromEntries(
    names.map(name => [name, (...args: unknown[]) => Reflect.apply(Reflect.get(system, name), system, args)]),
  ) as unknown as FileSystem
  const env = testEnvironment({ fs: switched, now: () => Date.now() + ahead })
  return {
    env,
    use: other => {
      system = other
    },
    later: () => {
      ahead += 120_000
    },
    settings: (changes = {}) => ({ ...settingsFor(env, 'refuse', 'lazy'), ...changes }),
  }
}

function sceneOf(stage: Stage, manager: SessionManager, run: Change): Scene {
  const { env } = stage
  const { index } = manager.document
  return {
    ...stage,
    manager,
    acknowledged: Array.from({ length: index.count }, (_, at) => index.id(at) ?? ''),
    run: () => run(manager, env),
    files: () =>
      fs
        .readdirSync(env.home, { recursive: true })
        .map(String)
        .filter(name => !/(^|[\\/])blobs([\\/][0-9a-f]{64}(\.\w+)?)?$/.test(name) && name !== 'agent')
        .sort(),
  }
}
