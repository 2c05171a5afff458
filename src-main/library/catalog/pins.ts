/** omp's stars: ids of pinned sessions. Missing or corrupt is an empty set. Rule: docs/format.md, Pins. */
import { limits } from '@shared/limits'
import { stringsOf } from '@shared/session/json'
import type { Environment } from '../../engine/environment'
import { statRegularFile } from '../../engine/storage/byte-source'
import { attempt } from '../../engine/storage/errors'
import { readWholeText } from '../../engine/storage/read-whole'
import { parseJson } from '../changes/json-guards'

/** Session ids in any of the given pin files. */
export function readPins(env: Environment, files: readonly string[]): Set<string> {
  return new Set(files.flatMap(file => pinsOf(env, file)))
}

function pinsOf(env: Environment, file: string): string[] {
  const text = attempt('read', file, () => {
    statRegularFile(env.fs, file)
    return readWholeText(env.fs, file, limits.namesBytes)
  })
  return text.ok ? stringsOf(parseJson(text.value)) : []
}
