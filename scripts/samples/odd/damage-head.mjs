/** Damage at the beginning of a file: header, title slot, versions. */
import { titleSlot } from '../title-slot.mjs'

const header = (s, more = {}) => JSON.stringify({ ...s.header(), ...more })

function headers(odd) {
  const add = (kind, s, expect, note) => odd.add('Damage', kind, s, { expect, note })
  const broken = odd.talk('first line broken', {
    slot: false,
    headerLine: '{"type":"session","version":3,"id":"01a1',
  })
  add('first line broken', broken, {
    title: null,
    damagedLines: 1,
    problems: ['header-missing', 'damaged-line'],
    id: broken.id,
    cwd: null,
  })
  add('header missing', odd.talk('header missing', { headerLine: null }), {
    problems: ['header-missing'],
    cwd: null,
  })
  add('header not an object', odd.talk('header not an object', { headerLine: '["session",3]' }), {
    damagedLines: 1,
    problems: ['header-missing', 'damaged-line'],
    cwd: null,
  })
  add('header without cwd', odd.talk('header without cwd', { cwd: null }), {
    problems: ['header-without-cwd'],
    cwd: null,
  })
  add(
    'header without timestamp',
    odd.talk('header without timestamp', { header: { timestamp: undefined } }),
    { problems: ['header-without-timestamp'] },
  )
  add(
    'header without id',
    odd.talk('header without id', { header: { id: undefined } }),
    { problems: ['header-without-id'] },
    'the id is taken from the file name',
  )
  const second = odd.talk('header second', { slot: false, headerLine: null })
  const [first, ...rest] = second.lines
  second.lines = [first, { bytes: Buffer.from(header(second)), entries: [] }, ...rest]
  add(
    'header second',
    second,
    { title: 'header second', problems: ['header-late'] },
    'an entry stands before the header',
  )
}

function slots(odd) {
  const add = (kind, s, expect, note) => odd.add('Damage', kind, s, { expect, note })
  add('title slot first', odd.talk('title slot first'), { slotExact: true })
  add('header first, no slot', odd.talk('header first, no slot', { slot: false }), { slotExact: false })
  const empty = odd.talk('empty slot title', { title: '' })
  empty.moreHeader = { title: 'a title that the empty slot deletes', titleSource: 'user' }
  add(
    'empty slot title',
    empty,
    { title: null, slotExact: true },
    'the header still has a title; the slot wins',
  )
  const slotOf = (s, pad) =>
    `${JSON.stringify({ type: 'title', v: 1, title: s.title, source: 'user', updatedAt: new Date(s.start).toISOString(), pad: ' '.repeat(pad) })}`
  for (const [kind, pad] of [
    ['slot shorter than 256 bytes', 20],
    ['slot longer than 256 bytes', 300],
  ]) {
    const s = odd.talk(kind, { slot: false })
    s.headerLine = `${slotOf(s, pad)}\n${header(s, { title: undefined, titleSource: undefined })}`
    add(kind, s, { slotExact: false, problems: ['slot-length'] }, 'must never be overwritten in place')
  }
  const crlf = odd.talk('slot with CRLF', { slot: false })
  crlf.headerLine = `${titleSlot(crlf.title, 'user', new Date(crlf.start).toISOString()).trimEnd()}\r\n${header(crlf, { title: undefined, titleSource: undefined })}\r`
  add('slot with CRLF', crlf, { slotExact: false }, 'one byte longer than a true slot')
  const later = odd.talk('slot of a later version', { slot: false })
  later.headerLine = `${slotOf(later, 60).replace('"v":1', '"v":2')}\n${header(later)}`
  add(
    'slot of a later version',
    later,
    { entryCount: 5, problems: ['header-late'] },
    'not a slot to this reader: a first record of unknown type',
  )
}

function versions(odd) {
  const add = (kind, s, expect, note) => odd.add('Damage', kind, s, { expect, note })
  for (const version of [4, 99]) {
    const s = odd.talk(`version ${version}`, { version })
    s.entry('holodeck', { scene: 'forest' })
    add(`version ${version}`, s, { version, problems: ['future-version'], writable: false })
  }
  const keys = odd.talk('unknown entry types and keys', { header: { colour: 'green' } })
  keys.entry('holodeck', { scene: 'forest', depth: [1, [2, [3]]] })
  keys.message({
    role: 'assistant',
    content: [{ type: 'hologram', data: 'x' }],
    stopReason: 'stop',
    mood: 'calm',
  })
  keys.message({ role: 'oracle', content: 'A role that nobody knows.' })
  add('unknown entry types and keys', keys, { status: 'unknown', types: { holodeck: 1 } })
  const two = odd.talk('a second session line')
  two.raw(header(two, { timestamp: two.iso() }), { entries: [{ type: 'session' }] })
  two.user('Still here after the second header.')
  add(
    'a second session line',
    two,
    { entryCount: 6, status: 'pending', problems: ['no-id'] },
    'an ordinary entry without id',
  )
}

export function addDamagedHeads(odd) {
  headers(odd)
  slots(odd)
  versions(odd)
}
