/** Damage: each kind of file that is broken in some way, and what is shown of it all the same. Rule: docs/format.md, Damage. */
import fs from 'node:fs'
import { expect } from 'vitest'
import { describeOddSection, type Looked, type OddCases } from './odd-files.test-support'

const ANSWER = 'agent: It is read like any other, as far as it can be.'
const asked = (looked: Looked) => `prompt: An odd file: ${looked.odd.kind}.`

/** A prompt and an answer, whole, under the kind as title, but for what differs. */
function talk(more: Partial<ReturnType<Looked['facts']>> = {}, rows: string[] = []) {
  return (looked: Looked): void => {
    const whole = {
      title: looked.odd.kind,
      titleFrom: 'user',
      project: 'odd',
      status: 'complete',
      entries: 4,
      damaged: [],
      problems: [],
    }
    expect(looked.facts()).toEqual({ ...whole, ...more })
    expect(looked.said()).toEqual([asked(looked), ANSWER, ...rows])
    expect(looked.row.problem).toBeNull()
    if (looked.odd.id !== null) expect(looked.row.id).toBe(looked.odd.id)
    expect(looked.row.created).not.toBeNull()
    expect(looked.row.damagedLines).toBe(new Set(looked.details.damaged.map(({ line }) => line)).size)
  }
}

/** Several things to be said of one kind. */
function all(...checks: ((looked: Looked) => void)[]) {
  return (looked: Looked): void => {
    for (const check of checks) check(looked)
  }
}

const raw = (line: number, text: string) => (looked: Looked) => expect(looked.raw(line)).toBe(text)
const slot = (has: boolean, exact: boolean) => (looked: Looked) =>
  expect([looked.document.hasSlot, looked.document.hasExactSlot]).toEqual([has, exact])
const writable = (is: boolean) => (looked: Looked) => expect(looked.document.isWritable).toBe(is)

/** A file that only has the name of a session; `bytes` as the list counts them. */
function stub(reason: RegExp, bytes: number, more: Partial<Looked['row']> = {}) {
  return (looked: Looked): void => {
    expect(looked.row.problem).toMatch(reason)
    expect(looked.row).toMatchObject({ bytes, messages: 0, status: 'unknown', projectName: 'unknown' })
    expect(looked.row).toMatchObject({ titleFrom: 'none', damagedLines: 0, ...more })
    expect(looked.row.title).toMatch(/^Untitled, \d+ Sep 2026$/)
  }
}

/** What a stub shows that can be opened: no rows, and why. */
function nothingIn(problems: string[], damaged: number) {
  return (looked: Looked): void => {
    expect(looked.opened).toMatchObject({ entries: 0, openTip: null, leaf: null, tips: [], problems })
    expect(looked.rows()).toEqual([])
    expect(looked.details.damaged).toHaveLength(damaged)
  }
}

/** What cannot be opened says why, where and what kind of failure it is. */
function refused(code: string, reason: RegExp) {
  return (looked: Looked): void => {
    const opened = looked.open()
    expect(opened).toMatchObject({ ok: false, error: { code } })
    if (!opened.ok) expect(opened.error.message).toMatch(reason)
    expect(looked.row.problem).toContain(looked.file)
  }
}

const NO_HEADER = 'The header is missing: folder and creation time are not known.'
const HEADER_LATE = 'The header does not stand first; omp refuses to open such a file.'
const SLOT_LENGTH =
  'The title slot is not the first 256 bytes, on a line of its own; Grove does not rename in place here.'
const FUTURE = (version: number) =>
  `The file is of version ${version}, newer than this program writes; it is shown and never changed.`
const unread = (line: number) => `1 line could not be read: ${line}.`
const pending = 'Line 7 is not finished yet, or was cut off.'
const goesOn = 'prompt: And on it goes.'
const badLine = (reason: string, text: string) =>
  all(
    talk({ status: 'pending', entries: 5, damaged: [`7: ${reason}`], problems: [unread(7)] }, [goesOn]),
    raw(7, text),
  )

const heads: OddCases = {
  'first line broken': all(
    talk({
      title: 'An odd file: first line broken.',
      titleFrom: 'prompt',
      project: 'unknown',
      damaged: ['1: broken JSON'],
      problems: [NO_HEADER, unread(1)],
    }),
    raw(1, '{"type":"session","version":3,"id":"01a1'),
    writable(false),
    looked => expect(looked.details).toMatchObject({ version: 3, cwd: null, created: looked.row.created }),
  ),
  'header missing': all(talk({ project: 'unknown', problems: [NO_HEADER] }), writable(false)),
  'header not an object': all(
    talk({
      project: 'unknown',
      damaged: ['2: a list instead of a record'],
      problems: [NO_HEADER, unread(2)],
    }),
    raw(2, '["session",3]'),
    writable(false),
  ),
  'header without cwd': talk({ project: 'unknown', problems: ['The header names no folder.'] }),
  'header without timestamp': all(talk({ problems: ['The header has no creation time.'] }), looked => {
    expect(looked.document.header?.timestamp).toBeNull()
    // The file's name tells it, to the list and to the details alike.
    expect(looked.row.created).toBe(Date.parse('2026-09-21T10:04:00.000Z'))
    expect(looked.details.created).toBe(looked.row.created)
  }),
  'header without id': all(
    talk({ problems: ['The header has no id; the one in the file name is shown.'] }),
    writable(false),
  ),
  'header second': all(talk({ problems: [HEADER_LATE] }), writable(false)),
  'title slot first': all(talk(), slot(true, true), writable(true)),
  'header first, no slot': all(talk(), slot(false, false), writable(true)),
  'empty slot title': all(
    talk({ title: 'An odd file: empty slot title.', titleFrom: 'prompt' }),
    slot(true, true),
    looked => expect(looked.document.header?.title).toBe('a title that the empty slot deletes'),
  ),
  'slot shorter than 256 bytes': all(talk({ problems: [SLOT_LENGTH] }), slot(true, false)),
  'slot longer than 256 bytes': all(talk({ problems: [SLOT_LENGTH] }), slot(true, false)),
  'slot with CRLF': all(talk({ problems: [SLOT_LENGTH] }), slot(true, false)),
  'slot of a later version': all(
    looked => expect(looked.facts()).toMatchObject({ entries: 5, damaged: [], problems: [HEADER_LATE] }),
    looked => expect(looked.said()).toEqual(['unknown: Unknown entry type title', asked(looked), ANSWER]),
    slot(false, false),
  ),
  'version 4': all(
    talk({ entries: 5, problems: [FUTURE(4)] }, ['unknown: Unknown entry type holodeck']),
    looked => expect(looked.row.readOnly).toBe(true),
  ),
  'version 99': all(
    talk({ entries: 5, problems: [FUTURE(99)] }, ['unknown: Unknown entry type holodeck']),
    looked => expect(looked.row.readOnly).toBe(true),
  ),
  'unknown entry types and keys': all(
    talk({ status: 'unknown', entries: 7 }, [
      'unknown: Unknown entry type holodeck',
      'agent: ```json\n{\n  "type": "hologram",\n  "data": "x"\n}\n```',
      'unknown: Message of unknown role oracle',
    ]),
    looked => {
      expect(JSON.parse(looked.text(4, 'record'))).toMatchObject({ scene: 'forest', depth: [1, [2, [3]]] })
      expect(looked.document.headerRecord).toMatchObject({ colour: 'green' })
    },
  ),
  'a second session line': all(
    talk({ status: 'pending', entries: 6, problems: ['1 entry has no id.'] }, [
      'prompt: Still here after the second header.',
    ]),
    looked => {
      expect(looked.said(4)).toEqual(['unknown: Unknown entry type session'])
      expect(looked.opened.tips.map(({ ordinal }) => ordinal)).toEqual([5, 4])
    },
  ),
}

const lines: OddCases = {
  'record cut mid-string, the next one on the same line': all(
    talk(
      {
        status: 'pending',
        entries: 5,
        damaged: ['7: a record cut off, with the next one on the same line'],
        problems: [unread(7)],
      },
      ['prompt: This one follows on the same line.'],
    ),
    looked => expect(looked.raw(7)).toMatch(/^\{"type":"message",.*"text":"This record was cut $/),
    looked => expect(looked.details.damaged[0]?.bytes).toBe(looked.raw(7).length),
  ),
  'two whole records glued': talk({ status: 'pending', entries: 6 }, [
    'prompt: First of two on one line.',
    'prompt: Second of two on one line.',
  ]),
  'text that contains }{': looked => {
    const text =
      '}{ "}{" {"type":"message","id":"fake0001","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z"} \\" }{'
    const rows = [`prompt: ${text}`, `prompt: one ${text}`, `prompt: two ${text}`]
    talk({ status: 'pending', entries: 7 }, rows)(looked)
    expect(looked.document.index.ordinalOf('fake0001')).toBeUndefined()
  },
  'bad line in the middle': badLine('broken JSON', '{"type":"message","id":"5e1f00aa","parentId":'),
  'line null': badLine('null instead of a record', 'null'),
  'line that is a number': badLine('a number instead of a record', '42'),
  'line that is an array': badLine('a list instead of a record', '[{"type":"message"}]'),
  'line that is a text': badLine('a string instead of a record', '"just text"'),
  'a fragment, then the same record whole': all(
    talk({ status: 'pending', entries: 5, damaged: ['7: broken JSON'], problems: [unread(7)] }, [
      'prompt: Written twice: first torn, then whole.',
    ]),
    looked => expect(looked.raw(7)).toHaveLength(90),
  ),
  'a fragment, then the same record whole on one line': all(
    talk(
      {
        status: 'pending',
        entries: 5,
        damaged: ['7: a record cut off, with the next one on the same line'],
        problems: [unread(7)],
      },
      ['prompt: Torn, and whole right behind it.'],
    ),
    looked => expect(looked.raw(7)).toHaveLength(90),
  ),
  'two damaged pieces on one line': looked => {
    const reason = '7: a record cut off, with the next one on the same line'
    talk(
      {
        status: 'pending',
        entries: 5,
        damaged: [reason, reason],
        problems: [unread(7)],
      },
      ['prompt: Between two pieces that are lost.'],
    )(looked)
    // Looked at as a whole, from the first damaged byte to the last.
    expect(looked.raw(7)).toMatch(/^\{"type":"message","id":"\{"type".*\}\]\]$/)
  },
  'NUL bytes, then a record on the same line': all(
    talk({ status: 'pending', entries: 5, damaged: ['7: NUL bytes'], problems: [unread(7)] }, [
      'prompt: Appended after a power loss.',
    ]),
    raw(7, '\\x00'.repeat(512)),
  ),
  'bytes that are no UTF-8': all(
    talk({ status: 'pending', entries: 5, damaged: ['8: NUL bytes'], problems: [unread(8)] }, [
      'prompt: caf\ufffd',
    ]),
    raw(8, '\\xFF\\xFE\\x00\\xE8A'),
  ),
  'last line without LF, complete': all(talk(), looked => expect(looked.bytes().at(-1)).toBe(0x7d)),
  'last line cut short': looked => {
    talk({ problems: [pending] })(looked)
    expect(looked.raw(7)).toMatch(/^\{"type":"message","id":/)
    growsTo(looked, String(looked.bytes().subarray(-120)), 'Torn while it was written')
  },
  'last line cut inside a UTF-8 character': all(talk({ problems: [pending] }), looked => {
    // A half character is shown as the bytes that it is.
    expect(looked.raw(7)).toMatch(/上传失\\xE8\\xB4$|上传失\\xE8$/)
    expect(JSON.stringify(looked.rows())).not.toContain('\ufffd')
  }),
  'NUL tail': all(talk({ damaged: ['7: NUL bytes'], problems: [unread(7)] }), raw(7, '\\x00'.repeat(4096))),
  'raw U+2028, U+2029, U+0085 in strings': talk({ status: 'pending', entries: 5 }, [
    'prompt: line\u2028separator, paragraph\u2029separator, next\u0085line',
  ]),
  'raw U+000B in a string': all(talk({ damaged: ['7: broken JSON'], problems: [unread(7)] }), looked =>
    expect(looked.raw(7)).toContain('"data":"a\\x0Bb"'),
  ),
  'escaped U+000B in a string': talk({ status: 'pending', entries: 5 }, ['prompt: a\u000bb']),
  'CRLF line ends': all(talk(), looked => expect(String(looked.bytes())).toContain('}\r\n{')),
  'blank lines': talk(),
  'BOM at the start': all(
    talk({ problems: ['The file begins with a byte order mark.', SLOT_LENGTH] }),
    slot(true, false),
  ),
  'BOM in the middle': all(
    talk(
      {
        entries: 6,
        damaged: ['7: a byte order mark in the middle of the file'],
        problems: [unread(7)],
      },
      ['prompt: A BOM stands before this record.', 'agent: It costs at most its own line.'],
    ),
    raw(7, '\\uFEFF'),
  ),
}

/** The rest of a cut line comes while it is looked at: it appears, whole, and nothing else changes. */
function growsTo(looked: Looked, torn: string, text: string): void {
  const rest = /complete with: (.*)$/.exec(looked.odd.note ?? '')?.[1] ?? ''
  expect(JSON.parse(torn + rest)).toMatchObject({ type: 'message' })
  const { document } = looked
  const before = looked.bytes()
  fs.appendFileSync(looked.file, rest.slice(0, 40))
  expect(document.refresh()).toEqual({ ok: true, value: 'grown' })
  expect([document.index.count, document.pending?.line]).toEqual([4, 7])
  fs.appendFileSync(looked.file, `${rest.slice(40)}\n`)
  expect(document.refresh()).toEqual({ ok: true, value: 'grown' })
  expect([document.index.count, document.pending, document.damaged]).toEqual([5, null, []])
  expect(looked.said(4).at(-1)).toBe(`prompt: ${text}`)
  fs.writeFileSync(looked.file, before)
}

const shapes: OddCases = {
  'assistant message without content': talk({ entries: 5 }, ['agent: ']),
  'usage without cost': all(talk({ entries: 5 }, ['agent: Tokens, but no price.']), looked => {
    expect(looked.summary).toMatchObject({ withoutCost: 1 })
    expect(looked.details.usage).toMatchObject([{ messages: 2, withoutCost: 1 }])
    // What is known of the cost is still told.
    expect(looked.row.cost).toBeGreaterThan(0)
  }),
  'assistant message without usage': all(talk({ entries: 5 }, ['agent: No usage at all.']), looked =>
    expect(looked.details.usage).toMatchObject([{ messages: 1, withoutCost: 0 }]),
  ),
  'tool call without arguments': all(talk({ status: 'interrupted', entries: 5 }, ['bash none: -']), looked =>
    expect(looked.rows().at(-1)).toMatchObject({ summary: '', args: null, callId: 'call_x' }),
  ),
  'content as a plain string': talk({ entries: 6 }, [
    'prompt: A prompt that is a plain string.',
    'agent: An answer that is a plain string.',
  ]),
  'wrong types anywhere': looked => {
    const facts = looked.facts()
    expect(facts).toMatchObject({ title: looked.odd.kind, status: 'unknown', damaged: [] })
    expect(facts.entries).toBe(looked.odd.expect.entryCount)
    expect(looked.said().slice(0, 2)).toEqual([asked(looked), ANSWER])
    expect(looked.details.usage.every(({ input, output }) => input >= 0 && output >= 0)).toBe(true)
  },
  'nested deeper than programs can follow': looked => {
    const deep = 'Nested too deeply to be shown.'
    talk({ status: 'interrupted', entries: 9 }, [
      'unknown: Unknown entry type holodeck',
      'prompt: Deep below.',
      'unknown: Message of unknown role oracle',
      'bash ok: ',
    ])(looked)
    expect(looked.text(4, 'record')).toBe(deep)
    expect(looked.rows().at(-1)).toMatchObject({ args: { text: deep } })
  },
  'names that every object has': all(
    looked =>
      expect(looked.said()).toEqual([
        asked(looked),
        ANSWER,
        'unknown: Unknown entry type constructor',
        'unknown: Message of unknown role toString',
        'service-tier: Service tier anthropic default, valueOf flex',
        'agent: Answered.',
      ]),
    looked => {
      expect([...looked.document.columns.arrays().kinds].slice(4)).toEqual([11, 3, 8, 1, 7])
      expect(looked.details.usage.map(({ model }) => model)).toContain('hasOwnProperty/__proto__')
    },
  ),
  'numbers that are no counts': looked => {
    talk({ entries: 6 }, ['agent: Costs more than there is.', 'agent: And so does this.'])(looked)
    const sums = looked.document.facts.usage
    expect(Object.values(sums).every(sum => sum === null || Number.isSafeInteger(sum) || sum < 1)).toBe(true)
    expect([...looked.tree().tokens].every(tokens => tokens >= 0)).toBe(true)
  },
}

const noSessions: OddCases = {
  'zero bytes': all(stub(/^The file is empty\.$/, 0), nothingIn(['The file holds nothing.'], 0)),
  'blanks only': all(
    stub(/^The file holds only blank lines\.$/, 8),
    nothingIn(['The file holds nothing.'], 0),
  ),
  'not JSONL at all': all(
    stub(/^The file holds no session: none of its lines is a record\.$/, 26, { damagedLines: 3 }),
    nothingIn(
      ['No line of the file is a record of a session.', NO_HEADER, '3 lines could not be read: 1, 3, 4.'],
      3,
    ),
    raw(3, '- bread'),
  ),
  'pretty-printed JSON': looked => {
    const count = looked.details.damaged.length
    expect(count).toBeGreaterThan(5)
    stub(/none of its lines is a record/, looked.bytes().length, { damagedLines: count })(looked)
    expect(looked.raw(1)).toBe('{')
  },
  'binary bytes': looked => {
    const count = looked.details.damaged.length
    stub(/none of its lines is a record/, 2_000, { damagedLines: count })(looked)
    const [first] = looked.details.damaged
    expect(looked.raw(first?.line ?? 0)).not.toContain('\ufffd')
  },
  'a directory named like a session': all(
    stub(/it is a folder/, 0),
    refused('damaged', /^Cannot read .*: it is a folder\.$/),
  ),
  'a symlink loop named like a session': all(
    stub(/go round in a circle/, 0),
    refused('io', /go round in a circle \(ELOOP\)/),
  ),
  'a symlink to nothing': all(
    stub(/a link that leads nowhere/, 0),
    refused('damaged', /a link that leads nowhere/),
  ),
  // Root reads it nevertheless; another user is asked in src-main/cli/odd-files-process.test.ts.
  'unreadable (no permission)': looked => {
    expect(fs.statSync(looked.file).mode & 0o777).toBe(0)
  },
}

describeOddSection('Damage', { ...heads, ...lines, ...shapes, ...noSessions })
