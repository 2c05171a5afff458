/** Identity, atomic replace, publish, walk, copy and move: what they promise, with every call failing in turn. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Environment, silentWork } from '../environment'
import { publishNew, publishNewNow, replaceFile, replaceFileNow, writeWholeNow } from './atomic-replace'
import { copyFileVerified, copyTreeVerified, removeListed } from './copy-verify'
import { EngineError } from './errors'
import { type FaultPlan, faultyFileSystem, systemError } from './faulty-file-system.test-support'
import { captureIdentity, identityDifference, verifyIdentity } from './file-identity'
import type { FileSystem } from './file-system'
import { isSameEntry, moveNoReplace } from './move-entry'
import { nodeFileSystem } from './node-file-system'
import { treeDifference, treeFingerprint, walkTree } from './tree-walk'

let directory: string
let file: string
let ids = 0

beforeEach(() => {
  directory = fs.mkdtempSync(
    path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'grove-replace-'),
  )
  file = path.join(directory, 'a.jsonl')
})
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }))

function environment(system: FileSystem = nodeFileSystem): Environment {
  return {
    fs: system,
    now: () => Date.now(),
    uuid: () => (++ids).toString(16).padStart(32, '0'),
    sessionId: () => '',
    pid: process.pid,
    platform: process.platform,
    home: directory,
    tempDir: directory,
    env: {},
  }
}

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const bytes = (...texts: string[]) => texts.map(text => Buffer.from(text))
const names = () => fs.readdirSync(directory).sort()

describe('identity', () => {
  it('tells growth, rewriting, replacing, removal; not reading', () => {
    fs.writeFileSync(file, 'one\n')
    const identity = value(captureIdentity(nodeFileSystem, file))
    expect(JSON.parse(JSON.stringify(identity))).toEqual(identity)
    fs.readFileSync(file)
    expect(verifyIdentity(nodeFileSystem, file, identity).ok).toBe(true)
    const changes: [string, () => void][] = [
      ['size', () => fs.appendFileSync(file, 'two\n')],
      ['last bytes', () => fs.writeFileSync(file, 'two\n')],
      [
        'another file',
        () => {
          fs.writeFileSync(`${file}.n`, 'one\n')
          fs.renameSync(`${file}.n`, file)
        },
      ],
      ['gone', () => fs.unlinkSync(file)],
    ]
    for (const [what, change] of changes) {
      change()
      const verified = verifyIdentity(nodeFileSystem, file, identity)
      expect(verified).toMatchObject({ ok: false, error: { code: 'changed-on-disk' } })
      expect(!verified.ok && verified.error.message).toContain(what)
      if (fs.existsSync(file)) fs.writeFileSync(file, 'one\n')
    }
  })

  it('sees an equal-length rewrite within one clock tick by its last bytes', () => {
    fs.writeFileSync(file, 'a'.repeat(10_000))
    const first = value(captureIdentity(nodeFileSystem, file))
    fs.writeFileSync(file, `${'a'.repeat(9_999)}b`)
    const second = { ...value(captureIdentity(nodeFileSystem, file)), mtimeNs: first.mtimeNs }
    expect(identityDifference(first, second)).toContain('last bytes')
  })

  it('identifies a link as itself, and nothing that is neither file nor link', () => {
    fs.symlinkSync('nowhere', file)
    const identity = value(captureIdentity(nodeFileSystem, file))
    expect(identity.kind).toBe('symlink')
    fs.unlinkSync(file)
    fs.symlinkSync('elsewhere', file)
    expect(verifyIdentity(nodeFileSystem, file, identity).ok).toBe(false)
    expect(captureIdentity(nodeFileSystem, directory)).toMatchObject({ error: { code: 'invalid-argument' } })
  })
})

describe('replace', () => {
  it('keeps mode and, when asked, times; streams its chunks', async () => {
    fs.writeFileSync(file, 'old')
    fs.chmodSync(file, 0o640)
    fs.utimesSync(file, 1_000, 2_000)
    const expected = value(captureIdentity(nodeFileSystem, file))
    const identity = value(
      await replaceFile(environment(), file, bytes('n', 'ew'), { expected, keepTimes: true }, silentWork),
    )
    expect(fs.readFileSync(file, 'utf8')).toBe('new')
    const stat = fs.statSync(file)
    // The access time is set too, but reading the identity is an access.
    expect([stat.mode & 0o777, stat.mtimeMs]).toEqual([0o640, 2_000_000])
    expect(verifyIdentity(nodeFileSystem, file, identity).ok).toBe(true)
    value(await replaceFile(environment(), file, bytes('now'), { expected: null }, silentWork))
    expect(fs.statSync(file).mtimeMs).toBeGreaterThan(2_000_000)
    expect(names()).toEqual(['a.jsonl'])
  })

  it('refuses when the target changed, is missing, or is a link', async () => {
    fs.writeFileSync(file, 'old')
    const expected = value(captureIdentity(nodeFileSystem, file))
    const chunks = function* () {
      yield Buffer.from('new')
      fs.appendFileSync(file, ' and a line of someone else')
    }
    const refused = await replaceFile(environment(), file, chunks(), { expected }, silentWork)
    expect(refused).toMatchObject({ error: { code: 'changed-on-disk' } })
    expect(fs.readFileSync(file, 'utf8')).toBe('old and a line of someone else')
    fs.renameSync(file, `${file}.real`)
    expect(replaceFileNow(environment(), file, bytes('x'), { expected: null })).toMatchObject({
      error: { code: 'not-found' },
    })
    fs.symlinkSync(`${file}.real`, file)
    expect(replaceFileNow(environment(), file, bytes('x'), { expected: null })).toMatchObject({
      error: { code: 'conflict' },
    })
    expect(names()).toEqual(['a.jsonl', 'a.jsonl.real'])
  })

  it('finishes short writes, and takes its temporary file away when the source fails or the user cancels', async () => {
    fs.writeFileSync(file, 'old')
    const slow: FileSystem = {
      ...nodeFileSystem,
      write: (fd, buffer, offset, length, position) =>
        nodeFileSystem.write(fd, buffer, offset, Math.min(length, 3), position),
    }
    value(replaceFileNow(environment(slow), file, bytes('0123456789'), { expected: null }))
    expect(fs.readFileSync(file, 'utf8')).toBe('0123456789')
    const stuck: FileSystem = { ...nodeFileSystem, write: () => 0 }
    expect(replaceFileNow(environment(stuck), file, bytes('x'), { expected: null }).ok).toBe(false)
    const broken = function* () {
      yield Buffer.from('half')
      throw systemError('EIO', 'read')
    }
    expect(replaceFileNow(environment(), file, broken(), { expected: null })).toMatchObject({
      error: { code: 'io' },
    })
    const cancel = {
      ...silentWork,
      breathe: () => Promise.reject(new EngineError('cancelled', 'Cancelled.')),
    }
    const cancelled = await replaceFile(environment(), file, bytes('a', 'b'), { expected: null }, cancel)
    expect(cancelled).toMatchObject({ error: { code: 'cancelled' } })
    expect(fs.readFileSync(file, 'utf8')).toBe('0123456789')
    expect(names()).toEqual(['a.jsonl'])
  })

  it('publishes only where nothing is, also without hard links', async () => {
    value(await publishNew(environment(), file, bytes('first'), { mode: 0o600 }, silentWork))
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
    expect(publishNewNow(environment(), file, bytes('second'), {})).toMatchObject({
      error: { code: 'conflict' },
    })
    const noLinks = faultyFileSystem({ only: ['link'], fault: { at: 0, errno: 'EPERM', lasting: 'onwards' } })
    value(publishNewNow(environment(noLinks), `${file}2`, bytes('third'), {}))
    expect(fs.readFileSync(`${file}2`, 'utf8')).toBe('third')
    // It appears between the look and the naming.
    for (const plan of [
      {},
      { only: ['link'], fault: { at: 0, errno: 'EPERM', lasting: 'onwards' } },
    ] satisfies FaultPlan[]) {
      const late = `${file}.late`
      const racing = faultyFileSystem({
        ...plan,
        before: ({ name }) => {
          if (name === 'fsync' && !fs.existsSync(late)) fs.writeFileSync(late, 'theirs')
        },
      })
      expect(publishNewNow(environment(racing), late, bytes('ours'), {})).toMatchObject({
        error: { code: 'conflict' },
      })
      expect(fs.readFileSync(late, 'utf8')).toBe('theirs')
      fs.unlinkSync(late)
    }
    expect(names()).toEqual(['a.jsonl', 'a.jsonl2'])
  })

  it('whichever call fails once: old or new, whole, and nothing beside it', () => {
    for (const present of [true, false]) {
      for (let at = 0; ; at++) {
        fs.rmSync(file, { force: true })
        if (present) fs.writeFileSync(file, 'old')
        const system = faultyFileSystem({ fault: { at, errno: 'ENOSPC', lasting: 'once' } })
        const result = writeWholeNow(environment(system), file, 'new', 0o600)
        const content = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : null
        expect([present ? 'old' : null, 'new'], `call ${at}`).toContain(content)
        if (result.ok) expect(content).toBe('new')
        expect(names(), `call ${at}`).toEqual(content === null ? [] : ['a.jsonl'])
        if (at >= system.calls.length) break
      }
    }
  })

  it('keeps a name near the limit possible', () => {
    const long = path.join(directory, `${'n'.repeat(249)}.jsonl`)
    value(publishNewNow(environment(), long, bytes('x'), {}))
    value(replaceFileNow(environment(), long, bytes('y'), { expected: null }))
    expect(fs.readFileSync(long, 'utf8')).toBe('y')
  })
})

/** A tree with nested directories, modes, an empty file, and links to a file, to a directory, to nothing. */
function makeTree(root: string): void {
  fs.mkdirSync(path.join(root, 'deep', 'er'), { recursive: true })
  fs.writeFileSync(path.join(root, 'plain.txt'), 'plain')
  fs.writeFileSync(path.join(root, 'empty'), '')
  fs.writeFileSync(path.join(root, 'deep', 'er', 'script.sh'), 'x'.repeat(3_000_000))
  fs.chmodSync(path.join(root, 'deep', 'er', 'script.sh'), 0o755)
  fs.symlinkSync('plain.txt', path.join(root, 'to-file'))
  fs.symlinkSync('deep', path.join(root, 'to-directory'))
  fs.symlinkSync('nowhere', path.join(root, 'dangling'))
  fs.utimesSync(path.join(root, 'plain.txt'), 1_000, 1_000)
  fs.utimesSync(path.join(root, 'deep', 'er'), 3_000, 3_000)
}

describe('trees', () => {
  it('are walked without following links, however deep', async () => {
    const root = path.join(directory, 'tree')
    makeTree(root)
    const tree = value(await walkTree(environment(), root, silentWork))
    expect(tree).toMatchObject({ files: 6, directories: 3, symlinks: 3, bytes: 3_000_005 })
    expect(tree.entries.map(entry => entry.path)).toEqual([
      '',
      'dangling',
      'deep',
      'deep/er',
      'deep/er/script.sh',
      'empty',
      'plain.txt',
      'to-directory',
      'to-file',
    ])
    let deep = path.join(directory, 'd')
    fs.mkdirSync(deep)
    for (let level = 0; level < 500; level++) {
      deep = path.join(deep, 'd')
      fs.mkdirSync(deep)
    }
    expect(value(await walkTree(environment(), path.join(directory, 'd'), silentWork)).directories).toBe(501)
  })

  it('are listed however many names one directory holds', { timeout: 60_000 }, async () => {
    const names = Array.from({ length: 300_000 }, (_, at) => ({ name: `${at}`, kind: 'file' as const }))
    fs.writeFileSync(path.join(directory, 'one'), '1')
    const root = nodeFileSystem.lstat(directory)
    const file = nodeFileSystem.lstat(path.join(directory, 'one'))
    const many: FileSystem = {
      ...nodeFileSystem,
      readDirectory: () => names,
      lstat: target => (target === directory ? root : file),
    }
    expect(value(await walkTree(environment(many), directory, silentWork)).files).toBe(names.length)
  })

  it('are told apart by name, kind, size and time', async () => {
    const root = path.join(directory, 'tree')
    makeTree(root)
    const walk = async () => value(await walkTree(environment(), root, silentWork)).entries
    const before = await walk()
    expect(treeDifference(before, await walk())).toBe(null)
    for (const change of [
      () => fs.writeFileSync(path.join(root, 'new'), ''),
      () => fs.unlinkSync(path.join(root, 'empty')),
      () => fs.appendFileSync(path.join(root, 'plain.txt'), '!'),
      () => fs.utimesSync(path.join(root, 'deep', 'er', 'script.sh'), 5, 5),
    ]) {
      const earlier = await walk()
      change()
      const now = await walk()
      expect(treeDifference(earlier, now)).not.toBe(null)
      expect(treeFingerprint(earlier)).not.toBe(treeFingerprint(now))
    }
  })

  it('are copied whole: bytes, modes, times, links; to another file system too', async () => {
    const root = path.join(directory, 'tree')
    makeTree(root)
    // The temporary directory lies on another file system than /dev/shm where that exists.
    const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-copy-'))
    try {
      const copy = path.join(elsewhere, 'copy')
      const source = value(await copyTreeVerified(environment(), root, copy, silentWork))
      const copied = value(await walkTree(environment(), copy, silentWork))
      expect(copied).toMatchObject({
        files: source.files,
        directories: source.directories,
        bytes: source.bytes,
      })
      expect(fs.readFileSync(path.join(copy, 'deep/er/script.sh'), 'utf8')).toBe('x'.repeat(3_000_000))
      expect(fs.statSync(path.join(copy, 'deep/er/script.sh')).mode & 0o777).toBe(0o755)
      expect(fs.readlinkSync(path.join(copy, 'to-directory'))).toBe('deep')
      expect(fs.statSync(path.join(copy, 'plain.txt')).mtimeMs).toBe(1_000_000)
      expect(fs.statSync(path.join(copy, 'deep/er')).mtimeMs).toBe(3_000_000)
      const again = await copyTreeVerified(environment(), root, copy, silentWork)
      expect(again.ok).toBe(false)
      expect(value(await walkTree(environment(), copy, silentWork))).toEqual(copied)
    } finally {
      fs.rmSync(elsewhere, { recursive: true })
    }
  })

  it('leave nothing behind whichever call of the copy fails, and the source as it was', async () => {
    const root = path.join(directory, 'tree')
    fs.mkdirSync(path.join(root, 'sub'), { recursive: true })
    fs.writeFileSync(path.join(root, 'sub', 'f'), 'f')
    fs.symlinkSync('f', path.join(root, 'sub', 'l'))
    const before = value(await walkTree(environment(), root, silentWork))
    for (let at = 0; ; at++) {
      const system = faultyFileSystem({ fault: { at, errno: 'EIO', lasting: 'once' } })
      const result = await copyTreeVerified(
        environment(system),
        root,
        path.join(directory, 'copy'),
        silentWork,
      )
      expect(names(), `call ${at} ${system.calls[at]?.name}`).toEqual(result.ok ? ['copy', 'tree'] : ['tree'])
      expect(value(await walkTree(environment(), root, silentWork))).toEqual(before)
      fs.rmSync(path.join(directory, 'copy'), { recursive: true, force: true })
      if (at >= system.calls.length) break
    }
  })

  it('are not copied when they change meanwhile, hold a pipe, or read back differently', async () => {
    fs.writeFileSync(file, 'one')
    const growing = faultyFileSystem({
      before: ({ name }) => {
        if (name === 'fsync') fs.appendFileSync(file, '+')
      },
    })
    const changed = await copyFileVerified(environment(growing), file, `${file}.copy`, silentWork)
    expect(changed).toMatchObject({ error: { code: 'changed-on-disk' } })
    const lying: FileSystem = {
      ...nodeFileSystem,
      link: (from, to) => {
        fs.writeFileSync(from, 'bad')
        nodeFileSystem.link(from, to)
      },
    }
    const corrupt = await copyFileVerified(environment(lying), file, `${file}.copy`, silentWork)
    expect(corrupt).toMatchObject({ error: { code: 'io' } })
    expect(names()).toEqual(['a.jsonl'])
  })

  it('lose exactly the listed names, never what a link points to, never what changed', async () => {
    const root = path.join(directory, 'tree')
    makeTree(root)
    fs.writeFileSync(file, 'outside')
    fs.symlinkSync(file, path.join(root, 'out'))
    const { entries } = value(await walkTree(environment(), root, silentWork))
    fs.appendFileSync(path.join(root, 'plain.txt'), 'later')
    fs.writeFileSync(path.join(root, 'deep', 'new'), '')
    const removal = value(await removeListed(environment(), root, entries, silentWork))
    expect(removal).toMatchObject({ files: 6, bytes: 3_000_000 })
    expect(removal.left.map(({ path: place }) => path.relative(root, place)).sort()).toEqual([
      '',
      'deep',
      'plain.txt',
    ])
    expect(fs.readFileSync(file, 'utf8')).toBe('outside')
    expect(fs.readdirSync(root, { recursive: true }).sort()).toEqual(['deep', 'deep/new', 'plain.txt'])
  })
})

it('moves without replacing; an interrupted move shows as one entry with two names', () => {
  fs.writeFileSync(file, 'mine')
  fs.writeFileSync(`${file}2`, 'theirs')
  expect(() => moveNoReplace(nodeFileSystem, file, `${file}2`)).toThrow('nothing is overwritten')
  const late = faultyFileSystem({
    before: ({ name }) => {
      if (name === 'link') fs.writeFileSync(`${file}3`, 'late')
    },
  })
  expect(() => moveNoReplace(late, file, `${file}3`)).toThrow('EEXIST')
  expect(fs.readFileSync(`${file}3`, 'utf8')).toBe('late')
  const failing = faultyFileSystem({ only: ['unlink'], fault: { at: 0, errno: 'EIO', lasting: 'once' } })
  expect(() => moveNoReplace(failing, file, `${file}4`)).toThrow('EIO')
  expect(names()).toEqual(['a.jsonl', 'a.jsonl2', 'a.jsonl3'])
  fs.linkSync(file, `${file}4`)
  expect(isSameEntry(nodeFileSystem, file, `${file}4`)).toBe(true)
  expect(isSameEntry(nodeFileSystem, file, `${file}2`)).toBe(false)
})
