/**
 * `list` and `inspect` against the manifest of the sample library: two derivations of the same facts, written
 * independently, for every session and every odd file.
 */
import fs from 'node:fs'
import path from 'node:path'
import { isJsonObject } from '@shared/session/json'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  makeSampleLibrary,
  type OddFile,
  type SampleLibrary,
  type SampleSession,
} from '../../library/sample-library.test-support'
import { runCommand } from '../command-run.test-support'
import { inspectCommand } from './inspect'
import { listCommand } from './list'

type Facts = Record<string, unknown>

const factsOf = (value: unknown): Facts => (isJsonObject(value) ? value : {})
const factsList = (value: unknown): Facts[] => (Array.isArray(value) ? value.map(factsOf) : [])
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

let library: SampleLibrary
let listed: Map<string, Facts>

beforeAll(async () => {
  library = makeSampleLibrary({ odd: true })
  const run = await runCommand(listCommand, library.env, '--agent-dir', library.agentDir, '--json')
  expect(run).toMatchObject({ code: 0, errors: [] })
  const objects = factsList(run.json())
  listed = new Map(objects.map(object => [String(object.path), object]))
  expect(listed.size).toBe(objects.length)
}, 120_000)
afterAll(() => library.remove())

async function inspect(file: string) {
  const run = await runCommand(inspectCommand, library.env, file, '--json')
  expect(run, file).toMatchObject({ code: 0, errors: [] })
  return factsOf(run.json())
}

function namesOnDisk(): string[] {
  const root = path.join(library.agentDir, 'sessions')
  return fs
    .readdirSync(root)
    .flatMap(directory =>
      fs.readdirSync(path.join(root, directory)).map(name => path.join(root, directory, name)),
    )
    .filter(file => file.endsWith('.jsonl'))
}

describe('list', () => {
  it('lists as many as there are session files on disk', () => {
    expect([...listed.keys()].sort()).toEqual(namesOnDisk().sort())
  })

  it('says of each session what the manifest says', () => {
    for (const session of library.sessions) {
      const object = listed.get(library.at(session.file))
      expect(object, session.key).toMatchObject(expectedRow(session))
      const { tips } = object ?? {}
      if (session.tips !== null) expect(tips, session.key).toBe(session.tips.length)
    }
  })

  it('has every field of its documentation and no other, null where there is nothing', () => {
    const documented = fields('list')
    for (const object of listed.values()) {
      expect(Object.keys(object)).toEqual(documented)
      for (const value of Object.values(object)) expect(value).not.toBeUndefined()
    }
  })
})

function expectedRow(session: SampleSession): Facts {
  const files = session.artifactFiles.filter(
    ({ name }) => !['draft.txt', '.draft-only-session'].includes(name),
  )
  return {
    bytes: session.bytes,
    artifactBytes: session.artifactBytes,
    artifactCount: files.length,
    title: session.title || null,
    titleSource: session.title ? session.titleSource : null,
    cwd: session.cwd,
    entryCount: session.entryCount,
    messageCount: session.messageCount,
    status: session.status,
    version: session.version,
    parentSession: session.parentSession,
    hasDraft: session.draft !== null && session.draft.bytes > 0,
    damagedLines: session.damagedLines.length,
    ...(session.id === null ? {} : { id: session.id }),
    ...(session.created === null ? {} : { created: session.created }),
    ...(session.lastActivity === null ? {} : { lastActivity: session.lastActivity }),
  }
}

describe('inspect', () => {
  it('says of each session what the manifest says', async () => {
    for (const session of library.sessions) {
      const facts = await inspect(library.at(session.file))
      expect(facts, session.key).toMatchObject(expectedFacts(session))
      const usage = factsOf(facts.usage)
      for (const [key, value] of Object.entries(session.usage)) {
        if (key === 'withoutCost') continue
        if (value === null) expect(usage[key], `${session.key} ${key}`).toBeNull()
        else expect(usage[key], `${session.key} ${key}`).toBeCloseTo(value, 5)
      }
      const told = kindsOf(facts)
      for (const { kind } of session.problems) expect(told, session.key).toContain(kind)
    }
  })

  it('reads every subagent as a session', async () => {
    const subagents = library.sessions.flatMap(session => session.subagents)
    expect(subagents.length).toBeGreaterThan(2)
    for (const { file } of subagents) {
      const { entryCount, problems } = await inspect(library.at(file))
      expect(entryCount, file).toBeGreaterThan(0)
      expect(problems, file).toEqual([])
    }
  })

  it('gives version 1 entries the same ids from run to run', async () => {
    const old = library.sessions.filter(({ version }) => version === 1)
    expect(old.length).toBeGreaterThan(0)
    for (const session of old) {
      const [once, again] = [await inspect(library.at(session.file)), await inspect(library.at(session.file))]
      expect(once).toEqual(again)
      expect(once.path).toHaveLength(session.entryCount)
      expect(new Set(listOf(once.path)).size).toBe(session.entryCount)
    }
  })

  it('has every field of its documentation and no other', async () => {
    const [first] = library.sessions
    expect(Object.keys(await inspect(library.at(first?.file ?? '')))).toEqual(fields('inspect'))
  })
})

function expectedFacts(session: SampleSession): Facts {
  const tree =
    session.path === null
      ? {}
      : { leafId: session.leafId, path: session.path, roots: session.roots, tips: session.tips }
  return {
    title: session.title || null,
    version: session.version,
    entryCount: session.entryCount,
    types: session.types,
    ...tree,
    branchPoints: session.branchPoints,
    labels: session.labels,
    blobs: { referenced: session.blobs.referenced.length, missing: session.blobs.missing.length },
    subagents: { length: session.subagents.filter(({ advisor }) => !advisor).length },
    draft: session.draft === null || session.draft.text === '' ? null : session.draft.text,
    damagedLines: session.damagedLines.map(({ line, offset, bytes }) => ({ line, offset, bytes })),
  }
}

const kindsOf = (facts: Facts) => factsList(facts.problems).map(({ kind }) => kind)

describe('odd files', () => {
  it('are as the manifest expects, each read or a stub with a reason', async () => {
    const root = process.getuid?.() === 0
    const onDisk = new Set(namesOnDisk())
    let checked = 0
    for (const odd of library.odd) {
      const file = library.at(odd.file)
      if (!onDisk.has(file)) continue
      checked++
      const object = listed.get(file)
      expect(object, odd.kind).toBeDefined()
      if (odd.expect.stub === true || (odd.expect.unreadable === true && !root)) {
        expect(object?.problem, odd.kind).toEqual(expect.stringContaining(file))
        const run = await runCommand(inspectCommand, library.env, file, '--json')
        expect(run, odd.kind).toMatchObject({ code: 1, answer: '' })
        expect(run.errors, odd.kind).toHaveLength(1)
      } else checkOdd(odd, object ?? {}, await inspect(file))
    }
    expect(checked).toBeGreaterThan(150)
  })
})

/** The facts of an odd file that both commands tell under the manifest's own names. */
function checkOdd({ kind, expect: wanted }: OddFile, object: Facts, facts: Facts): void {
  const tips = listOf(facts.tips)
  const direct = ['entryCount', 'version', 'status', 'cwd', 'messageCount', 'hasDraft', 'damagedLines']
  for (const key of direct)
    if (wanted[key] !== undefined) expect(object[key], `${kind} ${key}`).toEqual(wanted[key])
  if (wanted.title !== undefined) expect(object.title, kind).toEqual(wanted.title || null)
  if (wanted.id !== undefined) expect(object.id, kind).toBe(wanted.id)
  for (const key of ['leafId', 'roots', 'path', 'branchPoints', 'tips'])
    if (wanted[key] !== undefined) expect(facts[key], `${kind} ${key}`).toEqual(wanted[key])
  if (wanted.types !== undefined) expect(facts.types, kind).toMatchObject(factsOf(wanted.types))
  if (wanted.tipCount !== undefined) expect(tips.length, kind).toBe(wanted.tipCount)
  if (wanted.pathLength !== undefined) expect(listOf(facts.path).length, kind).toBe(wanted.pathLength)
  if (wanted.blobsReferenced !== undefined)
    expect(facts.blobs, kind).toMatchObject({ referenced: wanted.blobsReferenced })
  if (wanted.damagedLine !== undefined)
    expect(facts.damagedLines, kind).toMatchObject([{ line: wanted.damagedLine }])
  if (wanted.firstPrompt !== undefined) expect(object.firstPrompt, kind).toEqual(wanted.firstPrompt)
  if (wanted.firstPromptStartsWith !== undefined)
    expect(String(object.firstPrompt), kind).toMatch(new RegExp(`^${wanted.firstPromptStartsWith}`))
  if (wanted.lastSaneTime !== undefined) expect(object.lastActivity, kind).toBe(wanted.lastSaneTime)
  if (wanted.draftBytes !== undefined)
    expect(String(facts.draft), kind).toHaveLength(Number(wanted.draftBytes))
  if (wanted.subagents !== undefined) expect(facts.subagents, kind).toHaveLength(Number(wanted.subagents))
  checkBounds(kind, wanted, object)
  for (const problem of listOf(wanted.problems)) expect(kindsOf(facts), kind).toContain(problem)
}

function checkBounds(kind: string, wanted: Record<string, unknown>, object: Facts): void {
  for (const key of ['entryCount', 'damagedLines']) {
    const [least, most] = [wanted[`${key}AtLeast`], wanted[`${key}AtMost`]]
    if (least !== undefined) expect(object[key], `${kind} ${key}`).toBeGreaterThanOrEqual(Number(least))
    if (most !== undefined) expect(object[key], `${kind} ${key}`).toBeLessThanOrEqual(Number(most))
  }
}

/** Names of the fields that docs/cli.md documents for a command, in order. */
function fields(command: string): string[] {
  const text = fs.readFileSync(path.resolve(import.meta.dirname, '../../../docs/cli.md'), 'utf8')
  const section = text.slice(text.indexOf(`### Fields of \`${command}\``)).split(/\n###? /)[0] ?? ''
  return [...section.matchAll(/^\| `(\w+)`/gm)].map(match => match[1] ?? '')
}
