import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentWork } from '../../engine/environment'
import { message } from '../../engine/storage/journal.test-support'
import { SessionReader } from '../reading/session-reader'
import { type SearchWorld, searchWorld } from './search-world.test-support'

let world: SearchWorld
beforeEach(() => {
  world = searchWorld()
})
afterEach(() => world.dispose())

async function find(text: string, changes: { tip?: number; exact?: boolean } = {}) {
  const query = { text, exact: changes.exact ?? false }
  const found = await new SessionReader(world.env).find(
    world.fileOf('one'),
    changes.tip ?? null,
    query,
    silentWork,
  )
  if (!found.ok) throw new Error(found.error.message)
  return found.value
}

const call = {
  ...message('b', 'a'),
  message: {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'the zebra hides' },
      { type: 'text', text: 'Zebra, zébra.' },
      { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls zebra' } },
    ],
  },
}
const result = {
  ...message('c', 'b'),
  message: { role: 'toolResult', toolCallId: 'c1', content: [{ type: 'text', text: 'azebra' }] },
}

describe('find in session', () => {
  it('tells every text of the path in the order in which it is read, with its row', async () => {
    world.session(
      'one',
      message('a', null, 'a zebra'),
      call,
      result,
      message('x', 'a', 'zebra elsewhere'),
      message('d', 'c', 'end zebra'),
    )
    const { matches, total, cut } = await find('zebra', { tip: 4 })
    expect(matches).toEqual([
      { ordinal: 0, part: 'prompt', row: 0, count: 1 },
      { ordinal: 1, part: 'content.0', row: 1, count: 1 },
      { ordinal: 1, part: 'content.1', row: 2, count: 2 },
      { ordinal: 1, part: 'args.2', row: 3, count: 1 },
      { ordinal: 2, part: 'output', row: 3, count: 1 },
      { ordinal: 4, part: 'prompt', row: 4, count: 1 },
    ])
    expect([total, cut]).toEqual([7, false])
  })

  it('tells case and accents apart when asked to', async () => {
    world.session('one', message('a', null, 'a zebra'), call)
    expect((await find('Zebra', { exact: true })).matches).toMatchObject([{ part: 'content.1', count: 1 }])
    expect((await find('')).matches).toEqual([])
    expect((await find('\ud83d\0"\\')).matches).toEqual([])
  })

  it('finds what the file writes as an escape', async () => {
    world.session('one')
    world.append('one', JSON.stringify(message('a', null, 'ZZ')).replace('ZZ', '\\u7a7a caf\\u00e9'))
    expect((await find('cafe')).total).toBe(1)
    expect((await find('空')).total).toBe(1)
  })
})
