/** Damage inside a file: broken, glued, foreign and unusual lines, and entries of wrong shape. */

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

function wrongShapes(odd) {
  const add = (kind, fill, expect) => {
    const s = odd.talk(kind)
    fill(s)
    odd.add('Damage', kind, s, { expect })
  }
  add('assistant message without content', s =>
    s.message({ role: 'assistant', stopReason: 'stop', provider: 'anthropic', model: 'claude-sonnet-5' }),
  )
  add(
    'usage without cost',
    s => s.say('Tokens, but no price.', { usage: { input: 900, output: 12, totalTokens: 912 } }),
    { withoutCost: 1 },
  )
  add('assistant message without usage', s => s.say('No usage at all.', { usage: undefined }))
  add(
    'tool call without arguments',
    s => s.assistant([{ type: 'toolCall', id: 'call_x', name: 'bash' }], { stop: 'toolUse' }),
    { status: 'interrupted' },
  )
  add('content as a plain string', s => {
    s.message({ role: 'user', content: 'A prompt that is a plain string.' })
    s.message({ role: 'assistant', content: 'An answer that is a plain string.', stopReason: 'stop' })
  })
  add(
    'wrong types anywhere',
    s => {
      s.push({ type: 'message', id: 'aaaa0001', parentId: s.leaf, timestamp: 12, message: null })
      s.push({
        type: 'message',
        id: 'aaaa0002',
        parentId: 'aaaa0001',
        timestamp: null,
        message: { role: 'assistant', content: { text: 'an object' }, usage: 'none', stopReason: 5 },
      })
      s.push({
        type: 'message',
        id: 'aaaa0003',
        parentId: 'aaaa0002',
        timestamp: [],
        message: {
          role: 'toolResult',
          content: [null, 7, 'x', { type: 'text', text: 9 }],
          details: 'd',
          isError: 'yes',
        },
      })
      s.push({
        type: 'label',
        id: 'aaaa0004',
        parentId: 'aaaa0003',
        timestamp: true,
        targetId: 7,
        label: { a: 1 },
      })
      s.push({
        type: 'compaction',
        id: 'aaaa0005',
        parentId: 'aaaa0004',
        summary: 5,
        firstKeptEntryId: [],
        tokensBefore: 'many',
      })
      s.push({ type: 'message', id: 'aaaa0006', parentId: 'aaaa0005', message: 'text' })
      s.push({ type: 7, id: 'aaaa0007', parentId: { a: 1 } })
      s.leaf = 'aaaa0007'
    },
    { status: 'unknown' },
  )
}

export function addDamagedLines(odd) {
  gluedLines(odd)
  foreignLines(odd)
  tails(odd)
  unusualBytes(odd)
  wrongShapes(odd)
}
