/** Whether a session may be changed now: who uses it is asked, and the answer told as an error. */
import { err, ok, type Result } from '@shared/ipc/result'
import { attemptAsync } from '../storage/errors'
import type { ManagerSettings } from './manager-settings'

/** Ok when nobody has the session; `in-use` otherwise, naming who. What the system does not tell is no reason to refuse. */
export async function claimSession(
  settings: Pick<ManagerSettings, 'inUse' | 'includeMaybe'>,
  journal: string,
  cwd: string | null,
): Promise<Result<true>> {
  if (settings.inUse === undefined) return ok(true)
  const asked = await attemptAsync(
    'look who uses',
    journal,
    () => settings.inUse?.() ?? Promise.resolve(null),
  )
  if (!asked.ok) return asked
  const use = asked.value?.check(journal, cwd)
  if (use === undefined || use.state === 'free' || use.state === 'unknown') return ok(true)
  if (use.state === 'maybe' && settings.includeMaybe === true) return ok(true)
  const what = use.state === 'maybe' ? 'may be in use' : 'is in use'
  return err('in-use', `${journal} ${what}: ${use.text} Nothing was changed.`, journal)
}
