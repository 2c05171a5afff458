import { calls } from '../../src-shared/ipc/contract'
import { expect, test } from '../fixtures/test'
import { fileDifferences, takeSnapshot } from '../fixtures/tree-snapshot'
import type { Grove } from '../pages/grove'

/** Of Grove's own data: what follows the library by itself in the background, whatever is called. */
const FOLLOWING = ['catalog', ...['', '-wal', '-shm'].map(end => `search-index.sqlite${end}`)]
/** Chromium keeps these in a home whatever its data directory is. */
const CHROMIUMS = ['.cache', '.config', '.pki', '.local', '.dbus']

type Answer = { ok: boolean; code: string | null }

/** Calls main as the page would, past its typed client. An answer that is no `Result` fails. */
async function callRaw(grove: Grove, name: unknown, inputs: readonly unknown[]): Promise<Answer[]> {
  return grove.page.evaluate(
    async ({ name: called, text }) => {
      const odd = new Map([
        ['@NaN', Number.NaN],
        ['@Infinity', Number.POSITIVE_INFINITY],
      ])
      const given: unknown[] = JSON.parse(text, (_key, value) => odd.get(value) ?? value)
      // The bridge, as any script of the page would find it.
      const bridge = Reflect.get(globalThis, 'grove') as {
        call(name: unknown, input: unknown, id: unknown): Promise<unknown>
      }
      const answers: { ok: boolean; code: string | null }[] = []
      for (let at = 0; at < given.length; at += 50) {
        const batch = given.slice(at, at + 50).map(input => bridge.call(called, input, crypto.randomUUID()))
        for (const answer of await Promise.all(batch)) {
          if (typeof answer !== 'object' || answer === null || !('ok' in answer))
            throw new Error(`${String(called)} answered ${JSON.stringify(answer)}`)
          const error: unknown = 'error' in answer ? answer.error : null
          const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
          if (answer.ok !== true && (answer.ok !== false || typeof code !== 'string'))
            throw new Error(`${String(called)} answered ${JSON.stringify(answer)}`)
          answers.push({ ok: answer.ok, code: typeof code === 'string' ? code : null })
        }
      }
      return answers
    },
    // As text: the test's own tools would choke on objects whose every method is something else.
    { name, text: JSON.stringify(inputs, (_key, value) => (isOdd(value) ? `@${value}` : value)) },
  )
}

/** A number that JSON cannot say. */
function isOdd(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value)
}

/** Nothing native opens, and nothing is handed to the system. */
async function stubSystem(grove: Grove): Promise<void> {
  await grove.running.app.evaluate(({ dialog, shell, clipboard }) => {
    dialog.showOpenDialog = async () => ({ canceled: true, filePaths: [] })
    dialog.showSaveDialog = async () => ({ canceled: true, filePath: '' })
    dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false })
    shell.openExternal = async () => undefined
    shell.openPath = async () => ''
    shell.showItemInFolder = () => undefined
    clipboard.writeText = async () => undefined
  })
}

/** Numbers that are the same at each run: mulberry32. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const STRINGS = [
  '',
  'x',
  '../../etc/passwd',
  '/etc/passwd',
  '\u0000',
  '\ud800',
  '__proto__',
  's-000000000000000000000000',
  'javascript:1',
  'file:///etc/passwd',
  '🌳'.repeat(3000),
  'all',
  'project',
  'path',
  'entry',
]
const NUMBERS = [0, -0, 1, -1, 0.5, 2 ** 31, 2 ** 53, -(2 ** 53), 1e308, Number.NaN, Number.POSITIVE_INFINITY]
const KEYS = [
  ...new Set(Object.values(calls).flatMap(({ input }) => ('shape' in input ? Object.keys(input.shape) : []))),
  'kind',
  // Not `__proto__`: the bridge leaves such a key behind, and main sees what is left.
  'constructor',
  'toString',
  'length',
]

function pick<T>(random: () => number, from: readonly T[]): T {
  const item = from[Math.floor(random() * from.length)]
  if (item === undefined) throw new Error('Nothing to pick from.')
  return item
}

function randomValue(random: () => number, depth: number): unknown {
  const kind = Math.floor(random() * (depth > 3 ? 5 : 8))
  if (kind === 0) return pick(random, STRINGS)
  if (kind === 1) return pick(random, NUMBERS)
  if (kind === 2) return random() < 0.5
  if (kind === 3) return null
  if (kind === 4) return pick(random, STRINGS).slice(0, 100)
  if (kind === 5)
    return Array.from({ length: Math.floor(random() * 6) }, () => randomValue(random, depth + 1))
  return randomObject(random, KEYS, depth + 1)
}

function randomObject(random: () => number, keys: readonly string[], depth: number): unknown {
  const count = Math.floor(random() * 5)
  return Object.fromEntries(
    Array.from({ length: count }, () => [pick(random, keys), randomValue(random, depth)]),
  )
}

/** An input for a call: often with the right keys, seldom with the right values. */
function randomInput(random: () => number, name: keyof typeof calls): unknown {
  const { input } = calls[name]
  if (random() < 0.3 || !('shape' in input)) return randomValue(random, 0)
  const own = Object.keys(input.shape).filter(() => random() < 0.95)
  const entries: [string, unknown][] = own.map(key => [key, randomValue(random, 1)])
  if (random() < 0.2) entries.push([pick(random, KEYS), randomValue(random, 1)])
  return Object.fromEntries(entries)
}

/** Whether an input is as agreed. The schemas themselves throw over some objects, which main must not pass on. */
function isValid(name: keyof typeof calls, input: unknown): boolean {
  try {
    return calls[name].input.safeParse(input).success
  } catch {
    return false
  }
}

const EACH = 300

test('random input to each call is answered with a value, and what is invalid changes nothing', async ({
  grove,
  library,
}) => {
  test.setTimeout(10 * 60_000)
  await stubSystem(grove)
  const home = () => takeSnapshot(library.home, { except: CHROMIUMS })
  const data = () => takeSnapshot(library.dataDir, { except: FOLLOWING })
  const before = home()
  const own = data()
  const valid = new Map<keyof typeof calls, unknown[]>()
  // The contract's keys are its names.
  const names = Object.keys(calls) as (keyof typeof calls)[]
  for (const [index, name] of names.entries()) {
    const random = seeded(index + 1)
    const inputs = Array.from({ length: EACH }, () => randomInput(random, name))
    const invalid = inputs.filter(input => !isValid(name, input))
    valid.set(
      name,
      inputs.filter(input => isValid(name, input)),
    )
    const answers = await callRaw(grove, name, invalid)
    expect(answers.length, name).toBe(invalid.length)
    expect([...new Set(answers.map(({ code }) => code))], name).toEqual(['invalid-argument'])
  }
  expect(fileDifferences(before, home())).toEqual([])
  expect(fileDifferences(own, data())).toEqual([])

  // What fits the schema names nothing that there is: no session, plan, change or item of the trash.
  for (const name of names) {
    const some = new Map((valid.get(name) ?? []).map(input => [JSON.stringify(input), input]))
    const answers = await callRaw(grove, name, [...some.values()].slice(0, 12))
    expect(
      answers.every(({ code }) => code !== 'internal'),
      `${name}: ${JSON.stringify(answers)}`,
    ).toBe(true)
  }
  expect(fileDifferences(before, home())).toEqual([])
  await grove.list.open(library.title('search'))
  await expect(grove.transcript.rows.first()).toBeVisible()
})

test('a call that is not as agreed is answered with an error value', async ({ grove }) => {
  const of = async (name: unknown, input: unknown) => (await callRaw(grove, name, [input]))[0]?.code
  expect(await of('app.info', {})).toBeNull()
  expect(await of('app.info', { more: 1 }), 'an unknown key').toBe('invalid-argument')
  expect(await of('session.open', { session: 7 }), 'a wrong type').toBe('invalid-argument')
  expect(await of('session.open', {}), 'a missing key').toBe('invalid-argument')
  expect(await of('session.open', null)).toBe('invalid-argument')
  expect(await of('session.open', { session: 's-000000000000000000000000' })).toBe('not-found')
  expect(await of('app.openLink', { url: { length: [{ toString: 1 }] } }), 'a length that is none').toBe(
    'invalid-argument',
  )
  for (const name of ['app.quit', '__proto__', 'constructor', 'toString', '', 7, null, ['app.info'], {}])
    expect(await of(name, {}), `the call ${String(name)}`).toBe('invalid-argument')
  const oversize = await grove.page.evaluate(async () => {
    // The bridge, as any script of the page would find it.
    const bridge = Reflect.get(globalThis, 'grove') as {
      call(name: unknown, input: unknown, id: unknown): Promise<{ ok: boolean; error?: { code: string } }>
    }
    const code = async (input: unknown, id: unknown = crypto.randomUUID()) => {
      try {
        return (await bridge.call('app.info', input, id)).error?.code ?? null
      } catch {
        // What cannot be taken out of the page at all; the typed client makes an error value of it.
        return 'not taken'
      }
    }
    const cycle: unknown[] = []
    cycle.push(cycle)
    let deep: unknown = 0
    for (let level = 0; level < 300; level++) deep = [deep]
    return {
      long: await code({ text: 'x'.repeat(60_000_001) }),
      many: await code(Array.from({ length: 300_000 }, () => 0)),
      deep: await code(deep),
      cycle: await code(cycle),
      map: await code(new Map()),
      date: await code(new Date()),
      bytes: await code(new Uint8Array(10)),
      big: await code(10n),
      numberAsId: await code({}, 7),
      objectAsId: await code({}, { toString: null }),
      noId: await code({}, ''),
      longId: await code({}, 'x'.repeat(65)),
      // The second of two with one id.
      twice: (await Promise.all([code({}, 'same'), code({}, 'same')])).filter(found => found !== null),
    }
  })
  expect(oversize).toEqual({
    long: 'too-large',
    many: 'too-large',
    deep: 'invalid-argument',
    cycle: 'not taken',
    map: 'invalid-argument',
    date: 'invalid-argument',
    bytes: 'invalid-argument',
    big: 'invalid-argument',
    numberAsId: 'invalid-argument',
    objectAsId: 'invalid-argument',
    noId: 'invalid-argument',
    longId: 'invalid-argument',
    twice: [],
  })
})

test('another window with the same preload is answered permission, and its page shows nothing', async ({
  grove,
}) => {
  const answer = await grove.running.app.evaluate(async ({ BrowserWindow, app }) => {
    const window = new BrowserWindow({
      show: false,
      webPreferences: {
        preload: `${app.getAppPath()}/out/preload/index.cjs`,
        contextIsolation: true,
        sandbox: true,
      },
    })
    // Our own page, from our own origin: only the contents are not those of Grove's window.
    await window.loadURL('grove-app://window/index.html')
    const called: unknown = await window.webContents.executeJavaScript(
      'window.grove.call("library.snapshot", {}, "x")',
    )
    const text: unknown = await window.webContents.executeJavaScript('document.body.innerText')
    window.destroy()
    return { called, text: String(text) }
  })
  expect(answer.called).toMatchObject({ ok: false, error: { code: 'permission' } })
  expect(answer.text).not.toContain('grove-api')
})

test('a frame in the window, a page elsewhere and a frame that is gone are answered permission', async ({
  grove,
}) => {
  // The policy keeps frames with pages out (security-window.spec.ts), and no frame gets the bridge: what main would say
  // to one can only be seen by asking main itself.
  await grove.page.evaluate(
    () =>
      new Promise(resolve => {
        const frame = document.createElement('iframe')
        frame.onload = resolve
        document.body.append(frame)
      }),
  )
  const codes = await grove.running.app.evaluate(async ({ BrowserWindow, ipcMain }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    if (contents === undefined) throw new Error('There is no window.')
    type Listener = (
      event: unknown,
      ...given: unknown[]
    ) => Promise<{ ok: boolean; error?: { code: string } }>
    // Electron's own table of handlers; not in the public types.
    const handlers = Reflect.get(ipcMain, '_invokeHandlers') as Map<string, Listener>
    const handler = handlers.get('grove:call')
    if (handler === undefined) throw new Error('Nothing handles calls.')
    const { mainFrame } = contents
    const elsewhere = (url: string) => ({
      sender: contents,
      senderFrame: Object.create(mainFrame, { url: { value: url } }),
    })
    const events: Record<string, unknown> = {
      own: { sender: contents, senderFrame: mainFrame },
      child: { sender: contents, senderFrame: mainFrame.frames[0] },
      none: { sender: contents, senderFrame: null },
      otherSender: { sender: {}, senderFrame: mainFrame },
      otherPage: elsewhere('https://example.com/'),
      alike: elsewhere('grove-app://window.example.com/'),
    }
    const answers: Record<string, unknown> = {}
    for (const [name, event] of Object.entries(events)) {
      const answer = await handler(event, 'app.info', {}, name)
      answers[name] = answer.ok ? 'ok' : answer.error?.code
    }
    return answers
  })
  const { own, ...others } = codes
  expect(own).toBe('ok')
  expect(Object.keys(others)).toHaveLength(5)
  expect([...new Set(Object.values(others))]).toEqual(['permission'])
})

test('closing the window in the middle of calls ends them, and a new window works', async ({
  grove,
  library,
}) => {
  const { app } = grove.running
  await grove.list.open(library.title('search'))
  const before = takeSnapshot(library.sessionsDir)
  await app.evaluate(({ app: electron, dialog }) => {
    // As on macOS, where the program outlives its window.
    electron.removeAllListeners('window-all-closed')
    electron.on('window-all-closed', () => undefined)
    process.on('uncaughtException', error => Reflect.set(globalThis, 'uncaught', String(error)))
    process.on('unhandledRejection', error => Reflect.set(globalThis, 'uncaught', String(error)))
    // A dialog that is open when the window closes, answered only later.
    dialog.showOpenDialog = () =>
      new Promise(resolve =>
        Reflect.set(globalThis, 'answer', () => resolve({ canceled: true, filePaths: [] })),
      )
  })
  const closed = grove.page.waitForEvent('close')
  await grove.page.evaluate(async () => {
    // The bridge, as any script of the page would find it.
    const bridge = Reflect.get(globalThis, 'grove') as {
      call(name: string, input: unknown, id: string): Promise<{ value: { rows: { ref: string }[] } }>
    }
    const page = await bridge.call(
      'library.sessions',
      { scope: { kind: 'all' }, filter: '', sort: 'activity', reverse: false, offset: 0, limit: 5 },
      'rows',
    )
    const sessions = page.value?.rows?.map(({ ref }) => ref) ?? []
    void bridge.call('reroot.chooseFolder', { near: null }, 'dialog')
    void bridge.call('library.rescan', {}, 'rescan')
    void bridge.call('trash.list', {}, 'trash')
    for (const session of sessions) {
      void bridge.call('session.open', { session }, `open ${session}`)
      void bridge.call('session.details', { session }, `details ${session}`)
    }
  })
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.destroy())
  await closed
  // Put there above.
  await app.evaluate(() => (Reflect.get(globalThis, 'answer') as () => void)())

  const opened = app.waitForEvent('window')
  await app.evaluate(({ app: electron }) => electron.emit('activate'))
  const page = await opened
  await expect(page.getByRole('option').first()).toBeVisible()
  await page.getByRole('option').first().click()
  await expect(page.getByRole('tab', { name: /^Transcript/ })).toBeVisible()

  // And once more, by a second start.
  const closedAgain = page.waitForEvent('close')
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close())
  await closedAgain
  const reopened = app.waitForEvent('window')
  await app.evaluate(({ app: electron }) => electron.emit('second-instance', {}, [], '', null))
  await expect((await reopened).getByRole('option').first()).toBeVisible()
  expect(await app.evaluate(() => Reflect.get(globalThis, 'uncaught') ?? null)).toBeNull()
  expect(fileDifferences(before, takeSnapshot(library.sessionsDir))).toEqual([])
})
