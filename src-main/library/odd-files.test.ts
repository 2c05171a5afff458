/**
 * The odd files as a whole: every item of the list of odd files (docs/format.md, Damage and Tree, and what users of session
 * tools reported) has a generated file, and what holds for any file holds for each of them.
 */
import fs from 'node:fs'
import path from 'node:path'
import { layoutGraph } from '@shared/graph/layout'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FamilyIndex } from './catalog/family'
import { summarizeSession } from './catalog/session-summary'
import { Looked } from './odd-files.test-support'
import { makeSampleLibrary, type SampleLibrary } from './sample-library.test-support'

let library: SampleLibrary
beforeAll(() => {
  library = makeSampleLibrary({ odd: true })
}, 120_000)
afterAll(() => library.remove())

/** What is asked for, item by item, and the kinds of generated files that are it. */
const ITEMS: Record<string, Record<string, string[]>> = {
  Damage: {
    'first line broken': ['first line broken'],
    'header missing': ['header missing'],
    'header not an object': ['header not an object'],
    'header without cwd, timestamp or id': [
      'header without cwd',
      'header without timestamp',
      'header without id',
    ],
    'header second': ['header second'],
    'title slot first': ['title slot first'],
    'old header-first files': ['header first, no slot'],
    'empty slot title': ['empty slot title'],
    'slot of another length': ['slot shorter than 256 bytes', 'slot longer than 256 bytes', 'slot with CRLF'],
    'a record cut, the next on the same line': ['record cut mid-string, the next one on the same line'],
    'two whole records glued': ['two whole records glued', 'two damaged pieces on one line'],
    'text with }{': ['text that contains }{'],
    'bad line in the middle': ['bad line in the middle'],
    'a line that is null, a number, an array': [
      'line null',
      'line that is a number',
      'line that is an array',
      'line that is a text',
    ],
    'a fragment, then the same record whole': [
      'a fragment, then the same record whole',
      'a fragment, then the same record whole on one line',
    ],
    'last line without line feed': ['last line without LF, complete'],
    'last line cut short, growing': ['last line cut short'],
    'last line cut inside a character': ['last line cut inside a UTF-8 character'],
    'raw separators in strings': [
      'raw U+2028, U+2029, U+0085 in strings',
      'raw U+000B in a string',
      'escaped U+000B in a string',
    ],
    'CRLF, blank lines': ['CRLF line ends', 'blank lines'],
    'byte order mark': ['BOM at the start', 'BOM in the middle'],
    'NUL tail': ['NUL tail', 'NUL bytes, then a record on the same line'],
    'zero bytes, blanks only': ['zero bytes', 'blanks only'],
    'a directory, a loop, a link to nothing': [
      'a directory named like a session',
      'a symlink loop named like a session',
      'a symlink to nothing',
    ],
    'no JSONL, pretty-printed, binary': ['not JSONL at all', 'pretty-printed JSON', 'binary bytes'],
    unreadable: ['unreadable (no permission)'],
    'higher versions': ['version 4', 'version 99', 'slot of a later version'],
    'unknown types and keys': ['unknown entry types and keys'],
    'a second session line': ['a second session line'],
    'parts missing, wrong types': [
      'assistant message without content',
      'assistant message without usage',
      'usage without cost',
      'tool call without arguments',
      'content as a plain string',
      'wrong types anywhere',
      'nested deeper than programs can follow',
      'names that every object has',
      'numbers that are no counts',
    ],
    'bytes that are no text': ['bytes that are no UTF-8'],
  },
  Trees: {
    'duplicate ids': [
      'duplicate id, the second with another parent',
      'duplicate id, one a root, one a descendant',
    ],
    'self-parent': ['self-parent'],
    cycles: ['cycle of two', 'cycle of three', 'a cycle that no root reaches'],
    'every line written twice': ['every line written twice'],
    'missing parent': ['missing parent'],
    'a hole in the middle': ['a hole in the middle of a chain'],
    'several roots': ['several roots'],
    'long, wide, branched': ['a long chain', '500 branches', '60 children of one entry'],
    'dead ends': ['last line is an exit marker far from the tip', 'last line is a late label'],
    filters: ['inner nodes that filters hide'],
    'parents of forks': [
      'a parent with forks',
      'fork by id',
      'fork by path',
      'fork by a path through a symlink',
      'fork by a path before the parent moved',
      'fork of a deleted parent',
      'fork of a deleted file',
    ],
  },
  Meaning: {
    'injected blocks': [
      'first text is an injected block, then the prompt',
      'injected block in a message of its own',
      'an environment dump, then the prompt',
    ],
    'a real tag': ['a real prompt that begins with <div>'],
    'nothing that was asked': ['only developer entries', 'only system entries', 'only injected blocks'],
    'a first prompt of 200 KB': ['a first prompt of 200 KB'],
    'cuts between characters': ['emoji sequences and flags', 'combining marks at a cut'],
    'lone surrogates': ['lone surrogates', 'lone surrogates in a title'],
    'right-to-left, controls': [
      'right-to-left text',
      'control and bidi characters in a title',
      'control and bidi characters in every name',
    ],
    'no times': ['a time in the year 2099', 'not a date', 'epoch 0', 'no times at all'],
    'other times': [
      'seconds instead of milliseconds',
      'numbers as text',
      'times out of order',
      'touched today',
    ],
    'tools that do not match': [
      'a result without its call',
      'a call without a result',
      'two results for one call',
      'a result before its call',
      'the same call id on two branches',
      'a call on one branch, its result on another',
    ],
    'markup and escapes': ['markup and scripts everywhere', 'terminal escapes'],
    'one directory name': ['two folders with one directory name'],
    'Windows and WSL spellings, drive letter case': ['spellings of a Windows folder'],
    'symlinked projects': ['a symlinked project'],
    'spaces, dashes, other scripts': ['unusual folder names'],
  },
  Move: {
    'folder deleted': ['project folder deleted', 'a file where the folder was'],
    'folder unmounted': ['project on an unmounted volume'],
    'same-named folder elsewhere': ['a same-named folder elsewhere'],
    'a Windows folder': ['a Windows folder seen on Linux'],
    'a silent omp': ['an omp that has the session open and is silent'],
    're-root across file systems, full disk, killed': ['a session to move'],
    'same-named file or artifact in the target': [
      'target holds a same-named file',
      'the same-named file in the target',
      'target holds a same-named artifact',
      'a symlink among the artifacts',
    ],
    'read-only': ['a read-only directory'],
    'parent with subagents and forks': [
      'a parent with subagents and forks',
      'a fork whose parent will be deleted',
    ],
    'removed, recreated': ['removed from outside, then recreated'],
    'another process appends': ['another process appends while it is changed'],
    drafts: [
      'draft equal to the last prompt',
      'an empty draft',
      'a very large draft',
      'a draft without its session',
      'a draft that omp changes while it is open',
    ],
  },
}

const isSection = (section: string) => section in ITEMS

it('every item of the list has a generated file, and every kind belongs to an item', () => {
  for (const [section, items] of Object.entries(ITEMS)) {
    const kinds = new Set(library.odd.filter(odd => odd.section === section).map(({ kind }) => kind))
    expect(Object.values(items).flat().sort(), section).toEqual([...kinds].sort())
  }
})

it('every section of the manifest has its tests, "Size" apart', () => {
  const sections = new Set(library.odd.map(({ section }) => section))
  expect([...sections].filter(section => section !== 'Size').sort()).toEqual(Object.keys(ITEMS).sort())
  // Each asserts by itself that no kind of its section is without a case.
  for (const section of Object.keys(ITEMS)) {
    const test = path.join(import.meta.dirname, `odd-${section.toLowerCase()}.test.ts`)
    expect(fs.readFileSync(test, 'utf8')).toContain(`describeOddSection('${section}', {`)
  }
})

describe('whatever is in a file', () => {
  const readable = () =>
    library.odd
      .filter(({ section, file }) => isSection(section) && file.endsWith('.jsonl'))
      .map(odd => new Looked(library, odd))
      .filter(looked => looked.open().ok)

  it('every entry is on the path to some tip, and once in the graph', () => {
    let entries = 0
    for (const looked of readable()) {
      const { index } = looked.document
      const covered = new Set(index.tips().flatMap(tip => index.path(tip)))
      expect(covered.size, looked.odd.kind).toBe(index.count)
      const { parents, kinds, count } = looked.tree()
      const input = { parents, kinds, labelled: new Uint8Array(count), active: looked.opened.openTip }
      const options = {
        mode: 'all' as const,
        order: 'newest' as const,
        unfoldAll: true,
        unfolded: new Set<number>(),
      }
      const rows = [...layoutGraph(input, options).ordinal].sort((a, b) => a - b)
      expect(rows, looked.odd.kind).toEqual(Array.from({ length: count }, (_, at) => at))
      entries += count
    }
    expect(entries).toBeGreaterThan(3_500)
  })

  it('every damaged line is told with its number, its reason and its bytes', () => {
    let damaged = 0
    for (const looked of readable()) {
      const bytes = looked.bytes()
      for (const { line, offset, bytes: length, reason } of looked.details.damaged) {
        expect(reason, looked.odd.kind).not.toBe('')
        const feeds = bytes.subarray(0, offset).filter(byte => byte === 10).length
        expect(feeds + 1, looked.odd.kind).toBe(line)
        expect(offset + length, looked.odd.kind).toBeLessThanOrEqual(bytes.length)
        expect(looked.raw(line).length, looked.odd.kind).toBeGreaterThanOrEqual(1)
        damaged++
      }
    }
    expect(damaged).toBeGreaterThan(25)
  })

  it('nothing shown in one line holds a line break, a control or half a character', () => {
    for (const looked of readable()) {
      const { title, firstPrompt, projectName, shortCwd, model } = looked.row
      const labels = looked.tree().labels.map(({ label }) => label)
      const previews = looked.opened.tips.map(({ text }) => text)
      for (const text of [title, firstPrompt, projectName, shortCwd, model ?? '', ...labels, ...previews]) {
        expect(text, looked.odd.kind).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]|\p{Cs}/u)
        expect(text.length, looked.odd.kind).toBeLessThan(3_000)
      }
    }
  })
})

it('forks find their parents by id, by path, through links, and where they lay before', () => {
  const ofTrees = library.odd.filter(odd => odd.project === 'odd-tree')
  const summaries = ofTrees.map(odd => summarizeSession(library.env, library.at(odd.file)))
  const family = new FamilyIndex(summaries)
  for (const [at, odd] of ofTrees.entries()) {
    const summary = summaries[at]
    if (summary === undefined || odd.expect.parentFound === undefined) continue
    const parent = family.parentOf(summary)?.parent.id ?? null
    expect(parent, odd.kind).toBe(odd.expect.parentId)
  }
  const parent = summaries.find(summary => summary.parentSession === null)
  expect(parent === undefined ? [] : family.childrenOf(parent)).toHaveLength(4)
})
