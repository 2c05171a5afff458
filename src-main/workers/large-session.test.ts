/** A large session: what is read and parsed for the newest rows, for the rest, and for growth; and that it ends as if read whole. */
import fs from 'node:fs'
import type { TranscriptPage, TranscriptRow } from '@shared/ipc/models/transcript-models'
import { ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentWork, type WorkContext } from '../engine/environment'
import { type CountingFileSystem, countingFileSystem } from '../engine/storage/counting-file-system'
import { nodeFileSystem } from '../engine/storage/node-file-system'
import { type TestEnvironment, testEnvironment } from '../engine/test-environment.test-support'
import { createReadingJobs } from './reading-jobs'

const TURNS = 600
/** Of each turn: prompt, call with text, mark of its start, result, answer. */
const ENTRIES = TURNS * 5

let env: TestEnvironment
let journal: string
let counted: CountingFileSystem

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const time = (at: number) => new Date(Date.UTC(2026, 0, 2) + at * 1000).toISOString()

function turn(at: number, parent: string | null, long = 9_000): { text: string; last: string } {
  const ids = ['u', 'a', 'c', 'r', 'e'].map(letter => `${letter}${at}`)
  const head = (n: number) => ({
    id: ids[n],
    parentId: n === 0 ? parent : (ids[n - 1] ?? null),
    timestamp: time(at),
  })
  const said = (text: string) => [{ type: 'text', text }]
  const usage = { output: 5, cost: { total: 0.5 } }
  const call = { type: 'toolCall', id: `t${at}`, name: 'bash', arguments: { command: 'ls' } }
  const records = [
    { type: 'message', ...head(0), message: { role: 'user', content: said(`Prompt ${at}`) } },
    {
      type: 'message',
      ...head(1),
      message: { role: 'assistant', content: [...said('I look.'), call], model: 'm', usage },
    },
    {
      type: 'custom',
      customType: 'tool_execution_start',
      data: { toolCallId: `t${at}`, startedAt: time(at) },
      ...head(2),
    },
    {
      type: 'message',
      ...head(3),
      message: {
        role: 'toolResult',
        toolCallId: `t${at}`,
        toolName: 'bash',
        content: said('x'.repeat(long)),
      },
    },
    {
      type: 'message',
      ...head(4),
      message: { role: 'assistant', content: said('Done.'), model: 'm', stopReason: 'stop', usage },
    },
  ]
  return { text: records.map(record => `${JSON.stringify(record)}\n`).join(''), last: ids[4] ?? '' }
}

beforeAll(() => {
  env = testEnvironment()
  journal = `${env.home}/large.jsonl`
  let text = `${JSON.stringify({ type: 'session', version: 3, id: 's', timestamp: time(0), cwd: '/w' })}\n`
  let last: string | null = null
  for (let at = 0; at < TURNS; at++) {
    const made = turn(at, last)
    text += made.text
    last = made.last
  }
  fs.writeFileSync(journal, text)
  counted = countingFileSystem(nodeFileSystem)
})
afterAll(() => env.remove())

const jobsWith = (fileSystem = nodeFileSystem) => createReadingJobs({ ...env, fs: fileSystem })
const place = () => ({ journal, blobsDir: '/nowhere', blobRoot: 'b', session: 's', subagents: {}, tip: null })
const keys = ({ rows }: TranscriptPage) => rows.map(({ key }) => key)
type Jobs = ReturnType<typeof createReadingJobs>
const page = async (jobs: Jobs, from: number | null, count = 60) =>
  value(await jobs.transcript({ ...place(), from, count }, silentWork))
/** The session as it is when it is learnt whole before anything is shown. */
async function readWhole() {
  const jobs = jobsWith()
  value(await jobs.completeSession({ journal }, silentWork))
  value(await jobs.outline({ journal, tip: null }, silentWork))
  return { opened: value(await jobs.openSession({ journal }, silentWork)), page: await page(jobs, 0, 10_000) }
}

it('shows the newest rows after one reading of the file and a little of its end', async () => {
  const jobs = jobsWith(counted)
  const { size } = fs.statSync(journal)
  expect(size).toBeGreaterThan(limits.wholeBytes)
  counted.reset()
  const opened = value(await jobs.openSession({ journal }, silentWork))
  expect(opened).toMatchObject({ entries: ENTRIES, complete: false, prompts: null, tipCount: 1 })
  expect(opened.summary).toMatchObject({
    messageCount: TURNS * 4,
    firstPrompt: 'Prompt 0',
    model: 'm',
    cost: null,
  })
  expect(opened.summary.status).toBe('complete')
  // Once the file, and the few entries that the list tells of.
  expect(counted.work.bytesRead).toBeLessThan(size + 200_000)
  counted.reset()
  const newest = await page(jobs, null)
  expect(counted.work.bytesRead).toBeLessThan(1_000_000)
  expect(newest).toMatchObject({ earlier: true, origin: 0 })
  expect(newest.rows).toHaveLength(60)
  const whole = await readWhole()
  expect(keys(newest)).toEqual(keys(whole.page).slice(-60))
  // A call and its result are one row, with the time between its start mark and its end.
  expect(newest.rows.filter(row => row.kind === 'tool' && row.state === 'call-missing')).toEqual([])
})

it('shows the last rows from the end of the file alone, before anything else is read', async () => {
  const jobs = jobsWith(counted)
  counted.reset()
  const rows = value(jobs.lastRows({ ...place(), count: 30 }))
  expect(counted.work.bytesRead).toBeLessThan(600_000)
  const whole = await readWhole()
  const said = ({ key: _key, ordinal: _ordinal, fork: _fork, ...row }: TranscriptRow) => ({
    ...row,
    resultOrdinal: null,
  })
  expect(rows?.map(said)).toEqual(whole.page.rows.slice(-30).map(said))
  // Of one that is open they are not asked of the file again.
  await jobs.openSession({ journal }, silentWork)
  counted.reset()
  expect(value(jobs.lastRows({ ...place(), count: 30 }))).toBeNull()
  expect(counted.work.opened.size).toBe(0)
})

it('has the last rows of a turn that began far above, without its cut off parts', async () => {
  const long = `${env.home}/long-turn.jsonl`
  const lines = fs.readFileSync(journal, 'utf8').split('\n')
  const isPrompt = (line: string) => line.includes('"role":"user"')
  const picture = { type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }
  // One prompt, then results, answers and a picture only.
  const first = lines.findIndex(isPrompt)
  const kept = lines.map((line, at) => {
    if (at === first || !isPrompt(line)) return line
    const record = JSON.parse(line)
    return JSON.stringify({
      ...record,
      message: { role: 'developer', content: [...record.message.content, picture] },
    })
  })
  fs.writeFileSync(long, kept.join('\n'))
  const jobs = jobsWith(counted)
  const input = { ...place(), journal: long }
  counted.reset()
  const rows = value(jobs.lastRows({ ...input, count: 60 }))
  expect(counted.work.bytesRead).toBeLessThan(600_000)
  expect(JSON.stringify(rows)).not.toContain('grove-data:')
  expect(JSON.stringify(rows)).toContain('Shown once the session is read.')
  const whole = value(await jobsWith().transcript({ ...input, from: null, count: 60 }, silentWork))
  const plain = (row: TranscriptRow) => ({ kind: row.kind, time: row.time, entryId: row.entryId })
  expect(rows?.length).toBeGreaterThan(30)
  expect(rows?.map(plain)).toEqual(whole.rows.slice(-(rows?.length ?? 0)).map(plain))
})

it('has no last rows where the end alone does not tell what they are', () => {
  const jobs = jobsWith(counted)
  const lines = fs.readFileSync(journal, 'utf8').trimEnd().split('\n')
  const put = (name: string, changed: readonly string[]) => {
    fs.writeFileSync(`${env.home}/${name}.jsonl`, `${changed.join('\n')}\n`)
    return { ...place(), journal: `${env.home}/${name}.jsonl`, count: 30 }
  }
  const last = (change: (line: string) => string) => [
    ...lines.slice(0, -2),
    change(lines.at(-2) ?? ''),
    lines.at(-1) ?? '',
  ]
  const label = { type: 'label', id: 'l', parentId: 'e1', timestamp: time(0), targetId: 'e1', label: 'x' }
  const none = {
    damaged: last(line => line.replace('"content":[', '"content":[[[')),
    // A branch that goes on far above, with nothing said in it.
    elsewhere: [...lines, JSON.stringify(label)],
    old: lines.map((line, at) => (at === 0 ? line.replace('"version":3', '"version":2') : line)),
    headless: lines.slice(1),
    small: lines.slice(0, 20),
    oneLine: [...lines.slice(0, 2), `{"long":"${'x'.repeat(9_000_000)}"}`],
  }
  for (const [name, changed] of Object.entries(none)) {
    counted.reset()
    expect(value(jobs.lastRows(put(name, changed))), name).toBeNull()
    expect(counted.work.bytesRead, name).toBeLessThan(6_000_000)
  }
  expect(jobs.lastRows({ ...place(), journal: '/nowhere', count: 3 })).toMatchObject({ ok: false })
})

it('numbers the rows anew once all are planned, with the first ones where it says', async () => {
  const jobs = jobsWith()
  value(await jobs.openSession({ journal }, silentWork))
  const newest = await page(jobs, null)
  const outline = value(await jobs.outline({ journal, tip: null }, silentWork))
  expect(outline.items).toHaveLength(TURNS)
  const whole = await page(jobs, null)
  expect(whole).toMatchObject({ earlier: false, total: TURNS * 4 })
  expect(whole.origin).toBe(whole.total - newest.total)
  expect(keys(whole)).toEqual(keys(newest))
  const middle = await page(jobs, 1200, 4)
  expect(middle.rows.map(({ kind }) => kind)).toEqual(['prompt', 'agent', 'tool', 'agent'])
  expect(outline.items[300]).toMatchObject({ row: 1200, text: 'Prompt 300' })
})

it('reads only what it shows wherever one scrolls', async () => {
  const jobs = jobsWith(counted)
  value(await jobs.openSession({ journal }, silentWork))
  value(await jobs.outline({ journal, tip: null }, silentWork))
  for (const from of [0, 700, 1900]) {
    counted.reset()
    const rows = await page(jobs, from)
    expect(rows.rows).toHaveLength(60)
    expect(counted.work.bytesRead).toBeLessThan(60 * 10_000)
  }
})

it('says in the end what it says when it is read whole', async () => {
  const jobs = jobsWith()
  value(await jobs.openSession({ journal }, silentWork))
  const learnt = value(await jobs.completeSession({ journal }, silentWork))
  expect(learnt.growth).toBe('grown')
  const opened = value(await jobs.openSession({ journal }, silentWork))
  expect(opened).toMatchObject({ complete: true, prompts: TURNS, growth: 'same' })
  expect(opened.summary.cost).toBe(TURNS)
  expect({ ...opened, growth: 'same' }).toEqual({ ...(await readWhole()).opened, growth: 'same' })
})

it('costs what grew, before it is complete and after', async () => {
  const grown = `${env.home}/grown.jsonl`
  fs.copyFileSync(journal, grown)
  const jobs = jobsWith(counted)
  const input = { ...place(), journal: grown, from: null, count: 60 }
  value(await jobs.openSession({ journal: grown }, silentWork))
  const before = value(await jobs.transcript(input, silentWork))
  for (const complete of [false, true]) {
    if (complete) value(await jobs.completeSession({ journal: grown }, silentWork))
    const more = turn(complete ? TURNS + 1 : TURNS, `e${complete ? TURNS : TURNS - 1}`, 100)
    fs.appendFileSync(grown, more.text)
    counted.reset()
    expect(value(await jobs.refreshSession({ journal: grown }, silentWork)).growth).toBe('grown')
    expect(counted.work.bytesRead).toBeLessThan(20_000)
  }
  const after = value(await jobs.transcript(input, silentWork))
  expect(after).toMatchObject({ earlier: true, origin: 0, total: before.total + 8 })
})

const stopping = {
  breathe: () => Promise.reject(new Error('Cancelled.')),
  progress: () => undefined,
}

it('shows all of a path that grew while it was planned', async () => {
  const grown = `${env.home}/grown-meanwhile.jsonl`
  fs.copyFileSync(journal, grown)
  const jobs = jobsWith()
  const newest = async () =>
    value(await jobs.transcript({ ...place(), journal: grown, from: null, count: 60 }, silentWork))
  value(await jobs.openSession({ journal: grown }, silentWork))
  const before = await newest()
  let steps = 0
  const growing = {
    breathe: async () => {
      if (steps++ !== 1) return
      fs.appendFileSync(grown, turn(TURNS, `e${TURNS - 1}`, 100).text)
      expect(value(await jobs.refreshSession({ journal: grown }, silentWork)).growth).toBe('grown')
      expect(await newest()).toMatchObject({ earlier: true, origin: 0, total: before.total + 4 })
    },
    progress: () => undefined,
  }
  value(await jobs.outline({ journal: grown, tip: null }, growing))
  expect(steps).toBeGreaterThan(1)
  const after = await newest()
  expect(after).toMatchObject({ earlier: false, total: (TURNS + 1) * 4 })
  expect(after.origin).toBe(after.total - before.total - 4)
})

it('never says that the rows of an end stand where they do not, also when the session grows', async () => {
  const far = `${env.home}/far.jsonl`
  const [prompt = '', , , result = '', answer = ''] = turn(0, null, 10).text.split('\n')
  const said = (at: number) => [
    prompt.replace('"u0"', `"p${at}"`).replace('null', at === 0 ? 'null' : `"m${at - 1}"`),
    answer
      .replace('"e0"', `"m${at}"`)
      .replace('r0', `p${at}`)
      .replace('Done.', 'x'.repeat(1024 * 1024)),
  ]
  // Its call is nowhere: the end leaves it out, since the call may stand above, as far as an end is searched for it.
  const lost = result.replace('"parentId":"c0"', '"parentId":"m23"')
  const header = JSON.stringify({ type: 'session', version: 3, id: 's', timestamp: time(0), cwd: '/w' })
  const lines = [header, ...Array.from({ length: 24 }, (_, at) => said(at)).flat(), lost, answer]
  fs.writeFileSync(far, `${lines.join('\n')}\n`)
  const jobs = jobsWith()
  const input = { ...place(), journal: far, count: 4 }
  value(await jobs.openSession({ journal: far }, silentWork))
  expect(value(await jobs.transcript({ ...input, from: null }, silentWork))).toMatchObject({ earlier: true })
  for (const grown of [[], ['prompt']]) {
    const whole = value(await jobs.transcript({ ...input, from: 47 }, silentWork))
    expect(whole).toMatchObject({ earlier: false, origin: null })
    expect(whole.rows[1]).toMatchObject({ kind: 'tool', state: 'call-missing' })
    expect(whole.rows.map(({ kind }) => kind)).toEqual(['agent', 'tool', 'agent', ...grown])
    fs.appendFileSync(far, turn(1, 'e0', 10).text)
    value(await jobs.refreshSession({ journal: far }, silentWork))
  }
})

it('makes a page of fewer rows where they are large, of at least one, and of the newest the last ones', async () => {
  const pictures = `${env.home}/pictures.jsonl`
  const [prompt = ''] = turn(0, null).text.split('\n')
  const lines = [3, 3, 3, 9, 1].map((size, at) =>
    prompt
      .replace('"u0"', `"p${at}"`)
      .replace('null', at === 0 ? 'null' : `"p${at - 1}"`)
      .replace('Prompt 0', 'x'.repeat(size * 1024 * 1024)),
  )
  const header = JSON.stringify({ type: 'session', version: 3, id: 's', timestamp: time(0), cwd: '/w' })
  fs.writeFileSync(pictures, `${[header, ...lines].join('\n')}\n`)
  const jobs = jobsWith()
  const read = async (from: number | null) => {
    const input = { ...place(), journal: pictures, from, count: 60 }
    const { from: start, total, rows } = value(await jobs.transcript(input, silentWork))
    return [start, total, rows.map(({ ordinal }) => ordinal)]
  }
  expect(await read(0)).toEqual([0, 5, [0, 1]])
  expect(await read(2)).toEqual([2, 5, [2]])
  expect(await read(3)).toEqual([3, 5, [3]])
  expect(await read(null)).toEqual([4, 5, [4]])
})

it('stops when that is wished, and begins anew when it is asked again', async () => {
  const jobs = jobsWith(counted)
  counted.reset()
  await expect(jobs.openSession({ journal }, stopping)).rejects.toThrow('Cancelled.')
  expect(counted.work.open).toBe(0)
  expect(value(await jobs.openSession({ journal }, silentWork)).entries).toBe(ENTRIES)
  await expect(jobs.completeSession({ journal }, stopping)).rejects.toThrow('Cancelled.')
  expect(value(await jobs.completeSession({ journal }, silentWork)).growth).toBe('grown')
})

const others: Record<string, (jobs: Jobs) => Promise<Result<unknown>>> = {
  details: jobs => jobs.details(place(), silentWork),
  artifacts: jobs => jobs.artifacts(place(), silentWork),
  branches: jobs => jobs.tree({ journal }, silentWork),
}
it.each(Object.keys(others))('tells what another job learnt of it: %s', async name => {
  for (const tells of ['completeSession', 'refreshSession', 'openSession'] as const) {
    const jobs = jobsWith()
    value(await jobs.openSession({ journal }, silentWork))
    value((await others[name]?.(jobs)) ?? ok(null))
    expect(value(await jobs[tells]({ journal }, silentWork)).growth).toBe('grown')
    expect(value(await jobs.completeSession({ journal }, silentWork)).growth).toBe('same')
  }
})

it('reads in steps whatever is asked first, as for where reading was left', async () => {
  const first: ((jobs: Jobs, work: WorkContext) => Promise<Result<unknown>>)[] = [
    (jobs, work) => jobs.rowOfEntry({ journal, entry: 'u300' }, work),
    (jobs, work) => jobs.entryText({ journal, ordinal: 3, part: 'output' }, work),
    (jobs, work) => jobs.previews({ journal, ordinals: [3] }, work),
    (jobs, work) => jobs.rawLine({ journal, line: 3 }, work),
    (jobs, work) => jobs.inlineImage({ journal, ordinal: 3, position: 0 }, work),
  ]
  for (const ask of first) await expect(ask(jobsWith(), stopping)).rejects.toThrow('Cancelled.')
  const jobs = jobsWith(counted)
  counted.reset()
  expect(value(await jobs.rowOfEntry({ journal, entry: 'u300' }, silentWork))).toBe(1200)
  const { bytesRead } = counted.work
  value(await jobs.openSession({ journal }, silentWork))
  expect(await page(jobs, 1200, 1)).toMatchObject({ rows: [{ kind: 'prompt' }] })
  expect(counted.work.bytesRead - bytesRead, 'opened and planned once').toBeLessThan(300_000)
})

/** The session with a line, counted from its end, that looks like a record and is none. */
function brokenAt(fromEnd: number): string {
  const broken = `${env.home}/broken-${fromEnd}.jsonl`
  const lines = fs.readFileSync(journal, 'utf8').trimEnd().split('\n')
  const at = lines.length - fromEnd
  lines[at] = (lines[at] ?? '').replace('"content":[', '"content":[[[')
  fs.writeFileSync(broken, `${lines.join('\n')}\n`)
  return broken
}

it('shows where reading was left, and the prompts, where a line there is no record', async () => {
  const input = { ...place(), journal: brokenAt(122) }
  const asked: ((jobs: Jobs) => Promise<Result<unknown>>)[] = [
    jobs => jobs.transcript({ ...input, from: 4, count: 60 }, silentWork),
    jobs => jobs.outline(input, silentWork),
    jobs => jobs.rowOfEntry({ journal: input.journal, entry: `u${TURNS - 1}` }, silentWork),
    jobs => jobs.findInSession({ ...input, text: `Prompt ${TURNS - 1}`, exact: true }, silentWork),
    jobs => jobs.copyText({ ...input, span: { kind: 'path' }, as: 'text' }, silentWork),
  ]
  for (const ask of asked) {
    const jobs = jobsWith()
    value(await jobs.openSession({ journal: input.journal }, silentWork))
    value(await ask(jobs))
    const learnt = value(await jobs.completeSession({ journal: input.journal }, silentWork))
    expect(learnt.growth).toBe('rewritten')
  }
})

it('answers nothing of an entry that is named by its ordinal, once these mean other entries', async () => {
  const input = { ...place(), journal: brokenAt(122) }
  const ordinal = ENTRIES - 5
  const asked: ((jobs: Jobs) => Promise<Result<unknown>>)[] = [
    jobs => jobs.rowOf({ ...input, ordinal }, silentWork),
    jobs => jobs.copyText({ ...input, span: { kind: 'turn', ordinal }, as: 'text' }, silentWork),
    jobs =>
      jobs.copyText(
        { ...input, span: { kind: 'block', key: `${ordinal}.0.prompt` }, as: 'text' },
        silentWork,
      ),
    jobs => jobs.outline({ ...input, tip: ENTRIES - 1 }, silentWork),
  ]
  for (const ask of asked) {
    const jobs = jobsWith()
    value(await jobs.openSession({ journal: input.journal }, silentWork))
    expect(await ask(jobs)).toMatchObject({ ok: false, error: { code: 'changed-on-disk' } })
    expect(value(await jobs.completeSession({ journal: input.journal }, silentWork)).growth).toBe('rewritten')
  }
  // From now on they mean what the window knows.
  const jobs = jobsWith()
  value(await jobs.completeSession({ journal: input.journal }, silentWork))
  const last = value(await jobs.openSession({ journal: input.journal }, silentWork)).entries - 5
  expect(value(await jobs.rowOf({ ...input, ordinal: last }, silentWork)).row).not.toBeNull()
})

it('reads all of it before it shows a row of a line that is none', async () => {
  const broken = brokenAt(2)
  const jobs = jobsWith()
  expect(value(await jobs.openSession({ journal: broken }, silentWork)).entries).toBe(ENTRIES)
  const newest = value(
    await jobs.transcript({ ...place(), journal: broken, from: null, count: 60 }, silentWork),
  )
  const opened = value(await jobs.openSession({ journal: broken }, silentWork))
  expect(opened).toMatchObject({ complete: true, entries: ENTRIES - 1 })
  expect(opened.summary.damagedLines).toBe(1)
  // The answer after it hangs under nothing, and begins a segment of its own.
  expect(newest.rows.map(({ kind }) => kind)).toEqual(['divider', 'agent'])
})
