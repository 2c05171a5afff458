/** What other programs do is seen because it is told: no timer of seconds rings in these tests, so that no poll finds it. */
import {
  appendFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import type { Library } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import type { Grove } from '../pages/grove'

const TITLE = 'Fix the flaky upload test'

/** Timers of main that are set for so many milliseconds do not ring: every poll, but not what gathers changes. */
const POLL_MS = 4_000

async function stopPolling(grove: Grove): Promise<void> {
  await grove.running.app.evaluate((_electron, least) => {
    const usual = globalThis.setTimeout
    const patched = (work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
      usual(work, (ms ?? 0) >= least ? 2_000_000_000 : ms, ...args)
    globalThis.setTimeout = Object.assign(patched, usual)
  }, POLL_MS)
}

/** A line of a journal. */
const line = (record: object) => `${JSON.stringify(record)}\n`

function message(id: string, parentId: string | null, text: string): string {
  const timestamp = '2026-11-20T09:00:00.000Z'
  return line({
    type: 'message',
    id,
    parentId,
    timestamp,
    message: { role: 'user', content: [{ type: 'text', text }] },
  })
}

/** A session as omp begins one. */
function newSession(library: Library, name: string, prompt: string): string {
  const folder = path.dirname(library.journal('flaky-upload'))
  const file = path.join(folder, `2026-11-20T09-00-00-000Z_${name}.jsonl`)
  const { cwd } = library.session('flaky-upload')
  const header = { type: 'session', version: 3, id: name, timestamp: '2026-11-20T09:00:00.000Z', cwd }
  writeFileSync(file, line(header) + message('aaaa0001', null, prompt))
  return file
}

/** From here on a poll would not be seen: what was planned before is replaced by what this change leads to. */
async function onlyTold(grove: Grove, library: Library): Promise<string> {
  await expect(grove.statusBar).toContainText('Watching 1 root')
  await stopPolling(grove)
  const file = newSession(library, 'first-told', 'The session that ends the polling')
  await expect(grove.list.row('The session that ends the polling')).toBeVisible()
  return file
}

test('a new session appears, grows, is renamed by its slot and is deleted', async ({ grove, library }) => {
  await onlyTold(grove, library)
  const file = newSession(library, 'live-one', 'Begun by another program')
  await expect(grove.list.row('Begun by another program')).toBeVisible()
  appendFileSync(file, message('aaaa0002', 'aaaa0001', 'And gone on with'))
  await expect(grove.list.row('Begun by another program')).toHaveAccessibleName(/2 messages/)

  const slotted = library.journal('flaky-upload')
  const slot = readFileSync(slotted).subarray(0, 256).toString('utf8')
  const title: Record<string, unknown> = JSON.parse(slot)
  const renamed = JSON.stringify({ ...title, title: 'Renamed elsewhere', pad: '' })
  const pad = ' '.repeat(255 - Buffer.byteLength(renamed))
  const fd = openSync(slotted, 'r+')
  writeSync(fd, `${JSON.stringify({ ...title, title: 'Renamed elsewhere', pad })}\n`, 0)
  await expect(grove.list.row('Renamed elsewhere')).toBeVisible()

  rmSync(file)
  await expect(grove.list.row('Begun by another program')).toHaveCount(0)
})

test('an open session follows what another program appends, also hundreds of entries at once', async ({
  grove,
  library,
}) => {
  test.slow()
  await onlyTold(grove, library)
  await grove.list.open(TITLE)
  await expect(grove.transcript.rows.last()).toBeInViewport()
  const journal = library.journal('flaky-upload')
  let parent = library.session('flaky-upload').leafId
  const burst = (from: number, count: number) => {
    let text = ''
    for (let n = from; n < from + count; n++) {
      const id = `bbbb${String(n).padStart(4, '0')}`
      text += message(id, parent, `Line ${n} of a burst`)
      parent = id
    }
    appendFileSync(journal, text)
  }
  burst(1, 300)
  await expect(grove.transcript.row('Line 300 of a burst')).toBeInViewport()
  await expect(grove.transcript.pill).toHaveCount(0)
  for (let n = 301; n <= 500; n += 50) burst(n, 50)
  await expect(grove.transcript.row('Line 500 of a burst')).toBeInViewport()
  await expect(grove.transcript.pill).toHaveCount(0)

  await grove.transcript.feed.press('Home')
  await expect(grove.transcript.pill).toHaveText('To the end')
  burst(501, 400)
  await expect(grove.transcript.pill).toHaveText('More than 60 new messages')
  await expect(grove.transcript.rows.first()).toBeInViewport()
  await grove.transcript.pill.click()
  await expect(grove.transcript.row('Line 900 of a burst')).toBeInViewport()
  await expect(grove.transcript.pill).toHaveCount(0)
  burst(901, 1)
  await expect(grove.transcript.row('Line 901 of a burst')).toBeInViewport()
})

test('a root that is moved away is said, and watched again when it is back', async ({ grove, library }) => {
  await onlyTold(grove, library)
  const away = library.at('sessions-away')
  renameSync(library.sessionsDir, away)
  await expect(grove.statusBar).toContainText('Watching 0 of 1 root')
  await expect(
    grove.statusBar.getByTitle(`${library.sessionsDir} is gone; Grove looks for it every 1 s.`),
  ).toBeVisible()
  await expect(grove.list.rows).toHaveCount(0)
  renameSync(away, library.sessionsDir)
  await expect(grove.statusBar).toContainText('Watching 1 root')
  await expect(grove.list.row(TITLE)).toBeVisible()
  newSession(library, 'live-two', 'Begun after it came back')
  await expect(grove.list.row('Begun after it came back')).toBeVisible()
})

test('reading begins where it was left before the program was started again', async ({ launch, library }) => {
  test.slow()
  const first = await launch()
  await first.waitUntilRead(library.sessionCount)
  await first.list.open(library.title('long'))
  await expect(first.transcript.rows.last()).toBeInViewport()
  await first.transcript.feed.press('Home')
  const begin = library.session('long').firstPrompt ?? ''
  await expect(first.transcript.row(begin).first()).toBeInViewport()
  const kept = path.join(library.dataDir, 'last-read.json')
  await expect.poll(() => textOf(kept)).toContain(library.session('long').id)
  await first.running.app.close()

  const second = await launch()
  await second.waitUntilRead(library.sessionCount)
  await second.list.open(library.title('long'))
  await expect(second.transcript.row(begin).first()).toBeInViewport()
  await expect(second.transcript.pill).toHaveText('To the end')
  await second.list.open(TITLE)
  await expect(second.transcript.rows.last(), 'one that was never left').toBeInViewport()
  await expect(second.transcript.pill).toHaveCount(0)
})

test.describe('without any session yet', () => {
  test.use({ libraryKind: 'empty' })

  test('a root that is made later is watched, and its first session appears', async ({ grove, library }) => {
    await expect(grove.statusBar).toContainText('No sessions folder to watch yet')
    await stopPolling(grove)
    const folder = path.join(library.sessionsDir, '--home-someone-code--')
    mkdirSync(folder, { recursive: true })
    await expect(grove.statusBar).toContainText('Watching 1 root')
    const header = {
      type: 'session',
      version: 3,
      id: 'live-first',
      timestamp: '2026-11-20T09:00:00.000Z',
      cwd: '/code',
    }
    writeFileSync(
      path.join(folder, '2026-11-20T09-00-00-000Z_live-first.jsonl'),
      line(header) + message('aaaa0001', null, 'The very first one'),
    )
    await expect(grove.list.row('The very first one')).toBeVisible()
  })
})

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
