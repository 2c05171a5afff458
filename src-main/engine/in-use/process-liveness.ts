/** Whether a process lives, by the means every system has. Thin: one system call. */
import { errnoOf } from '../storage/errors'

/** True when a process of that id exists, whoever owns it. */
export function processIsAlive(pid: number): boolean {
  // 0 and negative numbers name groups, not a process.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    return errnoOf(thrown) === 'EPERM'
  }
}
