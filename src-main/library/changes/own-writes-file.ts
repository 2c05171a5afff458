/**
 * Own writes, told from one run of Grove to the next: two commands in a row would otherwise take each other for another
 * program. A file in Grove's own data, disposable: without it a session counts as in use for some seconds longer.
 */
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { finiteOrNull, isJsonObject, objectsOf, stringOrNull } from '@shared/session/json'
import type { Environment } from '../../engine/environment'
import { type OwnWrite, OwnWrites } from '../../engine/in-use/own-writes'
import { writeWholeNow } from '../../engine/storage/atomic-replace'
import { attempt } from '../../engine/storage/errors'
import { readWholeText } from '../../engine/storage/read-whole'
import { ensureGroveData, type GroveData } from '../grove-data'

/** More than the writes of the few seconds that matter. */
const FILE_BYTES = 4 * 1024 * 1024

function fileOf(data: GroveData): string {
  return path.join(data.directory, 'own-writes.json')
}

/** The writes that earlier runs noted and that can still matter; none when the file is missing or damaged. */
export function readOwnWrites(env: Environment, data: GroveData): OwnWrites {
  const writes = new OwnWrites()
  const text = attempt('read', fileOf(data), () => readWholeText(env.fs, fileOf(data), FILE_BYTES))
  for (const write of text.ok ? parsed(text.value) : []) if (matters(env, write)) writes.note(write)
  return writes
}

/** Writes down what the next run needs to know. */
export function saveOwnWrites(env: Environment, data: GroveData, writes: OwnWrites): Result<unknown> {
  const ready = ensureGroveData(env, data)
  if (!ready.ok) return ready
  const known = new OwnWrites()
  for (const write of [...readOwnWrites(env, data).all, ...writes.all])
    if (matters(env, write)) known.note(write)
  return writeWholeNow(env, fileOf(data), `${JSON.stringify(known.all)}\n`, 0o600)
}

function matters(env: Environment, { modified }: OwnWrite): boolean {
  return Math.abs(env.now() - modified) < limits.recentGrowthMs
}

function parsed(text: string): OwnWrite[] {
  try {
    const value: unknown = JSON.parse(text)
    return objectsOf(value).flatMap(one => {
      if (!isJsonObject(one)) return []
      const [journal, fileId] = [stringOrNull(one.journal), stringOrNull(one.fileId)]
      const [size, modified] = [finiteOrNull(one.size), finiteOrNull(one.modified)]
      if (journal === null || fileId === null || size === null || modified === null) return []
      return [{ journal, fileId, size, modified }]
    })
  } catch {
    return []
  }
}
