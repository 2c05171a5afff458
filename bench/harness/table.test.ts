import { expect, it } from 'vitest'
import { numberText, tableText } from './table'

it('aligns names to the left and numbers to the right', () => {
  const text = tableText({
    title: 'Time',
    columns: ['what', 'µs'],
    rows: [
      ['a', '1'],
      ['longer', '20,000'],
    ],
  })
  expect(text.split('\n')).toEqual([
    'Time',
    '',
    'what        µs',
    '------  ------',
    'a            1',
    'longer  20,000',
    '',
  ])
})

it('writes numbers with their thousands apart, and nothing for what is none', () => {
  expect([numberText(1234567.89, 1), numberText(3), numberText(Number.NaN)]).toEqual([
    '1,234,567.9',
    '3',
    '-',
  ])
})
