/**
 * What a session leaves outside its own files: the breadcrumb of the terminal that has it, and a note in the registry when it
 * lies where omp would not look. Rule: docs/format.md, Terminal breadcrumbs and Registry.
 *
 * Guarantees: nothing is left without a terminal's id, or for a session that lies in the sessions root. A trace that cannot be
 * left fails no change; it is told by `notice`.
 */
import { registerCustomFile } from '../breadcrumbs/custom-file-registry'
import { leaveBreadcrumb } from '../breadcrumbs/leave-breadcrumb'
import type { Environment } from '../environment'
import type { ManagerSettings } from './manager-settings'

/** The terminal has this session now. `fresh`: its file is not written yet. */
export function leaveTrace(
  env: Environment,
  { terminalId = null, layout, notice }: ManagerSettings,
  trace: { session: string; cwd: string | null; fresh: boolean },
): void {
  const { session, cwd, fresh } = trace
  if (terminalId === null || cwd === null) return
  const left = leaveBreadcrumb(env, layout.breadcrumbsDir, terminalId, { cwd, session, fresh })
  if (!left.ok) notice?.(left.error)
}

/** The session was written, so that its pictures must not be taken for garbage. */
export function registerWritten(env: Environment, { layout, notice }: ManagerSettings, file: string): void {
  const noted = registerCustomFile(env, layout, file)
  if (!noted.ok) notice?.(noted.error)
}
