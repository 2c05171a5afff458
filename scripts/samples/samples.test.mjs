/** The sample library as a whole: deterministic, and as its manifest says. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { directoryName } from './directory-name.mjs'
import { makeSamples } from './make-samples.mjs'
import { SLOT_BYTES } from './title-slot.mjs'

const run = promisify(execFile)
const script = path.join(import.meta.dirname, '..', 'samples.mjs')
let base
let dir
let manifest

const inDir = relative => path.join(dir, relative)

/** Make everything below `root` writable, so that it can be removed whoever runs the test. */
function unlock(root) {
  for (const item of readdirSync(root, { withFileTypes: true })) {
    if (!item.isDirectory()) continue
    const full = path.join(root, item.name)
    chmodSync(full, 0o755)
    unlock(full)
  }
}

function remove(root) {
  if (!existsSync(root)) return
  unlock(root)
  rmSync(root, { recursive: true, force: true })
}

/** Every path with its kind, mode, time and content; the inodes in breadcrumbs are blotted out. */
function snapshot(root) {
  const rows = []
  for (const name of readdirSync(root, { recursive: true }).sort()) {
    const full = path.join(root, name)
    const stat = lstatSync(full)
    if (stat.isSymbolicLink()) rows.push(`${name} -> ${readlinkSync(full)} ${stat.mtimeMs}`)
    else if (stat.isDirectory()) rows.push(`${name}/ ${stat.mode} ${stat.mtimeMs}`)
    else {
      const unreadable = (stat.mode & 0o400) === 0 && process.getuid?.() !== 0
      const bytes = unreadable ? Buffer.from('') : readFileSync(full)
      const content = name.includes('terminal-sessions')
        ? bytes.toString().replace(/cwdstat \d+ \d+/, 'cwdstat')
        : bytes
      rows.push(`${name} ${stat.mode} ${stat.mtimeMs} ${createHash('sha256').update(content).digest('hex')}`)
    }
  }
  return rows
}

function make() {
  mkdirSync(dir)
  return makeSamples(dir, { odd: true }).manifest
}

beforeAll(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'grove-samples-'))
  dir = path.join(base, 'library')
  manifest = make()
})

afterAll(() => remove(base))

/** Lines of a journal as bytes, ended by LF only. */
function linesOf(file) {
  const bytes = readFileSync(file)
  const lines = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at)
    lines.push(bytes.subarray(at, end < 0 ? bytes.length : end))
    at = end < 0 ? bytes.length : end + 1
  }
  return lines
}

function parsed(line) {
  try {
    const value = JSON.parse(line.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

test('two runs into the same place are equal in every byte and time', () => {
  const first = snapshot(dir)
  remove(dir)
  manifest = make()
  expect(snapshot(dir)).toEqual(first)
})

describe('sessions', () => {
  test('each file holds what the manifest says', () => {
    for (const session of manifest.sessions) {
      const records = linesOf(inDir(session.file)).map(parsed)
      const whole = records.filter(Boolean)
      const heads = whole.filter(r => r.type === 'session' || r.type === 'title').length
      const expected = session.tags.includes('glued') ? session.entryCount - 2 : session.entryCount
      expect(whole.length - heads, session.key).toBe(expected)
      const torn = session.pendingTail || session.tags.includes('glued') ? 1 : 0
      expect(records.length - whole.length - torn, session.key).toBe(session.damagedLines.length)
      const header = whole.find(r => r.type === 'session')
      if (header)
        expect([header.id, header.cwd, header.version ?? 1], session.key).toEqual([
          session.id,
          session.cwd,
          session.version,
        ])
      expect(statSync(inDir(session.file)).size, session.key).toBe(session.bytes)
    }
  })

  test('damaged lines stand where they are said to', () => {
    const damaged = manifest.sessions.flatMap(s => s.damagedLines.map(line => ({ file: s.file, ...line })))
    expect(damaged.length).toBeGreaterThan(2)
    for (const { file, line, offset, bytes } of damaged) {
      const content = readFileSync(inDir(file))
      expect(content.subarray(offset, offset + bytes)).toEqual(linesOf(inDir(file))[line - 1])
      expect(parsed(content.subarray(offset, offset + bytes))).toBeNull()
    }
  })

  test('a slot is 256 bytes with the keys in order, and the title of the session', () => {
    const slotted = manifest.sessions.filter(s => s.slot)
    expect(slotted.length).toBeGreaterThan(30)
    for (const session of slotted) {
      const bytes = readFileSync(inDir(session.file)).subarray(0, SLOT_BYTES)
      expect(bytes.indexOf(10), session.key).toBe(SLOT_BYTES - 1)
      const slot = JSON.parse(bytes.toString())
      const source = session.title === null ? [] : ['source']
      expect(Object.keys(slot)).toEqual(['type', 'v', 'title', ...source, 'updatedAt', 'pad'])
      expect(slot.title || null).toBe(session.title)
    }
  })

  test('each lies in the directory of its cwd, with the time of its last entry, in the past', () => {
    for (const session of manifest.sessions) {
      if (session.lastActivity)
        expect(Math.round(statSync(inDir(session.file)).mtimeMs), session.key).toBe(
          Date.parse(session.lastActivity),
        )
      expect(statSync(inDir(session.file)).mtimeMs).toBeLessThan(Date.parse(manifest.now))
      if (session.cwd === null) continue
      const name = directoryName(session.cwd, { home: inDir(manifest.home) })
      expect(path.basename(path.dirname(session.file)), session.key).toBe(name)
    }
  })

  test('artifacts, subagents, drafts and stars are there', () => {
    for (const session of manifest.sessions) {
      const art = inDir(session.file).replace(/\.jsonl$/, '')
      for (const { name, bytes } of session.artifactFiles)
        expect(statSync(path.join(art, name)).size).toBe(bytes)
      for (const sub of session.subagents) {
        const records = linesOf(inDir(sub.file)).map(parsed)
        expect(records.length - 2).toBe(sub.entryCount)
        expect(existsSync(records[1].parentSession)).toBe(true)
      }
      if (session.draft) expect(readFileSync(path.join(art, 'draft.txt'), 'utf8')).toBe(session.draft.text)
    }
    expect(
      JSON.parse(readFileSync(path.join(inDir(manifest.agentDir), 'session-pins.json'), 'utf8')),
    ).toEqual(manifest.stars)
  })

  test('everything that was asked for is among them', () => {
    const tags = new Set(manifest.sessions.flatMap(s => s.tags))
    const kinds = new Set(manifest.sessions.map(s => s.kind))
    const statuses = new Set(manifest.sessions.map(s => s.status))
    for (const status of ['complete', 'interrupted', 'pending', 'error', 'aborted', 'unknown'])
      expect(statuses).toContain(status)
    for (const kind of [
      'branched',
      'v1',
      'v2',
      'v4',
      'header-first',
      'damaged',
      'fork',
      'long',
      'draft-only',
      'clash',
      'stale-tip',
    ])
      expect(kinds).toContain(kind)
    for (const tag of [
      'compaction',
      'missing-blob',
      'several-roots',
      'every-entry-type',
      'cjk',
      'already-sent',
    ])
      expect(tags).toContain(tag)
    const main = manifest.sessions.find(s => s.key === 'flaky-upload')
    expect([main.tips.length, Object.keys(main.branchPoints).length]).toEqual([3, 2])
    expect(main.tips.at(-1)).toBe(main.leafId)
    expect(manifest.sessions.find(s => s.key === 'config').tips).toHaveLength(12)
    expect(manifest.sessions.find(s => s.key === 'long').entryCount).toBe(2_000)
  })
})

describe('around the sessions', () => {
  test('projects are in the state they are said to be in', () => {
    for (const project of manifest.projects) {
      if (project.state === 'present' || project.state === 'link')
        expect(statSync(project.cwd).isDirectory(), project.key).toBe(true)
      else if (!['root'].includes(project.state)) expect(existsSync(project.cwd), project.key).toBe(false)
      if (project.state === 'renamed') expect(statSync(project.to).isDirectory(), project.key).toBe(true)
    }
  })

  test('breadcrumbs prove the rename', () => {
    const crumb = manifest.breadcrumbs.find(b => b.terminal === 'tmux-%41')
    const [cwd, file, identity] = readFileSync(
      path.join(inDir(manifest.agentDir), 'terminal-sessions', 'tmux-%41'),
      'utf8',
    )
      .trim()
      .split('\n')
    const project = manifest.projects.find(p => p.key === 'upload-service')
    const { dev, ino } = statSync(project.to)
    expect([cwd, path.relative(dir, file), identity]).toEqual([
      project.from,
      crumb.file,
      `cwdstat ${dev} ${ino}`,
    ])
  })

  test('root commits can be followed through loose objects', () => {
    const repos = manifest.projects.filter(p => p.git)
    expect(repos.length).toBeGreaterThan(4)
    for (const { git, folder } of repos) {
      let commit = readFileSync(path.join(inDir(folder), '.git/refs/heads/main'), 'utf8').trim()
      for (;;) {
        const raw = inflateSync(
          readFileSync(path.join(inDir(folder), '.git/objects', commit.slice(0, 2), commit.slice(2))),
        )
        expect(createHash('sha1').update(raw).digest('hex')).toBe(commit)
        const parent = /^parent ([0-9a-f]{40})$/m.exec(raw.toString())
        if (!parent) break
        commit = parent[1]
      }
      expect(commit).toBe(git.rootCommit)
    }
  })

  test('blobs are named by their hash; pictures have a hard link; one is missing', () => {
    for (const { hash, extension } of manifest.blobs) {
      const file = path.join(inDir(manifest.agentDir), 'blobs', hash)
      expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(hash)
      if (extension) expect(statSync(`${file}.${extension}`).ino).toBe(statSync(file).ino)
    }
    const missing = manifest.sessions.flatMap(s => s.blobs.missing)
    for (const hash of missing)
      expect(existsSync(path.join(inDir(manifest.agentDir), 'blobs', hash))).toBe(false)
    expect(missing.length).toBeGreaterThan(0)
  })

  test('odd files cover all five tables and exist', () => {
    expect([...new Set(manifest.odd.map(o => o.section))].sort()).toEqual([
      'Damage',
      'Meaning',
      'Move',
      'Size',
      'Trees',
    ])
    for (const { file, kind } of manifest.odd) expect(lstatSync(inDir(file)), kind).toBeTruthy()
  })
})

describe('command', () => {
  test('prints the agent directory last and nothing depends on HOME', async () => {
    const target = path.join(base, 'made')
    const { stdout, stderr } = await run(
      process.execPath,
      [script, target, '--now', '2027-02-03T04:05:06Z'],
      { env: { PATH: process.env.PATH, HOME: '/nowhere' } },
    )
    const lines = stdout.trimEnd().split('\n')
    expect([lines.length, lines[1], stderr]).toEqual([2, path.join(target, 'home/.omp/agent'), ''])
    expect(JSON.parse(readFileSync(path.join(target, 'manifest.json'), 'utf8')).now).toBe(
      '2027-02-03T04:05:06.000Z',
    )
  })

  test.each([
    ['no directory', []],
    ['an unknown option', ['x', '--big']],
    ['a bad time', ['x', '--now', 'soon']],
    ['two directories', ['x', 'y']],
    ['a directory that is not empty', ['.']],
  ])('refuses %s with exit 2 and one line', async (_name, args) => {
    writeFileSync(path.join(base, 'occupied'), '')
    const failure = await run(process.execPath, [script, ...args], { cwd: base }).catch(error => error)
    expect([failure.code, failure.stdout, failure.stderr.trimEnd().split('\n').length]).toEqual([2, '', 1])
  })
})
