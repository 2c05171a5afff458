/** For tests: what can be asked of a session in a library, done to it and to the model. */
import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'
import { sessionDirectoryFor } from '../engine/layout/session-directory'
import { apply as applyToSession } from '../engine/session/session-commands.test-support'
import { latin, SessionModel } from '../engine/session/session-model.test-support'
import {
  anyEntry,
  type Command as SessionCommand,
  command as sessionCommand,
} from '../engine/session/session-starts.test-support'
import { SessionWorld, value } from '../engine/session/session-world.test-support'
import { artifactsOf, DRAFT, filesAt, type LibraryWorld, MARKER } from './session-world.test-support'
import { restoreFromTrash } from './trash/restore'
import { work } from './trash/test-library.test-support'

/** More sessions than this show nothing more. */
const OTHERS = 12

/** Entries that do not tell of a conversation. */
const SETTINGS = /^(model_change|thinking_level_change|service_tier_change|mode_change|credential_pin)$/

export type Command =
  | { do: 'session'; command: SessionCommand }
  | { do: 'fork'; folder: number; withArtifacts: boolean; follow: boolean }
  | { do: 'move'; folder: number; root: 'same' | 'near' | 'far'; after: SessionCommand | null }
  | { do: 'drop' | 'crash' | 'close' | 'consume' }
  | { do: 'artifact'; tool: string; text: string }
  | { do: 'draft' | 'foreign draft'; text: string }

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), fc.constantFrom('', '败\n\u2028', 'x'))
const folder = fc.nat({ max: 2 })
const outsideLine = fc.record({
  do: fc.constant('outside line' as const),
  what: fc.constant('record'),
  at: fc.nat({ max: 40 }),
  ends: fc.constant(true),
})
const picture = fc.nat({ max: 5 }).map(
  (fill): SessionCommand => ({
    do: 'append',
    entry: {
      type: 'message',
      message: {
        role: 'user',
        content: [
          { type: 'image', data: Buffer.alloc(900 + fill, fill).toString('base64'), mimeType: 'image/png' },
        ],
      },
    },
    under: 'leaf',
    at: 0,
    leaf: null,
  }),
)

export const command: fc.Arbitrary<Command> = fc.oneof(
  // Opening anew is done here, by other means.
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('session' as const),
      command: sessionCommand.filter(one => one.do !== 'reopen'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('session' as const), command: picture }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('fork' as const),
      folder,
      withArtifacts: fc.boolean(),
      follow: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      folder,
      root: fc.constantFrom('same' as const, 'near', 'far'),
      after: fc.option(fc.oneof(outsideLine, picture, anyEntry.map(appended))),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('drop' as const, 'crash', 'close', 'consume') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('artifact' as const),
      tool: fc.constantFrom('bash', 'read'),
      text,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('draft' as const, 'foreign draft'), text }) },
)

function appended(entry: Extract<SessionCommand, { do: 'append' }>['entry']): SessionCommand {
  return { do: 'append', entry, under: 'leaf', at: 0, leaf: null }
}

export async function apply(world: LibraryWorld, one: Command): Promise<void> {
  switch (one.do) {
    case 'session':
      return ofSession(world, one.command)
    case 'fork':
      return fork(world, one)
    case 'move':
      if (one.after !== null) await ofSession(world, one.after)
      return move(world, one)
    case 'drop':
      return drop(world)
    case 'crash':
      // What was never written is lost with the program.
      return world.manager.isOnDisk ? world.resume(false) : lost(world)
    case 'close':
      return close(world)
    case 'consume':
      return consume(world)
    case 'artifact':
      return artifact(world, one.tool, one.text)
    case 'draft':
      return draft(world, one.text)
    case 'foreign draft':
      return foreignDraft(world, one.text)
    default:
      return one satisfies never
  }
}

let writes = 0

async function ofSession(world: LibraryWorld, one: SessionCommand): Promise<void> {
  const before = world.manager.isOnDisk ? fs.readFileSync(world.file, 'latin1') : null
  await applyToSession(world.session, one)
  if (!one.do.startsWith('outside') || before === null) return
  if (fs.readFileSync(world.file, 'latin1') === before) return
  world.touched()
  // Just now, or so long ago that nobody can be at work; the time is another one each time.
  const ago = one.do === 'outside title' ? 3_600_000 : 0
  const time = new Date(Date.now() - ago + (++writes % 1000))
  fs.utimesSync(world.file, time, time)
}

/** What others wrote comes along with a fork, told or not. */
async function fork(
  world: LibraryWorld,
  { folder: at, withArtifacts, follow }: Extract<Command, { do: 'fork' }>,
): Promise<void> {
  if (world.others.size > OTHERS) return
  const { env, manager, model, header, file } = world
  const cwd = world.folders[at] ?? ''
  const forked = value(await manager.fork(cwd, { withArtifacts }))
  await applyToSession(world.session, { do: 'publish' })
  const copy = Object.assign(new SessionModel(), {
    lines: [...model.lines],
    tail: [...model.tail],
    version: model.version,
    slot: model.slot,
    headerTitle: model.headerTitle,
    isOnDisk: true,
  })
  copy.rewrite()
  const settings = world.session.settings
  const session = new SessionWorld(env, copy, settings, forked)
  session.check('a fork')
  const artifacts = new Map([...world.artifacts].filter(([name]) => withArtifacts && name !== MARKER))
  const ofFork = { id: forked.id, cwd, parentSession: header.id ?? '', previousSessionFiles: [] }
  world.checkHeader(forked.file, ofFork, 'a fork')
  expect(forked.id).not.toBe(header.id)
  expect(path.dirname(forked.file)).toBe(sessionDirectoryFor(env, world.layout, cwd))
  expect(
    [...world.onDisk()].filter(([name]) => name.startsWith(artifactsOf(forked.file) + path.sep)),
  ).toEqual(expect.arrayContaining(filesAt(forked.file, artifacts)))
  world.leave(follow ? file : forked.file)
  if (!follow) return
  const given = new Set(withArtifacts ? world.given : [])
  Object.assign(world, { session, header: ofFork, artifacts, given })
  world.isMade()
}

async function move(
  world: LibraryWorld,
  { folder: at, root }: Extract<Command, { do: 'move' }>,
): Promise<void> {
  const { env, manager, model, header, file } = world
  const cwd = world.folders[at] ?? ''
  const layout = root === 'same' ? world.layout : world[root]
  const change = () => manager.moveTo(cwd, root === 'same' ? {} : { layout })
  const to = path.join(sessionDirectoryFor(env, layout, cwd), path.basename(file))
  // Artifacts do not go elsewhere with what is in memory only.
  const wasOnDisk = manager.isOnDisk || (world.artifacts.size > 0 && to !== file)
  if (wasOnDisk && to === file) {
    expect(await change()).toMatchObject({ ok: false, error: { code: 'invalid-argument' } })
    return
  }
  expect(await world.later(change)).toEqual([])
  expect(manager.file).toBe(to)
  if (wasOnDisk) await applyToSession(world.session, { do: 'publish' })
  world.layout = layout
  const before = header.previousSessionFiles
  const previousSessionFiles = wasOnDisk && !before.includes(file) ? [...before, file] : before
  world.header = { ...header, cwd, previousSessionFiles }
  if (wasOnDisk) {
    world.foreign = false
    world.draftGone = false
    model.untold = false
  }
  world.goOn(manager, world.session.settings, model.leaf)
}

async function drop(world: LibraryWorld): Promise<void> {
  const { manager, context } = world
  const dropped = await world.later(() => manager.dropSession())
  const refused = await manager.append({ type: 'reset_boundary' })
  expect(refused).toMatchObject({ ok: false, error: { code: 'invalid-argument' } })
  if (dropped === null) {
    expect([world.model.isOnDisk, world.artifacts.size]).toEqual([false, 0])
    world.startAnew()
    return
  }
  const { location, sessionsDir } = dropped.trashItem
  expect(sessionsDir).toBe(world.layout.sessionsDir)
  const outside = [...world.onDisk()].filter(([name]) => !name.startsWith(location + path.sep))
  expect(new Map(outside)).toEqual(world.others)
  const restored = value(await restoreFromTrash(context, [dropped.trashItem], {}, work))
  expect(restored.report).toMatchObject({ done: 1, staying: [], notes: [] })
  world.resume(true)
  // What was in memory only was written for its artifacts.
  await applyToSession(world.session, { do: 'publish' })
}

async function close(world: LibraryWorld): Promise<void> {
  const { manager, model, artifacts } = world
  const isOnlyMarker = artifacts.size === 1 && artifacts.has(MARKER)
  const isOver = !model.untold && (world.draftGone || !world.foreign)
  const goes = manager.isOnDisk && isOnlyMarker && isSettingsOnly(model) && isOver
  const unsaved = model.isOnDisk ? 0 : model.entries.length
  expect(await manager.close()).toEqual({ ok: true, value: { unsaved } })
  if (goes) expect(fs.existsSync(artifactsOf(world.file)) || fs.existsSync(world.file)).toBe(false)
  if (goes) world.startAnew()
  else if (model.isOnDisk) world.resume(true)
  else lost(world)
}

/** Of a session that was never written, its artifacts stay. */
function lost(world: LibraryWorld): void {
  world.leave(world.file)
  world.startAnew()
}

function isSettingsOnly(model: SessionModel): boolean {
  if (model.tail.length > 0 || model.title.title !== null) return false
  return model.lines.every(line => line.every(({ record }) => SETTINGS.test(String(record?.type))))
}

async function artifact(world: LibraryWorld, tool: string, content: string): Promise<void> {
  const saved = value(await world.manager.artifacts.save(tool, Buffer.from(content)))
  expect([...world.given]).not.toContain(saved.id)
  expect(path.dirname(saved.path)).toBe(artifactsOf(world.file))
  world.given.add(saved.id)
  world.artifacts.set(path.basename(saved.path), latin(content))
}

async function draft(world: LibraryWorld, content: string): Promise<void> {
  const { manager, model } = world
  const before = value(manager.readDraft())
  const makes = !manager.isOnDisk && content !== ''
  const saved = value(await manager.saveDraft(content, before.version))
  expect(saved.text).toBe(content)
  if (makes) await applyToSession(world.session, { do: 'publish' })
  if (makes && isSettingsOnly(model)) world.artifacts.set(MARKER, '')
  world.draftGone = content === ''
  if (content === '') world.artifacts.delete(DRAFT)
  else world.artifacts.set(DRAFT, latin(content))
}

/** A draft that another program wrote in between is neither overwritten nor discarded. */
async function foreignDraft(world: LibraryWorld, content: string): Promise<void> {
  const { manager } = world
  if (!manager.isOnDisk) return
  const before = value(manager.readDraft())
  const theirs = `${before.text}, and theirs`
  fs.mkdirSync(artifactsOf(world.file), { recursive: true })
  fs.writeFileSync(path.join(artifactsOf(world.file), DRAFT), theirs)
  world.artifacts.set(DRAFT, latin(theirs))
  const refused = { ok: false, error: { code: 'changed-on-disk' } }
  expect(await manager.saveDraft(content, before.version)).toMatchObject(refused)
  const same = value(await manager.saveDraft(theirs, before.version))
  expect(same).toEqual(value(manager.readDraft()))
  world.draftGone = false
}

async function consume(world: LibraryWorld): Promise<void> {
  const expected = world.artifacts.get(DRAFT)
  const taken = value(await world.manager.consumeDraft())
  expect(taken === null ? undefined : latin(taken)).toBe(expected)
  if (expected !== undefined) world.draftGone = true
  world.artifacts.delete(DRAFT)
}
