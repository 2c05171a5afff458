import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Environment } from '../engine/environment'
import { nodeEnvironment } from '../engine/node-environment'
import { FamilyIndex } from './catalog/family'
import { type SessionSummary, summarizeSession } from './catalog/session-summary'
import { libraryRoots } from './roots'
import { folderOutside, locateFile, sessionProblem } from './session-file'

let home: string
let env: Environment

beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'grove-file-')))
  env = { ...nodeEnvironment(), home, env: {} }
})
afterEach(() => fs.rmSync(home, { recursive: true, force: true }))

const HEADER = '{"type":"session","version":3,"id":"one","timestamp":"2026-11-30T10:00:00.000Z","cwd":"/w"}\n'

function write(name: string, text = HEADER): string {
  const file = path.join(home, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  return file
}

const locate = (file: string) => locateFile(env, libraryRoots(env, [], null), file)

describe('a file as a session', () => {
  it('in a root belongs to that root', () => {
    const file = write('.omp/agent/sessions/-w/one.jsonl')
    expect(locate(file)).toMatchObject({ ok: true, value: { file, real: file, root: { kind: 'omp' } } })
  })

  it('below another agent directory belongs to that, with its pictures', () => {
    const file = write('backup/agent/sessions/-w/one.jsonl')
    const agent = path.join(home, 'backup', 'agent')
    const blobsDir = path.join(agent, 'blobs')
    expect(locate(file)).toMatchObject({ ok: true, value: { root: { id: agent, layout: { blobsDir } } } })
  })

  it('anywhere else has the pictures beside it when there are any, else the user’s own', () => {
    const file = write('Downloads/one.jsonl')
    const own = path.join(home, '.omp', 'agent', 'blobs')
    expect(locate(file)).toMatchObject({ ok: true, value: { root: { layout: { blobsDir: own } } } })
    const beside = path.join(home, 'Downloads', 'blobs')
    fs.mkdirSync(beside)
    expect(locate(file)).toMatchObject({ ok: true, value: { root: { layout: { blobsDir: beside } } } })
  })

  it('tells where a link leads', () => {
    const file = write('.omp/agent/sessions/-w/one.jsonl')
    const link = path.join(home, 'link.jsonl')
    fs.symlinkSync(file, link)
    expect(locate(link)).toMatchObject({ ok: true, value: { file: link, real: file } })
  })

  it('through a link belongs to the root that it leads to, which may be one that is only read', () => {
    const own = write('.omp/agent/sessions/-w/one.jsonl')
    const foreign = write('.pi/agent/sessions/-w/two.jsonl')
    const [link, within] = ['Downloads/link.jsonl', '.omp/agent/sessions/-w/link.jsonl'].map(name =>
      path.join(home, name),
    )
    if (link === undefined || within === undefined) throw new Error('no links')
    fs.mkdirSync(path.dirname(link))
    fs.symlinkSync(foreign, link)
    fs.symlinkSync(foreign, within)
    expect(locate(link)).toMatchObject({ ok: true, value: { root: { kind: 'pi', readOnly: true } } })
    expect(locate(within)).toMatchObject({ ok: true, value: { root: { kind: 'omp', readOnly: true } } })
    expect(locate(own)).toMatchObject({ ok: true, value: { root: { kind: 'omp', readOnly: false } } })
  })

  it('of a root that is only read stays so where only another directory is shown', () => {
    const foreign = write('.pi/agent/sessions/-w/two.jsonl')
    const shown = (only: string) => locateFile(env, libraryRoots(env, [], path.join(home, only)), foreign)
    expect(shown('other')).toMatchObject({ ok: true, value: { root: { kind: 'pi', readOnly: true } } })
    expect(shown('.pi/agent')).toMatchObject({ ok: true, value: { root: { readOnly: true } } })
    expect(libraryRoots(env, [], path.join(home, '.pi/agent'))).toMatchObject([{ readOnly: true }])
  })

  it.each([
    ['missing.jsonl', () => undefined, 'not-found', /missing\.jsonl.*ENOENT/],
    ['folder.jsonl', (file: string) => fs.mkdirSync(file), 'invalid-argument', /is a folder.*re-root/],
    ['notes.txt', (file: string) => fs.writeFileSync(file, HEADER), 'invalid-argument', /ends in \.jsonl/],
  ] as const)('%s is refused with the reason', (name, make, code, message) => {
    const file = path.join(home, name)
    make(file)
    const located = locate(file)
    expect(located).toMatchObject({ ok: false, error: { code } })
    expect(located.ok ? '' : located.error.message).toMatch(message)
  })

  it('a path that is not absolute is refused', () => {
    expect(locate('one.jsonl')).toMatchObject({ ok: false, error: { code: 'invalid-argument' } })
  })

  it.each([
    ['a session', HEADER, null],
    ['entries without a header', '{"type":"message","id":"a","parentId":null}\n', null],
    ['a broken header with entries', '{"type":"ses\n{"type":"message","id":"a","parentId":null}\n', null],
    ['other JSON lines', '{"level":"info","text":"started"}\n', /neither a header nor a message/],
    ['no JSON at all', 'hello\n', /is no session/],
    ['nothing', '', /is empty/],
  ])('%s', (_what, text, problem) => {
    const said = sessionProblem(summarizeSession(env, write('x.jsonl', text)))
    if (problem === null) expect(said).toBeNull()
    else expect(said).toMatch(problem)
  })
})

describe('a file outside of the library', () => {
  const outside = (file: string, listed: SessionSummary[] = []) => {
    const root = libraryRoots(env, [], null)[0]
    if (root === undefined) throw new Error('no root')
    const catalog = {
      listedAt: (at: string) =>
        listed.some(summary => summary.file === at) ? { file: at, root } : undefined,
      family: () => new FamilyIndex(listed),
    }
    return folderOutside(env, libraryRoots(env, [], null), catalog, file)
  }

  it('is one that no root has, by name or through a link', () => {
    const own = write('.omp/agent/sessions/-w/one.jsonl')
    const file = write('Downloads/one.jsonl')
    const link = path.join(home, 'link.jsonl')
    fs.symlinkSync(own, link)
    expect([own, link, file].map(at => outside(at))).toEqual([null, null, path.join(home, 'Downloads')])
  })

  it('is none that is listed from anywhere, nor a subagent of one', () => {
    const file = write('Downloads/one.jsonl')
    const agent = write('Downloads/one/Task.jsonl')
    const listed = [summarizeSession(env, file)]
    expect([file, agent].map(at => outside(at, listed))).toEqual([null, null])
    expect(outside(agent)).toBe(path.join(home, 'Downloads', 'one'))
  })
})
