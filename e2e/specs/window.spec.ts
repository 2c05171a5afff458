import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '../fixtures/test'
import type { Grove } from '../pages/grove'

type State = { bounds: { x: number; y: number; width: number; height: number }; zoomFactor: number }

const stateOf = (grove: Grove): Promise<State> =>
  grove.running.app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0]
    if (window === undefined) throw new Error('There is no window.')
    return { bounds: window.getBounds(), zoomFactor: window.webContents.getZoomFactor() }
  })

test('the window opens where it was closed, as large and as magnified', async ({ launch, library }) => {
  test.slow()
  const first = await launch()
  await first.waitUntilRead(library.sessionCount)
  const bounds = { x: 60, y: 40, width: 1010, height: 707 }
  await first.running.app.evaluate(({ BrowserWindow }, wanted) => {
    const window = BrowserWindow.getAllWindows()[0]
    window?.setBounds(wanted)
    window?.webContents.setZoomFactor(1.25)
  }, bounds)
  await expect.poll(() => stateOf(first)).toEqual({ bounds, zoomFactor: 1.25 })
  await first.running.app.close()
  const file = path.join(library.dataDir, 'window.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    bounds,
    maximized: false,
    fullScreen: false,
    zoomFactor: 1.25,
  })

  const second = await launch({ size: null })
  await expect(second.list.rows.first()).toBeVisible()
  await expect.poll(() => stateOf(second)).toEqual({ bounds, zoomFactor: 1.25 })
  await second.running.app.close()

  // The display that it was on is gone.
  writeFileSync(file, JSON.stringify({ bounds: { ...bounds, x: 9000, y: -4000 }, zoomFactor: 1 }))
  const third = await launch({ size: null })
  await expect(third.list.rows.first()).toBeVisible()
  const area = await third.running.app.evaluate(({ screen }) => screen.getPrimaryDisplay().workArea)
  const shown = (await stateOf(third)).bounds
  expect(shown).toMatchObject({ width: bounds.width, height: bounds.height })
  expect(shown.x).toBeGreaterThanOrEqual(area.x)
  expect(shown.y).toBeGreaterThanOrEqual(area.y)
  expect(shown.x + shown.width).toBeLessThanOrEqual(area.x + area.width)
  expect(shown.y + shown.height).toBeLessThanOrEqual(area.y + area.height)
  await third.running.app.close()

  writeFileSync(file, '{"bounds": {"x":')
  const fourth = await launch({ size: null })
  await expect(fourth.list.rows.first()).toBeVisible()
  expect(readFileSync(`${file}.damaged`, 'utf8')).toBe('{"bounds": {"x":')
  await fourth.running.app.close()
  expect(existsSync(file)).toBe(true)
})

/** Asks the page itself: the test's own tools do not come back to a page that crashed. */
function inPage<T>(grove: Grove, code: string): Promise<T> {
  return grove.running.app.evaluate(async ({ BrowserWindow }, source) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    if (contents === undefined || contents.isCrashed() || contents.isLoading()) return null
    // A page that goes meanwhile never answers.
    const gone = new Promise(resolve => contents.once('did-start-loading', () => resolve(null)))
    return Promise.race([contents.executeJavaScript(source), gone])
  }, code) as Promise<T> // what `code` answers is known where it is written
}

/** What of the window a user would recognise. */
const SHOWN = `({
  title: document.querySelector('main h2')?.textContent ?? null,
  tab: document.querySelector('[role="tab"][aria-selected="true"]')?.textContent ?? null,
  list: document.querySelector('[role="listbox"]')?.getAttribute('aria-label') ?? null,
  place: document.querySelector('nav [aria-current="page"]')?.textContent ?? null,
  message: document.querySelector('[aria-label="Messages"]')?.textContent ?? null,
  switchers: [...document.querySelectorAll('[role="group"]')].map(group => group.getAttribute('aria-label')).join('|'),
})`

type Shown = {
  title: string | null
  tab: string | null
  list: string | null
  place: string | null
  message: string | null
  switchers: string
}

/** Ends the page's process; resolves when main knows of it. */
const crash = (grove: Grove) =>
  grove.running.app.evaluate(
    ({ BrowserWindow }) =>
      new Promise<void>(resolve => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        contents?.once('render-process-gone', () => resolve())
        contents?.forcefullyCrashRenderer()
      }),
  )

// The page is gone when it is crashed on purpose, and the program says so.
test.describe('a window that fails', () => {
  test.use({ expectedTrouble: /stderr: .*(crash|Renderer|gone)/i })

  test('is loaded again and shows the same place, session, path and tab', async ({ grove, library }) => {
    await grove.sidebar.project('grove-api').click()
    await grove.list.open(library.title('flaky-upload'))
    await grove.transcript.prompt(/^The upload test still/).click()
    await grove.page.getByRole('button', { name: 'Previous continuation', disabled: false }).first().click()
    await expect(grove.page.getByText('You are reading another branch.')).toBeVisible()
    await grove.session.show('Details')
    const before = await inPage<Shown>(grove, SHOWN)
    expect(before.title).toBe(library.title('flaky-upload'))
    await crash(grove)
    await expect
      .poll(async () => (await inPage<Shown | null>(grove, SHOWN))?.message ?? '')
      .toContain('The window failed and was loaded again.')
    await expect
      .poll(async () => {
        const { title, tab, place } = (await inPage<Shown | null>(grove, SHOWN)) ?? {}
        return { title, tab, place }
      })
      .toEqual({ title: before.title, tab: before.tab, place: before.place })
    // The same path: still the other branch.
    const press = `new MouseEvent('mousedown', { bubbles: true, button: 0 })`
    await inPage(grove, `document.querySelector('[role="tab"]').dispatchEvent(${press})`)
    await expect
      .poll(() => inPage<string>(grove, 'document.body.innerText'))
      .toContain('You are reading another branch.')
  })

  test('is as large as before when it is loaded again', async ({ grove }) => {
    await grove.running.app.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(1.5)
    })
    await expect.poll(() => inPage<number | null>(grove, 'devicePixelRatio')).toBe(1.5)
    await crash(grove)
    await expect
      .poll(async () => (await inPage<Shown | null>(grove, SHOWN))?.message ?? '')
      .toContain('The window failed and was loaded again.')
    await expect.poll(() => inPage<number | null>(grove, 'devicePixelRatio')).toBe(1.5)
    expect((await stateOf(grove)).zoomFactor).toBe(1.5)
  })

  test('three times within a minute asks before it is loaded again', async ({ grove }) => {
    await grove.running.app.evaluate(({ dialog }) => {
      const asked: string[] = []
      Reflect.set(globalThis, 'asked', asked)
      dialog.showMessageBox = async (...given: unknown[]) => {
        const { message, buttons } = given.at(-1) as { message: string; buttons: string[] } // the last is the question
        asked.push(`${message} ${buttons.join(', ')}`)
        return { response: 0, checkboxChecked: false }
      }
    })
    // Put there above.
    const asked = () => grove.running.app.evaluate(() => Reflect.get(globalThis, 'asked') as string[])
    const rows = () => inPage<number | null>(grove, `document.querySelectorAll('[role="option"]').length`)
    for (const times of [1, 2, 3]) {
      await crash(grove)
      await expect.poll(rows).toBeGreaterThan(0)
      expect(await asked()).toHaveLength(times === 3 ? 1 : 0)
    }
    expect(await asked()).toEqual([expect.stringContaining('failed several times')])
    expect((await asked())[0]).toContain('Reload, Quit')
  })

  test('and does not answer is asked about, and loaded again when the user wants', async ({ grove }) => {
    await grove.running.app.evaluate(({ dialog, BrowserWindow }) => {
      dialog.showMessageBox = async (...given: unknown[]) => {
        const { buttons } = given.at(-1) as { buttons: string[] } // the last is the question
        return { response: buttons.indexOf('Reload'), checkboxChecked: false }
      }
      // As Electron tells after a page was silent for a long time.
      BrowserWindow.getAllWindows()[0]?.emit('unresponsive')
    })
    await expect
      .poll(async () => (await inPage<Shown | null>(grove, SHOWN))?.message ?? '')
      .toContain('The window failed and was loaded again.')
  })
})
