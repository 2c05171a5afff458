import { expect, it } from 'vitest'
import { CrashCount } from './crash-count'

function count() {
  let now = 1_000_000
  const crashes = new CrashCount(() => now)
  const after = (ms: number) => {
    now += ms
    return crashes.isTooMany()
  }
  return { after, crashes }
}

it('takes three within a minute for too many', () => {
  const { after } = count()
  expect(after(0)).toBe(false)
  expect(after(30_000)).toBe(false)
  expect(after(29_999)).toBe(true)
})

it('forgets those that are longer ago', () => {
  const { after } = count()
  expect([after(0), after(30_000), after(30_000), after(30_000)]).toEqual([false, false, false, false])
})

it('begins anew when the user goes on', () => {
  const { after, crashes } = count()
  after(0)
  after(1)
  expect(after(1)).toBe(true)
  crashes.forget()
  expect([after(1), after(1), after(1)]).toEqual([false, false, true])
})
