import { writeFileSync } from 'node:fs'
import { makeHostile } from '../fixtures/hostile'
import { type Loopback, startLoopback } from '../fixtures/loopback'
import { test as base, expect } from '../fixtures/test'
import type { Grove } from '../pages/grove'
import { TABS } from '../pages/session-pane'

const test = base.extend<{ loopback: Loopback }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  loopback: async ({}, use) => {
    const loopback = await startLoopback()
    await use(loopback)
    expect(loopback.seen, 'what reached the network').toEqual([])
    await loopback.stop()
  },
})

// Pictures that the samples name and that are made unreadable here are asked for, and not there.
test.use({ expectedTrouble: /status of 404/ })

/** What of the page is more than text: elements that run, fetch or show other pages, and what ran. */
async function whatRan(grove: Grove): Promise<unknown> {
  return grove.page.evaluate(() => {
    const all = Array.from(document.querySelectorAll('*'))
    const named = (names: string[]) => all.filter(({ localName }) => names.includes(localName))
    const scripts = named(['script']).filter(
      element =>
        !element.getAttribute('src')?.startsWith('./') && !element.getAttribute('src')?.startsWith('/'),
    )
    const foreign = named(['iframe', 'object', 'embed', 'video', 'audio', 'base', 'form', 'webview', 'frame'])
    const pictures = named(['img', 'image', 'use']).filter(element =>
      [element.getAttribute('src'), element.getAttribute('href')].some(
        address => address !== null && !address.startsWith('grove-data://'),
      ),
    )
    const links = named(['a', 'area']).filter(
      element => !/^(https:|mailto:)/.test(element.getAttribute('href') ?? 'https:'),
    )
    const handlers = all.filter(element => element.getAttributeNames().some(name => /^on/.test(name)))
    return {
      pwned: Reflect.get(globalThis, '__pwned') ?? null,
      elements: [...scripts, ...foreign, ...pictures, ...links, ...handlers].map(element =>
        element.outerHTML.slice(0, 200),
      ),
      title: document.title,
      address: location.origin,
    }
  })
}

const NOTHING = { pwned: null, elements: [], title: 'Grove', address: 'grove-app://window' }

test('hostile text in every field of every session is shown as text: nothing runs, nothing is fetched', async ({
  launch,
  library,
  loopback,
}) => {
  test.setTimeout(20 * 60_000)
  expect(makeHostile(library, loopback.url)).toBeGreaterThan(1000)
  const grove = await launch()
  const { page } = grove
  await grove.waitUntilRead(library.sessionCount)
  await expect(grove.list.rows.first()).toContainText('onerror=')
  expect(await whatRan(grove), 'the list').toEqual(NOTHING)

  await grove.running.app.evaluate(({ dialog }) => {
    dialog.showOpenDialog = async () => ({ canceled: true, filePaths: [] })
  })
  await grove.list.listbox.focus()
  await grove.list.listbox.press('Home')
  for (let n = 0; n < library.sessionCount; n++) {
    const row = grove.list.region.getByRole('option', { selected: true })
    await expect(row).toHaveAttribute('aria-posinset', String(n + 1))
    await grove.list.listbox.press('Enter')
    const refused = page.getByRole('alert').filter({ hasText: 'This session cannot be opened' })
    await expect(grove.session.tab('Transcript').or(refused)).toBeVisible()
    for (const tab of (await refused.isVisible()) ? [] : TABS) {
      await grove.session.show(tab)
      await expect(page.getByRole('tabpanel', { name: new RegExp(`^${tab}`) })).toBeVisible()
      await expect(page.getByText(/^Loading the /)).toHaveCount(0)
      // A session without anything to read has no feed.
      if (tab === 'Transcript' && (await grove.transcript.rows.count()) > 0) {
        await grove.transcript.feed.focus()
        // Thinking and tool output unfolded, at the end and then at the beginning.
        await page.keyboard.press('Control+t')
        await page.keyboard.press('Control+o')
        await page.keyboard.press('Home')
      }
      expect(await whatRan(grove), `${tab} of session ${n + 1}`).toEqual(NOTHING)
    }
    await grove.list.listbox.focus()
    await grove.list.listbox.press('ArrowDown')
  }

  for (const place of ['Starred', 'Drafts', 'Trash', 'Recent changes', 'All sessions']) {
    await grove.sidebar.go(place)
    expect(await whatRan(grove), place).toEqual(NOTHING)
  }
  expect(
    await grove.running.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map(w => w.getTitle()),
    ),
  ).toEqual(['Grove'])
})

test('hostile names and contents of artifacts are shown as text, too', async ({
  launch,
  library,
  loopback,
}) => {
  test.slow()
  makeHostile(library, loopback.url)
  const grove = await launch()
  const { page } = grove
  await grove.waitUntilRead(library.sessionCount)
  await grove.list.filterBy(library.session('flaky-upload').id)
  if ((await grove.list.rows.count()) === 0) await grove.list.filterBy('flaky upload')
  await grove.list.rows.first().click()
  await grove.session.show('Artifacts')
  const rows = grove.artifacts.files.getByRole('row')
  await expect(rows.first()).toBeVisible()
  let hostile = 0
  for (let at = 0; at < (await rows.count()); at++) {
    await rows.nth(at).click()
    const preview = page.getByRole('region', { name: /^Preview of / })
    await expect(preview).toBeVisible()
    if (/onerror|onmouseover|script|pwned|%2f/.test((await preview.getAttribute('aria-label')) ?? ''))
      hostile++
    expect(await whatRan(grove), `artifact ${at + 1}`).toEqual(NOTHING)
  }
  expect(hostile).toBeGreaterThanOrEqual(4)
})

test('a link is opened outside after a click, https and mailto only; others do nothing', async ({
  launch,
  library,
  loopback,
}) => {
  const journal = library.journal('search')
  const links = [
    '[safe](https://example.com/page?q=1)',
    '[letter](mailto:a@example.com)',
    '[script](javascript:window.__pwned=1)',
    '[data](data:text/html,<script>window.__pwned=1</script>)',
    '[file](file:///etc/passwd)',
    `[plain](${loopback.url}/plain)`,
    '[own](grove-app://window/index.html)',
    '[relative](../../etc/passwd)',
  ].join('\n\n')
  const entry = {
    type: 'message',
    id: 'ffff0001',
    parentId: library.session('search').leafId,
    timestamp: '2026-11-20T09:00:00.000Z',
    message: { role: 'user', content: [{ type: 'text', text: links }], timestamp: 1_795_000_000_000 },
  }
  writeFileSync(journal, `${JSON.stringify(entry)}\n`, { flag: 'a' })
  const grove = await launch()
  const { page } = grove
  await grove.waitUntilRead(library.sessionCount)
  await grove.running.app.evaluate(({ shell }) => {
    const opened: string[] = []
    Reflect.set(globalThis, 'opened', opened)
    shell.openExternal = async url => void opened.push(url)
  })
  // Put there above.
  const opened = () => grove.running.app.evaluate(() => Reflect.get(globalThis, 'opened') as string[])
  const ask = (url: string) =>
    page.evaluate(async address => {
      // The bridge, as any script of the page would find it.
      const bridge = Reflect.get(globalThis, 'grove') as {
        call(name: string, input: unknown, id: string): Promise<{ error?: { code: string; message: string } }>
      }
      return (await bridge.call('app.openLink', { url: address }, crypto.randomUUID())).error ?? null
    }, url)

  // Before the user did anything at all in the window.
  expect(await ask('https://example.com/unasked')).toMatchObject({ code: 'permission' })

  await grove.list.open(library.title('search'))
  const row = grove.transcript.row('letter')
  await expect(row).toBeVisible()
  expect(await opened()).toEqual([])
  await row.getByRole('link', { name: 'safe' }).click()
  await expect.poll(opened).toEqual(['https://example.com/page?q=1'])
  await row.getByRole('link', { name: 'letter' }).click()
  await expect.poll(opened).toEqual(['https://example.com/page?q=1', 'mailto:a@example.com'])
  for (const name of ['script', 'data', 'file', 'plain', 'own', 'relative']) {
    await expect(row.getByRole('link', { name })).toHaveCount(0)
    await row.getByText(name, { exact: true }).click()
    await row.getByText(name, { exact: true }).click({ modifiers: ['Control'] })
    await row.getByText(name, { exact: true }).click({ button: 'middle' })
  }
  for (const url of [
    'javascript:window.__pwned=1',
    'data:text/html,x',
    'file:///etc/passwd',
    loopback.url,
    'grove-app://window/index.html',
    'ms-msdt:/id',
    'mailto:a@example.com?attach=/etc/passwd',
    'https://example.com@evil.example/',
    'nothing at all',
  ]) {
    const refusal = await ask(url)
    expect(refusal?.code, url).toBe('invalid-argument')
    expect(refusal?.message, url).toMatch(/not (opened|an address)/)
  }
  expect(await opened()).toHaveLength(2)
  expect(await whatRan(grove)).toEqual(NOTHING)
})
