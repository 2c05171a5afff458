/** Words that are only begun: asked for by name or by how they begin, the index finds the same; where there are many, some at once. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentWork } from '../../engine/environment'
import { message } from '../../engine/storage/journal.test-support'
import { closeQuietly, openIndexForReading } from './index-file'
import { IndexQuestions } from './index-question'
import { IndexReader } from './index-reader'
import { NO_FILTERS } from './search-target'
import { inShort, type SearchWorld, searchWorld } from './search-world.test-support'
import { type SearchEvent, TextSearch } from './text-search'

let world: SearchWorld
beforeEach(() => {
  world = searchWorld()
})
afterEach(() => world.dispose())

/** `count` words that begin with "ba", some in each of 30 sessions; every second text has "other" as well. */
async function sessionsWith(count: number): Promise<void> {
  const texts: string[][] = Array.from({ length: 30 }, () => [])
  for (let at = 0; at < count; at++)
    texts[at % 30]?.push(`ba${at.toString(26)}x ${at % 2 === 0 ? 'other' : ''} bb${at} az`)
  for (const [at, own] of texts.entries())
    world.session(
      `s${at}`,
      ...own.map((text, line) => message(`m${line}`, line === 0 ? null : `m${line - 1}`, text)),
    )
  await world.index()
}

async function eventsOf(text: string, sessions = 1000): Promise<SearchEvent[]> {
  const reader = new IndexReader(world.env)
  const request = { text, mode: 'words', allText: false, thinking: false, order: 'relevance' } as const
  const events = new TextSearch(world.env, reader).prepare(
    { ...request, filters: NO_FILTERS, sessions, hitsEach: 3 },
    world.targets(),
    silentWork,
  )
  if (!events.ok) throw new Error(events.error.message)
  const told: SearchEvent[] = []
  for await (const event of events.value) told.push(event)
  reader.close()
  return told
}

describe('a word that is begun', () => {
  it.each([3, 64, 65, 400, 1500])('finds all %d words that begin so, and no others', async count => {
    await sessionsWith(count)
    const matches = async (query: string) =>
      (await world.search(query)).reduce((sum, one) => sum + one.matches, 0)
    expect(await matches('ba')).toBe(count)
    expect(await matches('ba oth')).toBe(Math.ceil(count / 2))
    expect(await matches('ba nothing')).toBe(0)
    expect(await matches('bazz')).toBe(0)
  })

  it('is asked for by name where that is few words', async () => {
    await sessionsWith(40)
    const open = await openIndexForReading(world.env)
    if (!open.ok) throw new Error(open.error.message)
    const questions = new IndexQuestions(open.value.db)
    expect(questions.whole(['ot'])).toBe('("other")')
    expect(questions.whole(['ot', 'az'])).toBe('("other") AND ("az")')
    expect(questions.whole(['bax'])).toBe('')
    expect(questions.whole(['...'])).toBeNull()
    expect(questions.whole(['ba'])?.split(' OR ')).toHaveLength(40)
    expect(questions.part(['ba'])).toBeNull()
    closeQuietly(open.value.db)
  })

  it('is asked for by how it begins where that is too many words, all words of the query together', async () => {
    await sessionsWith(700)
    const open = await openIndexForReading(world.env)
    if (!open.ok) throw new Error(open.error.message)
    const questions = new IndexQuestions(open.value.db)
    expect(questions.whole(['ba'])).not.toContain('*')
    expect(questions.whole(['ba', 'bb'])).toContain(' AND "bb" *')
    expect(questions.part(['ba', 'bb'])?.split(' OR ').length).toBeLessThan(200)
    closeQuietly(open.value.db)
  })

  it('is looked up anew when the index holds other words', async () => {
    await sessionsWith(10)
    const reader = new IndexReader(world.env)
    await reader.refresh()
    expect(reader.candidates(['ba'], false)?.rows.size).toBe(10)
    world.session('new', message('a', null, 'bazaar'))
    await world.index()
    await reader.refresh()
    expect(reader.candidates(['ba'], false)?.rows.size).toBe(11)
    reader.close()
  })
})

describe('what is found first', () => {
  it('is told before the rest, as a part of it, and every session comes again in its order', async () => {
    await sessionsWith(400)
    const [first, ...rest] = await eventsOf('ba')
    if (first?.kind !== 'first') throw new Error('nothing was found first')
    expect(first.sessions).toHaveLength(20)
    expect(first.sessions.every(({ atLeast, hits }) => atLeast && hits.length > 0)).toBe(true)
    const found = rest.flatMap(event => (event.kind === 'found' ? [event.session] : []))
    expect(found).toHaveLength(30)
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a))
    for (const { file, matches } of first.sessions)
      expect(found.find(one => one.file === file)?.matches).toBeGreaterThanOrEqual(matches)
  })

  it('opens the files of these sessions only', async () => {
    await sessionsWith(400)
    const reader = new IndexReader(world.env)
    const targets = world.targets()
    const request = { text: 'ba', mode: 'words', allText: false, thinking: false, order: 'recent' } as const
    const events = new TextSearch(world.env, reader).prepare(
      { ...request, filters: NO_FILTERS, sessions: 5, hitsEach: 3 },
      targets,
      silentWork,
    )
    if (!events.ok) throw new Error(events.error.message)
    world.counted.reset()
    expect((await events.value.next()).value).toMatchObject({ kind: 'first' })
    expect(world.counted.work.opened.size).toBe(5)
    reader.close()
  })

  it('is nothing where all is found as quickly', async () => {
    await sessionsWith(40)
    expect((await eventsOf('ba')).map(({ kind }) => kind)).not.toContain('first')
    expect(inShort(await world.search('ba'))).toHaveLength(30)
  })
})
