/** Which files a session changed, and which sessions changed a file. */
import path from 'node:path'
import { type Touch, type TouchedFile, touch } from '@shared/ipc/models/search-models'
import type { Environment, WorkContext } from '../../engine/environment'
import { EngineError, errnoOf } from '../../engine/storage/errors'
import { openJournalSource } from '../../engine/storage/open-journal'
import { entryTime } from '../reading/transcript-rows'
import { GrowingScan } from './growing-scan'
import type { IndexReader } from './index-reader'
import type { SearchTarget } from './search-target'
import { failedCall, fitsPath, placedPath, touchesOf } from './touched-files'

export type SessionTouch = {
  path: string
  ordinal: number
  entryId: string | null
  how: Touch
  time: number | null
}

/** Files and ordinals that are told of one session. */
const MOST_FILES = 5_000
const MOST_ORDINALS = 200

/** What a session changed, by reading its file; nothing where it cannot be read. */
export async function sessionTouches(
  env: Environment,
  target: SearchTarget,
  work: WorkContext,
): Promise<SessionTouch[]> {
  const found: (SessionTouch & { callId: string | null })[] = []
  const failed = new Set<string>()
  try {
    const source = openJournalSource(env.fs, target.file)
    try {
      const seed = path.basename(target.file)
      const scan = new GrowingScan(source, { from: 0, entries: 0, seed }, ({ record, ordinal, id }) => {
        const bad = failedCall(record)
        if (bad !== null) failed.add(bad)
        for (const { path: file, how, callId } of touchesOf(record)) {
          const { time } = entryTime(record, env.now())
          found.push({ path: placedPath(file, target.cwd), ordinal, entryId: id, how, time, callId })
        }
      })
      while (scan.step(256 * 1024)) await work.breathe()
    } finally {
      source.close()
    }
  } catch (thrown) {
    const isUnreadable = thrown instanceof EngineError && thrown.code !== 'cancelled'
    if (errnoOf(thrown) === undefined && !isUnreadable) throw thrown
  }
  return found
    .filter(({ callId }) => callId === null || !failed.has(callId))
    .map(({ callId: _callId, ...one }) => one)
}

/** Sessions that changed a file, the latest change first. */
export async function sessionsTouching(
  env: Environment,
  index: IndexReader,
  targets: readonly SearchTarget[],
  asked: string,
  work: WorkContext,
): Promise<FileTouchedBy[]> {
  await index.refresh()
  const byFile = new Map(targets.map(target => [target.file, target]))
  const found: FileTouchedBy[] = []
  const groups = new Map<string, FileTouchedBy>()
  for (const { file, path: place, ordinal, how, time } of index.touches(asked)) {
    const target = byFile.get(file)
    if (target !== undefined && index.covers(target))
      gather(groups, target, { path: place, ordinal, entryId: null, how: touchOf(how), time })
  }
  for (const [at, target] of targets.entries()) {
    if (index.covers(target)) continue
    await work.breathe()
    work.progress(at, targets.length, 'Reading sessions')
    for (const one of await sessionTouches(env, target, work))
      if (fitsPath(one.path, asked)) gather(groups, target, one)
  }
  found.push(...groups.values())
  return found.sort((a, b) => (b.time ?? 0) - (a.time ?? 0) || (a.file < b.file ? -1 : 1))
}

export type FileTouchedBy = SessionTouch & { file: string; count: number }

function gather(groups: Map<string, FileTouchedBy>, { file }: SearchTarget, touch: SessionTouch): void {
  const key = `${file}\0${touch.path}`
  const before = groups.get(key)
  groups.set(key, { ...touch, file, count: (before?.count ?? 0) + 1 })
}

function touchOf(how: string): Touch {
  const known = touch.safeParse(how)
  return known.success ? known.data : 'edit'
}

/** The files that one session changed, the most often changed first. */
export async function filesOfSession(
  env: Environment,
  index: IndexReader,
  target: SearchTarget,
  work: WorkContext,
): Promise<TouchedFile[]> {
  await index.refresh()
  const touches: readonly { path: string; ordinal: number; how: string; time: number | null }[] =
    index.covers(target) ? index.touchesOf(target) : await sessionTouches(env, target, work)
  const files = new Map<string, TouchedFile>()
  for (const { path: place, ordinal, how, time } of touches) {
    const file = files.get(place) ?? { path: place, count: 0, ordinals: [], how: touchOf(how), time }
    files.set(place, { ...file, count: file.count + 1, how: touchOf(how), time: time ?? file.time })
    if (file.ordinals.length < MOST_ORDINALS) file.ordinals.push(ordinal)
  }
  return [...files.values()]
    .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_FILES)
}
