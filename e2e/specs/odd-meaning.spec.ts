/** Prompts, texts, times, tools and folders that are not what they seem, as a user sees them. */
import { type Look, type Looks, walkSection } from '../fixtures/odd-walk'
import { expect, test } from '../fixtures/test'
import { escaped } from '../pages/names'
import type { OddSession } from '../pages/odd-session'

test.use({ libraryKind: 'odd' })

const INJECTED = 'Put in front by the program, 3 lines'

/** A session without a title: what stands for it in row and head, and its rows. */
function named(title: string | RegExp, rows: (string | RegExp)[]): Look {
  return async seen => {
    await seen.rowSays(title)
    await expect(seen.grove.page.getByRole('main').getByRole('heading', { level: 2 }).first()).toHaveText(
      title,
    )
    await seen.transcript(rows)
    await seen.health([])
  }
}

const untitled = (row: string): Look => named(/^Untitled, 21 Sep 2026/, [row])

const prompts: Looks = {
  'first text is an injected block, then the prompt': async seen => {
    await named('Why is the build red?', [/Put in front.*Why is the build red\?$/s])(seen)
    // Folded, not thrown away.
    await seen.grove.session.show('Transcript')
    await seen.said.getByText(INJECTED).press('Enter')
    await expect(seen.said).toContainText('The working directory is clean.')
  },
  'injected block in a message of its own': named('Why is the build red today?', [
    INJECTED,
    'Why is the build red today?',
  ]),
  'an environment dump, then the prompt': named('Tidy the Makefile', [/Tidy the Makefile$/]),
  'a real prompt that begins with <div>': named('<div> in the header is not closed, find it', [
    '<div> in the header is not closed, find it',
  ]),
  'only developer entries': untitled('The working directory is clean.'),
  'only system entries': untitled('Message of unknown role system'),
  'only injected blocks': untitled(INJECTED),
  'a first prompt of 200 KB': async seen => {
    const { grove } = seen
    await seen.rowSays(/^Please read this log: 2026-11-19T03:00:01Z runner: still alive [^\n]*…/)
    // One line in the list, as high as any other.
    const box = await seen.row.boundingBox()
    expect(box?.height).toBeLessThan(90)
    await grove.session.show('Transcript')
    const prompt = grove.transcript.row('Please read this log:')
    await expect(prompt.getByRole('button', { name: 'Show whole text' })).toBeVisible()
    await seen.health([])
  },
}

const HIDDEN = '[U+202E]exe.txt[U+202C]␇'
/** What acts without being seen: controls, and characters that turn the direction of text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what this looks for
const ACTING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

/** A title as row and head show it, with nothing that acts. */
function titled(title: string | RegExp, rows: (string | RegExp)[]): Look {
  return async seen => {
    await named(title, rows)(seen)
    await expect(seen.row).not.toHaveText(ACTING)
  }
}

const scripts: Looks = {
  'emoji sequences and flags': async seen => {
    // Whole persons and flags or none of them: no half of one is left over at a cut.
    await seen.rowSays(/^x{140}(👩|\u200d|👧|👦)*/u, '👩‍👩‍👧‍👦🏳️‍🌈🇯🇵👍🏽 and on')
    await expect(seen.row).not.toContainText('\ufffd')
    await seen.grove.session.show('Branches')
    await expect(seen.grove.branches.rows.filter({ hasText: 'aaaa' })).toContainText('👩‍👩‍👧‍👦…')
    await seen.health([])
  },
  'combining marks at a cut': async seen => {
    await seen.rowSays('combining marks', 'e\u0301\u0302\u0303')
    await seen.grove.session.show('Branches')
    await expect(seen.grove.branches.rows.filter({ hasText: 'bbbb' })).toContainText('e\u0301\u0302\u0303…')
  },
  'right-to-left text': titled(/مرحبا بالعالم/, ['לא ברור למה הבדיקה נכשלת (test-upload) בכל פעם', 'Seen.']),
  'control and bidi characters in a title': titled(
    'pay[U+202E]gnp.exe[U+202C] [U+2066]bidi[U+2069] \u200bzero␇bell␛[31mred',
    ['The title has control and bidi characters.', 'Seen.'],
  ),
  'control and bidi characters in every name': async seen => {
    const { grove } = seen
    await titled(`renamed${HIDDEN}`, [
      'Look at the names.',
      `bash${HIDDEN}`,
      `Mode mode${HIDDEN}`,
      `Renamed to "renamed${HIDDEN}"`,
    ])(seen)
    await seen.rowSays(`anthropic/model${HIDDEN}`)
    await grove.session.show('Transcript')
    await expect(seen.said.nth(0)).toContainText(`label${HIDDEN}`)
    await expect(seen.said.nth(1)).toContainText(`cat ${HIDDEN}`)
    for (const row of await seen.said.all()) await expect(row).not.toHaveText(ACTING)
    await grove.session.show('Branches')
    await grove.branches.mode('Labelled')
    await expect(grove.branches.rows).toContainText(`label${HIDDEN}`)
    await expect(grove.branches.region).not.toHaveText(ACTING)
    await grove.session.show('Details')
    await expect(grove.details.region).not.toHaveText(ACTING)
  },
  'lone surrogates': named('lone surrogates', ['half \ufffd here']),
  'lone surrogates in a title': titled('half a \ufffd title', ['An odd file', 'It is read like any other']),
}

const SCRIPT = '<img src=x onerror=alert(1)><script>alert(2)</script>'

const markup: Looks = {
  'markup and scripts everywhere': async seen => {
    const { grove } = seen
    await titled(`<b>bold</b> ${SCRIPT}`, [SCRIPT, SCRIPT, SCRIPT])(seen)
    await seen.rowSays(`<i>p</i>/${SCRIPT}`, '3 artifacts')
    await grove.session.show('Transcript')
    await expect(seen.said.nth(0)).toContainText('<a href="javascript:alert(4)">me</a>')
    await expect(seen.said.nth(2)).toContainText(SCRIPT)
    // Text, always: nothing of it became a part of the page.
    await expect(grove.page.locator('img[src="x"], iframe, script:not([src])')).toHaveCount(0)
    await expect(
      grove.page.locator('a[href^="javascript:"], a[href^="data:"], a[href^="file:"]'),
    ).toHaveCount(0)
    await grove.session.show('Artifacts')
    await expect(grove.artifacts.files.getByRole('row').first()).toBeVisible()
    await grove.session.show('Branches')
    await grove.branches.mode('Labelled')
    await expect(grove.branches.rows).toContainText(SCRIPT)
  },
  'terminal escapes': async seen => {
    await seen.rowSays('terminal escapes')
    await seen.transcript(['An odd file', 'It is read like any other', 'printf …'])
    const output = seen.said.last()
    await expect(output).toContainText('link text')
    await expect(output.getByText('red', { exact: true })).toBeVisible()
    await expect(output).not.toContainText(/owned title|example\.|\[31m|31m/)
    await expect(output.getByRole('link')).toHaveCount(0)
    expect(await seen.grove.page.title()).not.toContain('owned')
    await seen.health([])
  },
}

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }

/** `21 Sep 2026`, as hovers and details name a day. */
function dayOf(time: unknown): string {
  const parts = new Intl.DateTimeFormat('en-GB', DAY).formatToParts(new Date(String(time)))
  const part = (type: string) => parts.find(one => one.type === type)?.value ?? ''
  return `${part('day')} ${part('month').slice(0, 3)} ${part('year')}`
}

/** The session stands at its last sane time; what is no time is told on hover as it is written in the file. */
function times(raw: string | null, entries: (string | null)[]): Look {
  return async seen => {
    const { grove, odd } = seen
    const said = raw === null ? '' : `; the file says "${raw}"`
    const exact = new Date(String(odd.expect.lastSaneTime)).toISOString().slice(11, 19)
    await expect(seen.row.getByTitle(`${dayOf(odd.expect.lastSaneTime)}, ${exact}${said}`)).toBeVisible()
    await grove.session.show('Transcript')
    await expect(seen.said).toHaveCount(entries.length)
    for (const [at, written] of entries.entries()) {
      const entry = seen.said.nth(at)
      if (written === null) await expect(entry).not.toContainText('time unknown')
      else await expect(entry.getByText('time unknown')).toHaveAttribute('title', new RegExp(`: ${written}$`))
    }
    await grove.session.show('Details')
    await expect(grove.details.part('Identity')).toContainText(
      new RegExp(`Last activity${dayOf(odd.expect.lastSaneTime)}, ${exact}`),
    )
  }
}

const wrongTimes: Looks = {
  'a time in the year 2099': times('2099-01-01T00:00:00.000Z', [null, null, '2099-01-01T00:00:00.000Z']),
  'not a date': times('not a date', [null, 'not a date']),
  'epoch 0': times('0', [null, '1970-01-01T00:00:00.000Z', '0']),
  'seconds instead of milliseconds': times(null, [null, null]),
  'numbers as text': times(null, [null, null]),
  'no times at all': async seen => {
    // The header tells when it began; nothing tells more, and the file's own time is not asked.
    await expect(seen.row.getByTitle('21 Sep 2026, 12:54:00')).toBeVisible()
    await seen.transcript(['entry 1', 'entry 2', 'entry 3'])
  },
  'times out of order': times(null, [null, null, null, null]),
  'touched today': times(null, [null, null]),
}

/** Rows of tools: what belongs together, and what does not. */
function tools(rows: (string | RegExp)[], status = 'interrupted'): Look {
  return async seen => {
    await seen.status(status)
    await seen.transcript([`Tools: ${seen.odd.kind}.`, ...rows])
    await seen.health([])
  }
}

const MISSING = 'call not on this path'

/** The other of two ways at the last fork. */
async function otherWay(seen: OddSession): Promise<void> {
  await seen.grove.session.show('Transcript')
  await seen.grove.transcript
    .fork()
    .getByRole('button', { name: /previous/i })
    .press('Enter')
}

const pairing: Looks = {
  'a result without its call': async seen => {
    await tools([new RegExp(`bash.*${MISSING}`)])(seen)
    await seen.grove.session.show('Transcript')
    await seen.said.last().getByRole('button', { name: /^bash/ }).press('Enter')
    await expect(seen.said.last()).toContainText('I answer nobody')
  },
  'a call without a result': tools([/bash.*echo unanswered.*no result/]),
  'two results for one call': tools([/bash.*echo twice.*1 more result/]),
  'a result before its call': tools([/bash.*echo early.*1 line/, 'Done.'], 'complete'),
  'the same call id on two branches': async seen => {
    await tools([/bash.*echo shared.*1 line/])(seen)
    await seen.grove.session.show('Transcript')
    const call = seen.said.last()
    const unfold = () => call.getByRole('button', { name: /^bash/ }).press('Enter')
    await unfold()
    await expect(call).toContainText('answer on the second branch')
    await otherWay(seen)
    await expect(seen.grove.transcript.fork()).toHaveAccessibleName('1 of 2 continuations')
    await unfold()
    await expect(call).toContainText('answer on the first branch')
    await expect(call).not.toContainText('second branch')
  },
  'a call on one branch, its result on another': async seen => {
    await tools([new RegExp(`bash.*${MISSING}`)])(seen)
    await otherWay(seen)
    await expect(seen.said.last()).toContainText('no result')
  },
}

/** What the folder of a project is called, by the project's key, and the word that it is marked with. */
const FOLDERS: Record<string, { name: string; state?: string; short?: string }> = {
  'odd a/b': { name: 'b' },
  'odd a-b': { name: 'a-b' },
  'odd C:': { name: 'shop', state: 'other system', short: 'C:\\work\\shop' },
  'odd c:': { name: 'shop', state: 'other system', short: 'c:\\work\\shop' },
  'odd C:/': { name: 'shop', state: 'other system', short: 'C:/work/shop' },
  'odd wsl': { name: 'shop', state: 'unreachable', short: '/mnt/c/work/shop' },
  'odd unc': { name: 'shop', state: 'other system', short: '\\\\server\\share\\shop' },
  'odd real': { name: 'odd-real' },
  'odd link': { name: 'odd-link' },
  'odd spaces': { name: 'odd two spaces' },
  'odd dash': { name: '-rf' },
  'odd markup': { name: 'b> & "co"' },
  'odd dollar': { name: "$(touch odd); 'x'" },
  'odd arabic': { name: 'مشروع' },
  'odd nfd': { name: 'cafe\u0301' },
  'odd root': { name: '/', short: '/' },
  'odd newline': { name: 'two lines', short: '~/code/two lines' },
}

/** Grouped by the folder of the header, as it is written there, whatever the directory of the file is called. */
async function inItsFolder(seen: OddSession): Promise<void> {
  const { grove, library, odd } = seen
  const { name, state, short } = FOLDERS[odd.project] ?? { name: 'no such project' }
  const { cwd } = library.project(odd.project)
  await seen.rowSays(name)
  await expect(
    grove.page
      .getByRole('main')
      .getByText(short ?? name)
      .first(),
  ).toBeVisible()
  await seen.health([])
  // A line break is a picture there; the folder is written out in full.
  await expect(grove.details.part('Identity')).toContainText(
    cwd.replace('\n', '\u240a').replace(/ +/g, ' ').trim(),
  )
  const head = short ?? cwd.replace(library.home, '~').replace(/\s+/g, ' ').trim()
  const project = grove.sidebar.region
    .getByRole('button')
    .and(grove.page.getByTitle(new RegExp(`^${escaped(head)}\\n`)))
  await expect(project).toContainText(name)
  await expect(project).toContainText('1')
  if (state !== undefined) await expect(project).toContainText(state)
}

const places: Looks = {
  'two folders with one directory name': inItsFolder,
  'spellings of a Windows folder': inItsFolder,
  'a symlinked project': inItsFolder,
  'unusual folder names': inItsFolder,
}

walkSection('Meaning', { ...prompts, ...scripts, ...markup, ...wrongTimes, ...pairing, ...places })
