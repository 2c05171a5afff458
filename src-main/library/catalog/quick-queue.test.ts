import { expect, it } from 'vitest'
import { type QuickHelper, type QuickInput, QuickQueue } from './quick-queue'

const MANY = 1_500
const BYTES = 1_000_000

type File = { file: string; bytes: number }
const filesOf = (name: string, count = MANY, bytes = BYTES): File[] =>
  Array.from({ length: count }, (_, at) => ({ file: `${name}${at}`, bytes }))

/** A thread that answers when it is let. */
function helperOf(answer: (file: string) => string | null = file => `row of ${file}`) {
  const asked: string[] = []
  const state = { ended: 0, started: 0, isLost: false }
  let letOn: () => void = () => undefined
  const helper: QuickHelper = {
    async read(files: readonly QuickInput[]) {
      asked.push(...files.map(({ file }) => file))
      await new Promise<void>(resolve => {
        letOn = resolve
      })
      return state.isLost ? null : files.map(({ file }) => answer(file))
    },
    end: () => void state.ended++,
  }
  const newHelper = () => {
    state.started++
    return helper
  }
  const step = async () => {
    letOn()
    await new Promise(resolve => setImmediate(resolve))
  }
  return { newHelper, asked, state, step }
}

const queueOf = (newHelper: (() => QuickHelper) | null) =>
  new QuickQueue<File>(newHelper, () => ({ hasDraft: false }))

it('gives the last ones away while the first are taken here, each once, until they meet', async () => {
  const { newHelper, asked, state, step } = helperOf()
  const queue = queueOf(newHelper)
  queue.put(filesOf('f'))
  const own: string[] = []
  const helped: string[] = []
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (own.length % 64 === 63 || asked.includes(next.file)) await step()
    const answer = await queue.answerOf(next)
    if (answer === undefined) own.push(next.file)
    else {
      expect(answer).toBe(`row of ${next.file}`)
      helped.push(next.file)
    }
  }
  await step()
  expect(own[0]).toBe(`f${MANY - 1}`)
  expect(helped.length).toBeGreaterThan(MANY / 4)
  expect(new Set([...own, ...helped]).size).toBe(MANY)
  expect(new Set(asked).size).toBe(asked.length)
  expect(own.filter(file => asked.includes(file))).toEqual([])
  expect(state).toMatchObject({ started: 1, ended: 1 })
})

it('starts no thread for few, and gives none away that are read whole', async () => {
  const { newHelper, asked, state, step } = helperOf()
  const queue = queueOf(newHelper)
  queue.put(filesOf('few', 10))
  expect(state.started).toBe(0)
  queue.put([...filesOf('small', MANY, 100), ...filesOf('large', 10)])
  for (let at = 0; at < 40; at++) await step()
  expect(asked.every(file => file.startsWith('large'))).toBe(true)
  expect(state.ended).toBe(1)
})

it('says nothing of files that others came in the place of', async () => {
  const { newHelper, state, step } = helperOf()
  const queue = queueOf(newHelper)
  const before = filesOf('before')
  queue.put(before)
  queue.put(filesOf('after', 3))
  await step()
  expect(await queue.answerOf(before[0] ?? { file: '', bytes: 0 })).toBeUndefined()
  const left = [queue.pop(), queue.pop(), queue.pop(), queue.pop()]
  expect(left.map(found => found?.file)).toEqual(['after2', 'after1', 'after0', undefined])
  expect(state.ended).toBe(1)
})

it('leaves what a lost thread was asked to this one', async () => {
  const { newHelper, state, step } = helperOf()
  state.isLost = true
  const queue = queueOf(newHelper)
  const files = filesOf('f')
  queue.put(files)
  const answer = queue.answerOf(files[0] ?? { file: '', bytes: 0 })
  await step()
  expect(await answer).toBeUndefined()
  expect(state.ended).toBe(1)
})
