/** Every call of the file system fails in turn: the draft is the old one or the new one, whole, and nothing stray is left. */
import fs from 'node:fs'
import os from 'node:os'
import { afterEach, expect, it } from 'vitest'
import { everyFault } from '../../engine/every-fault.test-support'
import type { FileSystem } from '../../engine/storage/file-system'
import { DraftWorld, value } from './draft-world.test-support'

/** In memory where there is such a place: it is thousands of small files. */
const scratch = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir()
const worlds: DraftWorld[] = []
afterEach(() => {
  for (const world of worlds.splice(0)) world.library.remove()
})

type Scene = {
  before: string | null
  after: string | null
  /** Answers the change that the work goes on with. */
  prepare?(world: DraftWorld): Promise<string | null>
  work(world: DraftWorld, system: FileSystem, change: string | null): Promise<{ ok: boolean }>
  /** The text that Undo brings back once all is settled; undefined: the work is an undo itself. */
  undone?: string | null
}

/** Too long for the list of changes: it lies beside it. */
const LONG = 'long ä\n'.repeat(1_000)

const scenes: Record<string, Scene> = {
  'a first draft': {
    before: null,
    after: 'new',
    work: (world, system) => world.save('new', null, system),
    undone: null,
  },
  'another text': {
    before: 'old',
    after: 'new',
    work: (world, system) => world.save('new', null, system),
    undone: 'old',
  },
  'another text than a long one': {
    before: LONG,
    after: 'new',
    work: (world, system) => world.save('new', null, system),
    undone: LONG,
  },
  'one more save of a round': {
    before: 'first',
    after: 'second',
    prepare: async world => {
      world.write('old')
      return value(await world.save('first')).change
    },
    work: (world, system, change) => world.save('second', change, system),
  },
  discarding: {
    before: 'old',
    after: null,
    work: (world, system) => world.save('', null, system),
    undone: 'old',
  },
  'Undo of a discarded draft': {
    before: null,
    after: 'old',
    prepare: async world => {
      world.write('old')
      return value(await world.save('')).change
    },
    work: (world, system, change) => world.undo(change ?? '', system),
  },
  'Undo that brings back a long text': {
    before: null,
    after: LONG,
    prepare: async world => {
      world.write(LONG)
      return value(await world.save('')).change
    },
    work: (world, system, change) => world.undo(change ?? '', system),
  },
  'Undo of another text': {
    before: 'new',
    after: 'old',
    prepare: async world => {
      world.write('old')
      return value(await world.save('new')).change
    },
    work: (world, system, change) => world.undo(change ?? '', system),
  },
}

for (const [name, scene] of Object.entries(scenes))
  it(`${name} is done, or not, whatever call fails`, async () => {
    const count = await everyFault(async () => {
      const world = new DraftWorld(scratch)
      worlds.push(world)
      const change = scene.prepare === undefined ? null : await scene.prepare(world)
      if (scene.prepare === undefined && scene.before !== null) world.write(scene.before)
      let done = false
      return {
        run: async system => {
          done = (await scene.work(world, system, change)).ok
        },
        check: async (where, { lasting }) => {
          if (lasting === 'once') expect(world.strays(), where).toEqual([])
          else world.endProcess()
          await expectSettled(world, scene, done, where)
          world.library.remove()
        },
      }
    })
    expect(count).toBeGreaterThan(60)
  })

async function expectSettled(world: DraftWorld, scene: Scene, done: boolean, where: string): Promise<void> {
  const { draft } = world
  expect([scene.before, scene.after], where).toContain(draft)
  if (done) expect(draft, where).toBe(scene.after)
  expect(value(await world.recover()).failed, where).toEqual([])
  expect(world.draft, where).toBe(draft)
  expect(
    world.changes().filter(({ state }) => state === 'unfinished'),
    where,
  ).toEqual([])
  if (scene.undone === undefined || draft !== scene.after) return
  const [change] = world.changes()
  expect(change?.canUndo, where).toBe(true)
  expect((await world.undo(change?.id ?? '')).ok, where).toBe(true)
  expect(world.draft, where).toBe(scene.undone)
}
