/** Two threads that read files: what one finds, both find, in the same order, whatever becomes of the other. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentWork } from '../../engine/environment'
import { EngineError } from '../../engine/storage/errors'
import { message } from '../../engine/storage/journal.test-support'
import { ByteFinder } from './byte-finder'
import { FileSieve, OVERLAP, type SieveHelper, type SieveInput, siftFiles } from './file-sieve'
import { PIECE_BYTES } from './piece-memory'
import { prefilterOf } from './prefilter'
import { type SearchWorld, searchWorld } from './search-world.test-support'

let world: SearchWorld
beforeEach(() => {
  world = searchWorld()
  for (let at = 0; at < 60; at++)
    world.session(`s${at}`, message('a', null, at % 7 === 3 ? 'a needle' : 'hay '.repeat(at)))
})
afterEach(() => world.dispose())

const finder = () => new ByteFinder(prefilterOf('needle', 'exact'))

/** A thread as it is, but in this one. */
function helperWith(asked: SieveInput[]): SieveHelper {
  return input => {
    asked.push(structuredClone(input))
    return siftFiles(world.env, input.files, finder(), silentWork)
  }
}

async function sifted(helper: SieveHelper | null) {
  const files = world.targets()
  const told: { file: string; mayMatch: boolean }[] = []
  for await (const { one, mayMatch } of new FileSieve(world.env, helper).sift(files, finder(), silentWork))
    told.push({ file: one.file, mayMatch })
  return told
}

describe('a helper', () => {
  it('changes neither what is told nor its order, and takes about half of the bytes', async () => {
    const alone = await sifted(null)
    expect(alone.filter(({ mayMatch }) => mayMatch)).toHaveLength(9)
    expect(alone.map(({ file }) => file)).toEqual(world.targets().map(({ file }) => file))
    const asked: SieveInput[] = []
    expect(await sifted(helperWith(asked))).toEqual(alone)
    const sizeOf = (files: readonly string[]) => files.reduce((sum, file) => sum + fs.statSync(file).size, 0)
    const share = sizeOf(asked.flatMap(({ files }) => files)) / sizeOf(alone.map(({ file }) => file))
    expect(share).toBeGreaterThan(0.3)
    expect(share).toBeLessThan(0.6)
  })

  it('leaves no file to be opened twice', async () => {
    const files = world.targets().map(({ file }) => file)
    world.counted.reset()
    await sifted(helperWith([]))
    const heads = new Map(files.map(file => [file, 2]))
    // Once for the list of the test, and once for its bytes.
    expect(world.counted.work.opened).toEqual(heads)
    expect(world.counted.work.open).toBe(0)
  })

  it('that is lost leaves its part to the other', async () => {
    expect(await sifted(() => Promise.resolve(null))).toEqual(await sifted(null))
  })

  it('is not asked where everything can match', async () => {
    const asked: SieveInput[] = []
    const sieve = new FileSieve(world.env, helperWith(asked))
    for await (const { mayMatch } of sieve.sift(world.targets(), new ByteFinder(null), silentWork))
      expect(mayMatch).toBe(true)
    expect(asked).toEqual([])
  })
})

it('finds what stands across the edge of two pieces, and at both sides of it', async () => {
  const needle = 'needle'
  const edges = [PIECE_BYTES - OVERLAP, PIECE_BYTES, 2 * (PIECE_BYTES - OVERLAP), 2 * PIECE_BYTES - OVERLAP]
  const files = edges.flatMap(edge =>
    [-needle.length, -needle.length + 1, -1, 0, 1].map(by => {
      const before = 'hay '.repeat(edge).slice(0, edge + by)
      world.env.put(`edge${edge}${by}`, `${before}${needle}${'hay '.repeat(PIECE_BYTES / 4)}`)
      return path.join(world.env.home, `edge${edge}${by}`)
    }),
  )
  const told = await siftFiles(world.env, files, finder(), silentWork)
  expect([...told]).toEqual(files.map(() => 1))
})

it('says of what it cannot read that it may match', async () => {
  const files = [world.fileOf('s1'), world.fileOf('gone')]
  expect([...(await siftFiles(world.env, files, finder(), silentWork))]).toEqual([0, 1])
})

it('ends where it breathes when it is cancelled', async () => {
  const cancelled = {
    ...silentWork,
    breathe: () => Promise.reject(new EngineError('cancelled', 'Cancelled.')),
  }
  const asked: SieveInput[] = []
  const sift = new FileSieve(world.env, helperWith(asked)).sift(world.targets(), finder(), cancelled)
  await expect(sift.next()).rejects.toMatchObject({ code: 'cancelled' })
  expect(asked).toHaveLength(1)
})
