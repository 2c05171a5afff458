/**
 * What only a real system can show: a process killed at any moment, a full disk, another file system, a directory that
 * may not be written.
 */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Result } from '@shared/ipc/result'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { processIsAlive } from '../../engine/in-use/process-liveness'
import { recoverOperations } from '../changes/recovery'
import { applyDelete } from './delete-apply'
import { planDelete } from './delete-plan'
import { restoreFromTrash } from './restore'
import {
  removeLibrary,
  type TestLibrary,
  testContext,
  testLibrary,
  testProcesses,
  work,
} from './test-library.test-support'
import { trashHandlers } from './trash-handlers'
import { listTrash } from './trash-list'
import { trashRootOf } from './trash-places'

const run = promisify(execFile)
const ROOT = path.resolve(import.meta.dirname, '../../..')
const isRoot = process.getuid?.() === 0

let scratch: string
/** The child's program, bundled so that plain Node runs it. */
let scenario: string

beforeAll(async () => {
  scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-system-'))
  const entry = path.join(import.meta.dirname, 'kill-scenario.test-support.ts')
  const config = path.join(scratch, 'vite.config.mjs')
  const build = { ssr: entry, outDir: path.join(scratch, 'out'), minify: false }
  const alias = { '@shared': path.join(ROOT, 'src-shared') }
  fs.writeFileSync(
    config,
    `export default ${JSON.stringify({ root: ROOT, build, resolve: { alias }, logLevel: 'error' })}`,
  )
  await run(
    process.execPath,
    [path.join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--config', config],
    { cwd: ROOT },
  )
  const made = fs.readdirSync(path.join(scratch, 'out')).find(name => /^kill-scenario.*js$/.test(name))
  scenario = path.join(scratch, 'scenario.mjs')
  fs.copyFileSync(path.join(scratch, 'out', made ?? ''), scenario)
  // Readable for the other user of the permission cases.
  fs.chmodSync(scratch, 0o755)
}, 120_000)
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }))

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const sessionOf = (library: TestLibrary) => path.join(library.sessionsDir, '-proj', 'one.jsonl')

/** Everything that is not in the trash. */
function outsideTrash(library: TestLibrary): Map<string, string> {
  return new Map([...library.contents()].filter(([name]) => !name.startsWith('grove-trash')))
}

async function trash(library: TestLibrary): Promise<void> {
  const context = testContext(library)
  const plan = value(await planDelete(context, [library.target(sessionOf(library))], {}, work))
  const { report } = value(await applyDelete(context, plan, { includeMaybe: false }, work))
  expect(report.staying).toEqual([])
}

/** As the next process to start: it really asks whether the first one lives. */
function nextProcess(library: TestLibrary) {
  const processes = { ...testProcesses(), isAlive: processIsAlive }
  return testContext(library, { pid: process.pid, processes, ahead: 120_000 })
}

describe('kill -9', () => {
  const child = (library: TestLibrary, what: string, at: number) =>
    spawnSync(process.execPath, [scenario, library.home, what, sessionOf(library), String(at)], {
      encoding: 'utf8',
    })

  it.each(['delete', 'restore'])(
    'in the middle of a %s: recovered to whole',
    { timeout: 300_000 },
    async what => {
      const prepare = async () => {
        const library = testLibrary()
        library.addSession('one')
        const original = library.contents()
        if (what === 'restore') await trash(library)
        fs.rmSync(path.join(library.home, 'data'), { recursive: true, force: true })
        return { library, original }
      }
      const whole = await prepare()
      const finished = child(whole.library, what, -1)
      expect(finished.stderr).toBe('')
      const calls = Number(finished.stdout)
      removeLibrary(whole.library)
      expect(calls).toBeGreaterThan(100)
      const outcomes = new Set<string>()
      for (let step = 1; step < 12; step++) {
        const at = Math.floor((calls * step) / 12)
        const { library, original } = await prepare()
        const killed = child(library, what, at)
        expect(killed.signal, killed.stderr).toBe('SIGKILL')
        const next = nextProcess(library)
        expect(value(await recoverOperations(next, trashHandlers, work)).failed, `killed at ${at}`).toEqual(
          [],
        )
        const items = value(await listTrash(next, [library], work)).items
        const back = outsideTrash(library)
        const isBack = back.has('-proj/one.jsonl')
        outcomes.add(isBack ? 'at its place' : 'in the trash')
        expect(
          items.map(item => item.problem),
          `killed at ${at}`,
        ).toEqual(isBack ? [] : [null])
        if (!isBack) value(await restoreFromTrash(next, items, {}, work))
        expect(library.contents(), `killed at ${at}`).toEqual(original)
        expect(fs.readdirSync(next.data.operations), `killed at ${at}`).toEqual([])
        removeLibrary(library)
      }
      // The kills were spread over the whole change, so both ends must have been met.
      expect(outcomes).toEqual(new Set(['at its place', 'in the trash']))
    },
  )
})

describe('another process that appends all the time', () => {
  it('loses no line, whatever becomes of the delete', { timeout: 120_000 }, async () => {
    const library = testLibrary()
    const journal = library.addSession('one')
    const script = `
      const fs = require('node:fs')
      let count = 0
      const step = () => {
        fs.appendFileSync(process.argv[1], 'line ' + count++ + '\\n')
        if (count === 1) process.stdout.write('ready')
        if (fs.existsSync(process.argv[1] + '.stop')) process.stdout.write(' ' + count); else setImmediate(step)
      }
      step()`
    const child = spawn(process.execPath, ['-e', script, journal])
    let told = ''
    child.stdout.on('data', (text: Buffer) => {
      told += text.toString()
    })
    await once(child.stdout, 'data')
    const context = testContext(library)
    // As if nothing told that it is in use: only the checks around the move are left.
    const blind = {
      ...context,
      deps: { ...context.deps, inUse: async () => ({ taken: 0, check: () => ({ state: 'free' as const }) }) },
    }
    const target = library.target(journal)
    for (let tries = 0; tries < 20 && fs.existsSync(journal); tries++) {
      const plan = await planDelete(blind, [target], {}, work)
      if (plan.ok) await applyDelete(blind, plan.value, { includeMaybe: false }, work)
    }
    const ended = once(child, 'close')
    fs.writeFileSync(`${journal}.stop`, '')
    await ended
    value(await recoverOperations(nextProcess(library), trashHandlers, work))
    const lines: string[] = []
    for (const entry of fs.readdirSync(library.sessionsDir, { withFileTypes: true, recursive: true })) {
      if (entry.name !== 'one.jsonl') continue
      lines.push(...fs.readFileSync(path.join(entry.path, entry.name), 'utf8').split('\n'))
    }
    const written = Number(told.split(' ')[1])
    expect(written).toBeGreaterThan(0)
    const found = new Set(lines.filter(line => line.startsWith('line ')))
    expect(found.size).toBe(written)
    expect(fs.readdirSync(context.data.operations)).toEqual([])
    removeLibrary(library)
  })
})

describe('another file system', () => {
  it('takes a session from there to the trash of its root and back, verified', async ctx => {
    const far = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-far-'))
    const library = testLibrary()
    try {
      if (fs.statSync(far).dev === fs.statSync(library.home).dev)
        ctx.skip('no second file system to be had here')
      const journal = path.join(far, 'mine.jsonl')
      const from = library.addSession('one')
      for (const [source, target] of [
        [from, journal],
        [from.replace('.jsonl', ''), journal.replace('.jsonl', '')],
      ] as const) {
        fs.cpSync(source, target, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
      }
      const [before, time] = [library.contents(far), fs.statSync(journal).mtimeMs]
      const context = testContext(library)
      const plan = value(await planDelete(context, [library.target(journal)], {}, work))
      const { report } = value(await applyDelete(context, plan, { includeMaybe: false }, work))
      expect(report).toMatchObject({ done: 1, files: 6, staying: [], notes: [] })
      expect(fs.readdirSync(far)).toEqual([])
      const { items } = value(await listTrash(context, [library], work))
      expect(items).toMatchObject([{ files: 6, bytes: report.bytes, problem: null }])
      const restored = value(await restoreFromTrash(context, items, {}, work))
      expect(restored.report).toMatchObject({ done: 1, files: 6, staying: [] })
      expect(library.contents(far)).toEqual(before)
      expect(Math.abs(fs.statSync(journal).mtimeMs - time)).toBeLessThan(1)
      expect(fs.existsSync(trashRootOf(library.sessionsDir))).toBe(false)
    } finally {
      fs.rmSync(far, { recursive: true })
      removeLibrary(library)
    }
  })
})

/** Mounts a small file system in memory, or skips with the reason. */
function smallDisk(ctx: TestContext, options: string): string {
  if (!isRoot || process.platform !== 'linux') ctx.skip('mounting a small disk needs root on Linux')
  const disk = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk], { stdio: 'pipe' })
  } catch {
    fs.rmdirSync(disk)
    ctx.skip('this system lets nobody mount a tmpfs')
  }
  return disk
}

function unmount(disk: string): void {
  execFileSync('umount', [disk])
  fs.rmdirSync(disk)
}

describe('a full disk', () => {
  it('keeps a session that does not fit at its place, and says why', async ctx => {
    const disk = smallDisk(ctx, 'size=256k')
    const far = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-far-'))
    try {
      const library = testLibrary(disk)
      const journal = path.join(far, 'big.jsonl')
      fs.writeFileSync(journal, 'x'.repeat(1_000_000))
      fs.utimesSync(journal, 1, 1)
      const context = testContext(library)
      const plan = value(await planDelete(context, [library.target(journal)], {}, work))
      const { report } = value(await applyDelete(context, plan, { includeMaybe: false }, work))
      expect(report).toMatchObject({ done: 0, staying: [{ reason: 'failed' }] })
      expect(report.staying[0]?.text).toContain('disk is full')
      expect(fs.readdirSync(far)).toEqual(['big.jsonl'])
      expect(fs.statSync(journal).size).toBe(1_000_000)
      expect(fs.existsSync(trashRootOf(library.sessionsDir))).toBe(false)
      expect(fs.readdirSync(context.data.operations)).toEqual([])
    } finally {
      unmount(disk)
      fs.rmSync(far, { recursive: true })
    }
  })

  it('refuses to begin when not even its journal can be written', async ctx => {
    const disk = smallDisk(ctx, 'size=128k')
    try {
      const library = testLibrary(disk)
      const journal = library.addSession('one')
      const filler = path.join(disk, 'filler')
      const plan = value(await planDelete(testContext(library), [library.target(journal)], {}, work))
      const fd = fs.openSync(filler, 'w')
      expect(() => {
        for (;;) fs.writeSync(fd, Buffer.alloc(4096))
      }).toThrow('ENOSPC')
      fs.closeSync(fd)
      const before = library.contents()
      const refused = await applyDelete(testContext(library), plan, { includeMaybe: false }, work)
      expect(refused).toMatchObject({ ok: false, error: { code: 'no-space' } })
      expect(library.contents()).toEqual(before)
      fs.unlinkSync(filler)
      expect(
        value(await applyDelete(testContext(library), plan, { includeMaybe: false }, work)).report.done,
      ).toBe(1)
    } finally {
      unmount(disk)
    }
  })
})

describe('a directory that may not be written', () => {
  it('keeps its sessions, and says so', ctx => {
    if (!isRoot || process.platform !== 'linux') ctx.skip('running as another user needs root on Linux')
    const library = testLibrary(fs.mkdtempSync(path.join(os.tmpdir(), 'grove-owned-')))
    try {
      const journal = library.addSession('one')
      execFileSync('chown', ['-R', '12345:12345', library.home])
      fs.chmodSync(path.dirname(journal), 0o555)
      const before = library.contents()
      const child = spawnSync(process.execPath, [scenario, library.home, 'delete', journal, '-1'], {
        uid: 12345,
        gid: 12345,
        encoding: 'utf8',
      })
      expect(child.stderr).toContain('permission')
      expect(library.contents()).toEqual(before)
      expect(fs.readdirSync(path.join(library.home, 'data', 'operations'))).toEqual([])
    } finally {
      removeLibrary(library)
    }
  })
})
