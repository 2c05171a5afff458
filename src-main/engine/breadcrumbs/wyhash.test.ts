/** The hash equals that of omp's runtime: these answers are its own (scripts/interop/tests/registry.mjs asks it again). */
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { wyhash } from './wyhash'
import answers from './wyhash-answers.json'

const hex = (bytes: Uint8Array) => wyhash(bytes).toString(16).padStart(16, '0')

it.each(Object.entries(answers.texts))('of %s', (text, hash) => expect(hex(Buffer.from(text))).toBe(hash))

it('of every length up to 300', () => {
  const all = createHash('sha256')
  for (let length = 0; length <= answers.lengths.upTo; length++)
    all.update(hex(Uint8Array.from({ length }, (_byte, at) => at * 31 + length)))
  expect(all.digest('hex')).toBe(answers.lengths.sha256)
})

it('of a part of a buffer', () => {
  const whole = Buffer.from('xyz/home/u/sixteen!')
  expect(hex(whole.subarray(3))).toBe(answers.texts['/home/u/sixteen!'])
})
