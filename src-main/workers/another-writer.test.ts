/**
 * Another process appends every 100 ms, without any lock, while each command is tried on its session and on a neighbour:
 * every line is there afterwards, and each command was applied, or refused with the reason.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { ChangeReport } from '@shared/ipc/models/change-models'
import type { Result } from '@shared/ipc/result'
import { afterEach, describe, expect, it } from 'vitest'
import { type Line, type Sight, WriterWorld, work } from './another-writer.test-support'

/** What a command came to: the change that undoes it, or why it was not done. */
type Outcome = { change: string | null; reason: string | null }

type Command = (world: WriterWorld, journal: string) => Promise<Outcome>

function outcomeOf(done: Result<ChangeReport & { maybe?: unknown }>): Outcome {
  if (!done.ok) return { change: null, reason: done.error.message }
  const { changeId, staying, notes } = done.value
  return { change: changeId, reason: changeId === null ? (staying[0]?.text ?? notes[0] ?? null) : null }
}

const edit = (world: WriterWorld, journal: string) => ({
  roots: [world.root],
  session: { ref: 's', journal, title: 'it', layout: world.root.layout, readOnly: false },
  includeMaybe: false,
})

const forkOf = async (world: WriterWorld, journal: string, leafId: string | null): Promise<Outcome> => {
  const done = await world.jobs.forkSession(
    { ...edit(world, journal), leafId, withArtifacts: true, only: world.root.layout.agentDir },
    work,
  )
  return outcomeOf(done.ok ? { ok: true, value: done.value.report } : done)
}

const moveTo: Command = async (world, journal) => {
  const sessions = [world.target(journal)]
  const plan = await world.jobs.planMove(
    { roots: [world.root], sessions, to: { folder: world.otherFolder, root: null } },
    work,
  )
  if (!plan.ok) return outcomeOf(plan)
  return outcomeOf(await world.jobs.applyMove({ planId: plan.value.planId, includeMaybe: true }, work))
}

const reroot: Command = async (world, journal) => {
  const scope = { kind: 'sessions' as const, journals: [journal] }
  const sessions = [world.target(journal)]
  const plan = await world.jobs.planReroot(
    { roots: [world.root], scope, to: world.otherFolder, sessions },
    work,
  )
  if (!plan.ok) return outcomeOf(plan)
  return outcomeOf(await world.jobs.applyReroot({ planId: plan.value.planId, includeMaybe: true }, work))
}

const remove: Command = async (world, journal) => {
  const targets = [world.target(journal)]
  const plan = await world.jobs.planDelete({ roots: [world.root], targets, linkedBy: [] }, work)
  if (!plan.ok) return outcomeOf(plan)
  return outcomeOf(await world.jobs.applyDelete({ planId: plan.value.planId, includeMaybe: true }, work))
}

const saveDraft =
  (text: string): Command =>
  async (world, journal) => {
    const { layout } = world.root
    const edited = { roots: [world.root], journal, layout, readOnly: false, includeMaybe: false }
    const draft = path.join(journal.slice(0, -'.jsonl'.length), 'draft.txt')
    const version = world.versionOf(draft)
    const saved = await world.jobs.saveDraft({ ...edited, text, version, change: null })
    if (!saved.ok) return { change: null, reason: saved.error.message }
    return { change: saved.value.change, reason: null }
  }

/** In this order: each is undone before the next one. */
const COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'rename',
    async (w, j) => outcomeOf(await w.jobs.renameSession({ ...edit(w, j), title: 'A new name' }, work)),
  ],
  [
    'label',
    async (w, j) =>
      outcomeOf(await w.jobs.labelEntry({ ...edit(w, j), entryId: 'aaaaaaa2', label: 'here' }, work)),
  ],
  [
    'star',
    async (w, j) => {
      const { pinsFile } = w.root.layout
      const target = { ref: 's', title: 'it', id: path.basename(j, '.jsonl'), pinsFile, readOnly: false }
      return outcomeOf(await w.jobs.starSessions({ roots: [w.root], targets: [target], starred: true }, work))
    },
  ],
  [
    'continue this branch',
    async (w, j) => outcomeOf(await w.jobs.continueBranch({ ...edit(w, j), entryId: 'aaaaaaa3' }, work)),
  ],
  ['fork', (w, j) => forkOf(w, j, null)],
  ['fork from an entry', (w, j) => forkOf(w, j, 'aaaaaaa3')],
  ['save a draft', saveDraft('another text')],
  ['discard a draft', saveDraft('')],
  ['move', moveTo],
  ['re-root', reroot],
  ['delete', remove],
]

let world: WriterWorld | null = null
afterEach(async () => {
  await world?.remove()
  world = null
})

/** Tries a command `times` times beside the writer, and takes it back each time that it was applied. */
async function tryBeside(
  here: WriterWorld,
  command: Command,
  journal: string,
  times: number,
): Promise<{ applied: number; refused: string[]; kept: string[] }> {
  const tally: { applied: number; refused: string[]; kept: string[] } = { applied: 0, refused: [], kept: [] }
  for (let count = 0; count < times; count++) {
    await here.nextLine()
    const outcome = await command(here, journal)
    if (outcome.change === null) {
      tally.refused.push(outcome.reason ?? '')
      continue
    }
    tally.applied++
    await here.nextLine()
    const undone = await here.jobs.undoChange(
      { roots: [here.root], id: outcome.change, includeMaybe: false },
      work,
    )
    const why = outcomeOf(undone)
    if (why.change === null) {
      tally.kept.push(why.reason ?? '')
      break
    }
  }
  await here.nextLine()
  return tally
}

function idsOf(lines: readonly Line[]): string[] {
  return lines.flatMap(({ id }) => (typeof id === 'string' && id.startsWith('w') ? [id] : []))
}

/** Every acknowledged line is in exactly one place, copies of a fork aside, and no journal holds it twice. */
function expectEveryLine(here: WriterWorld): void {
  const journals = [...here.journals()]
  for (const [file, lines] of journals) {
    const ids = idsOf(lines)
    expect(new Set(ids).size, `${file} holds a line twice`).toBe(ids.length)
  }
  const there = new Set(journals.flatMap(([, lines]) => idsOf(lines)))
  const lost = here.acknowledged.filter(id => !there.has(id))
  expect(lost, 'lines that were written and are nowhere').toEqual([])
  expect(here.acknowledged.length).toBeGreaterThan(3)
}

describe.each(['seen', 'unseen'] satisfies Sight[])('on the session that is written to, %s', sight => {
  it.each(COMMANDS)('%s: applied or refused with the reason, and no line lost', async (name, command) => {
    const here = new WriterWorld(sight)
    world = here
    const journal = here.addSession('busy')
    await here.startWriter(journal)
    const { applied, refused, kept } = await tryBeside(here, command, journal, 4)
    await here.stopWriter()
    expectEveryLine(here)
    for (const reason of [...refused, ...kept]) expect(reason).not.toBe('')
    expect(applied + refused.length).toBeGreaterThan(0)
    if (sight === 'seen') {
      // What would change the journal or take it away is kept off; the rest does not touch it.
      const free = name === 'rename' || name === 'star' || name.startsWith('fork')
      if (free) expect(refused.filter(reason => !/changed|written/.test(reason))).toEqual([])
      else expect(applied, `${name} while another process writes`).toBe(0)
    }
  })
})

describe('on a neighbour of the session that is written to', () => {
  it.each(COMMANDS)('%s: applied and undone, and no line lost', async (name, command) => {
    const here = new WriterWorld('seen')
    world = here
    const busy = here.addSession('busy')
    const quiet = here.addSession('quiet')
    const before = fs.readFileSync(quiet)
    const artifacts = quiet.slice(0, -'.jsonl'.length)
    await here.startWriter(busy)
    const { applied, refused, kept } = await tryBeside(here, command, quiet, 1)
    await here.stopWriter()
    expectEveryLine(here)
    expect({ applied, refused, kept }).toEqual({ applied: 1, refused: [], kept: [] })
    const after = fs.readFileSync(quiet)
    // A name and a title leave their history; all else is as it was.
    if (name === 'label' || name === 'rename')
      expect(after.subarray(256, before.length).equals(before.subarray(256))).toBe(true)
    else expect(after.equals(before)).toBe(true)
    expect(fs.readFileSync(path.join(artifacts, 'draft.txt'), 'utf8')).toBe('not sent')
  })
})
