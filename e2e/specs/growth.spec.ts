import type { Locator } from 'playwright'
import { expect, test } from '../fixtures/test'

const TITLE = 'Where the backup spends its time'

/** One entry as omp appends it. */
function message(id: string, parentId: string, role: 'user' | 'assistant', text: string): string {
  const timestamp = '2026-11-20T09:00:00.000Z'
  const content = [{ type: 'text', text }]
  const extra =
    role === 'assistant' ? { provider: 'test', model: 'test-model', stopReason: 'stop', usage: {} } : {}
  return `${JSON.stringify({ type: 'message', id, parentId, timestamp, message: { role, content, ...extra } })}\n`
}

/** Where something stands when it has stopped moving: rows around it are measured as they come. */
async function restingPlace(target: Locator) {
  let last: string | null = null
  await expect
    .poll(async () => {
      const now = JSON.stringify(await target.boundingBox())
      const same = now === last
      last = now
      return same
    })
    .toBe(true)
  return target.boundingBox()
}

test('entries that another process appends appear while the session is open', async ({
  grove,
  library,
  programs,
}) => {
  const { leafId } = library.session('flaky-upload')
  const appender = await programs.appender(library.journal('flaky-upload'))
  await grove.list.open('Fix the flaky upload test')
  await expect(grove.transcript.rows.last()).toBeInViewport()

  await appender.append(message('aaaa0001', leafId, 'user', 'One more question, written meanwhile'))
  await expect(grove.transcript.row('One more question, written meanwhile')).toBeInViewport()
  // Half a line is not there yet; the rest of it makes it an entry.
  const answer = message('aaaa0002', 'aaaa0001', 'assistant', 'The answer that came in two pieces')
  await appender.append(answer.slice(0, 60))
  await appender.append(answer.slice(60))
  await expect(grove.transcript.row('The answer that came in two pieces')).toBeInViewport()
  await expect(grove.transcript.prompt('One more question, written meanwhile')).toBeVisible()
})

test('scrolled up, growth does not move what is read; the pill tells of it and leads there', async ({
  grove,
  library,
  programs,
}) => {
  const { leafId } = library.session('long')
  const appender = await programs.appender(library.journal('long'))
  await grove.list.open(library.title('long'))
  await expect(grove.transcript.rows.last()).toBeInViewport()
  await grove.transcript.feed.press('Home')
  const read = grove.transcript.row(library.session('long').firstPrompt ?? '').first()
  await expect(read).toBeInViewport()
  await expect(grove.transcript.pill).toHaveText('To the end')
  const place = await restingPlace(read)
  await appender.append(message('bbbb0001', leafId, 'user', 'Written below, out of sight'))
  await expect(grove.transcript.pill).toHaveText('1 new message')
  expect(await restingPlace(read)).toEqual(place)
  await grove.transcript.pill.click()
  await expect(grove.transcript.row('Written below, out of sight')).toBeInViewport()
  await expect(grove.transcript.pill).toHaveCount(0)
})

test('what is read stays where it is when a program takes the session', async ({
  grove,
  library,
  programs,
}) => {
  await grove.list.open(library.title('long'))
  await grove.transcript.feed.press('Home')
  const read = grove.transcript.row(library.session('long').firstPrompt ?? '').first()
  await expect(read).toBeInViewport()
  await expect(grove.session.use).toHaveCount(0)
  const place = await restingPlace(read)
  await programs.holder(library.journal('long'))
  await expect(grove.session.use).toBeVisible()
  expect(await restingPlace(read)).toEqual(place)
})

test('the row in the list follows what was appended', async ({ grove, library, programs }) => {
  const { leafId, messageCount } = library.session('entry-kinds')
  const appender = await programs.appender(library.journal('entry-kinds'))
  await grove.list.open(TITLE)
  await appender.append(message('cccc0001', leafId, 'user', 'Counted'))
  await expect(grove.list.row(TITLE)).toHaveAccessibleName(new RegExp(`${messageCount + 1} messages`))
})
