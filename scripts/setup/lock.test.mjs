import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withLock } from './lock.mjs'

// No process has an id this large.
const DEAD = '4194305'
let folder

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grove-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('withLock', () => {
  it('lets one in at a time, in this process too', async () => {
    let inside = 0
    const work = async () => {
      inside++
      expect(inside).toBe(1)
      await new Promise(resolve => setImmediate(resolve))
      inside--
      return 'done'
    }
    const results = await Promise.all([1, 2, 3].map(() => withLock('work', work, folder)))
    expect(results).toEqual(['done', 'done', 'done'])
    expect(existsSync(join(folder, 'work.lock'))).toBe(false)
  })

  it('takes over from an owner that is gone', async () => {
    writeFileSync(join(folder, 'work.lock'), DEAD)
    expect(await withLock('work', () => 'done', folder)).toBe('done')
  })

  it('takes over a file that a crash left empty', async () => {
    writeFileSync(join(folder, 'work.lock'), '')
    utimesSync(join(folder, 'work.lock'), 1, 1)
    expect(await withLock('work', () => 'done', folder)).toBe('done')
  })

  it('is released when the work fails', async () => {
    const fail = () => {
      throw new Error('no')
    }
    await expect(withLock('work', fail, folder)).rejects.toThrow('no')
    expect(existsSync(join(folder, 'work.lock'))).toBe(false)
  })
})
