/** A session too large to be read at once: what is on screen while it is read. */
import { appendFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '../fixtures/test'

const TURNS = 9_000
const LONG = 'a line of what the command said, again and again. '.repeat(160)
const TITLE = 'Prompt 0 of the large session'

const time = (at: number) => new Date(Date.UTC(2026, 10, 20) + at * 1000).toISOString()

/** Prompt and answer, of some 8 KB. */
function turn(at: number): string {
  const said = (text: string) => [{ type: 'text', text }]
  const head = (id: string, parentId: string | null) => ({
    type: 'message',
    id,
    parentId,
    timestamp: time(at),
  })
  const answer = {
    role: 'assistant',
    content: said(`Answer ${at}. ${LONG}`),
    ...{ provider: 'test', model: 'test-model', stopReason: 'stop', usage: {} },
  }
  return [
    {
      ...head(`p${at}`, at === 0 ? null : `a${at - 1}`),
      message: { role: 'user', content: said(`Prompt ${at} of the large session`) },
    },
    { ...head(`a${at}`, `p${at}`), message: answer },
  ]
    .map(record => `${JSON.stringify(record)}\n`)
    .join('')
}

test('the last messages of a large session are there while it is read, and stay where they are', async ({
  grove,
  library,
}) => {
  const file = path.join(
    path.dirname(library.journal('flaky-upload')),
    '2026-11-20T00-00-00-000Z_large.jsonl',
  )
  const { cwd } = library.session('flaky-upload')
  writeFileSync(
    file,
    `${JSON.stringify({ type: 'session', version: 3, id: 'large', timestamp: time(0), cwd })}\n`,
  )
  for (let at = 0; at < TURNS; at += 1000)
    appendFileSync(file, Array.from({ length: 1000 }, (_, more) => turn(at + more)).join(''))
  await expect(grove.list.row(TITLE)).toBeVisible()

  // What is on screen for a moment only: noted by the page itself.
  const { page } = grove.running
  const seen = await page.evaluateHandle(() => {
    const notes = { early: '', busy: '', bottom: 0 }
    new MutationObserver(() => {
      const early = document.querySelector('[role=group][aria-label^="Last messages"]')
      const last = early?.lastElementChild?.lastElementChild
      if (early === null || !last) return
      const { bottom } = last.getBoundingClientRect()
      Object.assign(notes, { early: early.textContent, busy: early.ariaBusy, bottom })
    }).observe(document, { childList: true, subtree: true })
    return notes
  })
  await grove.list.open(TITLE)
  await expect(grove.transcript.row(`Answer ${TURNS - 1}.`)).toBeInViewport()
  await expect(grove.transcript.feed).toBeVisible()
  const { early, busy, bottom } = await seen.jsonValue()
  await expect
    .poll(async () => {
      const box = await grove.transcript.rows.last().boundingBox()
      return box === null ? Number.NaN : Math.abs(box.y + box.height - bottom)
    })
    .toBeLessThan(2)
  expect(early).toContain(`Prompt ${TURNS - 1} of the large session`)
  expect(early).toContain(`Answer ${TURNS - 1}.`)
  expect(early).not.toContain('Prompt 0 of')
  expect(busy).toBe('true')
  // Then it is the transcript, to be worked with: its start is reached also while the rows above are still to come.
  await grove.transcript.feed.press('Home')
  await expect(grove.transcript.row(TITLE).first()).toBeInViewport()
})
