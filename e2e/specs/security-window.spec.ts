import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Loopback, startLoopback } from '../fixtures/loopback'
import { APP_ROOT } from '../fixtures/sample-library'
import { test as base, expect } from '../fixtures/test'

const test = base.extend<{ loopback: Loopback }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  loopback: async ({}, use) => {
    const loopback = await startLoopback()
    await use(loopback)
    expect(loopback.seen, 'what reached the network').toEqual([])
    await loopback.stop()
  },
})

// The page is made to try what its policy forbids, and says so on its console; so does a window that a test destroys.
test.use({
  expectedTrouble:
    /Content.Security.Policy|ERR_BLOCKED_BY|Not allowed|ERR_FAILED|status of 404|--trace-warnings|rejected by interface blink/i,
})

test('the page is isolated, sandboxed and without Node.js', async ({ grove }) => {
  const preferences = await grove.running.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    // Not in the public types: what the contents were really made with.
    return (
      contents as unknown as { getLastWebPreferences(): Record<string, unknown> }
    ).getLastWebPreferences()
  })
  expect(preferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    webviewTag: false,
    allowRunningInsecureContent: false,
  })
  expect(
    await grove.running.app.evaluate(({ session }) => session.defaultSession.isSpellCheckerEnabled()),
  ).toBe(false)
  const seen = await grove.page.evaluate(() => ({
    globals: ['require', 'process', 'module', 'Buffer', 'global', '__dirname', 'electron'].filter(
      name => name in globalThis,
    ),
    // The bridge is frozen, and holds three functions.
    bridge: Object.keys(Reflect.get(globalThis, 'grove')).sort(),
    frozen: (() => {
      try {
        Reflect.set(Reflect.get(globalThis, 'grove'), 'call', () => 'mine')
      } catch {}
      return String(Reflect.get(Reflect.get(globalThis, 'grove'), 'call')).includes('mine')
    })(),
    origin: location.origin,
  }))
  expect(seen.globals).toEqual([])
  expect(seen.bridge).toEqual(expect.arrayContaining(['call', 'cancel', 'onEvent']))
  expect(seen.frozen).toBe(false)
  expect(seen.origin).toBe('grove-app://window')
})

test('the page comes with a policy that lets it run its own scripts and reach nothing', async ({ grove }) => {
  const headers = await grove.running.app.evaluate(async ({ net }) => {
    const response = await net.fetch('grove-app://window/index.html')
    const names = ['content-security-policy', 'x-content-type-options', 'referrer-policy'] as const
    return Object.fromEntries(names.map(name => [name, response.headers.get(name) ?? '']))
  })
  const policy = new Map(
    (headers['content-security-policy'] ?? '').split(';').map(directive => {
      const [name = '', ...sources] = directive.trim().split(/\s+/)
      return [name, sources]
    }),
  )
  expect(policy.get('default-src')).toEqual(["'none'"])
  expect(policy.get('script-src')).toEqual(["'self'"])
  for (const name of ['connect-src', 'frame-src', 'object-src', 'media-src', 'worker-src'])
    expect(policy.get(name) ?? ["'none'"], name).toEqual(["'none'"])
  for (const name of ['base-uri', 'form-action', 'frame-ancestors'])
    expect(policy.get(name), name).toEqual(["'none'"])
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['referrer-policy']).toBe('no-referrer')
})

test('code made from strings, inline handlers and inline scripts do not run', async ({ grove }) => {
  const ran = await grove.page.evaluate(async () => {
    const outcome: Record<string, unknown> = {}
    for (const [name, source] of [
      ['handler', '<img src="grove-app://window/none.png" onerror="window.__pwned=1">'],
      ['svg', '<svg><script>window.__pwned=1</script></svg>'],
    ] as const) {
      const holder = document.createElement('div')
      holder.innerHTML = source
      document.body.append(holder)
      await new Promise(resolve => setTimeout(resolve, 0))
      outcome[name] = Reflect.get(globalThis, '__pwned') ?? null
    }
    const script = document.createElement('script')
    script.textContent = 'window.__pwned = 1'
    document.body.append(script)
    outcome.script = Reflect.get(globalThis, '__pwned') ?? null
    // A timer's text is code as well, and unlike eval not called by the test itself.
    const timer: unknown = Reflect.apply(setTimeout, window, ['window.__pwned = 1', 0])
    await new Promise(resolve => setTimeout(resolve, 20))
    outcome.timer = [typeof timer, Reflect.get(globalThis, '__pwned') ?? null].at(1)
    return outcome
  })
  expect(ran).toEqual({ handler: null, svg: null, script: null, timer: null })
})

test('no address and no file is served by the app’s own scheme but what was built', async ({ grove }) => {
  const found = await grove.running.app.evaluate(async ({ net }) => {
    const wanted = [
      'grove-app://window/index.html',
      'grove-app://other/index.html',
      'grove-app://window/../main/index.cjs',
      'grove-app://window/..%2fmain/index.cjs',
      'grove-app://window/%2e%2e/%2e%2e/package.json',
      'grove-app://window/..%5c..%5cpackage.json',
      'grove-app://window//etc/passwd',
      'grove-app://window/%00',
      'grove-app://window/%zz',
      'grove-app://window/',
    ]
    const answers = await Promise.all(
      wanted.map(url =>
        net.fetch(url).then(
          ({ status }) => status,
          () => 'refused',
        ),
      ),
    )
    return Object.fromEntries(wanted.map((url, at) => [url, answers[at]]))
  })
  const { 'grove-app://window/index.html': page, ...others } = found
  expect(page).toBe(200)
  for (const [url, status] of Object.entries(others)) expect([404, 'refused'], url).toContain(status)
})

test('the page goes nowhere: no navigation, no window, no view of another page, no frame', async ({
  grove,
  loopback,
}) => {
  const { page } = grove
  const address = page.url()
  for (const target of [
    loopback.url,
    'https://example.com/',
    'file:///etc/passwd',
    'data:text/html,<script>window.__pwned=1</script>',
    'grove-data://blob/x/y',
  ]) {
    await page.evaluate(url => {
      const link = document.createElement('a')
      link.href = url
      document.body.append(link)
      link.click()
      link.target = '_blank'
      link.click()
      link.remove()
      location.assign(url)
    }, target)
    expect(await page.evaluate(url => window.open(url) === null, target), target).toBe(true)
  }
  await page.evaluate(() => {
    location.href = 'javascript:window.__pwned=1'
    const form = document.createElement('form')
    form.action = 'https://example.com/'
    document.body.append(form)
    form.submit()
    form.remove()
  })
  const frames = await page.evaluate(async url => {
    const refused: string[] = []
    const bridges: unknown[] = []
    for (const source of [url, 'grove-app://window/index.html', 'about:blank']) {
      const frame = document.createElement('iframe')
      frame.src = source
      const answered = new Promise<void>(resolve => {
        if (source === 'about:blank') frame.onload = () => resolve()
        else
          document.addEventListener('securitypolicyviolation', function tell(event) {
            // What was refused of the form before is told later.
            if (event.effectiveDirective === 'form-action') return
            document.removeEventListener('securitypolicyviolation', tell)
            refused.push(event.effectiveDirective)
            resolve()
          })
      })
      document.body.append(frame)
      await answered
      try {
        bridges.push(Reflect.get(frame.contentWindow ?? {}, 'grove') ?? null)
      } catch {
        bridges.push('refused')
      }
      frame.remove()
    }
    const view = document.createElement('webview')
    view.setAttribute('src', url)
    document.body.append(view)
    return { refused, bridges, view: 'reload' in view }
  }, loopback.url)
  expect(frames.refused).toEqual(['frame-src', 'frame-src'])
  expect(frames.bridges.filter(bridge => bridge !== null && bridge !== 'refused')).toEqual([])
  expect(frames.view, 'a view of another page').toBe(false)
  expect(page.url()).toBe(address)
  expect(await grove.running.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(
    1,
  )
  expect(await page.evaluate(() => Reflect.get(globalThis, '__pwned') ?? null)).toBeNull()
  // Asked of the page itself: the test's own tools wait for the navigations that were prevented.
  expect(await page.evaluate(() => document.querySelectorAll('[role="option"]').length)).toBeGreaterThan(0)
})

test('permissions are denied', async ({ grove }) => {
  const denied = await grove.page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'] as const
    const states: Record<string, string> = {}
    for (const name of names) {
      // Older lists of permission names lack some of these.
      const state = await navigator.permissions.query({ name: name as PermissionName })
      states[name] = state.state
    }
    const media = await navigator.mediaDevices.getUserMedia({ audio: true }).then(
      () => 'granted',
      () => 'refused',
    )
    const place = await new Promise(resolve =>
      navigator.geolocation.getCurrentPosition(
        () => resolve('granted'),
        () => resolve('refused'),
      ),
    )
    const notice = await Notification.requestPermission()
    const clipboard = await navigator.clipboard.readText().then(
      () => 'granted',
      () => 'refused',
    )
    return { states, media, place, notice, clipboard }
  })
  expect([...new Set(Object.values(denied.states))]).toEqual(['denied'])
  expect(denied).toMatchObject({ media: 'refused', place: 'refused', notice: 'denied', clipboard: 'refused' })
})

test('downloads are prevented', async ({ grove }) => {
  const prevented = await grove.running.app.evaluate(
    ({ BrowserWindow, session }) =>
      new Promise(resolve => {
        session.defaultSession.once('will-download', event => resolve(event.defaultPrevented))
        BrowserWindow.getAllWindows()[0]?.webContents.downloadURL('grove-app://window/index.html')
      }),
  )
  expect(prevented).toBe(true)
})

test('nothing in the program reaches the network: not the page, not another window, not another session', async ({
  grove,
  loopback,
}) => {
  const place = { url: loopback.url, port: loopback.port }
  const fromPage = await grove.page.evaluate(async ({ url, port }) => {
    const failed = (request: Promise<unknown>) =>
      request.then(
        () => 'reached',
        () => 'failed',
      )
    const loaded = (element: HTMLImageElement | HTMLScriptElement | HTMLLinkElement, address: string) =>
      new Promise(resolve => {
        element.onload = () => resolve('reached')
        element.onerror = () => resolve('failed')
        if (element instanceof HTMLLinkElement) {
          element.rel = 'stylesheet'
          element.href = address
        } else element.src = address
        document.body.append(element)
      })
    const socket = new Promise(resolve => {
      try {
        const opened = new WebSocket(`ws://127.0.0.1:${port}`)
        opened.onopen = () => resolve('reached')
        opened.onerror = () => resolve('failed')
      } catch {
        resolve('failed')
      }
    })
    return {
      fetch: await failed(fetch(`${url}/fetch`)),
      opaque: await failed(fetch(`${url}/opaque`, { mode: 'no-cors' })),
      image: await loaded(document.createElement('img'), `${url}/image`),
      script: await loaded(document.createElement('script'), `${url}/script`),
      style: await loaded(document.createElement('link'), `${url}/style`),
      beacon: navigator.sendBeacon(`${url}/beacon`) ? 'queued' : 'failed',
      socket: await socket,
    }
  }, place)
  // A beacon tells nothing of its way; the listener does.
  const { beacon: _, ...others } = fromPage
  expect([...new Set(Object.values(others))]).toEqual(['failed'])

  const elsewhere = await grove.running.app.evaluate(async ({ BrowserWindow, session }, { url, port }) => {
    const answers: string[] = []
    for (const partition of [undefined, 'another', 'persist:kept']) {
      const window = new BrowserWindow({
        show: false,
        webPreferences: {
          sandbox: true,
          ...(partition === undefined ? {} : { session: session.fromPartition(partition) }),
        },
      })
      answers.push(
        await window.loadURL(url).then(
          () => 'reached',
          (error: Error) => error.message.replace(/ loading.*/, ''),
        ),
      )
      // A page without any policy of its own: only the rules for requests stand in its way.
      await window.loadURL('data:text/html,<p>page</p>')
      answers.push(
        await window.webContents.executeJavaScript(
          `Promise.all([
              fetch('${url}/fetch', { mode: 'no-cors' }).then(() => 'reached', () => 'failed'),
              new Promise(done => {
                const socket = new WebSocket('ws://127.0.0.1:${port}')
                socket.onopen = () => done('reached')
                socket.onerror = () => done('failed')
              }),
            ]).then(answers => answers.join())`,
        ),
      )
      window.destroy()
    }
    return answers
  }, place)
  expect([...new Set(elsewhere)].sort()).toEqual(['ERR_BLOCKED_BY_CLIENT (-20)', 'failed,failed'])
})

test('a second start shows the first window and ends', async ({ grove, library }) => {
  const { app } = grove.running
  await app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0]
    if (window === undefined) return
    Reflect.set(globalThis, 'focused', 0)
    const focus = window.focus.bind(window)
    window.focus = () => {
      Reflect.set(globalThis, 'focused', Number(Reflect.get(globalThis, 'focused')) + 1)
      focus()
    }
  })
  const [program = '', ...args] = app.process().spawnargs
  // As the first was started, without what the test's own debugger added.
  const own = args.filter(arg => !/^(--inspect|--remote-debugging|-r$)|electron\/loader/.test(arg))
  expect(own).toContain(APP_ROOT)
  const second = spawn(program, own, {
    stdio: 'ignore',
    env: { ...process.env, HOME: library.home, GROVE_DATA_DIR: library.dataDir },
  })
  const [code] = await once(second, 'close')
  expect(code).toBe(0)
  await expect
    .poll(() => app.evaluate(() => Number(Reflect.get(globalThis, 'focused'))), { timeout: 20_000 })
    .toBe(1)
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  await expect(grove.list.rows.first()).toBeVisible()
})
