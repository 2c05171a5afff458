/** Entries that parse and are not as they should be: parts missing, wrong types, and what a trusting program trips over. */

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

/** What a program trips over that trusts its input. */
function traps(odd) {
  const add = (kind, fill, expect) => {
    const s = odd.talk(kind)
    fill(s)
    odd.add('Damage', kind, s, { expect })
  }
  const nest = 'DEEP'
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  add('nested deeper than programs can follow', s => {
    for (const [type, payload] of [
      ['holodeck', { nest }],
      ['message', { message: { role: 'user', content: 'Deep below.', nest } }],
      ['message', { message: { role: 'oracle', nest } }],
      [
        'message',
        {
          message: {
            role: 'assistant',
            content: [{ type: 'toolCall', id: 'deep', name: 'bash', arguments: { nest } }],
          },
        },
      ],
      ['message', { message: { role: 'toolResult', toolCallId: 'deep', content: [], details: { nest } } }],
    ]) {
      s.entry(type, payload)
      const { entry } = s.lines.pop()
      s.raw(JSON.stringify(entry).replace(`"${nest}"`, deep), { entries: [entry] })
    }
  })
  add(
    'names that every object has',
    s => {
      s.entry('constructor', { data: 1 })
      s.message({ role: 'toString', content: 'A role of this name.' })
      s.entry('service_tier_change', { serviceTier: { anthropic: { toString: 1 }, valueOf: 'flex' } })
      s.say('Answered.', { model: '__proto__', provider: 'hasOwnProperty' })
      s.label('__proto__', 'on nothing')
    },
    { types: { constructor: 1, service_tier_change: 1 } },
  )
  add(
    'numbers that are no counts',
    s => {
      const usage = { input: 1e308, output: -5, cacheRead: 1e308, totalTokens: 1e308, cost: { total: 1e308 } }
      s.say('Costs more than there is.', { usage })
      s.say('And so does this.', { usage })
    },
    {},
  )
}

export function addWrongShapes(odd) {
  wrongShapes(odd)
  traps(odd)
}
