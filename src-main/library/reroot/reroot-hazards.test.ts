/** Other file systems, other programs, and places that refuse. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentWork } from '../../engine/environment'
import type { FileSystem } from '../../engine/storage/file-system'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import { recoverOperations } from '../changes/recovery'
import { undoChange } from '../changes/undo'
import { applyReroot } from './apply'
import { planReroot } from './plan'
import { relocationPaths } from './relocation'
import { rerootHandler } from './reroot-handler'
import { entriesOf, headerOf, TestLibrary } from './test-library.test-support'

let library: TestLibrary
beforeEach(() => {
  library = new TestLibrary()
})
afterEach(() => library.remove())

async function plan(old: string, now: string) {
  const sessions = await library.targets()
  const scope = { kind: 'project' as const, cwd: old }
  const planned = await planReroot(library.context(), scope, now, sessions, [library.root], silentWork)
  if (!planned.ok) throw new Error(planned.error.message)
  return planned.value
}

async function reroot(old: string, now: string, fileSystem?: FileSystem) {
  const done = await applyReroot(
    library.context(fileSystem),
    await plan(old, now),
    { includeMaybe: false },
    silentWork,
  )
  if (!done.ok) throw new Error(done.error.message)
  return done.value
}

const moved = (file: string, cwd: string) => path.join(library.directoryOf(cwd), path.basename(file))
const leftovers = (directory: string) =>
  fs
    .readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter(name => /(tmp|moved|late|lock)$/.test(name))

function isOtherFileSystem(directory: string): boolean {
  return fs.existsSync(directory) && fs.statSync(directory).dev !== fs.statSync(os.tmpdir()).dev
}

describe('across file systems', () => {
  it('copies, verifies, switches and removes, and undoes it', async ctx => {
    if (!isOtherFileSystem('/dev/shm')) ctx.skip('/dev/shm is not a file system of its own here')
    const [old, now] = [library.at('old'), library.folder('new')]
    const file = library.session({
      cwd: old,
      id: 'x',
      artifacts: { '0.bash.log': 'out', 'sub/deep.md': 'deep' },
    })
    fs.symlinkSync('0.bash.log', path.join(file.slice(0, -6), 'link'))
    const other = fs.mkdtempSync('/dev/shm/grove-other-')
    try {
      fs.symlinkSync(other, library.directoryOf(now))
      const before = library.files()
      const report = await reroot(old, now)
      expect(report).toMatchObject({ done: 1, staying: [], notes: [] })
      const to = moved(file, now)
      expect(fs.readFileSync(path.join(to.slice(0, -6), 'sub', 'deep.md'), 'utf8')).toBe('deep')
      expect(fs.readlinkSync(path.join(to.slice(0, -6), 'link'))).toBe('0.bash.log')
      expect(fs.existsSync(path.dirname(file))).toBe(false)
      expect(leftovers(other)).toEqual([])
      const undone = await undoChange(library.context(), [rerootHandler], report.changeId ?? '', silentWork)
      expect(undone.ok && undone.value).toMatchObject({ done: 1, staying: [] })
      expect(library.files()).toEqual(before)
      expect(fs.readdirSync(other)).toEqual([])
    } finally {
      fs.rmSync(other, { recursive: true })
    }
  })

  it('copies when the system finds another file system only at the rename', async () => {
    const [old, now] = [library.at('old'), library.folder('new')]
    const file = library.session({ cwd: old, id: 'x', artifacts: { '0.bash.log': 'out' } })
    const artifacts = file.slice(0, -6)
    const rename = (from: string, to: string) => {
      if (from === artifacts && path.dirname(to) !== path.dirname(from))
        throw Object.assign(new Error('EXDEV'), { code: 'EXDEV' })
      nodeFileSystem.rename(from, to)
    }
    expect(await reroot(old, now, { ...nodeFileSystem, rename })).toMatchObject({ done: 1, staying: [] })
    expect(fs.readFileSync(path.join(moved(file, now).slice(0, -6), '0.bash.log'), 'utf8')).toBe('out')
    expect(leftovers(library.root.layout.sessionsDir)).toEqual([])
  })
})

describe('places that refuse', () => {
  it.each(['EROFS', 'EACCES', 'ENOSPC'])(
    'leaves a session where it is when the target says %s',
    async code => {
      const [old, now] = [library.at('old'), library.folder('new')]
      library.session({ cwd: old, id: 'x', artifacts: { '0.bash.log': 'out' } })
      const before = library.files()
      const target = library.directoryOf(now)
      const open: FileSystem['open'] = (file, mode, permissions) => {
        if (mode !== 'r' && file.startsWith(`${target}/`)) throw Object.assign(new Error(code), { code })
        return nodeFileSystem.open(file, mode, permissions)
      }
      const report = await reroot(old, now, { ...nodeFileSystem, open })
      expect(report).toMatchObject({ changeId: null, done: 0, files: 0 })
      expect(report.staying[0]?.reason).toBe(code === 'ENOSPC' ? 'failed' : 'permission')
      expect(library.files()).toEqual(before)
      expect(fs.existsSync(target)).toBe(false)
    },
  )

  it('leaves to recovery what could not be taken back, although no hidden file tells of it', async () => {
    const [old, now] = [library.at('old'), library.folder('new')]
    const file = library.session({ cwd: old, id: 'x', artifacts: { '0.bash.log': 'out' } })
    const before = library.files()
    const fail = () => {
      throw Object.assign(new Error('EIO'), { code: 'EIO' })
    }
    const rename: FileSystem['rename'] = (from, to) =>
      from === file.slice(0, -'.jsonl'.length) ? fail() : nodeFileSystem.rename(from, to)
    const unlink: FileSystem['unlink'] = target =>
      target === moved(file, now) ? fail() : nodeFileSystem.unlink(target)
    const report = await reroot(old, now, { ...nodeFileSystem, rename, unlink })
    expect(report).toMatchObject({ done: 0, staying: [{ reason: 'failed' }] })
    expect(fs.existsSync(moved(file, now))).toBe(true)
    const recovered = await recoverOperations(library.context(), [rerootHandler], silentWork)
    expect(recovered.ok && recovered.value).toMatchObject({ recovered: [{ kind: 're-root' }], failed: [] })
    expect(library.files()).toEqual(before)
  })

  it('works where there are no hard links', async () => {
    const [old, now] = [library.at('old'), library.folder('new')]
    const file = library.session({ cwd: old, id: 'x' })
    const inPlace = library.at('elsewhere.jsonl')
    const link = () => {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM' })
    }
    const entries = entriesOf(file)
    expect(await reroot(old, now, { ...nodeFileSystem, link })).toMatchObject({ done: 1, staying: [] })
    expect(entriesOf(moved(file, now))).toBe(entries)
    expect(fs.existsSync(inPlace)).toBe(false)
    expect(leftovers(library.root.layout.sessionsDir)).toEqual([])
  })
})

describe('other programs meanwhile', () => {
  it('puts a session back when a program turns out to have its old file open', async () => {
    const [old, now] = [library.at('old'), library.folder('new')]
    const file = library.session({ cwd: old, id: 'x', artifacts: { '0.bash.log': 'out' } })
    const before = library.files()
    const data = await plan(old, now)
    const aside = relocationPaths(data.moves[0]?.move ?? expect.fail()).aside
    library.uses.set(aside, { state: 'in-use', text: 'vim (process 5) has it open.', pid: 5 })
    const done = await applyReroot(library.context(), data, { includeMaybe: false }, silentWork)
    expect(done.ok && done.value.staying).toMatchObject([
      { reason: 'in-use', text: 'vim (process 5) has it open.' },
    ])
    expect(library.files()).toEqual(before)
    expect(fs.existsSync(file)).toBe(true)
  })

  it('takes over lines that reach the old file while its names change, and lines under the old name after', async () => {
    const [old, now] = [library.at('old'), library.folder('new')]
    const file = library.session({ cwd: old, id: 'x' })
    const data = await plan(old, now)
    const { aside } = relocationPaths(data.moves[0]?.move ?? expect.fail())
    const rename = (from: string, to: string) => {
      if (to === aside) fs.appendFileSync(from, '{"late":1}\n')
      nodeFileSystem.rename(from, to)
      if (to === aside) {
        fs.appendFileSync(aside, '{"late":2}\n')
        fs.appendFileSync(file, '{"late":3}\n')
      }
    }
    const context = library.context({ ...nodeFileSystem, rename })
    const done = await applyReroot(context, data, { includeMaybe: false }, silentWork)
    expect(done.ok && done.value).toMatchObject({ done: 1, staying: [] })
    expect(entriesOf(moved(file, now)).endsWith('{"late":1}\n{"late":2}\n{"late":3}\n')).toBe(true)
    expect(fs.existsSync(file)).toBe(false)
  })

  it('loses no line of a program that appends all the time', { timeout: 60_000 }, async () => {
    const [old, now] = [library.at('old'), library.folder('new')]
    const files = Array.from({ length: 12 }, (_, at) => library.session({ cwd: old, id: `s${at}` }))
    const data = await plan(old, now)
    const script = `const fs = require('fs'); let n = 0; const files = ${JSON.stringify(files)};
      process.stdout.write('ready'); setInterval(() => { for (const f of files.slice(6)) {
        try { fs.appendFileSync(f, JSON.stringify({ line: n }) + '\\n') } catch { process.exit(3) } } n++ }, 3);
      process.on('SIGTERM', () => { fs.writeFileSync(${JSON.stringify(library.at('count'))}, String(n)); process.exit(0) })`
    const child = spawn(process.execPath, ['-e', script])
    await new Promise(resolve => child.stdout.once('data', resolve))
    const done = await applyReroot(library.context(), data, { includeMaybe: false }, silentWork)
    await new Promise<void>(resolve => {
      child.once('exit', () => resolve())
      child.kill('SIGTERM')
    })
    if (!done.ok) throw new Error(done.error.message)
    const count = fs.existsSync(library.at('count'))
      ? Number(fs.readFileSync(library.at('count'), 'utf8'))
      : 0
    for (const [at, file] of files.entries()) {
      const places = [file, moved(file, now)].filter(place => fs.existsSync(place))
      const lines = places.flatMap(place => fs.readFileSync(place, 'utf8').split('\n'))
      expect(lines.filter(line => line.includes('"type":"session"'))).toHaveLength(1)
      if (at < 6) expect(places).toEqual([moved(file, now)])
      else
        for (let n = 0; n < count; n++) expect(lines.filter(line => line === `{"line":${n}}`)).toHaveLength(1)
    }
    expect(leftovers(library.root.layout.sessionsDir)).toEqual([])
  })
})

describe("omp's backups", () => {
  it('move along, so that none is promoted in the old place', async () => {
    const [old, now] = [library.at('old'), library.folder('new')]
    const file = library.session({ cwd: old, id: 'x' })
    fs.writeFileSync(`${file}.123.bak`, 'backup')
    const report = await reroot(old, now)
    expect(fs.readFileSync(`${moved(file, now)}.123.bak`, 'utf8')).toBe('backup')
    expect(fs.existsSync(path.dirname(file))).toBe(false)
    await undoChange(library.context(), [rerootHandler], report.changeId ?? '', silentWork)
    expect(fs.readFileSync(`${file}.123.bak`, 'utf8')).toBe('backup')
    expect(headerOf(file).cwd).toBe(old)
  })
})
