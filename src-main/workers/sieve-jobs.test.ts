import { err, ok } from '@shared/ipc/result'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { silentWork } from '../engine/environment'
import { message } from '../engine/storage/journal.test-support'
import { type SearchWorld, searchWorld } from '../library/search/search-world.test-support'
import { createSieveJobs, sieveHelper } from './sieve-jobs'

let world: SearchWorld
beforeEach(() => {
  world = searchWorld()
})
afterEach(() => world.dispose())

it('tells of each file whether it holds one of the needles, handed over as plain bytes', async () => {
  const files = ['hay', 'a needle', 'pins'].map((text, at) =>
    world.session(`s${at}`, message('a', null, text)),
  )
  const input = structuredClone({ files, needles: [Buffer.from('needle'), Buffer.from('pin')] })
  const told = await createSieveJobs(world.env).siftFiles(input, silentWork)
  expect(told).toEqual(ok(Uint8Array.of(0, 1, 1)))
})

it('is not asked again once its thread failed', async () => {
  let asked = 0
  const helper = sieveHelper({
    run: () => {
      asked++
      return Promise.resolve(err('internal', 'The background worker failed.'))
    },
  })
  const input = { files: ['a'], needles: [] }
  expect([await helper(input), await helper(input)]).toEqual([null, null])
  expect(asked).toBe(1)
})
