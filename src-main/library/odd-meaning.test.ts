/** Meaning: prompts, texts, times, tools and folders that are not what they seem, and what is shown of each. */
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { describeOddSection, type Looked, manifestProjects, type OddCases } from './odd-files.test-support'
import { projectState } from './projects/project-state'

const REMINDER = '<system-reminder>\nThe working directory is clean.\n</system-reminder>'

/** A session without a title: what stands for it, and from where. */
function named(title: string, titleFrom: 'prompt' | 'none', rows: string[]) {
  return (looked: Looked): void => {
    expect(looked.row).toMatchObject({ title, titleFrom, firstPrompt: titleFrom === 'prompt' ? title : '' })
    expect(looked.facts()).toMatchObject({ damaged: [], problems: [] })
    expect(looked.said()).toEqual(rows)
  }
}

const asked = (text: string, rows = [`prompt: ${text}`]) => named(text, 'prompt', rows)
const untitled = (row: string) => named('Untitled, 21 Sep 2026', 'none', [row])

const prompts: OddCases = {
  'first text is an injected block, then the prompt': looked => {
    asked('Why is the build red?')(looked)
    // Folded, not thrown away.
    expect(looked.text(2, 'injected')).toBe(REMINDER)
  },
  'injected block in a message of its own': asked('Why is the build red today?', [
    'prompt: ',
    'prompt: Why is the build red today?',
  ]),
  'an environment dump, then the prompt': asked('Tidy the Makefile'),
  'a real prompt that begins with <div>': asked('<div> in the header is not closed, find it'),
  'only developer entries': untitled(`developer: ${REMINDER.replaceAll('\n', ' ')}`),
  'only system entries': untitled('unknown: Message of unknown role system'),
  'only injected blocks': untitled('prompt: '),
  'a first prompt of 200 KB': looked => {
    const { title, firstPrompt } = looked.row
    expect(title).toMatch(/^Please read this log: 2026-11-19T03:00:01Z runner: still alive /)
    expect([title, title.includes('\n'), [...title].length]).toEqual([firstPrompt, false, 301])
    const [, , prompt] = looked.rows()
    const text = prompt?.kind === 'prompt' ? prompt.text : null
    expect([text?.cut, text?.text.length, (text?.chars ?? 0) > 200_000]).toEqual([true, 12_000, true])
    expect(looked.text(2, 'prompt')).toHaveLength(text?.chars ?? 0)
  },
}

const HIDDEN = '[U+202E]exe.txt[U+202C]␇'

const scripts: OddCases = {
  'emoji sequences and flags': looked => {
    // The slot was cut by whoever wrote it; what is left of it is shown without a broken character.
    expect(looked.row.title).toMatch(/^x{140}(👩|\u200d|👧|👦)*$/u)
    expect(looked.row.title).not.toMatch(/\p{Cs}/u)
    expect(looked.row.firstPrompt).toBe(`${'a'.repeat(199)}👩‍👩‍👧‍👦🏳️‍🌈🇯🇵👍🏽 and on`)
    const [, , prompt] = looked.rows()
    expect(prompt).toMatchObject({ kind: 'prompt', text: { text: looked.row.firstPrompt, cut: false } })
    // In one line of a preview the cut falls between whole characters: the family of four is the last that fits.
    expect(looked.preview(2)).toBe(`${'a'.repeat(199)}👩‍👩‍👧‍👦…`)
  },
  'combining marks at a cut': looked => {
    expect(looked.preview(2)).toBe(`${'b'.repeat(199)}e\u0301\u0302\u0303…`)
    expect(looked.row.title).toBe('combining marks')
  },
  'right-to-left text': looked => {
    expect(looked.row).toMatchObject({ title: 'مرحبا بالعالم', titleFrom: 'user' })
    expect(looked.row.firstPrompt).toBe('לא ברור למה הבדיקה נכשלת (test-upload) בכל פעם')
  },
  'control and bidi characters in a title': looked => {
    expect(looked.row.title).toBe('pay[U+202E]gnp.exe[U+202C] [U+2066]bidi[U+2069] \u200bzero␇bell␛[31mred')
    // Only shown so: the title itself is what stands in the file.
    expect(looked.summary.title).toBe(looked.odd.expect.title)
  },
  'control and bidi characters in every name': looked => {
    expect(looked.row).toMatchObject({ title: `renamed${HIDDEN}`, model: `anthropic/model${HIDDEN}` })
    expect(looked.said()).toEqual([
      'prompt: Look at the names.',
      `bash${HIDDEN} ok: ok`,
      `mode: Mode mode${HIDDEN}`,
      `title: Renamed to "renamed${HIDDEN}"`,
    ])
    expect(looked.rows().slice(2, 4)).toMatchObject([
      { labels: [`label${HIDDEN}`] },
      { callId: HIDDEN, summary: `cat ${HIDDEN}`, model: `anthropic/model${HIDDEN}` },
    ])
    expect(looked.tree().labels).toEqual([{ ordinal: 2, label: `label${HIDDEN}` }])
  },
  'lone surrogates': looked => {
    expect(looked.row.firstPrompt).toBe('half \ufffd here')
    expect(looked.said()).toEqual(['prompt: half \ufffd here'])
    expect(looked.text(2, 'prompt')).toBe('half \ufffd here')
    // What is read is what stands in the file; only what is shown is replaced.
    expect(JSON.stringify(looked.document.entry(2))).toContain('half \\ud83d here')
  },
  'lone surrogates in a title': looked => {
    expect(looked.row.title).toBe('half a \ufffd title')
    expect(looked.summary.title).toBe('half a \ud83d title')
  },
}

const SCRIPT = '<img src=x onerror=alert(1)><script>alert(2)</script>'

const markup: OddCases = {
  'markup and scripts everywhere': looked => {
    expect(looked.row).toMatchObject({
      title: `<b>bold</b> ${SCRIPT}`,
      model: `<i>p</i>/${SCRIPT}`,
      artifacts: 3,
    })
    const [, , prompt, answer, tool] = looked.rows()
    expect(prompt).toMatchObject({ labels: [SCRIPT], kind: 'prompt' })
    expect(answer).toMatchObject({ kind: 'agent', model: `<i>p</i>/${SCRIPT}` })
    expect(tool).toMatchObject({ name: SCRIPT, callId: 'call"><script>', state: 'ok', summary: SCRIPT })
    // Links stay text as well: what may be opened is decided where they are clicked.
    expect(looked.said()[0]).toContain('[click](javascript:alert(3)) <a href="javascript:alert(4)">me</a>')
    expect(looked.said()[1]).toContain('[link](javascript:alert(5))')
  },
  'terminal escapes': looked => {
    const note = looked.rows().at(-1)
    expect(note).toMatchObject({ kind: 'note', what: 'bash', title: 'printf …', exitCode: 0 })
    // Handed over whole: colours are made where it is shown, and every other sequence is dropped there.
    const body = note?.kind === 'note' ? note.body?.text : ''
    expect(body).toContain('\u001b]0;owned title\u0007')
    expect(body).toContain('\u001b[31mred\u001b[0m')
    // In one line, where there are no colours, they are visible.
    expect(looked.row.title).toBe('terminal escapes')
  },
}

/** Times are those of the entries, the newest sane one the session's; what is no time is told as it stands there. */
function times(raw: string | null, entries: (string | null)[]) {
  return (looked: Looked): void => {
    expect(new Date(looked.row.lastActivity ?? 0).toISOString()).toBe(looked.odd.expect.lastSaneTime)
    expect(looked.details.lastActivity).toBe(looked.row.lastActivity)
    expect(looked.row.lastActivityRaw).toBe(raw)
    expect(looked.rows().map(({ rawTime }) => rawTime)).toEqual(entries)
    for (const row of looked.rows()) expect(row.time === null).toBe(row.rawTime !== null)
  }
}

const wrongTimes: OddCases = {
  'a time in the year 2099': times('2099-01-01T00:00:00.000Z', [null, null, '2099-01-01T00:00:00.000Z']),
  'not a date': times('not a date', [null, 'not a date']),
  'epoch 0': times('0', [null, '1970-01-01T00:00:00.000Z', '0']),
  'seconds instead of milliseconds': times(null, [null, null]),
  'numbers as text': times(null, [null, null]),
  'no times at all': looked => {
    // The header tells when it began; nothing tells more, and the file's own time is not asked.
    expect(looked.row.lastActivity).toBe(looked.row.created)
    expect(looked.rows().map(({ time, rawTime }) => [time, rawTime])).toEqual(Array(3).fill([null, null]))
  },
  'times out of order': times(null, [null, null, null, null]),
  'touched today': looked => {
    times(null, [null, null])(looked)
    expect(fs.statSync(looked.file).mtimeMs).toBeGreaterThan((looked.row.lastActivity ?? 0) + 86_400_000)
  },
}

const asks = (looked: Looked) => `prompt: Tools: ${looked.odd.kind}.`
const tools =
  (rows: string[], status = 'interrupted') =>
  (looked: Looked) => {
    expect(looked.said()).toEqual([asks(looked), ...rows])
    expect(looked.row.status).toBe(status)
  }

const pairing: OddCases = {
  'a result without its call': tools(['bash call-missing: I answer nobody']),
  'a call without a result': tools(['bash none: -']),
  'two results for one call': looked => {
    tools(['bash ok: second answer'])(looked)
    expect(looked.rows().at(-1)).toMatchObject({ extraResults: 1, resultOrdinal: 5 })
  },
  'a result before its call': tools(['bash ok: too early', 'agent: Done.'], 'complete'),
  'the same call id on two branches': looked => {
    tools(['bash ok: answer on the second branch'])(looked)
    expect(looked.said(4)).toEqual([asks(looked), 'bash ok: answer on the first branch'])
    expect(looked.rows(4).at(-1)).toMatchObject({ extraResults: 0, fork: { index: 1, count: 2 } })
    expect(looked.rows(6).at(-1)).toMatchObject({ extraResults: 0, fork: { index: 2, count: 2 } })
  },
  'a call on one branch, its result on another': looked => {
    tools(['bash call-missing: on the other branch'])(looked)
    expect(looked.said(3)).toEqual([asks(looked), 'bash none: -'])
  },
}

/** What the folder of a project is called in lists, by the project's key. */
const FOLDERS: Record<string, { name: string; state: string; short?: string }> = {
  'odd a/b': { name: 'b', state: 'present' },
  'odd a-b': { name: 'a-b', state: 'present' },
  'odd C:': { name: 'shop', state: 'other-system', short: 'C:\\work\\shop' },
  'odd c:': { name: 'shop', state: 'other-system', short: 'c:\\work\\shop' },
  'odd C:/': { name: 'shop', state: 'other-system', short: 'C:/work/shop' },
  'odd wsl': { name: 'shop', state: 'unreachable', short: '/mnt/c/work/shop' },
  'odd unc': { name: 'shop', state: 'other-system', short: '\\\\server\\share\\shop' },
  'odd real': { name: 'odd-real', state: 'present' },
  'odd link': { name: 'odd-link', state: 'present' },
  'odd spaces': { name: 'odd two spaces', state: 'present' },
  'odd dash': { name: '-rf', state: 'present' },
  'odd markup': { name: 'b> & "co"', state: 'present' },
  'odd dollar': { name: "$(touch odd); 'x'", state: 'present' },
  'odd arabic': { name: 'مشروع', state: 'present' },
  'odd nfd': { name: 'cafe\u0301', state: 'present' },
  'odd root': { name: '/', state: 'present', short: '/' },
  'odd newline': { name: 'two lines', state: 'present' },
}

function inItsFolder(looked: Looked): void {
  const project = manifestProjects(looked.library).get(looked.odd.project)
  const folder = FOLDERS[looked.odd.project]
  // The header's folder, as it is written there, whatever the directory of the file is called.
  expect(looked.summary.cwd).toBe(project?.cwd)
  expect(looked.row.projectName).toBe(folder?.name)
  if (folder?.short !== undefined) expect(looked.row.shortCwd).toBe(folder.short)
  expect(projectState(looked.library.env, looked.summary.cwd).state).toBe(folder?.state)
  expect(looked.facts()).toMatchObject({ entries: 4, damaged: [], problems: [] })
}

const places: OddCases = {
  'two folders with one directory name': looked => {
    inItsFolder(looked)
    const directories = looked.library.odd
      .filter(({ kind }) => kind === looked.odd.kind)
      .map(({ file }) => path.dirname(file))
    expect(new Set(directories).size).toBe(1)
  },
  'spellings of a Windows folder': inItsFolder,
  'a symlinked project': inItsFolder,
  'unusual folder names': inItsFolder,
}

describeOddSection('Meaning', { ...prompts, ...scripts, ...markup, ...wrongTimes, ...pairing, ...places })

it('names every folder of the samples', () => expect(Object.keys(FOLDERS)).toHaveLength(17))
