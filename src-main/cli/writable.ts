/** Whether this user may write somewhere: what a dry run can tell of it without writing. */
import { accessSync, constants } from 'node:fs'
import path from 'node:path'
import { ok, type Result } from '@shared/ipc/result'
import { lstatOrUndefined } from '../engine/storage/directory-sync'
import { attempt } from '../engine/storage/errors'
import type { CommandIo } from './command'

/** Throws the system's error when this process may not write to what is at `place`. */
export function systemCheckWritable(place: string): void {
  accessSync(place, constants.W_OK)
}

/** Ok when every place may be written to; one that is not there yet, when the nearest folder above it may. */
export function mayWrite(io: CommandIo, places: readonly string[]): Result<true> {
  for (const place of places) {
    const looked = attempt('write to', place, () => io.checkWritable(nearestThere(io, place)))
    if (!looked.ok) return looked
  }
  return ok(true)
}

function nearestThere(io: CommandIo, place: string): string {
  for (let at = place; ; at = path.dirname(at))
    if (path.dirname(at) === at || lstatOrUndefined(io.env.fs, at) !== undefined) return at
}
