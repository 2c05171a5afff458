import { resizeWindow } from '../fixtures/launch'
import { expect, test } from '../fixtures/test'
import type { Grove } from '../pages/grove'
import { TABS } from '../pages/session-pane'

const BRANCHED = 'Fix the flaky upload test'

/** Parts of the page that are cut off at the side, or that one would have to scroll the page for. */
async function cutOff(grove: Grove): Promise<string[]> {
  return grove.page.evaluate(() => {
    const found: string[] = []
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth)
      found.push(`the page is ${root.scrollWidth} wide, of ${root.clientWidth}`)
    const controls = document.querySelectorAll<HTMLElement>(
      'button, a[href], input, textarea, select, [role="tab"], [role="option"], [role="treeitem"], h2, h3',
    )
    const isHidden = (element: Element) => getComputedStyle(element).clipPath !== 'none'
    /** What scrolls or cuts sideways around an element, the page itself last. */
    const frame = (element: HTMLElement) => {
      let [left, right] = [0, root.clientWidth]
      for (let at = element.parentElement; at !== null; at = at.parentElement) {
        const { overflowX } = getComputedStyle(at)
        // What can be scrolled sideways, such as a wide table of code, hides nothing for good.
        if (overflowX === 'auto' || overflowX === 'scroll') {
          if (at.scrollWidth > at.clientWidth) return null
        }
        if (overflowX === 'visible') continue
        const box = at.getBoundingClientRect()
        left = Math.max(left, box.left)
        right = Math.min(right, box.right)
      }
      return { left, right }
    }
    for (const control of Array.from(controls)) {
      const box = control.getBoundingClientRect()
      if (box.width === 0 || box.height === 0 || isHidden(control)) continue
      const around = frame(control)
      if (around === null) continue
      if (box.left < around.left - 1 || box.right > around.right + 1) {
        const name = control.getAttribute('aria-label') ?? control.textContent ?? control.localName
        found.push(
          `${control.localName} “${name.slice(0, 60)}” from ${Math.round(box.left)} to ${Math.round(box.right)}, of ${Math.round(around.left)} to ${Math.round(around.right)}`,
        )
      }
    }
    return found
  })
}

/** Every main screen, one after the other, in a window that shows one pane at a time. */
async function forEachScreen(grove: Grove, look: (name: string) => Promise<void>): Promise<void> {
  const { page } = grove
  const back = (name: string) => page.getByRole('button', { name, exact: true })
  await expect(grove.list.rows.first()).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Library' })).toHaveCount(0)
  await look('the list')
  await back('Library').click()
  await expect(grove.sidebar.region).toBeVisible()
  await look('the library')
  for (const place of ['Drafts', 'Trash', 'Recent changes', 'All sessions']) {
    await grove.sidebar.go(place)
    await look(place)
    await back('Library').click()
  }
  await grove.sidebar.go('All sessions')
  await grove.list.open(BRANCHED)
  await expect(grove.session.heading(BRANCHED)).toBeVisible()
  await expect(grove.list.rows).toHaveCount(0)
  for (const tab of TABS) {
    await grove.session.show(tab)
    await expect(page.getByText(/^Loading the /)).toHaveCount(0)
    await look(tab)
  }
  await back('Sessions').click()
  await expect(grove.list.rows.first()).toBeVisible()
  for (const [name, keys] of [
    ['Settings', 'Control+,'],
    ['Keyboard shortcuts', '?'],
  ] as const) {
    await grove.list.listbox.focus()
    await page.keyboard.press(keys)
    await expect(page.getByRole('dialog')).toBeVisible()
    await look(name)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
}

test('nothing is cut off at 200 % zoom, one pane at a time', async ({ grove }) => {
  test.slow()
  const { page, running } = grove
  await running.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(2),
  )
  await page.waitForFunction(() => innerWidth === 720)
  const found: string[] = []
  await forEachScreen(grove, async name => {
    found.push(...(await cutOff(grove)).map(text => `${name}: ${text}`))
  })
  expect(found).toEqual([])
})

test('nothing is cut off at 800x600, one pane at a time', async ({ grove }) => {
  test.slow()
  await resizeWindow(grove.running.app, 800, 600)
  const found: string[] = []
  await forEachScreen(grove, async name => {
    found.push(...(await cutOff(grove)).map(text => `${name}: ${text}`))
  })
  expect(found).toEqual([])
})

test('with reduced motion nothing moves: no transition, no animation', async ({ grove }) => {
  test.slow()
  const moving = () =>
    grove.page.evaluate(() =>
      Array.from(document.querySelectorAll('*')).flatMap(element =>
        [null, '::before', '::after'].flatMap(part => {
          const { animationName, transitionDuration, transitionProperty, scrollBehavior } = getComputedStyle(
            element,
            part,
          )
          const moves =
            animationName !== 'none' ||
            (transitionProperty !== 'none' && transitionDuration.split(', ').some(time => time !== '0s')) ||
            scrollBehavior === 'smooth'
          return moves
            ? [
                `${element.localName}.${element.className}${part ?? ''}: ${animationName} ${transitionProperty} ${transitionDuration}`,
              ]
            : []
        }),
      ),
    )
  // The check can fail: with motion, something has a transition.
  await grove.page.emulateMedia({ reducedMotion: 'no-preference' })
  expect((await moving()).length).toBeGreaterThan(0)
  await grove.page.emulateMedia({ reducedMotion: 'reduce' })
  const found = await moving()
  await grove.list.open(BRANCHED)
  for (const tab of TABS) {
    await grove.session.show(tab)
    found.push(...(await moving()))
  }
  await grove.page.keyboard.press('Control+,')
  await expect(grove.page.getByRole('dialog')).toBeVisible()
  found.push(...(await moving()))
  await grove.page.keyboard.press('Escape')
  await grove.list.listbox.focus()
  await grove.list.pressDelete()
  await expect(grove.toasts.region).toContainText('Moved 1 session to trash')
  found.push(...(await moving()))
  expect(found).toEqual([])
})

test('forced colours keep selection, focus, lanes, chips and marks apart from what is around them', async ({
  grove,
}) => {
  test.slow()
  const { page } = grove
  await page.emulateMedia({ forcedColors: 'active' })
  const edge = (element: Element) => {
    const { outlineStyle, outlineWidth, outlineColor, backgroundColor, borderStyle } =
      getComputedStyle(element)
    return {
      outline: outlineStyle === 'none' ? 'none' : `${outlineWidth} ${outlineColor}`,
      backgroundColor,
      borderStyle,
    }
  }
  await grove.list.open(BRANCHED)
  await grove.list.clearFilter()
  const selected = await grove.list.region.getByRole('option', { selected: true }).first().evaluate(edge)
  const other = await grove.list.region.getByRole('option', { selected: false }).first().evaluate(edge)
  expect(selected).not.toEqual(other)
  const [open, closed] = [grove.session.tab('Transcript'), grove.session.tab('Details')]
  expect(await open.evaluate(edge)).not.toEqual(await closed.evaluate(edge))
  const place = grove.sidebar.place('All sessions')
  expect(await place.evaluate(edge)).not.toEqual(await grove.sidebar.place('Starred').evaluate(edge))

  // The focus, reached by keyboard, is heavier than the edge of what is selected.
  await closed.focus()
  await page.keyboard.press('ArrowLeft')
  const focused = await page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body)
    return `${outlineStyle} ${outlineWidth}`
  })
  expect(focused).toBe('double 4px')

  await grove.session.show('Branches')
  const graph = page.getByRole('treegrid', { name: 'Branches' })
  await expect(graph.getByRole('row').first()).toBeVisible()
  const { strokes, canvas } = await page.evaluate(() => {
    const probe = document.createElement('i')
    probe.style.color = 'Canvas'
    document.body.append(probe)
    const own = getComputedStyle(probe).color
    probe.remove()
    const drawn = Array.from(document.querySelectorAll('[role="treegrid"] svg path[stroke]'))
    return { strokes: drawn.map(path => getComputedStyle(path).stroke), canvas: own }
  })
  expect(strokes.length).toBeGreaterThan(0)
  expect(strokes).not.toContain(canvas)
  expect(new Set(strokes).size, 'the active path and the others').toBeGreaterThan(1)
  await grove.session.show('Transcript')
})
