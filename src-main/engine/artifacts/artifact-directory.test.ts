import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import { artifactKind, isArtifact, listArtifacts } from './artifact-directory'

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
})
afterEach(() => env.remove())

it.each([
  ['0.bash.log', 'output'],
  ['12.mcp__server_tool.log', 'output'],
  ['Fix.jsonl', 'subagent'],
  ['Fix/Fix.Check.jsonl', 'subagent'],
  ['__advisor.jsonl', 'advisor'],
  ['Fix/__advisor.slug.jsonl', 'advisor'],
  ['Fix.md', 'document'],
  ['handoff-2026.md', 'document'],
  ['Fix.json', 'data'],
  ['Fix.nested-1-src.patch', 'patch'],
  ['local/plan.md', 'local'],
  ['draft.txt', 'draft'],
  ['Fix/draft.txt', 'document'],
  ['.draft-only-session', 'other'],
  ['bash.log', 'other'],
])('%s is %s', (name, kind) => expect(artifactKind(name)).toBe(kind))

it('lists every file with its size, sorted; draft and marker are no artifacts', () => {
  env.put('art/b/c/1.bash.log', 'x')
  env.put('art/a.md', 'xx')
  env.put('art/draft.txt', 'xxx')
  env.put('art/.draft-only-session', '')
  const listing = listArtifacts(env.fs, path.join(env.home, 'art'))
  expect(listing).toMatchObject({ exists: true, bytes: 6, unreadable: [] })
  expect(listing.files.map(({ name }) => name)).toEqual([
    '.draft-only-session',
    'a.md',
    'b/c/1.bash.log',
    'draft.txt',
  ])
  expect(listing.files.filter(isArtifact).map(({ name }) => name)).toEqual(['a.md', 'b/c/1.bash.log'])
})

it('lists links and follows none, not even for the directory itself', () => {
  env.put('outside/secret.md', 'secret')
  env.put('art/a.md', 'x')
  fs.symlinkSync('../outside', path.join(env.home, 'art', 'linked'))
  fs.symlinkSync('../outside/secret.md', path.join(env.home, 'art', 'link.md'))
  fs.symlinkSync('art', path.join(env.home, 'art-link'))
  const { files } = listArtifacts(env.fs, path.join(env.home, 'art'))
  expect(files.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    'a.md document',
    'link.md other',
    'linked other',
  ])
  expect(listArtifacts(env.fs, path.join(env.home, 'art-link')).exists).toBe(false)
})

it('is empty for what is not there and ends at a depth', () => {
  expect(listArtifacts(env.fs, path.join(env.home, 'none'))).toEqual({
    exists: false,
    files: [],
    bytes: 0,
    unreadable: [],
  })
  env.put(`art/${'d/'.repeat(40)}deep.md`, 'x')
  const deep = listArtifacts(env.fs, path.join(env.home, 'art'))
  expect(deep.files).toEqual([])
  expect(deep.unreadable).toHaveLength(1)
})
