import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { contentDigest, judge, listFiles, quickDigest, stampOf } from './staleness.mjs'

let root
const at = path => join(root, path)

/** Writes a file with a time of its own, so that a later write in the same millisecond still differs. */
function write(path, text, seconds = 1_700_000_000) {
  mkdirSync(join(at(path), '..'), { recursive: true })
  writeFileSync(at(path), text)
  utimesSync(at(path), seconds, seconds)
}

function look() {
  const required = [at('out/index.cjs')]
  return {
    root,
    inputs: listFiles([at('src'), at('no-such-file')]),
    outputs: listFiles([at('out')]),
    required,
  }
}

function stamp() {
  const { inputs, outputs } = look()
  return stampOf(root, { quick: quickDigest(root, inputs), content: contentDigest(root, inputs) }, outputs)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'grove-stale-'))
  write('src/a.ts', 'a')
  write('src/deep/b.css', 'b')
  write('out/index.cjs', 'built')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('staleness of the build', () => {
  it('is stale without a stamp', () => {
    expect(judge(undefined, look())).toBe('stale')
  })

  it('is fresh when nothing changed', () => {
    expect(judge(stamp(), look())).toBe('fresh')
  })

  it('is only touched when times changed and contents did not, as in a fresh checkout of the same state', () => {
    const before = stamp()
    write('src/a.ts', 'a', 1_800_000_000)
    expect(judge(before, look())).toBe('touched')
  })

  it.each([
    ['an edit', () => write('src/a.ts', 'A', 1_800_000_000)],
    ['a new file', () => write('src/c.ts', '')],
    ['a removed file', () => rmSync(at('src/deep/b.css'))],
    ['a rename', () => [rmSync(at('src/a.ts')), write('src/z.ts', 'a')]],
    ['a missing output', () => rmSync(at('out/index.cjs'))],
    ['an output that something else wrote', () => write('out/index.cjs', 'other', 1_800_000_000)],
  ])('is stale after %s', (_, change) => {
    const before = stamp()
    change()
    expect(judge(before, look())).toBe('stale')
  })

  it('does not depend on tests and guides', () => {
    const before = stamp()
    write('src/a.test.ts', 'test')
    write('src/README.md', 'guide')
    expect(judge(before, look())).toBe('fresh')
  })
})
