/** omp's lock file: taken, waited for, taken over, and never left behind. Real processes hold it where that matters. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { err, ok } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Environment } from '../environment'
import { countingFileSystem } from './counting-file-system'
import { faultyFileSystem } from './faulty-file-system.test-support'
import type { FileSystem } from './file-system'
import { nodeFileSystem } from './node-file-system'
import { lockHolder, withPublishLock } from './publish-lock'

let directory: string
let journal: string
let lock: string
let ids = 0

beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-lock-'))
  journal = path.join(directory, 'a.jsonl')
  lock = path.join(directory, '.a.jsonl.lock')
})
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }))

function environment(overrides: Partial<Environment> = {}): Environment {
  return {
    fs: nodeFileSystem,
    now: () => Date.now(),
    uuid: () => String(++ids).padStart(32, '0'),
    sessionId: () => '',
    pid: process.pid,
    platform: process.platform,
    home: directory,
    tempDir: directory,
    env: {},
    ...overrides,
  }
}

// Its keys are the names of the interface.
const EVERY_CALL = Object.keys(nodeFileSystem) as (keyof FileSystem)[]

const living = { isAlive: () => true }
const dead = { isAlive: () => false }

function putLock(content: string, ageMs: number): void {
  fs.writeFileSync(lock, content)
  const then = (Date.now() - ageMs) / 1000
  fs.utimesSync(lock, then, then)
}

describe('taking', () => {
  it('holds a file of mode 0600 with pid and time while the work runs, and none after', async () => {
    const result = await withPublishLock(environment(), journal, () => {
      expect(fs.readFileSync(lock, 'utf8')).toMatch(new RegExp(`^${process.pid}:\\d{13}\n$`))
      expect(fs.statSync(lock).mode & 0o777).toBe(0o600)
      return ok(1)
    })
    expect(result).toEqual(ok(1))
    expect(fs.readdirSync(directory)).toEqual([])
  })

  it.each([
    ['answers an error', () => err('io', 'no'), 'io'],
    [
      'throws',
      () => {
        throw new Error('no')
      },
      'internal',
    ],
  ])('releases when the work %s', async (_what, step, code) => {
    expect(await withPublishLock(environment(), journal, step)).toMatchObject({ ok: false, error: { code } })
    expect(fs.readdirSync(directory)).toEqual([])
  })

  it('leaves no lock and no descriptor whichever call fails, and works or says why', async () => {
    for (let at = 0; at < 20; at++) {
      const system = faultyFileSystem({ fault: { at, errno: 'EIO', lasting: 'once' } })
      const counted = countingFileSystem(system)
      await withPublishLock(environment({ fs: counted }), journal, () => ok(undefined))
      const failed = `call ${at}: ${system.calls[at]?.name}`
      expect(fs.readdirSync(directory), failed).toEqual([])
      expect(counted.work.open, failed).toBe(0)
    }
  })

  it('costs six calls when nobody opposes, and is gone before the promise is looked at', async () => {
    const system = faultyFileSystem({ only: EVERY_CALL })
    const done = withPublishLock(environment({ fs: system }), journal, () => ok('done'))
    expect(fs.readdirSync(directory)).toEqual([])
    expect(await done).toEqual(ok('done'))
    expect(system.calls.map(({ name }) => name)).toEqual([
      'open',
      'write',
      'fstat',
      'lstat',
      'close',
      'unlink',
    ])
  })

  it.each([
    ['removed, by omp', 0, () => fs.unlinkSync(lock)],
    ['put aside, after a pause that made it look abandoned', 600, () => fs.renameSync(lock, `${lock}.tmp`)],
  ])('is not taken for held when it was %s, before it was written', async (_what, pauseMs, takeAway) => {
    let clock = Date.now()
    let calls = 0
    const system = faultyFileSystem({
      before({ name }) {
        if (name !== 'write' || calls++ > 0) return
        clock += pauseMs
        takeAway()
        fs.writeFileSync(lock, `77:${clock}\n`)
      },
    })
    const probe = {
      ...living,
      wait: async () => {
        clock += 2
      },
    }
    const env = environment({ fs: system, now: () => clock })
    expect(await withPublishLock(env, journal, () => ok('worked'), probe)).toMatchObject({
      error: { code: 'in-use', message: expect.stringContaining('process 77') },
    })
    expect(fs.readFileSync(lock, 'utf8')).toMatch(/^77:/)
  })

  it('looks at the name before it works when another was there first', async () => {
    putLock('4242:1\n', 0)
    const system = faultyFileSystem({ only: EVERY_CALL })
    const wait = async () => {
      fs.rmSync(lock)
      system.calls.length = 0
    }
    let before: string[] = []
    const work = () => {
      before = system.calls.map(({ name }) => name)
      return ok(1)
    }
    await withPublishLock(environment({ fs: system }), journal, work, { ...living, wait })
    expect(before).toEqual(['open', 'write', 'fstat', 'lstat'])
  })

  it('does not remove a lock that is no longer ours', async () => {
    await withPublishLock(environment(), journal, () => {
      fs.unlinkSync(lock)
      fs.writeFileSync(lock, '1:1\n')
      return ok(undefined)
    })
    expect(fs.readFileSync(lock, 'utf8')).toBe('1:1\n')
  })

  it('says permission or not-found where no lock can be made', async () => {
    const gone = await withPublishLock(environment(), path.join(directory, 'no', 'a.jsonl'), () =>
      ok(undefined),
    )
    expect(gone).toMatchObject({ ok: false, error: { code: 'not-found' } })
  })
})

describe('a lock that names this process', () => {
  it('is taken over when this thread does not hold it: an earlier worker died with it', async () => {
    putLock(`${process.pid}:1\n`, 600)
    expect(lockHolder(environment(), journal, living)).toBe(null)
    expect(await withPublishLock(environment(), journal, () => ok('mine'), living)).toEqual(ok('mine'))
  })

  it('is left alone as long as it is held here, however old', async () => {
    const later = environment({ now: () => Date.now() + 60_000 })
    const result = await withPublishLock(environment(), journal, () => {
      expect(lockHolder(later, journal, living)?.pid).toBe(process.pid)
      return withPublishLock(later, journal, () => ok('twice'), { ...living, wait: async () => undefined })
    })
    expect(result).toMatchObject({ ok: false, error: { code: 'in-use' } })
  })
})

describe('waiting', () => {
  it('gives up after 500 ms of a live holder, naming it, without having worked', async () => {
    putLock('4242:1\n', 0)
    let clock = Date.now()
    const env = environment({ now: () => clock })
    const waits: number[] = []
    const wait = async (ms: number) => {
      waits.push(ms)
      clock += ms
    }
    const result = await withPublishLock(env, journal, () => ok('worked'), { ...living, wait })
    expect(result).toMatchObject({ ok: false, error: { code: 'in-use' } })
    expect(!result.ok && result.error.message).toContain('process 4242')
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(500)
    expect(new Set(waits)).toEqual(new Set([2]))
    expect(fs.readFileSync(lock, 'utf8')).toBe('4242:1\n')
  })

  it('takes it when the holder lets go meanwhile', async () => {
    putLock('4242:1\n', 0)
    const wait = async () => fs.rmSync(lock, { force: true })
    expect(await withPublishLock(environment(), journal, () => ok('mine'), { ...living, wait })).toEqual(
      ok('mine'),
    )
  })

  it('does not wait for ever when the clock stands still', async () => {
    putLock('4242:1\n', 0)
    const now = Date.now()
    const result = await withPublishLock(environment({ now: () => now }), journal, () => ok(0), {
      ...living,
      wait: () => Promise.resolve(),
    })
    expect(result.ok).toBe(false)
  })
})

describe('taking over', () => {
  const MINUTE = 60_000
  it.each([
    ['of a dead process', '4242:1\n', MINUTE, dead, true],
    ['that is empty and old', '', MINUTE, living, true],
    ['that is malformed and old', 'what?', MINUTE, living, true],
    [
      'of a pid that began after the lock was written',
      '4242:1000\n',
      MINUTE,
      { ...living, startedAt: () => 9_000_000 },
      true,
    ],
    ['that is empty but young', '', 0, living, false],
    ['of a dead pid but young, as from another machine', '4242:1\n', 0, dead, false],
    [
      'of a live process, however old',
      '4242:9000000000000\n',
      MINUTE,
      { ...living, startedAt: () => 1 },
      false,
    ],
  ])('a lock %s', async (_what, content, age, probe, taken) => {
    putLock(content, age)
    const now = Date.now()
    const env = environment({ now: () => now })
    const result = await withPublishLock(env, journal, () => ok(0), {
      ...probe,
      wait: () => Promise.resolve(),
    })
    expect(result.ok).toBe(taken)
    expect(fs.readdirSync(directory)).toEqual(taken ? [] : ['.a.jsonl.lock'])
    expect(lockHolder(env, journal, probe) === null).toBe(taken)
  })

  it('gives a lock back that changed hands in the moment of taking over', async () => {
    putLock('4242:1\n', MINUTE)
    const now = Date.now()
    let swapped = false
    const system = faultyFileSystem({
      before({ name }) {
        if (name !== 'rename' || swapped) return
        swapped = true
        fs.unlinkSync(lock)
        fs.writeFileSync(lock, `77:${now}\n`)
      },
    })
    const probe = { isAlive: (pid: number) => pid === 77, wait: () => Promise.resolve() }
    const result = await withPublishLock(
      environment({ fs: system, now: () => now }),
      journal,
      () => ok(0),
      probe,
    )
    expect(result).toMatchObject({ ok: false, error: { code: 'in-use' } })
    expect(fs.readFileSync(lock, 'utf8')).toBe(`77:${now}\n`)
    expect(fs.readdirSync(directory)).toEqual(['.a.jsonl.lock'])
  })
})

it('excludes a second process: counters written by two never lose a step', { timeout: 120_000 }, async () => {
  const counter = path.join(directory, 'counter')
  fs.writeFileSync(counter, '0')
  const rounds = 60
  // A second implementation of the protocol, as omp would be: exclusive create, read-modify-write, unlink.
  const script = `
    const fs = require('node:fs')
    const [lock, counter, rounds] = process.argv.slice(1)
    let done = 0
    const step = () => {
      let fd
      try { fd = fs.openSync(lock, 'wx', 0o600) } catch { return setTimeout(step, 2) }
      fs.writeSync(fd, process.pid + ':' + Date.now() + '\\n'); fs.closeSync(fd)
      const value = Number(fs.readFileSync(counter, 'utf8'))
      setTimeout(() => {
        fs.writeFileSync(counter, String(value + 1)); fs.unlinkSync(lock)
        if (++done < Number(rounds)) setTimeout(step, 1); else process.stdout.write('end')
      }, 1)
    }
    step()`
  const child = spawn(process.execPath, ['-e', script, lock, counter, String(rounds)])
  const ended = once(child, 'exit')
  let done = 0
  while (done < rounds) {
    const result = await withPublishLock(environment(), journal, async () => {
      const value = Number(fs.readFileSync(counter, 'utf8'))
      await new Promise(resolve => setTimeout(resolve, 1))
      fs.writeFileSync(counter, String(value + 1))
      return ok(undefined)
    })
    // Busy for longer than the limit is an answer, not a loss; the count below tells.
    if (result.ok) done++
  }
  await ended
  expect(fs.readFileSync(counter, 'utf8')).toBe(String(rounds * 2))
  expect(fs.readdirSync(directory)).toEqual(['counter'])
})

it('takes over the lock of a process that was killed while it held it', async () => {
  const script = `
    const fs = require('node:fs')
    const fd = fs.openSync(process.argv[1], 'wx', 0o600)
    fs.writeSync(fd, process.pid + ':' + Date.now() + '\\n')
    process.stdout.write('held'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['-e', script, lock])
  await once(child.stdout, 'data')
  expect(lockHolder(environment(), journal)?.pid).toBe(child.pid)
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
  expect(await withPublishLock(environment(), journal, () => ok('mine'))).toEqual(ok('mine'))
  expect(fs.readdirSync(directory)).toEqual([])
})
