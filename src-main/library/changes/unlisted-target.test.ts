import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SessionPlace } from '../catalog/catalog'
import { summarizeSession } from '../catalog/session-summary'
import { TestLibrary } from '../reroot/test-library.test-support'
import { unlistedTarget } from './unlisted-target'

let library: TestLibrary
beforeEach(() => {
  library = new TestLibrary()
})
afterEach(() => library.remove())

function placeOf(file: string, read = true): SessionPlace {
  return { file, root: library.root, summary: read ? summarizeSession(library.env, file) : null }
}

it('a file from elsewhere is a target in the root that it belongs to', () => {
  const cwd = library.folder('w', 'app')
  const made = library.session({ cwd, id: 'one' })
  const elsewhere = path.join(library.folder('Downloads'), 'shared.jsonl')
  library.env.fs.rename(made, elsewhere)
  const { sessionsDir, agentDir } = library.root.layout
  expect(unlistedTarget('s-1', placeOf(elsewhere))).toMatchObject({
    ok: true,
    value: { ref: 's-1', journal: elsewhere, sessionsDir, agentDir, cwd, id: 'one', readOnly: false },
  })
})

it('a root that is only read keeps it so', () => {
  const made = library.session({ cwd: library.folder('w', 'app'), id: 'one' })
  const place = placeOf(made)
  const target = unlistedTarget('s-1', { ...place, root: { ...place.root, readOnly: true } })
  expect(target).toMatchObject({ ok: true, value: { readOnly: true } })
})

it('a subagent is none, and says with what it goes', () => {
  const made = library.session({ cwd: library.folder('w', 'app'), id: 'one' })
  const subagent = path.join(made.replace(/\.jsonl$/, ''), 'Scout.jsonl')
  const target = unlistedTarget('s-1', placeOf(subagent, false))
  expect(target).toMatchObject({ ok: false, error: { code: 'invalid-argument', path: subagent } })
})

it('of which nothing was read is not there any more', () => {
  const made = library.session({ cwd: library.folder('w', 'app'), id: 'one' })
  const target = unlistedTarget('s-1', placeOf(made, false))
  expect(target).toMatchObject({ ok: false, error: { code: 'not-found', path: made } })
})
