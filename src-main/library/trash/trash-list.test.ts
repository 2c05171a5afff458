import { expect, test } from 'vitest'
import type { Manifest } from './manifest'
import { type TrashEntry, trashItemView } from './trash-list'

const manifest: Manifest = {
  version: 1,
  id: 'a',
  changeId: 'c',
  deleted: 1,
  origin: { inside: true, directory: '-x' },
  container: '-x',
  parts: [{ role: 'journal', name: 's.jsonl', kind: 'file' }],
  session: { id: null, title: 'One\nline', cwd: '/home/u/work\u202egpj\u0007' },
  files: 1,
  bytes: 1,
  artifactFiles: 0,
  subagents: 0,
  hasDraft: false,
}
const entry = (session: Manifest['session']): TrashEntry => ({
  id: 'a',
  sessionsDir: '/home/u/.omp/agent/sessions',
  location: '/t',
  manifest: { ...manifest, session },
  files: 1,
  bytes: 1,
  fingerprint: 'f',
  problem: null,
})

test('names in the trash are shown as those in the list are: on one line, and nothing acts invisibly', () => {
  expect(trashItemView(entry(manifest.session), '/home/u')).toMatchObject({
    title: 'One line',
    projectName: 'work[U+202E]gpj\u2407',
    shortCwd: '~/work[U+202E]gpj\u2407',
  })
  expect(trashItemView(entry({ id: null, title: '', cwd: null }), '/home/u')).toMatchObject({
    title: 'Untitled',
    projectName: 'unknown',
    shortCwd: '',
  })
})
