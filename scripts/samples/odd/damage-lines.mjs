/** Damage inside a file: broken, glued, foreign and unusual lines. */

/** An entry below the leaf, made but not written. */
function spare(s, text) {
  const id = s.entry('message', {
    message: { role: 'user', content: [{ type: 'text', text }], timestamp: s.clock },
  })
  return { id, entry: s.lines.pop().entry }
}

function gluedLines(odd) {
  const cut = odd.talk('record cut mid-string, the next one on the same line')
  const a = spare(cut, 'This record was cut off in the middle of its text')
  const b = spare(cut, 'This one follows on the same line.')
  b.entry.parentId = a.entry.parentId
  cut.raw(JSON.stringify(a.entry).slice(0, -60) + JSON.stringify(b.entry), {
    entries: [b.entry],
    reason: 'cut',
  })
  odd.add('Damage', 'record cut mid-string, the next one on the same line', cut, {
    expect: { problems: ['damaged-line'] },
  })

  const glued = odd.talk('two whole records glued')
  const pair = [
    spare(glued, 'First of two on one line.').entry,
    spare(glued, 'Second of two on one line.').entry,
  ]
  glued.raw(pair.map(e => JSON.stringify(e)).join(''), { entries: pair })
  odd.add('Damage', 'two whole records glued', glued, { note: 'both are read, nothing is left over' })

  const braces = odd.talk('text that contains }{')
  const tricky =
    '}{ "}{" {"type":"message","id":"fake0001","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z"} \\" }{'
  braces.user(tricky)
  const two = [spare(braces, `one ${tricky}`).entry, spare(braces, `two ${tricky}`).entry]
  braces.raw(two.map(e => JSON.stringify(e)).join(''), { entries: two })
  odd.add('Damage', 'text that contains }{', braces, {
    note: 'strings are never split; two glued records with such text',
  })
}

function foreignLines(odd) {
  const lines = {
    'bad line in the middle': '{"type":"message","id":"5e1f00aa","parentId":',
    'line null': 'null',
    'line that is a number': '42',
    'line that is an array': '[{"type":"message"}]',
    'line that is a text': '"just text"',
  }
  for (const [kind, line] of Object.entries(lines)) {
    const s = odd.talk(kind)
    s.raw(line, { reason: kind })
    s.user('And on it goes.')
    odd.add('Damage', kind, s, { expect: { problems: ['damaged-line'], damagedLine: 7 } })
  }
  const again = odd.talk('a fragment, then the same record whole')
  const { entry } = spare(again, 'Written twice: first torn, then whole.')
  again.raw(JSON.stringify(entry).slice(0, 90), { reason: 'fragment' }).push(entry)
  odd.add('Damage', 'a fragment, then the same record whole', again, {
    expect: { problems: ['damaged-line'] },
  })
}

function brokenInPlace(odd) {
  const same = odd.talk('a fragment, then the same record whole on one line')
  const { id, entry } = spare(same, 'Torn, and whole right behind it.')
  const text = JSON.stringify(entry)
  same.raw(text.slice(0, 90) + text, { entries: [entry], reason: 'fragment' }).from(id)
  odd.add('Damage', 'a fragment, then the same record whole on one line', same, {
    expect: { problems: ['damaged-line'], damagedLine: 7 },
  })

  const pieces = odd.talk('two damaged pieces on one line')
  const kept = spare(pieces, 'Between two pieces that are lost.').entry
  pieces.raw(`{"type":"message","id":"${JSON.stringify(kept)}]]`, { entries: [kept], reason: 'pieces' })
  odd.add('Damage', 'two damaged pieces on one line', pieces, {
    expect: { problems: ['damaged-line'], damagedLines: 1 },
    note: 'two pieces with one line number: one line',
  })

  const zeros = odd.talk('NUL bytes, then a record on the same line')
  const after = spare(zeros, 'Appended after a power loss.').entry
  zeros.raw(Buffer.concat([Buffer.alloc(512), Buffer.from(JSON.stringify(after))]), {
    entries: [after],
    reason: 'NUL',
  })
  odd.add('Damage', 'NUL bytes, then a record on the same line', zeros, {
    expect: { problems: ['damaged-line'], damagedLine: 7 },
  })

  const latin = odd.talk('bytes that are no UTF-8')
  const torn = JSON.stringify(spare(latin, 'caf#').entry)
  latin.raw(Buffer.from(torn.replace('caf#', 'caf\u00e9'), 'latin1'), {
    entries: [JSON.parse(torn.replace('caf#', 'caf\ufffd'))],
  })
  latin.raw(Buffer.from([0xff, 0xfe, 0x00, 0xe8, 0x41]), { reason: 'no text' })
  odd.add('Damage', 'bytes that are no UTF-8', latin, {
    expect: { problems: ['damaged-line'], damagedLine: 8 },
    note: 'in a string shown as U+FFFD, never written back; a line of them is damage',
  })
}

function tails(odd) {
  const whole = odd.talk('last line without LF, complete')
  whole.endWith('')
  odd.add('Damage', 'last line without LF, complete', whole)
  const cut = odd.talk('last line cut short')
  const torn = JSON.stringify(spare(cut, 'Torn while it was written').entry)
  cut.raw(torn.slice(0, 120), { end: '' })
  odd.add('Damage', 'last line cut short', cut, {
    expect: { problems: ['pending-line'] },
    note: `complete with: ${torn.slice(120)}`,
  })
  const utf8 = odd.talk('last line cut inside a UTF-8 character')
  const bytes = Buffer.from(JSON.stringify(spare(utf8, '上传失败的原因是什么').entry))
  utf8.raw(bytes.subarray(0, bytes.indexOf(Buffer.from('败')) + 1), { end: '' })
  odd.add('Damage', 'last line cut inside a UTF-8 character', utf8, {
    expect: { problems: ['pending-line'] },
  })
  const nul = odd.talk('NUL tail')
  nul.raw(Buffer.alloc(4096), { end: '', reason: 'NUL' })
  odd.add('Damage', 'NUL tail', nul, { expect: { problems: ['damaged-line'] } })
}

function unusualBytes(odd) {
  const separators = odd.talk('raw U+2028, U+2029, U+0085 in strings')
  const text = 'line\u2028separator, paragraph\u2029separator, next\u0085line'
  separators.user(text)
  odd.add('Damage', 'raw U+2028, U+2029, U+0085 in strings', separators, {
    expect: { containsText: text, status: 'pending' },
  })
  const tab = odd.talk('raw U+000B in a string')
  tab.raw(
    '{"type":"custom","customType":"vt","data":"a\u000bb","id":"0b0b0b0b","parentId":null,"timestamp":"2026-09-21T10:00:00.000Z"}',
    { reason: 'control character' },
  )
  odd.add('Damage', 'raw U+000B in a string', tab, {
    expect: { damagedLinesAtMost: 1, damagedLines: undefined },
    note: 'not valid JSON; the line must not be split at it',
  })
  const escaped = odd.talk('escaped U+000B in a string')
  escaped.user('a\u000bb')
  odd.add('Damage', 'escaped U+000B in a string', escaped, { expect: { containsText: 'a\u000bb' } })
  const crlf = odd.talk('CRLF line ends')
  for (const line of crlf.lines) line.end = '\r\n'
  odd.add('Damage', 'CRLF line ends', crlf)
  const blank = odd.talk('blank lines')
  blank.lines = blank.lines.flatMap(line => [
    line,
    { bytes: Buffer.from(''), entries: [] },
    { bytes: Buffer.from('  \t '), entries: [] },
  ])
  odd.add('Damage', 'blank lines', blank)
  const bom = odd.talk('BOM at the start')
  const bytes = bom.build()
  odd.add('Damage', 'BOM at the start', Buffer.concat([Buffer.from('\ufeff'), bytes.bytes]), {
    expect: {
      title: 'BOM at the start',
      entryCount: 4,
      damagedLines: 0,
      slotExact: false,
      problems: ['byte-order-mark'],
    },
    note: 'the slot begins at byte 3: no in-place rename',
  })
  const middle = odd.talk('BOM in the middle')
  const { entry } = spare(middle, 'A BOM stands before this record.')
  middle.raw(`\ufeff${JSON.stringify(entry)}`, { entries: [entry] })
  middle.from(entry.id).say('It costs at most its own line.')
  odd.add('Damage', 'BOM in the middle', middle, {
    expect: { entryCount: undefined, entryCountAtLeast: 5, damagedLines: undefined, damagedLinesAtMost: 1 },
  })
}

export function addDamagedLines(odd) {
  gluedLines(odd)
  foreignLines(odd)
  brokenInPlace(odd)
  tails(odd)
  unusualBytes(odd)
}
