import fs from 'node:fs'
import { limits } from '@shared/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countingFileSystem } from '../../engine/storage/counting-file-system'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import { type TestEnvironment, testEnvironment } from '../../engine/test-environment.test-support'
import { conversationText, entryText, headerText, messageText, slotText } from './journal-text.test-support'
import { quickSummary } from './quick-summary'
import { summarizeSession } from './session-summary'

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
})
afterEach(() => env.remove())

const put = (text: string) => env.put('agent/sessions/-p/2026-01-30T10-00-00-000Z_sid.jsonl', text)
const quick = (text: string) => quickSummary(env, put(text), { hasDraft: false })

const LONG = conversationText(500, 400)
const UNCOUNTED = {
  ...{ entryCount: 0, messageCount: 0, cost: null, withoutCost: 0, tips: 0, damagedLines: 0, counted: false },
  ...{ artifactBytes: 0, artifactCount: 0, subagentCount: 0 },
}

describe('a row by both ends of the file', () => {
  it.each([
    ['with a slot', slotText('Title') + headerText() + LONG],
    ['without', headerText({ title: 'In the header', titleSource: 'auto' }) + LONG],
    ['without any title', slotText('', null) + headerText() + LONG],
    ['that asks', slotText('T') + headerText() + LONG + messageText('q', 'e1000', 'user', 'Well?')],
    ['that ends with a setting', headerText() + LONG + entryText('s', 'e1000', { type: 'model_change' })],
    [
      'with a title that its slot had to cut',
      slotText('word '.repeat(90)) +
        headerText() +
        LONG +
        entryText('t', 'e1000', { type: 'title_change', title: 'word '.repeat(90) }),
    ],
    ['that was moved', headerText({ previousSessionFiles: ['/a.jsonl'], parentSession: 'pid' }) + LONG],
    ['with long entries', headerText() + conversationText(3, 60_000)],
  ])('says what the whole file says, of a session %s', (_, text) => {
    const file = put(text)
    expect(quickSummary(env, file, { hasDraft: false })).toEqual({
      ...summarizeSession(env, file),
      ...UNCOUNTED,
    })
  })

  it('reads the two ends and closes the file', () => {
    const file = put(slotText('T') + headerText() + LONG)
    const counted = countingFileSystem(nodeFileSystem)
    expect(quickSummary({ ...env, fs: counted }, file, { hasDraft: true })).toMatchObject({ hasDraft: true })
    expect([...counted.work.opened]).toEqual([[file, 1]])
    expect(counted.work.bytesRead).toBe(limits.quickHeadBytes + limits.quickTailBytes)
    expect(counted.work.open).toBe(0)
  })

  it.each([
    ['an older version', headerText({ version: 2 }) + LONG],
    ['no header', LONG],
    ['a damaged start', `${headerText()}{broken\n${LONG}`],
    ['a byte order mark', `\ufeff${headerText()}${LONG}`],
    ['a damaged end', `${headerText() + LONG}{broken\n`],
    ['an end that is still being written', `${headerText() + LONG}{"type":"mess`],
    ['a last entry without a time', headerText() + LONG + entryText('x', 'e1000', { timestamp: 'soon' })],
    ['no prompt near its start', headerText() + entryText('a', null, { text: 'x'.repeat(300_000) }) + LONG],
    ['an end without messages', headerText() + LONG + entryText('a', 'e1000', { text: 'x'.repeat(300_000) })],
    ['nothing in it', ''],
  ])('is left to the whole file where there is %s', (_, text) => {
    expect(quick(text)).toBeNull()
  })

  it('is left to the whole file where the file cannot be read', () => {
    const file = put('')
    fs.rmSync(file)
    expect(quickSummary(env, file, { hasDraft: false })).toBeNull()
  })
})
