import { expect, it } from 'vitest'
import { checkPlainData } from './plain-data'

const check = (input: unknown, maxBytes = 1000) => checkPlainData(input, maxBytes)

it('takes what JSON can say', () => {
  for (const input of [{}, [], null, undefined, 'x', 1.5, true, { a: [{ b: null }] }, Object.create(null)])
    expect(check(input)).toBe('fits')
})

it('refuses what only a structured clone carries', () => {
  for (const input of [
    new Map(),
    new Set(),
    new Date(0),
    /x/,
    new Uint8Array(4),
    new ArrayBuffer(4),
    new Error('x'),
    10n,
    () => 1,
    Symbol('x'),
  ]) {
    expect(check(input)).toBe('not-plain')
    expect(check({ deep: [input] })).toBe('not-plain')
  }
})

it('refuses what is too large, however it hides it', () => {
  expect(check('x'.repeat(998))).toBe('fits')
  expect(check('x'.repeat(999))).toBe('too-large')
  expect(check({ ['k'.repeat(1000)]: 1 })).toBe('too-large')
  expect(check(new Array(2_000))).toBe('too-large')
  expect(
    check(
      Array.from({ length: 300_000 }, () => 1),
      1e9,
    ),
  ).toBe('too-large')
})

it('ends with cycles and with chains that are too deep for recursion', () => {
  const cycle: unknown[] = []
  cycle.push(cycle)
  expect(check(cycle, 1e9)).toBe('too-large')
  let deep: unknown[] = []
  for (let level = 0; level < 50_000; level++) deep = [deep]
  expect(check(deep, 1e9)).toBe('fits')
})
