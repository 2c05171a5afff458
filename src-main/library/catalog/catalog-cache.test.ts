import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countingFileSystem } from '../../engine/storage/counting-file-system'
import { type TestEnvironment, testEnvironment } from '../../engine/test-environment.test-support'
import { type LibraryRoot, libraryRoots } from '../roots'
import type { CachedRow } from './cached-row'
import { CatalogCache } from './catalog-cache'
import { packSummary } from './packed-summary'
import { summary } from './summary.test-support'

let env: TestEnvironment
let root: LibraryRoot
beforeEach(() => {
  env = testEnvironment()
  root = rootAt('agent')
})
afterEach(() => env.remove())

function rootAt(name: string): LibraryRoot {
  const [found] = libraryRoots(env, [], path.join(env.home, name))
  if (found === undefined) throw new Error('no root')
  return found
}

const row = (file: string, fingerprint = '1'): CachedRow => {
  const title = `Line\nfeed, "quotes" and ünïcode of ${file}`
  const packed = packSummary(summary(file, { title }))
  const about = { modified: 1.5, bytes: 7, hasDraft: false }
  return { file, fingerprint, ...about, packed, point: Buffer.from(`{"tips":["${file}"]}`) }
}
const rows = (count: number) => Array.from({ length: count }, (_, at) => row(`/s/${at}.jsonl`))
const load = (of = root) => new CatalogCache(env, of).load()
const directory = () => path.join(env.home, '.local/share/grove/catalog')
const cacheFile = () => {
  const [name, ...others] = fs.readdirSync(directory())
  if (name === undefined || others.length > 0)
    throw new Error(`one file expected: ${name} ${others.join(' ')}`)
  return path.join(directory(), name)
}

/** What is loaded, with its points as they are read. */
const plain = (found: Map<string, CachedRow>) => {
  const cache = new CatalogCache(env, root)
  return new Map([...found].map(([file, one]) => [file, { ...one, point: cache.pointOf(one) }]))
}
const asPlain = (saved: readonly CachedRow[]) => plain(new Map(saved.map(one => [one.file, one])))

function save(saved: readonly CachedRow[]): CatalogCache {
  const cache = new CatalogCache(env, root)
  cache.load()
  cache.save(saved, [], () => saved)
  return cache
}

describe('the catalog cache', () => {
  it('gives back what was saved, the last word on each file', () => {
    const all = rows(30)
    const cache = save(all)
    expect(plain(load())).toEqual(asPlain(all))
    const changed = { ...row('/s/3.jsonl', '2'), point: Buffer.from('{"size":7}') }
    cache.save([changed], ['/s/4.jsonl'], () => all)
    const now = load()
    expect(now.size).toBe(29)
    expect(now.get('/s/3.jsonl')).toMatchObject({ fingerprint: '2' })
    expect(plain(now).get('/s/3.jsonl')?.point).toEqual({ size: 7 })
    expect(fs.statSync(cacheFile()).mode & 0o777).toBe(0o600)
  })

  it('is empty where there is none, and one for each root', () => {
    expect(load().size).toBe(0)
    expect(fs.existsSync(directory()), 'looking made it').toBe(false)
    save(rows(1))
    expect(load(rootAt('other')).size).toBe(0)
  })

  it('is added to by two processes at once', () => {
    const all = rows(4)
    const one = save(all.slice(0, 2))
    const two = new CatalogCache(env, root)
    two.load()
    one.save(all.slice(2, 3), [], () => all)
    two.save(all.slice(3), [], () => all)
    one.save([row('/s/0.jsonl', '9')], [], () => all)
    expect([...load().keys()].sort()).toEqual(all.map(({ file }) => file))
    expect(load().get('/s/0.jsonl')?.fingerprint).toBe('9')
  })

  it('reads no point until it is asked for', () => {
    const all = rows(20)
    const points = all.reduce((sum, { point }) => sum + (point instanceof Uint8Array ? point.length : 0), 0)
    save(all)
    const counting = countingFileSystem(env.fs)
    const loading = new CatalogCache({ ...env, fs: counting }, root)
    const loaded = loading.load()
    expect(counting.work.bytesRead).toBe(fs.statSync(cacheFile()).size - points)
    for (const one of loaded.values()) expect(loading.pointOf(one)).toEqual({ tips: [one.file] })
  })

  it('keeps the points of rows that were loaded, however often and by whom the file is written anew', () => {
    const all = rows(20)
    save(all)
    const one = new CatalogCache(env, root)
    const two = new CatalogCache(env, root)
    const [ours, theirs] = [one.load(), two.load()]
    // Of other lengths and in another order each time, so that no place is right by chance.
    const writeAnew = (cache: CatalogCache, loaded: Map<string, CachedRow>, turn: number) => {
      const grown = {
        ...row('/s/7.jsonl', `${turn}`),
        point: Buffer.from(`{"size":"${'9'.repeat(turn * 7)}"}`),
      }
      loaded.set(grown.file, grown)
      const inUse = () =>
        [...loaded.values()].sort((a, b) => (turn % 2 === 0 ? 1 : -1) * a.file.localeCompare(b.file))
      const before = fs.statSync(cacheFile()).ino
      for (let times = 0; fs.statSync(cacheFile()).ino === before; times++) {
        if (times > 2_000) throw new Error('The cache was never written anew.')
        cache.save([grown], [], inUse)
      }
    }
    const allThere = (cache: CatalogCache, loaded: Map<string, CachedRow>) => {
      for (const known of loaded.values())
        if (known.file !== '/s/7.jsonl') expect(cache.pointOf(known)).toEqual({ tips: [known.file] })
    }
    for (let turn = 1; turn < 5; turn++) {
      writeAnew(one, ours, turn)
      allThere(one, ours)
      allThere(two, theirs)
      writeAnew(two, theirs, turn + 10)
      allThere(two, theirs)
      allThere(one, ours)
    }
    const last = new CatalogCache(env, root)
    allThere(last, last.load())
  })

  it('takes no point for that of another state, and none where the cache is gone', () => {
    const all = rows(5)
    save(all)
    const cache = new CatalogCache(env, root)
    const loaded = cache.load()
    fs.rmSync(cacheFile())
    save(all.map(({ file }, at) => row(file, at === 2 ? 'later' : '1')).reverse())
    expect([...loaded.values()].map(one => cache.pointOf(one)?.tips)).toEqual(
      all.map(({ file }, at) => (at === 2 ? undefined : [file])),
    )
    fs.rmSync(cacheFile())
    for (const one of loaded.values()) expect(cache.pointOf(one)).toBeNull()
  })

  it('is written anew when most of it is old', () => {
    const all = rows(10)
    const cache = save(all)
    for (let at = 0; at < 300; at++) cache.save(all, [], () => all)
    expect(fs.statSync(cacheFile()).size).toBeLessThan(1_100 * JSON.stringify(all[0]).length)
    expect(plain(load())).toEqual(asPlain(all))
  })

  it('never gives back what was not saved, however it is damaged, and is mended by the next save', () => {
    const all = rows(6)
    save(all.slice(0, 3)).save(all.slice(3), [], () => all)
    const whole = fs.readFileSync(cacheFile())
    const saved = asPlain(all)
    const damage = fc.oneof(
      fc.record({ at: fc.nat(whole.length - 1), byte: fc.integer({ min: 1, max: 255 }) }),
      fc.record({ cut: fc.nat(whole.length - 1) }),
      fc.record({ more: fc.uint8Array({ minLength: 1, maxLength: 60 }) }),
    )
    fc.assert(
      fc.property(damage, how => {
        const bytes = Buffer.from(whole)
        if ('at' in how) bytes[how.at] = (bytes[how.at] ?? 0) ^ how.byte
        const damaged = 'cut' in how ? bytes.subarray(0, how.cut) : bytes
        fs.writeFileSync(cacheFile(), 'more' in how ? Buffer.concat([damaged, how.more]) : damaged)
        const cache = new CatalogCache(env, root)
        for (const [file, one] of plain(cache.load())) {
          const expected = saved.get(file)
          expect(one).toEqual(one.point === null ? { ...expected, point: null } : expected)
        }
        cache.save(all.slice(0, 1), [], () => all)
        // A file that was cut between two blocks is whole, and was added to.
        const expected = 'cut' in how ? load().size > 0 : load().size === 6
        expect(expected).toBe(true)
      }),
      { numRuns: 200 },
    )
  })

  it('believes nothing of another version', () => {
    save(rows(3))
    const bytes = fs.readFileSync(cacheFile())
    fs.writeFileSync(
      cacheFile(),
      Buffer.from(bytes.toString('latin1').replace('Catalog0', 'Catalog7'), 'latin1'),
    )
    expect(load().size).toBe(0)
  })

  it('is no reason for an error where nothing can be written or read', () => {
    env.put('.local/share/grove', 'a file in its place')
    save(rows(3))
    expect(load().size).toBe(0)
    fs.rmSync(path.join(env.home, '.local'), { recursive: true })
    save(rows(3))
    const file = cacheFile()
    fs.rmSync(file)
    fs.mkdirSync(file)
    save(rows(3))
    expect(load().size).toBe(0)
    expect(fs.readdirSync(directory())).toHaveLength(1)
  })
})
