/** Breadcrumbs as omp writes them, read tolerantly, written back without losing what is not known. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Environment } from '../environment'
import { nodeFileSystem } from '../storage/node-file-system'
import { readWholeText } from '../storage/read-whole'
import { parseBreadcrumb, serialiseBreadcrumb } from './breadcrumb'
import { listBreadcrumbs, readBreadcrumb, rootJournalOf, writeBreadcrumb } from './breadcrumb-files'
import { terminalIdOf } from './terminal-id'

let directory: string
beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-crumbs-'))
})
afterEach(() => fs.rmSync(directory, { recursive: true, force: true }))

function environment(): Environment {
  const uuid = () => '0123456789abcdef0123456789abcdef'
  const { pid, platform } = process
  return {
    fs: nodeFileSystem,
    now: Date.now,
    uuid,
    sessionId: uuid,
    pid,
    platform,
    home: '',
    tempDir: '',
    env: {},
  }
}

it('parses and writes the form of omp, and keeps lines it does not know', () => {
  const text = '/w/bc\n/s/x.jsonl\nfresh\ncwdstat 65024 2288627\n'
  expect(parseBreadcrumb(text)).toEqual({
    cwd: '/w/bc',
    session: '/s/x.jsonl',
    fresh: true,
    cwdStat: { dev: '65024', ino: '2288627' },
    extra: [],
  })
  for (const same of [text, '/w\n/s.jsonl\n', '/w\n/s.jsonl\ncwdstat 1 2\nlater thing\n']) {
    const breadcrumb = parseBreadcrumb(same)
    expect(breadcrumb && serialiseBreadcrumb(breadcrumb)).toBe(same)
  }
  for (const none of ['', '\n\n', '/w', '/w\n']) expect(parseBreadcrumb(none)).toBe(null)
})

it('names terminals as omp does', () => {
  expect(terminalIdOf({ terminal: '/dev/pts/3', env: {} })).toBe('pts-3')
  expect(terminalIdOf({ terminal: null, env: { ZELLIJ_PANE_ID: '1', TMUX_PANE: '%9' } })).toBe('zellij-1')
  expect(terminalIdOf({ terminal: null, env: { TMUX_PANE: '%9' } })).toBe('tmux-%9')
  expect(terminalIdOf({ terminal: null, env: { TMUX_PANE: '' } })).toBe(null)
})

it('lists what is there, past what is damaged, and nothing where nothing is', () => {
  expect(listBreadcrumbs(nodeFileSystem, path.join(directory, 'none'))).toEqual({ ok: true, value: [] })
  fs.writeFileSync(path.join(directory, 'pts-1'), '/w\n/s.jsonl\n')
  fs.writeFileSync(path.join(directory, 'pts-2'), 'torn')
  fs.writeFileSync(path.join(directory, '.pts-1.0123456789abcdef.tmp'), '/w\n/t.jsonl\n')
  fs.mkdirSync(path.join(directory, 'folder'))
  const list = listBreadcrumbs(nodeFileSystem, directory)
  expect(list.ok && list.value.map(({ terminalId }) => terminalId)).toEqual(['pts-1'])
})

it('does not wait at a pipe, nor at a link to one', () => {
  const pipe = path.join(directory, 'pts-9')
  execFileSync('mkfifo', [pipe])
  fs.symlinkSync(pipe, path.join(directory, 'pts-8'))
  expect(listBreadcrumbs(nodeFileSystem, directory)).toEqual({ ok: true, value: [] })
  expect(() => readWholeText(nodeFileSystem, pipe, 100)).toThrow('no regular file')
})

it('replaces one only when it is still what was read', () => {
  const file = path.join(directory, 'pts-1')
  fs.writeFileSync(file, '/w\n/s.jsonl\nunknown\n')
  const read = readBreadcrumb(nodeFileSystem, file)
  if (!read.ok) throw new Error(read.error.message)
  const moved = { ...read.value.breadcrumb, session: '/new.jsonl' }
  fs.writeFileSync(file, '/w\n/other.jsonl\n')
  expect(writeBreadcrumb(environment(), file, moved, read.value.identity)).toMatchObject({
    error: { code: 'changed-on-disk' },
  })
  const again = readBreadcrumb(nodeFileSystem, file)
  if (!again.ok) throw new Error(again.error.message)
  expect(writeBreadcrumb(environment(), file, moved, again.value.identity).ok).toBe(true)
  expect(fs.readFileSync(file, 'utf8')).toBe('/w\n/new.jsonl\nunknown\n')
})

it('climbs from nested subagents to the root, and not for ever', () => {
  let at = path.join(directory, 'root')
  const names = [`${at}.jsonl`]
  for (let level = 0; level < 10; level++) {
    fs.mkdirSync(at)
    at = path.join(at, 'Agent')
    names.push(`${at}.jsonl`)
  }
  for (const name of names) fs.writeFileSync(name, '')
  expect(rootJournalOf(nodeFileSystem, names[3] ?? '')).toBe(names[0])
  expect(rootJournalOf(nodeFileSystem, names[8] ?? '')).toBe(names[0])
  expect(rootJournalOf(nodeFileSystem, names[10] ?? '')).toBe(names[2])
  expect(rootJournalOf(nodeFileSystem, '/nowhere/a.jsonl')).toBe('/nowhere/a.jsonl')
})
