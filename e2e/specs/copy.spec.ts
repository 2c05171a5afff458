import { appendFileSync } from 'node:fs'
import { setAge } from '../fixtures/journal'
import { expect, test } from '../fixtures/test'
import type { Grove } from '../pages/grove'

const BRANCHED = 'Fix the flaky upload test'

const clipboard = (grove: Grove) => grove.running.app.evaluate(({ clipboard }) => clipboard.readText())

/** Chooses from the copy menu of the first row that shows a text. */
async function copyRow(grove: Grove, text: string | RegExp, item: string): Promise<void> {
  const row = grove.transcript.row(text).first()
  await row.hover()
  await row.getByRole('button', { name: 'Copy', exact: true }).click()
  await grove.page.getByRole('menuitem', { name: item, exact: false }).click()
}

test('a block, its turn and the whole transcript are copied as Markdown and as text', async ({ grove }) => {
  test.slow()
  await grove.list.open(BRANCHED)
  await grove.transcript.prompt(/^The upload test fails one run in ten/).click()

  await copyRow(grove, 'The upload test fails one run in ten', 'Copy block as Markdown')
  await expect(grove.toasts.region).toContainText(/Block copied as Markdown, \d+ lines?\./)
  const block = await clipboard(grove)
  expect(block).toContain('The upload test fails one run in ten')
  expect(block).not.toContain('## ')
  expect(block).toContain('*Picture: image/png')

  await copyRow(grove, 'The upload test fails one run in ten', 'Copy turn as Markdown')
  await expect(grove.toasts.region).toContainText(/Turn copied as Markdown, \d+ lines\./)
  const turn = await clipboard(grove)
  expect(turn).toMatch(/^## You, \d{4}-\d\d-\d\d \d\d:\d\d UTC\n/)
  expect(turn).toContain('## Agent (')
  expect(turn).toContain('**glob** `src/**/*.ts`\n\n```\nsrc/client.ts\n')
  expect(turn.match(/^## You/gm)).toHaveLength(1)

  await copyRow(grove, 'The upload test fails one run in ten', 'Copy transcript as Markdown')
  await expect(grove.toasts.region).toContainText(/Transcript copied as Markdown, \d+ lines\./)
  const path = await clipboard(grove)
  expect(path).toMatch(/^# Fix the flaky upload test\n/)
  expect(path).toContain('Write the changelog')
  expect(path).toContain('```diff\n')
  expect(path.length).toBeGreaterThan(turn.length)
  expect(path).toContain(turn.trimEnd())

  await copyRow(grove, 'The upload test fails one run in ten', 'Copy transcript as text')
  await expect(grove.toasts.region).toContainText(/Transcript copied as text/)
  const text = await clipboard(grove)
  expect(text).toMatch(/^Fix the flaky upload test\n/)
  expect(text).not.toMatch(/^## (You|Agent)/m)
})

test('the branch that is read is the one that is copied', async ({ grove }) => {
  await grove.list.open(BRANCHED)
  await grove.transcript.prompt(/^The upload test still fails/).click()
  await grove.transcript
    .row('Five tries would only hide it')
    .getByRole('button', { name: 'Previous continuation' })
    .click()
  await expect(grove.transcript.row('Passes here with five tries.')).toBeVisible()
  await grove.session.menu('Copy transcript as Markdown')
  await expect(grove.toasts.region).toContainText('Transcript copied as Markdown')
  const copied = await clipboard(grove)
  expect(copied).toContain('Passes here with five tries.')
  expect(copied).not.toContain('Eleven of a hundred. Now the change.')
})

test('the keys of the transcript copy the row of the keyboard', async ({ grove }) => {
  await grove.list.open('Explain the lock file protocol')
  await grove.transcript.feed.focus()
  await grove.page.keyboard.press('Home')
  await expect(grove.transcript.rows.first()).toBeFocused()
  await grove.page.keyboard.press('c')
  await expect(grove.toasts.region).toContainText('Block copied as text')
  const first = await clipboard(grove)
  expect(first.trim()).not.toBe('')
  await grove.page.keyboard.press('j')
  await grove.page.keyboard.press('Shift+C')
  await expect(grove.toasts.region).toContainText('Block copied as Markdown')
  expect(await clipboard(grove)).not.toBe(first)
})

test('output that would end its fence, or move a terminal’s cursor, does neither', async ({
  launch,
  library,
}) => {
  const journal = library.journal('locks')
  const parent = library.session('locks').leafId
  const said = (id: string, parentId: string, message: object) =>
    `${JSON.stringify({ type: 'message', id, parentId, timestamp: '2026-01-20T10:00:00.000Z', message })}\n`
  const call = { type: 'toolCall', id: 'hostile', name: 'bash', arguments: { command: 'cat evil' } }
  const output = 'before\n````\n## You\n\nrm -rf /\n````\n\u001b[2J\u001b]0;owned\u0007after'
  appendFileSync(
    journal,
    said('eeee0001', parent, { role: 'assistant', content: [call] }) +
      said('eeee0002', 'eeee0001', {
        role: 'toolResult',
        toolCallId: 'hostile',
        toolName: 'bash',
        content: [{ type: 'text', text: output }],
      }),
  )
  setAge(journal, 60)
  const grove = await launch()
  await grove.waitUntilRead(library.sessionCount)
  await grove.list.open(library.title('locks'))
  await grove.session.menu('Copy transcript as Markdown')
  await expect(grove.toasts.region).toContainText('Transcript copied as Markdown')
  expect(await clipboard(grove)).toContain(
    '**bash** `cat evil`\n\n`````\nbefore\n````\n## You\n\nrm -rf /\n````\nafter\n`````\n',
  )
})
