/** omp's stars: ids of pinned sessions. Missing or corrupt is an empty set. Rule: docs/format.md, Pins. */
import { stringsOf } from '@shared/session/json'
import type { Environment } from '../../engine/environment'
import { openByteSource, readRange } from '../../engine/storage/byte-source'
import { errnoOf } from '../../engine/storage/errors'

/** Session ids in any of the given pin files. */
export function readPins(env: Environment, files: readonly string[]): Set<string> {
  return new Set(files.flatMap(file => pinsOf(env, file)))
}

function pinsOf(env: Environment, file: string): string[] {
  try {
    const source = openByteSource(env.fs, file)
    try {
      return stringsOf(JSON.parse(Buffer.from(readRange(source, 0, source.size)).toString('utf8')))
    } finally {
      source.close()
    }
  } catch (thrown) {
    if (errnoOf(thrown) === undefined && !(thrown instanceof SyntaxError)) throw thrown
    return []
  }
}
