/**
 * CLAIM: who else has this session, asked again when the answer is old.
 *
 * Guarantees
 *   A change is made only on an answer that is not older than `limits.claimMs`, and on a fresh one where something is taken
 *   away or replaced (`renew`). An omp that opens the session in between changes nothing on disk that would tell.
 *   `revoke` after another program was seen to write: the next change asks again.
 *   An archived session is nobody's to change: refused as `permission`, whoever asks.
 *   What the system does not tell is no reason to refuse; a maybe is, unless `includeMaybe`.
 */
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { Environment } from '../environment'
import { isArchive } from '../layout/session-paths'
import { archivedRefusal } from '../storage/archived-session-storage'
import { attemptAsync } from '../storage/errors'
import type { ManagerSettings } from './manager-settings'

export type ClaimSettings = Pick<ManagerSettings, 'inUse' | 'includeMaybe'>

export class SessionClaim {
  private readonly env: Environment
  private readonly settings: ClaimSettings
  private readonly journal: string
  private readonly cwd: () => string | null
  /** Unix ms of the last answer that was a yes. */
  private since: number | null

  /** `ours`: this program has made the session just now, so that nobody else can have it yet. */
  constructor(
    env: Environment,
    settings: ClaimSettings,
    journal: string,
    cwd: () => string | null,
    ours: boolean,
  ) {
    this.env = env
    this.settings = settings
    this.journal = journal
    this.cwd = cwd
    this.since = ours ? env.now() : null
  }

  /** Ok when nobody has the session, as far as is known since a moment; else `in-use`, naming who. */
  async hold(): Promise<Result<true>> {
    if (isArchive(this.journal)) return archivedRefusal(this.journal)
    if (this.settings.inUse === undefined) return ok(true)
    const age = this.since === null ? Number.NaN : this.env.now() - this.since
    return age >= 0 && age < limits.claimMs ? ok(true) : this.renew()
  }

  /** As `hold`, asked now. */
  async renew(): Promise<Result<true>> {
    this.since = null
    const { journal } = this
    if (isArchive(journal)) return archivedRefusal(journal)
    const { inUse, includeMaybe = false } = this.settings
    if (inUse === undefined) return ok(true)
    const asked = await attemptAsync('look who uses', journal, () => inUse())
    if (!asked.ok) return asked
    const use = asked.value.check(journal, this.cwd())
    if (use.state === 'free' || use.state === 'unknown' || (use.state === 'maybe' && includeMaybe)) {
      this.since = this.env.now()
      return ok(true)
    }
    const what = use.state === 'maybe' ? 'may be in use' : 'is in use'
    return err('in-use', `${journal} ${what}: ${use.text} Nothing was changed.`, journal)
  }

  /** Another program was seen to write. */
  revoke(): void {
    this.since = null
  }
}
