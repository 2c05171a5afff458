/** What one manager of a run wrote is no sign of another program to the next one: the session may be dropped at once. */
import fs from 'node:fs'
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Environment, silentWork } from '../engine/environment'
import { SessionManager } from '../engine/session/session-manager'
import { HEADER, journal as journalOf, message } from '../engine/storage/journal.test-support'
import { changeContext } from './changes/change-context'
import { layoutIn, placesIn, userEnvironment } from './session-kill.test-support'
import { restoreFromTrash } from './trash/restore'
import { scratchDirectory } from './trash/test-library.test-support'
import { workingSettings } from './working-session'

let env: Environment
beforeEach(() => {
  env = userEnvironment(fs.realpathSync(scratchDirectory()))
})
afterEach(() => fs.rmSync(env.home, { recursive: true }))

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const CHANGES = {
  append: (manager: SessionManager) =>
    manager.appendMessage({ role: 'user', content: 'a question', timestamp: 1 }),
  rename: (manager: SessionManager) => manager.setSessionName('A name', 'user'),
  move: (manager: SessionManager) => manager.moveTo(placesIn(env)[1]?.folder ?? ''),
}

type Change = keyof typeof CHANGES

/** A session, and the settings of a run that works on it. */
function scene() {
  const [place = { folder: '', directory: '', journal: '' }] = placesIn(env)
  for (const { folder, directory } of placesIn(env))
    for (const made of [folder, directory]) fs.mkdirSync(made, { recursive: true })
  fs.writeFileSync(place.journal, journalOf({ ...HEADER, cwd: place.folder }, message('a', null)))
  fs.utimesSync(place.journal, 1, 1)
  const context = changeContext(env, () => [])
  const layout = layoutIn(env)
  const { settings } = workingSettings(context, layout, layout.agentDir, { gate: 'open' })
  return { context, settings, manager: value(SessionManager.open(env, settings, place.journal)) }
}

describe('another manager of the same run', () => {
  const cases: Change[][] = [['append'], ['rename'], ['append', 'move'], ['rename', 'append']]

  it.each(cases.map(changes => [changes]))('drops it at once after %j', async changes => {
    const { settings, manager } = scene()
    for (const change of changes) value<unknown>(await CHANGES[change](manager))
    const another = value(SessionManager.open(env, settings, manager.file))
    expect(await another.dropSession()).toMatchObject({ ok: true })
  })

  it.each(cases.map(changes => [changes]))('after %j, the trash and back', async changes => {
    const { context, settings, manager } = scene()
    for (const change of changes) value<unknown>(await CHANGES[change](manager))
    const dropped = value(await manager.dropSession())
    if (dropped === null) throw new Error('It was in memory only.')
    const back = value(await restoreFromTrash(context, [dropped.trashItem], {}, silentWork))
    const another = value(SessionManager.open(env, settings, back.restored[0]?.journal ?? ''))
    expect(await another.dropSession()).toMatchObject({ ok: true })
  })

  it('is refused once somebody else wrote to it', async () => {
    const { settings, manager } = scene()
    value(await CHANGES.append(manager))
    value<unknown>(await CHANGES.move(manager))
    fs.appendFileSync(manager.file, `${JSON.stringify(message('z', 'a'))}\n`)
    const another = value(SessionManager.open(env, settings, manager.file))
    expect(await another.dropSession()).toMatchObject({ ok: false, error: { code: 'in-use' } })
  })
})

describe('a directory in another agent directory', () => {
  const data = Buffer.alloc(3000, 5).toString('base64')
  const picture = { role: 'user', content: [{ type: 'image', data, mimeType: 'image/png' }], timestamp: 1 }

  /** The pictures of a session whose journal lies in `<agent>/sessions/<directory>/`. */
  const blobsBeside = (file: string) => fs.readdirSync(path.resolve(path.dirname(file), '../../blobs'))

  it.each(['move', 'fork'] as const)('gets later pictures into its own store after a %s', async way => {
    const { manager } = scene()
    const directory = path.join(env.home, 'other/agent/sessions/-there')
    fs.mkdirSync(directory, { recursive: true })
    const folder = manager.cwd ?? ''
    if (way === 'move') value(await manager.moveTo(folder, { directory }))
    const there = way === 'move' ? manager : value(await manager.fork(folder, { directory }))
    expect(path.dirname(there.file)).toBe(directory)
    value(await there.appendMessage(picture))
    expect(blobsBeside(there.file)).toHaveLength(2)
    expect(value(there.contextWithImages()).unresolved).toEqual([])
  })
})
