/**
 * The k-th call to the file system fails, for every k: afterwards (and, where it had to be, after recovery by another
 * process) every session is whole at its place or whole in the trash, nothing else is there, and no byte is lost.
 */
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Fault, faultyFileSystem } from '../../engine/storage/faulty-file-system.test-support'
import type { ChangeContext } from '../changes/change-handlers'
import { listOperations } from '../changes/operation-journal'
import { recoverOperations } from '../changes/recovery'
import { listChanges } from '../changes/undo'
import { applyDelete } from './delete-apply'
import { planDelete } from './delete-plan'
import { emptyTrash } from './empty'
import { restoreFromTrash } from './restore'
import {
  removeLibrary,
  type TestLibrary,
  testContext,
  testLibrary,
  testProcesses,
  work,
} from './test-library.test-support'
import { trashHandlers } from './trash-handlers'
import { listTrash, type TrashEntry } from './trash-list'

const ERRORS = ['EIO', 'ENOSPC', 'EACCES'] as const
const LASTING = ['once', 'onwards'] as const
/** Between file systems the same is tried with every fifth call: the copies take many more calls. */
const COPY_STEP = 5

const FIRST = 4_000_001
const SECOND = 4_000_002

type Prepared = { library: TestLibrary; run(context: ChangeContext): Promise<unknown> }

/** Runs `prepare().run` with each call failing in turn, recovers as another process, and lets `check` look. */
async function everyFault(
  prepare: () => Promise<Prepared>,
  check: (library: TestLibrary, where: string) => Promise<void>,
  options: { otherDevice?: boolean; step?: number } = {},
): Promise<number> {
  const total = await countCalls(prepare, options.otherDevice === true)
  for (const lasting of LASTING) {
    for (let at = 0; at < total; at += options.step ?? 1) {
      // Which error it is matters little to the code that meets it: they take turns.
      const fault: Fault = { at, lasting, errno: ERRORS[at % ERRORS.length] ?? 'EIO' }
      const { library, run } = await prepare()
      const system = faultyFileSystem({
        fault,
        before: otherDevice(options.otherDevice === true),
      })
      await run(testContext(library, { fs: system, pid: FIRST, processes: testProcesses() }))
      const where = `${fault.errno} ${lasting} at call ${at} of ${total}: ${describeCall(system.calls[at])}`
      // The first process has ended; its locks are old enough to be taken over.
      const later = testContext(library, { pid: SECOND, processes: testProcesses(), ahead: 120_000 })
      const recovered = await recoverOperations(later, trashHandlers, work)
      expect(recovered.ok && recovered.value.failed, where).toEqual([])
      await check(library, where)
      expect(strays(library), where).toEqual([])
      const operations = listOperations(later.env, later.data)
      expect(operations.ok && operations.value, where).toEqual({ operations: [], broken: [] })
      expect(listChanges(later, trashHandlers).ok, where).toBe(true)
      removeLibrary(library)
    }
  }
  return total
}

async function countCalls(prepare: () => Promise<Prepared>, other: boolean): Promise<number> {
  const { library, run } = await prepare()
  const system = faultyFileSystem({ before: otherDevice(other) })
  await run(testContext(library, { fs: system, pid: FIRST, processes: testProcesses() }))
  removeLibrary(library)
  return system.calls.length
}

/** Renames and links between directories fail as they do between file systems. */
function otherDevice(on: boolean): (call: { name: string; args: readonly unknown[] }) => void {
  return ({ name, args }) => {
    if (!on || (name !== 'rename' && name !== 'link')) return
    const [from, to] = args.map(String)
    if (path.dirname(from ?? '') !== path.dirname(to ?? ''))
      throw Object.assign(new Error('EXDEV'), { code: 'EXDEV' })
  }
}

function describeCall(call: { name: string; args: readonly unknown[] } | undefined): string {
  return call === undefined ? 'none' : `${call.name} ${call.args.map(String).join(' ')}`
}

/** Files that no one asked for: locks of sessions, temporary files. */
function strays(library: TestLibrary): string[] {
  const all = [...library.contents(library.home).keys()]
  // The lock of the list of changes is taken over by whoever next changes it.
  return all.filter(name => /\.(lock|tmp)$/.test(name) && !name.startsWith('data/'))
}

/** Splits what lies in the root into what is at its place and what is in the trash, by item. */
function halves(library: TestLibrary): {
  place: Map<string, string>
  items: Map<string, Map<string, string>>
} {
  const place = new Map<string, string>()
  const items = new Map<string, Map<string, string>>()
  for (const [name, content] of library.contents()) {
    const [first, id, ...rest] = name.split(path.sep)
    if (first !== 'grove-trash') place.set(name, content)
    else if (id !== undefined && rest.length > 0 && rest[0] !== 'manifest.json') {
      const item = items.get(id) ?? new Map<string, string>()
      items.set(id, item.set(rest.join(path.sep), content))
    }
  }
  return { place, items }
}

const ONE = /^-proj\/one(\.jsonl.*|\/.*|)$/

function partOf(all: Map<string, string>, isOne: boolean): Map<string, string> {
  return new Map([...all].filter(([name]) => ONE.test(name) === isOne))
}

/** Session `one` is whole in exactly one of the two places; everything else is as it was. */
async function expectWhole(
  library: TestLibrary,
  original: Map<string, string>,
  where: string,
): Promise<void> {
  const { place, items } = halves(library)
  expect(partOf(place, false), where).toEqual(partOf(original, false))
  const [here, whole] = [partOf(place, true), partOf(original, true)]
  const trashed = [...items.values()].map(item => partOf(item, true))
  if (here.size > 0) {
    expect(here, where).toEqual(whole)
    expect(trashed, where).toEqual([])
    return
  }
  expect(trashed, where).toEqual([whole])
  const listing = await listTrash(testContext(library), [library], work)
  expect(listing.ok && listing.value.items.map(item => item.problem), where).toEqual([null])
}

async function withSessions(): Promise<{
  library: TestLibrary
  journal: string
  original: Map<string, string>
}> {
  const library = testLibrary()
  const journal = library.addSession('one')
  library.addSession('two')
  return { library, journal, original: library.contents() }
}

async function deleteOne(library: TestLibrary, journal: string, context: ChangeContext): Promise<unknown> {
  const plan = await planDelete(testContext(library), [library.target(journal)], {}, work)
  if (!plan.ok) throw new Error(plan.error.message)
  return applyDelete(context, plan.value, { includeMaybe: false }, work)
}

async function trashed(): Promise<{
  library: TestLibrary
  items: TrashEntry[]
  original: Map<string, string>
}> {
  const { library, journal, original } = await withSessions()
  await deleteOne(library, journal, testContext(library, { pid: 4_000_009 }))
  const listing = await listTrash(testContext(library), [library], work)
  if (!listing.ok) throw new Error(listing.error.message)
  return { library, items: listing.value.items, original }
}

describe.each([
  ['on one file system', { otherDevice: false }],
  ['between file systems', { otherDevice: true, step: COPY_STEP }],
])('%s', (_where, options) => {
  it('delete: each call failing leaves the session whole', { timeout: 600_000 }, async () => {
    let original = new Map<string, string>()
    const calls = await everyFault(
      async () => {
        const made = await withSessions()
        original = made.original
        return { library: made.library, run: context => deleteOne(made.library, made.journal, context) }
      },
      (library, where) => expectWhole(library, original, where),
      options,
    )
    expect(calls).toBeGreaterThan(50)
  })

  it('restore: each call failing leaves the session whole', { timeout: 600_000 }, async () => {
    let original = new Map<string, string>()
    const calls = await everyFault(
      async () => {
        const made = await trashed()
        original = made.original
        return { library: made.library, run: context => restoreFromTrash(context, made.items, {}, work) }
      },
      (library, where) => expectWhole(library, original, where),
      options,
    )
    expect(calls).toBeGreaterThan(50)
  })
})

it('empty: each call failing removes nothing but what was listed', { timeout: 600_000 }, async () => {
  let original = new Map<string, string>()
  await everyFault(
    async () => {
      const made = await trashed()
      original = made.original
      return { library: made.library, run: context => emptyTrash(context, made.items, work) }
    },
    async (library, where) => {
      const { place, items } = halves(library)
      expect(partOf(place, false), where).toEqual(partOf(original, false))
      expect(place.size, where).toBe(partOf(original, false).size)
      expect(fs.readFileSync(path.join(library.home, 'outside.txt'), 'utf8'), where).toBe(
        'must never be touched',
      )
      const left = [...items.values()]
      // Refused before it began: whole. Begun: gone.
      if (left.length > 0)
        expect(
          left.map(item => partOf(item, true)),
          where,
        ).toEqual([partOf(original, true)])
    },
  )
})
