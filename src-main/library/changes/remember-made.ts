/** What was written a moment ago by ourselves is no sign of another program: it is noted, so that what comes next may change it. */
import type { Result } from '@shared/ipc/result'
import { OwnWrites } from '../../engine/in-use/own-writes'
import { attempt } from '../../engine/storage/errors'
import type { ChangeContext } from './change-handlers'
import { saveOwnWrites } from './own-writes-file'

/** Notes files that we have just made; answers what went wrong with that, for the user. */
export function rememberMade({ env, data }: ChangeContext, files: readonly string[]): string[] {
  const writes = new OwnWrites()
  for (const file of files) {
    const stat = attempt('look at', file, () => env.fs.stat(file))
    if (!stat.ok) return notRemembered(stat)
    const { dev, ino, size, mtimeMs } = stat.value
    writes.note({ journal: file, fileId: `${dev}:${ino}`, size, modified: mtimeMs })
  }
  return files.length === 0 ? [] : notRemembered(saveOwnWrites(env, data, writes))
}

/** The sentence about a note that could not be written; none about one that was. */
export function notRemembered(remembered: Result<unknown>): string[] {
  if (remembered.ok) return []
  return [
    `This write could not be noted, so that the session counts as in use for some seconds: ${remembered.error.message}`,
  ]
}
