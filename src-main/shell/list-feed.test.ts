import { err, ok } from '@shared/ipc/result'
import { beforeEach, describe, expect, it } from 'vitest'
import { KeptList, type ListChange } from '../workers/kept-list'
import { ListFeed } from './list-feed'

type Source = { key: string; text: string }

let kept: KeptList<Source>
let sent: ListChange<Source>[]
let fails: boolean
let feed: ListFeed<Source, Source>

beforeEach(() => {
  kept = new KeptList(one => one.key)
  sent = []
  fails = false
  feed = new ListFeed(
    one => one.key,
    one => ({ ...one }),
    async change => {
      sent.push(change)
      if (fails) return err('internal', 'The worker ended.')
      kept.take(change)
      return ok(null)
    },
  )
})

const bring = (all: Source[], losses = 0) => feed.bring(all, losses)
const source = (key: string | number, text = 'as it was'): Source => ({ key: String(key), text })
const many = (count: number) => Array.from({ length: count }, (_, at) => source(at))

describe('a worker that is told of a list', () => {
  it('knows all of it, and is told once that it is empty', async () => {
    await bring([])
    expect([kept.all(), sent.length]).toEqual([[], 1])
    await bring([])
    expect(sent).toHaveLength(1)
    const all = many(3)
    await bring(all)
    expect(kept.all()).toEqual(all)
  })

  it('is sent only what is new, changed or gone', async () => {
    const [one, two, three] = [source('one'), source('two'), source('three')]
    await bring([one, two, three])
    const changed = source('two', 'changed')
    await bring([one, changed, source('four')])
    expect(sent.at(-1)).toEqual({ fresh: false, put: [changed, source('four')], gone: ['three'] })
    expect(kept.all()).toEqual([one, changed, source('four')])
  })

  it('gets thousands in batches', async () => {
    const all = many(1_200)
    await bring(all)
    expect(sent.map(({ put, fresh }) => [put.length, fresh])).toEqual([
      [500, true],
      [500, false],
      [200, false],
    ])
    expect(kept.all()).toEqual(all)
  })

  it('is told everything again after it failed, or when it began anew', async () => {
    const all = many(600)
    await bring(all)
    fails = true
    expect((await bring([...all, source('new')])).ok).toBe(false)
    fails = false
    await bring(all)
    expect(kept.all()).toEqual(all)
    kept = new KeptList(one => one.key)
    feed.forget()
    await bring(all)
    expect(kept.all()).toEqual(all)
    kept = new KeptList(one => one.key)
    await bring(all, 1)
    expect(kept.all(), 'a worker was lost').toEqual(all)
    const before = sent.length
    await bring(all, 1)
    expect(sent).toHaveLength(before)
  })

  it('is told everything when it began anew in the middle of being told', async () => {
    const all = many(1_200)
    const bringing = bring(all)
    await Promise.resolve()
    kept = new KeptList(one => one.key)
    feed.forget()
    await bringing
    expect(kept.all()).toEqual(all)
  })

  it('serves two that ask at once one after the other', async () => {
    const [first, second] = [many(700), many(2)]
    await Promise.all([bring(first), bring(second)])
    expect(kept.all()).toEqual(second)
  })
})
