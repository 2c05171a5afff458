/** Damage, as a user sees it: what can be read is there, what cannot is told with its line, its reason and its bytes. */
import { appendFileSync } from 'node:fs'
import { type Look, type Looks, oddFile, waitUntilAllRead, walkSection } from '../fixtures/odd-walk'
import { expect, test } from '../fixtures/test'
import { fileDifferences, takeSnapshot } from '../fixtures/tree-snapshot'
import { type Damage, OddSession } from '../pages/odd-session'

test.use({ libraryKind: 'odd' })

const ANSWER = 'It is read like any other, as far as it can be.'
const asked = (seen: OddSession) => `An odd file: ${seen.odd.kind}.`

type Whole = { title: string; project: string; status: string; damaged: Damage[]; problems: string[] }

/** A prompt and an answer in list, head, transcript and health, whole but for what differs. */
function talk(more: Partial<Whole> = {}, rows: (string | RegExp)[] = []): Look {
  return async seen => {
    const { grove, odd } = seen
    const whole = { title: odd.kind, project: 'odd', status: 'complete', damaged: [], problems: [], ...more }
    const lines = new Set(whole.damaged.map(({ line }) => line)).size
    const many = lines === 1 ? '1 damaged line' : `${lines} damaged lines`
    await seen.rowSays(whole.title, new RegExp(`${whole.project} `))
    await expect(grove.session.heading(whole.title)).toBeVisible()
    await seen.status(whole.status)
    await expect(seen.row.getByText('damaged line')).toHaveCount(lines === 0 ? 0 : 1)
    await expect(grove.session.damagedButton('')).toHaveCount(lines === 0 ? 0 : 1)
    if (lines > 0) {
      await seen.rowSays(many)
      await expect(grove.session.damagedButton(String(lines))).toBeVisible()
    }
    await seen.transcript([asked(seen), ANSWER, ...rows])
    await seen.health(whole.problems, whole.damaged)
  }
}

/** Several things to be seen of one kind. */
function all(...looks: Look[]): Look {
  return async seen => {
    for (const look of looks) await look(seen)
  }
}

/** The raw bytes of a line, opened by keyboard; what is no text is shown as an escape. */
function raw(line: number, text: string | RegExp): Look {
  return async seen => {
    const bytes = await seen.raw(line)
    await expect(bytes).toHaveText(text)
    await expect(bytes).not.toContainText('\ufffd')
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
const goesOn = 'And on it goes.'
const CUT = 'a record cut off, with the next one on the same line'
const badLine = (reason: string, text: string): Look =>
  all(
    talk({ status: 'no answer yet', damaged: [{ line: 7, reason }], problems: [unread(7)] }, [goesOn]),
    raw(7, text),
  )
const future = (version: number): Look =>
  all(talk({ problems: [FUTURE(version)] }, ['Unknown entry type holodeck']), async seen => {
    await seen.rowSays('read-only')
    await expect(seen.grove.page.getByRole('main').getByText('read-only', { exact: true })).toBeVisible()
  })

const heads: Looks = {
  'first line broken': all(
    talk({
      title: 'An odd file: first line broken.',
      project: 'unknown',
      damaged: [{ line: 1, reason: 'broken JSON' }],
      problems: [NO_HEADER, unread(1)],
    }),
    raw(1, '{"type":"session","version":3,"id":"01a1'),
    async ({ grove, odd }) => {
      const identity = grove.details.part('Identity')
      await expect(identity).toContainText(odd.id ?? 'no id')
      await expect(identity).toContainText('unknown: the header names none')
    },
  ),
  'header missing': talk({ project: 'unknown', problems: [NO_HEADER] }),
  'header not an object': all(
    talk({
      project: 'unknown',
      damaged: [{ line: 2, reason: 'a list instead of a record' }],
      problems: [NO_HEADER, unread(2)],
    }),
    raw(2, '["session",3]'),
  ),
  'header without cwd': talk({ project: 'unknown', problems: ['The header names no folder.'] }),
  'header without timestamp': all(
    talk({ problems: ['The header has no creation time.'] }),
    async ({ grove }) => {
      await expect(grove.details.part('Identity')).toContainText(/Created.*2026/)
    },
  ),
  'header without id': all(
    talk({ problems: ['The header has no id; the one in the file name is shown.'] }),
    async ({ grove, odd }) => {
      await expect(grove.details.part('Identity')).toContainText(odd.id ?? 'no id')
    },
  ),
  'header second': talk({ problems: [HEADER_LATE] }),
  'title slot first': talk(),
  'header first, no slot': all(talk(), async ({ grove }) => {
    await expect(grove.details.part('Identity')).toContainText('without a title slot')
  }),
  'empty slot title': talk({ title: 'An odd file: empty slot title.' }),
  'slot shorter than 256 bytes': talk({ problems: [SLOT_LENGTH] }),
  'slot longer than 256 bytes': talk({ problems: [SLOT_LENGTH] }),
  'slot with CRLF': talk({ problems: [SLOT_LENGTH] }),
  'slot of a later version': async seen => {
    await seen.transcript(['Unknown entry type title', asked(seen), ANSWER])
    await seen.health([HEADER_LATE])
  },
  'version 4': future(4),
  'version 99': future(99),
  'unknown entry types and keys': all(
    talk({ status: 'unknown' }, [
      'Unknown entry type holodeck',
      /"type": "hologram"/,
      'Message of unknown role oracle',
    ]),
    async seen => {
      await seen.grove.session.show('Transcript')
      const entry = seen.grove.transcript.row('Unknown entry type holodeck')
      await entry.getByRole('button', { name: /^Unknown entry type/ }).press('Enter')
      await expect(entry).toContainText('"scene": "forest"')
    },
  ),
  'a second session line': all(
    talk({ status: 'no answer yet', problems: ['1 entry has no id.'] }, [
      'Still here after the second header.',
    ]),
    async ({ grove }) => {
      await grove.session.show('Branches')
      await expect(grove.branches.tips).toHaveCount(2)
      await expect(grove.branches.tips.nth(1)).toContainText('Unknown entry session')
    },
  ),
}

const lines: Looks = {
  'record cut mid-string, the next one on the same line': all(
    talk({ status: 'no answer yet', damaged: [{ line: 7, reason: CUT }], problems: [unread(7)] }, [
      'This one follows on the same line.',
    ]),
    raw(7, /^\{"type":"message",.*"text":"This record was cut $/),
  ),
  'two whole records glued': talk({ status: 'no answer yet' }, [
    'First of two on one line.',
    'Second of two on one line.',
  ]),
  'text that contains }{': talk({ status: 'no answer yet' }, [
    '}{ "}{" {"type":"message","id":"fake0001"',
    'one }{ "}{"',
    'two }{ "}{"',
  ]),
  'bad line in the middle': badLine('broken JSON', '{"type":"message","id":"5e1f00aa","parentId":'),
  'line null': badLine('null instead of a record', 'null'),
  'line that is a number': badLine('a number instead of a record', '42'),
  'line that is an array': badLine('a list instead of a record', '[{"type":"message"}]'),
  'line that is a text': badLine('a string instead of a record', '"just text"'),
  'a fragment, then the same record whole': all(
    talk(
      {
        status: 'no answer yet',
        damaged: [{ line: 7, reason: 'broken JSON', bytes: 90 }],
        problems: [unread(7)],
      },
      ['Written twice: first torn, then whole.'],
    ),
    raw(7, /^\{"type":"message",.{72}$/),
  ),
  'a fragment, then the same record whole on one line': all(
    talk({ status: 'no answer yet', damaged: [{ line: 7, reason: CUT, bytes: 90 }], problems: [unread(7)] }, [
      'Torn, and whole right behind it.',
    ]),
    raw(7, /^\{"type":"message",.{72}$/),
  ),
  'two damaged pieces on one line': all(
    talk(
      {
        status: 'no answer yet',
        damaged: [
          { line: 7, reason: CUT },
          { line: 7, reason: CUT },
        ],
        problems: [unread(7)],
      },
      ['Between two pieces that are lost.'],
    ),
    raw(7, /^\{"type":"message","id":"\{"type".*\}\]\]$/),
  ),
  'NUL bytes, then a record on the same line': all(
    talk({ status: 'no answer yet', damaged: [{ line: 7, reason: 'NUL bytes' }], problems: [unread(7)] }, [
      'Appended after a power loss.',
    ]),
    raw(7, '\\x00'.repeat(512)),
  ),
  'bytes that are no UTF-8': all(
    talk({ status: 'no answer yet', damaged: [{ line: 8, reason: 'NUL bytes' }], problems: [unread(8)] }, [
      'caf\ufffd',
    ]),
    raw(8, '\\xFF\\xFE\\x00\\xE8A'),
  ),
  'last line without LF, complete': talk(),
  // Not damage: it may still be written. When the rest comes is tested below.
  'last line cut short': talk({ problems: [pending] }),
  'last line cut inside a UTF-8 character': all(talk({ problems: [pending] }), async ({ grove }) => {
    await expect(grove.details.region).not.toContainText('\ufffd')
  }),
  'NUL tail': all(
    talk({ damaged: [{ line: 7, reason: 'NUL bytes' }], problems: [unread(7)] }),
    raw(7, '\\x00'.repeat(4096)),
  ),
  'raw U+2028, U+2029, U+0085 in strings': talk({ status: 'no answer yet' }, [
    /line\u2028separator, paragraph\u2029separator, next.?line/,
  ]),
  'raw U+000B in a string': all(
    talk({ damaged: [{ line: 7, reason: 'broken JSON' }], problems: [unread(7)] }),
    raw(7, /"data":"a\\x0Bb"/),
  ),
  'escaped U+000B in a string': talk({ status: 'no answer yet' }, [/a.?b/s]),
  'CRLF line ends': talk(),
  'blank lines': talk(),
  'BOM at the start': talk({ problems: ['The file begins with a byte order mark.', SLOT_LENGTH] }),
  'BOM in the middle': all(
    talk(
      {
        damaged: [{ line: 7, reason: 'a byte order mark in the middle of the file' }],
        problems: [unread(7)],
      },
      ['A BOM stands before this record.', 'It costs at most its own line.'],
    ),
    raw(7, '\\uFEFF'),
  ),
}

/** One number of the table of tokens, by the model and the head of its column. */
async function withoutCost(seen: OddSession, messages: string): Promise<void> {
  const usage = seen.grove.details.part('Tokens and cost')
  await expect(usage).toContainText(`${messages} without cost.`)
}

const deep = 'Nested too deeply to be shown.'

const shapes: Looks = {
  'assistant message without content': talk({}, ['A message without text.']),
  'usage without cost': all(talk({}, ['Tokens, but no price.']), seen => withoutCost(seen, '1 message')),
  'assistant message without usage': all(talk({}, ['No usage at all.']), async ({ grove }) => {
    await expect(grove.details.part('Tokens and cost')).not.toContainText('without cost')
  }),
  'tool call without arguments': talk({ status: 'interrupted' }, [/bash.*no result/]),
  'content as a plain string': talk({}, [
    'A prompt that is a plain string.',
    'An answer that is a plain string.',
  ]),
  'wrong types anywhere': async seen => {
    await seen.status('unknown')
    await seen.grove.session.show('Transcript')
    await expect(seen.said.nth(0)).toContainText(asked(seen))
    await expect(seen.said.nth(1)).toContainText(ANSWER)
    await seen.health([])
    await expect(seen.grove.details.part('Counts')).toContainText(
      `${String(seen.odd.expect.entryCount)}entries`,
    )
  },
  'nested deeper than programs can follow': all(
    talk({ status: 'interrupted' }, [
      'Unknown entry type holodeck',
      'Deep below.',
      'Message of unknown role oracle',
      'bash',
    ]),
    async seen => {
      await seen.grove.session.show('Transcript')
      for (const name of ['Unknown entry type holodeck', 'bash']) {
        const row = seen.grove.transcript.row(name)
        await row.getByRole('button', { name: new RegExp(`^${name}`) }).press('Enter')
        await expect(row).toContainText(deep)
      }
    },
  ),
  'names that every object has': all(
    talk({}, [
      'Unknown entry type constructor',
      'Message of unknown role toString',
      'Service tier anthropic default, valueOf flex',
      'Answered.',
    ]),
    async ({ grove }) => {
      await expect(grove.details.part('Tokens and cost')).toContainText('hasOwnProperty/__proto__')
    },
  ),
  'numbers that are no counts': all(
    talk({}, ['Costs more than there is.', 'And so does this.']),
    async ({ grove }) => {
      const cells = grove.details.part('Tokens and cost').getByRole('cell')
      await expect(cells.first()).toBeVisible()
      await expect(cells.filter({ hasText: /NaN|Infinity|\u221e|^-/ })).toHaveCount(0)
    },
  ),
}

/** A file that only has the name of a session: its row gives the reason, and opening it says the same. */
function stub(reason: string | RegExp, look: Look): Look {
  return async seen => {
    await seen.rowSays(/^Untitled, \d+ Sep 2026/, 'unknown ', 'damaged', reason)
    await look(seen)
  }
}

/** What opens, and holds nothing. */
function nothingIn(problems: string[], damaged: Damage[]): Look {
  return async seen => {
    const { grove } = seen
    await grove.session.show('Transcript')
    await expect(grove.transcript.region).toContainText('No messages yet')
    await grove.session.show('Branches')
    await expect(grove.page.getByRole('tabpanel', { name: /^Branches/ })).toContainText('No entries')
    await seen.health(problems, damaged)
  }
}

/** What does not open, and why. */
function refused(reason: string | RegExp): Look {
  return async ({ grove }) => {
    const alert = grove.page.getByRole('alert').filter({ hasText: 'This session cannot be opened' })
    await expect(alert).toContainText(reason)
    await expect(alert.getByRole('button', { name: 'Try again' })).toBeVisible()
  }
}

const NONE = /^.*none of its lines is a record/s
const NO_RECORD = 'No line of the file is a record of a session.'

const noSessions: Looks = {
  'zero bytes': stub('The file is empty.', nothingIn(['The file holds nothing.'], [])),
  'blanks only': stub('The file holds only blank lines.', nothingIn(['The file holds nothing.'], [])),
  'not JSONL at all': stub(
    NONE,
    all(
      nothingIn(
        [NO_RECORD, NO_HEADER, '3 lines could not be read: 1, 3, 4.'],
        [1, 3, 4].map(line => ({ line, reason: 'not JSON' })),
      ),
      raw(3, '- bread'),
    ),
  ),
  'pretty-printed JSON': stub(NONE, async seen => {
    await raw(1, '{')(seen)
    await expect(seen.grove.details.health).toContainText(NO_RECORD)
    expect(await seen.grove.details.damagedLines.count()).toBeGreaterThan(5)
  }),
  'binary bytes': stub(NONE, async seen => {
    await seen.grove.session.show('Details')
    const first = seen.grove.details.damagedLines.first()
    await first.getByRole('button', { name: 'View raw' }).press('Enter')
    const bytes = first.getByRole('region', { name: /^Raw bytes of line/ })
    await expect(bytes).toContainText(/\\x[0-9A-F]{2}/)
    await expect(bytes).not.toContainText('\ufffd')
  }),
  'a directory named like a session': stub('Cannot be read: it is a folder.', refused(/it is a folder/)),
  'a symlink loop named like a session': stub('go round in a circle', refused(/go round in a circle/)),
  'a symlink to nothing': stub(
    'Cannot be read: it is a link that leads nowhere.',
    refused(/a link that leads nowhere/),
  ),
  'unreadable (no permission)': async seen => {
    // Root reads it nevertheless; every other user is told why not.
    if (process.getuid?.() === 0) await talk()(seen)
    else await stub(/may not|permission/i, refused(/may not|permission/i))(seen)
  },
}

walkSection('Damage', { ...heads, ...lines, ...shapes, ...noSessions })

test('a line that is still being written appears when it is whole, and is never called damaged', async ({
  launch,
  library,
}) => {
  test.slow()
  const grove = await launch()
  await waitUntilAllRead(grove, library)
  const odd = oddFile(library, 'last line cut short')
  const seen = new OddSession(grove, library, odd)
  const rest = /complete with: (.*)$/.exec(odd.note ?? '')?.[1] ?? ''
  await seen.open()
  await seen.transcript([asked(seen), ANSWER])
  appendFileSync(seen.file, rest.slice(0, 40))
  await seen.health([pending])
  await seen.transcript([asked(seen), ANSWER])
  appendFileSync(seen.file, `${rest.slice(40)}\n`)
  await seen.transcript([asked(seen), ANSWER, 'Torn while it was written'])
  await seen.status('no answer yet')
  await seen.health([])
  await expect(seen.row.getByText('damaged line')).toHaveCount(0)
})

test('what may not be changed says so and why, and stays as it is to the byte', async ({
  launch,
  library,
}) => {
  test.slow()
  const before = takeSnapshot(library.agentDir)
  const grove = await launch()
  await waitUntilAllRead(grove, library)
  const { page } = grove

  await test.step('a later version', async () => {
    const seen = new OddSession(grove, library, oddFile(library, 'version 4'))
    await seen.open()
    await expect(grove.transcript.region.getByRole('status')).toContainText(FUTURE(4))
    await seen.row.click({ button: 'right' })
    for (const item of ['Rename', 'Star']) await expect(grove.menu.item(item)).toBeDisabled()
    await page.keyboard.press('Escape')
    await grove.list.listbox.press('F2')
    await expect(grove.rename.field).toHaveCount(0)
    await seen.said.first().click({ button: 'right' })
    for (const item of ['Label', 'Continue this branch']) await expect(grove.menu.item(item)).toBeDisabled()
    await page.keyboard.press('Escape')
    await grove.session.show('Draft')
    await expect(page.getByRole('tabpanel', { name: /^Draft/ })).toContainText('read-only for Grove')
  })

  for (const kind of ['zero bytes', 'not JSONL at all', 'header second'])
    await test.step(kind, async () => {
      const seen = new OddSession(grove, library, oddFile(library, kind))
      await seen.open()
      await grove.list.listbox.press('F2')
      await grove.rename.field.fill('A title that has no place')
      await grove.rename.field.press('Enter')
      await expect(grove.toasts.region).toContainText(seen.file)
      await expect(grove.toasts.region).toContainText(/no readable header|holds nothing|empty|no session/)
      await expect(seen.row).not.toContainText('A title that has no place')
    })

  await test.step('a folder that is named like a session', async () => {
    const seen = new OddSession(grove, library, oddFile(library, 'a directory named like a session'))
    await seen.open()
    await grove.list.pressDelete()
    await expect(grove.deleteDialog.dialog).toContainText('1 session stays')
    await expect(grove.deleteDialog.dialog).toContainText(seen.file)
    await grove.deleteDialog.close.click()
  })
  expect(fileDifferences(before, takeSnapshot(library.agentDir))).toEqual([])
})
