/** Which sessions `list` shows and in which order, by its options. What it says of each is in read-samples.test.ts. */
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HEADER, journal, message } from '../../engine/storage/journal.test-support'
import { type TestEnvironment, testEnvironment } from '../../engine/test-environment.test-support'
import { runCommand } from '../command-run.test-support'
import { listCommand } from './list'

const AGENT = '.omp/agent'
/** The clock of the test: 2026-02-01. */
let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
})
afterEach(() => env.remove())

type Spec = {
  cwd?: string
  day?: string
  until?: string
  model?: string
  title?: string
  messages?: number
  fork?: boolean
}

function textOf(id: string, spec: Spec): string {
  const {
    cwd = '/w/app',
    day = '2026-01-10',
    until = day,
    model = 'm',
    title,
    messages = 2,
    fork = false,
  } = spec
  const at = (date: string) => `${date}T10:00:00.000Z`
  const talk = Array.from({ length: messages }, (_, nth) => ({
    ...message(`${id}${nth}`, nth === 0 ? null : fork ? `${id}0` : `${id}${nth - 1}`, `prompt of ${id}`),
    timestamp: at(until),
    ...(nth === 0 ? {} : { message: { role: 'assistant', content: [], model, stopReason: 'stop' } }),
  }))
  return journal(
    { ...HEADER, id, cwd, timestamp: at(day), ...(title === undefined ? {} : { title }) },
    ...talk,
  )
}

const session = (id: string, spec: Spec = {}) => env.put(`${AGENT}/sessions/-w/${id}.jsonl`, textOf(id, spec))

type Row = { id: string; model: string | null; starred: boolean; archived: boolean }

async function ids(...options: string[]): Promise<string[]> {
  const run = await runCommand(listCommand, env, ...options, '--json')
  expect([run.code, run.errors]).toEqual([0, []])
  return run.json<Row[]>().map(({ id }) => id)
}

const usage = (...options: string[]) => runCommand(listCommand, env, ...options)

describe('list', () => {
  it('keeps to a project, by path or by the last part of it', async () => {
    session('a', { cwd: '/w/app' })
    session('b', { cwd: '/w/other' })
    session('c', { cwd: '/elsewhere/app' })
    expect((await ids('--project', 'app')).sort()).toEqual(['a', 'c'])
    expect(await ids('--project', '/w/app')).toEqual(['a'])
    expect(await ids('--project', 'ap')).toEqual([])
  })

  it('keeps to a time: sessions that were active in it', async () => {
    session('old', { day: '2026-01-01' })
    session('long', { day: '2026-01-02', until: '2026-01-20' })
    session('new', { day: '2026-01-30' })
    expect(await ids('--since', '2026-01-20')).toEqual(['new', 'long'])
    expect(await ids('--since', '2026-01-20T10:00:00.001Z')).toEqual(['new'])
    expect(await ids('--since', '3d')).toEqual(['new'])
    expect(await ids('--since', '2w')).toEqual(['new', 'long'])
    // A day is meant with all its hours.
    expect(await ids('--until', '2026-01-02')).toEqual(['long', 'old'])
    expect(await ids('--until', '2026-01-02T10:00')).toEqual(['old'])
    expect(await ids('--since', '2026-01-05', '--until', '2026-01-10')).toEqual(['long'])
    // The same moment, by the clock of another place.
    expect(await ids('--until', '2026-01-02T12:00+02:00')).toEqual(['old'])
  })

  it('keeps to a model and a status', async () => {
    session('a', { model: 'claude-sonnet' })
    session('b', { model: 'gpt-5' })
    session('c', { messages: 1 })
    expect(await ids('--model', 'Sonnet')).toEqual(['a'])
    expect((await ids('--status', 'complete')).sort()).toEqual(['a', 'b'])
    expect(await ids('--status', 'pending')).toEqual(['c'])
  })

  it('does not take the status of what is only a stub for one', async () => {
    env.put(`${AGENT}/sessions/-w/empty.jsonl`, '')
    expect(await ids('--status', 'unknown')).toEqual([])
  })

  it('keeps to those with branches, artifacts, drafts and stars', async () => {
    session('line')
    session('fork', { messages: 3, fork: true })
    session('made')
    env.put(`${AGENT}/sessions/-w/made/0.bash.log`, 'out')
    session('draft')
    env.put(`${AGENT}/sessions/-w/draft/draft.txt`, 'not sent')
    env.put(`${AGENT}/session-pins.json`, JSON.stringify(['line']))
    expect(await ids('--has-branches')).toEqual(['fork'])
    expect(await ids('--has-artifacts')).toEqual(['made'])
    expect(await ids('--has-draft')).toEqual(['draft'])
    expect(await ids('--starred')).toEqual(['line'])
    expect(await ids('--starred', '--has-branches')).toEqual([])
  })

  it('lists what omp archived, and keeps to it or leaves it out', async () => {
    session('a')
    const file = env.put(`${AGENT}/archive/sessions/-w/b.jsonl.gz`, gzipSync(textOf('b', {})))
    expect((await ids()).sort()).toEqual(['a', 'b'])
    expect(await ids('--archived')).toEqual(['b'])
    expect(await ids('--no-archived')).toEqual(['a'])
    const run = await usage('--archived')
    expect(run.answer).toContain(`${file}  (archived)`)
    const [row] = (await usage('--archived', '--json')).json<object[]>()
    expect(row).toMatchObject({ path: file, archived: true, starred: false, bytes: fs.statSync(file).size })
  })

  it('sorts, the other way round as well, and ends where it should', async () => {
    session('a', { day: '2026-01-03', until: '2026-01-04', title: 'Zebra', messages: 5 })
    session('b', { day: '2026-01-01', until: '2026-01-09', title: 'apple', messages: 3 })
    session('c', { day: '2026-01-02', until: '2026-01-05', title: 'Mango', messages: 4 })
    env.put(`${AGENT}/sessions/-w/c/0.bash.log`, 'x'.repeat(50_000))
    expect(await ids()).toEqual(['b', 'c', 'a'])
    expect(await ids('--sort', 'recent')).toEqual(['b', 'c', 'a'])
    expect(await ids('--sort', 'created')).toEqual(['a', 'c', 'b'])
    expect(await ids('--sort', 'title')).toEqual(['b', 'c', 'a'])
    expect(await ids('--sort', 'messages')).toEqual(['a', 'c', 'b'])
    expect((await ids('--sort', 'size'))[0]).toBe('c')
    expect(await ids('--sort', 'messages', '--reverse')).toEqual(['b', 'c', 'a'])
    expect(await ids('--sort', 'messages', '--limit', '2')).toEqual(['a', 'c'])
  })

  it('says that none fits, and that there is none at all', async () => {
    expect((await usage()).answer).toBe(`No sessions in ${path.join(env.home, AGENT)}.`)
    session('a')
    const none = await usage('--project', 'nowhere')
    expect([none.code, none.answer]).toEqual([0, 'None of 1 session fits.'])
    expect(await ids('--project', 'nowhere')).toEqual([])
  })

  it.each([
    ['--sort', 'colour'],
    ['--sort', 'toString'],
    ['--status', 'fine'],
    ['--since', 'yesterday'],
    ['--until', '2026-13-45'],
    ['--limit', '0'],
    ['--limit', '1.5'],
    ['--limit', ''],
    ['--project', ''],
    ['--archived', '--no-archived'],
    ['extra'],
  ])('refuses %s %s', async (...options) => {
    await expect(usage(...options)).rejects.toThrow(/--|Unexpected argument/)
  })
})
