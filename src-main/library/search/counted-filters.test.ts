import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentWork } from '../../engine/environment'
import { HEADER, journal, message } from '../../engine/storage/journal.test-support'
import { CountedFilters } from './counted-filters'
import { NO_FILTERS, type TargetFilters } from './search-target'
import { inShort, type SearchWorld, searchWorld } from './search-world.test-support'

let world: SearchWorld
beforeEach(() => {
  world = searchWorld()
})
afterEach(() => world.dispose())

const line = [message('a', null, 'needle'), message('b', 'a', 'hay')]
const fork = [...line, message('c', 'a', 'another way')]

function artifact(name: string): void {
  const directory = world.fileOf(name).slice(0, -'.jsonl'.length)
  fs.mkdirSync(directory, { recursive: true })
  fs.writeFileSync(path.join(directory, '0.bash.log'), 'output')
}

async function names(filters: Partial<TargetFilters>): Promise<string[]> {
  return inShort(await world.search('needle', { filters: { ...NO_FILTERS, ...filters } })).map(
    ({ name }) => name,
  )
}

describe('sessions that nobody counted yet', () => {
  it('are found by their branches and artifacts, with the index and without', async () => {
    world.session('line', ...line)
    world.session('fork', ...fork)
    world.session('both', ...fork)
    world.session('made', ...line)
    for (const name of ['both', 'made']) artifact(name)
    expect(world.targets().map(({ tips, artifacts }) => [tips, artifacts])).toEqual(
      Array(4).fill([null, null]),
    )
    for (const indexed of [false, true]) {
      if (indexed) await world.index()
      expect(await names({})).toEqual(['both', 'fork', 'line', 'made'])
      expect(await names({ hasBranches: true })).toEqual(['both', 'fork'])
      expect(await names({ hasBranches: false })).toEqual(['line', 'made'])
      expect(await names({ hasArtifacts: true })).toEqual(['both', 'made'])
      expect(await names({ hasArtifacts: false })).toEqual(['fork', 'line'])
      expect(await names({ hasBranches: true, hasArtifacts: true })).toEqual(['both'])
    }
  })

  it('do not count a draft as an artifact', async () => {
    world.session('one', ...line)
    const directory = world.fileOf('one').slice(0, -'.jsonl'.length)
    fs.mkdirSync(directory)
    fs.writeFileSync(path.join(directory, 'draft.txt'), 'not sent')
    expect(await names({ hasArtifacts: true })).toEqual([])
  })

  it('are counted once, until they change', async () => {
    world.session('fork', ...fork)
    const counts = new CountedFilters(world.env)
    const asked = { hasBranches: true, hasArtifacts: null }
    const look = async () => {
      const [target] = world.targets()
      if (target === undefined) throw new Error('no target')
      world.counted.reset()
      return [await counts.fit(target, asked, silentWork), world.counted.work.opened.size]
    }
    expect([await look(), await look()]).toEqual([
      [true, 1],
      [true, 0],
    ])
    world.session('fork', ...line)
    expect([await look(), await look()]).toEqual([
      [false, 1],
      [false, 0],
    ])
  })

  it('may be archived, or gone', async () => {
    const file = path.join(world.env.home, '.omp/agent/archive/sessions/-w/old.jsonl.gz')
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, gzipSync(journal(HEADER, ...fork)))
    expect(await world.search('needle', { filters: { ...NO_FILTERS, hasBranches: true } })).toMatchObject([
      { file },
    ])
    const [target] = world.targets()
    if (target === undefined) throw new Error('no target')
    fs.rmSync(file)
    const asked = { hasBranches: true, hasArtifacts: null }
    expect(await new CountedFilters(world.env).fit(target, asked, silentWork)).toBe(false)
  })
})
