import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { artifactDirectory } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import type { Grove } from '../pages/grove'

// What is refused is told by the page on its console.
test.use({ expectedTrouble: /status of 404/ })

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg"><script>window.__pwned=1</script><image href="http://127.0.0.1:9/x"/></svg>'
const SESSION = 'flaky-upload'

/** Status and headers of an address, as the program itself would get it. */
async function fetchAll(grove: Grove, urls: readonly string[]) {
  return grove.running.app.evaluate(async ({ net }, wanted) => {
    const answers: Record<string, { status: number; type: string | null; policy: string | null }> = {}
    for (const url of wanted) {
      const response = await net.fetch(url).catch(() => null)
      answers[url] = {
        status: response?.status ?? 0,
        type: response?.headers.get('content-type') ?? null,
        policy: response?.headers.get('content-security-policy') ?? null,
      }
    }
    return answers
  }, urls)
}

/** Calls main as the page does. */
async function call(grove: Grove, name: string, input: unknown) {
  return grove.page.evaluate(
    async given => {
      // The bridge, as any script of the page would find it.
      const bridge = Reflect.get(globalThis, 'grove') as {
        call(name: string, input: unknown, id: string): Promise<CallAnswer>
      }
      type CallAnswer = {
        ok: boolean
        value?: Record<string, unknown>
        error?: { code: string; message: string }
      }
      return bridge.call(given.name, given.input, crypto.randomUUID())
    },
    { name, input },
  )
}

/** Ref of the open session, by its row in the list. */
async function sessionRef(grove: Grove, title: string): Promise<string> {
  const query = {
    scope: { kind: 'all' },
    filter: title,
    sort: 'activity',
    reverse: false,
    offset: 0,
    limit: 5,
  }
  const page = await call(grove, 'library.sessions', query)
  // The contract's answer to this call.
  const rows = (page.value?.rows ?? []) as { ref: string; title: string }[]
  const row = rows.find(candidate => candidate.title === title)
  if (row === undefined) throw new Error(`No session ${title}.`)
  return row.ref
}

async function artifactRefs(grove: Grove, session: string): Promise<Map<string, string>> {
  const view = await call(grove, 'session.artifacts', { session })
  // The contract's answer to this call.
  const files = (view.value?.files ?? []) as { ref: string; name: string }[]
  return new Map(files.map(({ name, ref }) => [name, ref]))
}

/** Notes what is handed to the system instead of doing it. */
async function noteSystem(grove: Grove): Promise<() => Promise<string[]>> {
  await grove.running.app.evaluate(({ shell }) => {
    const noted: string[] = []
    Reflect.set(globalThis, 'noted', noted)
    shell.openPath = async file => {
      noted.push(`open ${file}`)
      return ''
    }
    shell.showItemInFolder = file => void noted.push(`reveal ${file}`)
    shell.openExternal = async url => void noted.push(`external ${url}`)
  })
  return async () => {
    return grove.running.app.evaluate(() => {
      // Put there above.
      const noted = Reflect.get(globalThis, 'noted') as string[]
      return noted.splice(0)
    })
  }
}

test('pictures are served by refs that were issued, and by nothing else', async ({ grove, library }) => {
  await grove.list.open(library.title(SESSION))
  await grove.session.show('Artifacts')
  await grove.artifacts.part('Pictures')
  const picture = grove.artifacts.pictures
    .getByRole('img')
    .or(grove.artifacts.pictures.locator('img'))
    .first()
  const good = (await picture.getAttribute('src')) ?? ''
  expect(good).toMatch(/^grove-data:\/\/blob\/b-[0-9a-f]{24}\/[0-9a-f]{64}$/)
  const [, root = '', hash = ''] = /blob\/([^/]+)\/(.+)$/.exec(good) ?? []
  const session = await sessionRef(grove, library.title(SESSION))
  const unknown = createHash('sha256').update('no such blob').digest('hex')
  const secret = path.join(library.agentDir, 'secret.png')
  writeFileSync(secret, Buffer.from('89504e470d0a1a0a', 'hex'))
  const refused = [
    `grove-data://blob/${root}/${unknown}`,
    `grove-data://blob/${root}/${hash.toUpperCase()}`,
    `grove-data://blob/${root}/${hash}.png`,
    `grove-data://blob/${root}/../${hash}`,
    `grove-data://blob/${root}/../secret.png`,
    `grove-data://blob/${root}/..%2fsecret.png`,
    `grove-data://blob/${root}/%2e%2e/secret.png`,
    `grove-data://blob/${root}/..%5csecret.png`,
    `grove-data://blob/${root}/%00`,
    `grove-data://blob/${root}/${encodeURIComponent(secret)}`,
    `grove-data://blob/${root}`,
    `grove-data://blob/b-000000000000000000000000/${hash}`,
    `grove-data://blob/${encodeURIComponent(library.agentDir)}/${hash}`,
    'grove-data://blob/',
    `grove-data://file/${secret}`,
    `grove-data://artifact/${secret}`,
    'grove-data://artifact/a-000000000000000000000000',
    'grove-data://artifact/__proto__',
    'grove-data://artifact/',
    ...[
      '-1',
      '1.5',
      '1e3',
      '0x1',
      'NaN',
      'Infinity',
      '',
      '%31',
      '99999999999999999999',
      '999999999',
      ' 1',
    ].flatMap(odd => [`grove-data://inline/${session}/${odd}/0`, `grove-data://inline/${session}/3/${odd}`]),
    `grove-data://inline/s-000000000000000000000000/0/0`,
    `grove-data://inline/${encodeURIComponent(library.journal(SESSION))}/0/0`,
  ]
  const { [good]: served, ...others } = await fetchAll(grove, [good, ...refused])
  expect(served).toMatchObject({ status: 200, type: 'image/png' })
  expect(served?.policy).toContain("default-src 'none'")
  expect(served?.policy).toContain('sandbox')
  expect(Object.entries(others).filter(([, { status }]) => status === 200)).toEqual([])
  expect(Object.keys(others).length).toBeGreaterThan(30)
})

test('SVG and HTML are served neither as documents nor as pictures', async ({ launch, library }) => {
  const directory = artifactDirectory(library.journal(SESSION))
  const html = '<!doctype html><script>window.__pwned=1</script>'
  writeFileSync(path.join(directory, 'picture.svg'), SVG)
  writeFileSync(path.join(directory, 'picture.png'), SVG)
  writeFileSync(path.join(directory, 'page.html'), html)
  // A blob of the session whose bytes are an SVG, under its right name.
  const hash = createHash('sha256').update(SVG).digest('hex')
  writeFileSync(path.join(library.agentDir, 'blobs', hash), SVG)
  const grove = await launch()
  await grove.waitUntilRead(library.sessionCount)
  await grove.list.open(library.title(SESSION))
  await grove.session.show('Artifacts')
  for (const name of ['picture.svg', 'picture.png', 'page.html']) {
    await grove.artifacts.file(name).click()
    const preview = grove.artifacts.preview(name)
    // As the text that it is.
    await expect(preview).toContainText('window.__pwned=1')
    await expect(preview.getByRole('img')).toHaveCount(0)
  }
  const refs = await artifactRefs(grove, await sessionRef(grove, library.title(SESSION)))
  const addresses = ['picture.svg', 'picture.png', 'page.html'].map(
    name => `grove-data://artifact/${refs.get(name)}`,
  )
  await grove.artifacts.part('Pictures')
  const picture = grove.artifacts.pictures.locator('img').first()
  const known = (await picture.getAttribute('src')) ?? ''
  addresses.push(known.replace(/[0-9a-f]{64}$/, hash))
  for (const [address, { status }] of Object.entries(await fetchAll(grove, addresses)))
    expect(status, address).toBe(404)
  expect(await grove.page.evaluate(() => Reflect.get(globalThis, '__pwned') ?? null)).toBeNull()
})

test('links that lead out of the artifact directory are neither shown, opened nor saved', async ({
  launch,
  library,
}) => {
  const directory = artifactDirectory(library.journal(SESSION))
  const secret = library.at('secret.txt')
  writeFileSync(secret, 'the secret of another folder')
  mkdirSync(library.at('secrets'))
  writeFileSync(library.at('secrets/inner.txt'), 'another secret')
  symlinkSync(secret, path.join(directory, 'out.txt'))
  symlinkSync(path.relative(directory, secret), path.join(directory, 'relative.txt'))
  symlinkSync(library.at('secrets'), path.join(directory, 'folder'))
  symlinkSync('/etc/passwd', path.join(directory, 'passwd.txt'))
  const grove = await launch()
  await grove.waitUntilRead(library.sessionCount)
  const noted = await noteSystem(grove)
  await grove.running.app.evaluate(({ dialog }, chosen) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath: chosen })
  }, library.at('saved.txt'))
  const session = await sessionRef(grove, library.title(SESSION))
  const refs = await artifactRefs(grove, session)
  for (const name of ['out.txt', 'relative.txt', 'passwd.txt', 'folder']) {
    const artifact = refs.get(name)
    expect(artifact, name).toBeDefined()
    for (const act of ['artifact.preview', 'artifact.open', 'artifact.reveal', 'artifact.saveAs'])
      expect(await call(grove, act, { artifact }), `${act} of ${name}`).toMatchObject({
        ok: false,
        error: { code: 'permission' },
      })
  }
  expect(existsSync(library.at('saved.txt'))).toBe(false)
  expect([...refs.keys()].filter(name => name.includes('inner'))).toEqual([])

  // The whole directory becomes a link, after its refs were issued.
  const artifact = refs.get('local/plan.md')
  expect(await call(grove, 'artifact.preview', { artifact })).toMatchObject({ ok: true })
  renameSync(directory, library.at('moved-away'))
  symlinkSync(library.at('moved-away'), directory)
  expect(await call(grove, 'artifact.preview', { artifact })).toMatchObject({ ok: false })
  expect(await call(grove, 'artifact.open', { artifact })).toMatchObject({ ok: false })
  expect(await noted()).toEqual([])
})

test('artifacts of harmless types are opened outside, all others only shown in their folder', async ({
  launch,
  library,
}) => {
  const directory = artifactDirectory(library.journal(SESSION))
  const opened = ['notes.txt', 'report.MD', 'data.json', 'change.patch', 'shot.png']
  const revealed = [
    'run.sh',
    'run.desktop',
    'page.html',
    'drawing.svg',
    'macro.docm',
    'program.exe',
    'app.AppImage',
    'script.js',
    'noending',
    'double.txt.desktop',
  ]
  for (const name of [...opened, ...revealed]) writeFileSync(path.join(directory, name), 'x')
  // Its own name is harmless, what it leads to is not.
  symlinkSync('run.desktop', path.join(directory, 'link.txt'))
  const grove = await launch()
  await grove.waitUntilRead(library.sessionCount)
  const noted = await noteSystem(grove)
  const refs = await artifactRefs(grove, await sessionRef(grove, library.title(SESSION)))
  for (const name of [...opened, ...revealed, 'link.txt'])
    expect(await call(grove, 'artifact.open', { artifact: refs.get(name) }), name).toMatchObject({ ok: true })
  expect(await noted()).toEqual([
    ...opened.map(name => `open ${path.join(directory, name)}`),
    ...[...revealed, 'link.txt'].map(name => `reveal ${path.join(directory, name)}`),
  ])
})

test('unknown refs are answered as not found', async ({ grove, library }) => {
  const noted = await noteSystem(grove)
  const { file } = library.session(SESSION)
  for (const artifact of [
    '',
    'a-000000000000000000000000',
    '../x',
    '/etc/passwd',
    library.at(file),
    '__proto__',
  ])
    for (const act of ['artifact.preview', 'artifact.open', 'artifact.reveal', 'artifact.saveAs'])
      expect(await call(grove, act, { artifact }), `${act} of ${artifact}`).toMatchObject({
        ok: false,
        error: { code: 'not-found' },
      })
  for (const session of ['x', library.at(file), '../../x', '__proto__'])
    for (const act of ['session.open', 'session.reveal', 'session.artifacts', 'session.details'])
      expect((await call(grove, act, { session })).ok, `${act} of ${session}`).toBe(false)
  expect(await noted()).toEqual([])
  expect(readdirSync(library.dir)).not.toContain('saved.txt')
})
