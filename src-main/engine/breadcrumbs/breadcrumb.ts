/**
 * The content of a breadcrumb: which session a terminal had last. Pure.
 * Rule: docs/format.md, Terminal breadcrumbs. Lines that are not known are kept as they are.
 */

export type Breadcrumb = {
  cwd: string
  /** Absolute path of the session file. */
  session: string
  /** The session's file is not written yet. */
  fresh: boolean
  /** Device and inode of `cwd` when it was written, as decimal text. */
  cwdStat: { dev: string; ino: string } | null
  /** Further lines that we do not know, in their order. */
  extra: readonly string[]
}

/** The breadcrumb in `text`, or null when it holds less than two lines. */
export function parseBreadcrumb(text: string): Breadcrumb | null {
  const lines = text.trim().split('\n')
  const [cwd, session, ...rest] = lines
  if (cwd === undefined || session === undefined || cwd === '' || session === '') return null
  let fresh = false
  let cwdStat: Breadcrumb['cwdStat'] = null
  const extra: string[] = []
  for (const line of rest) {
    const stat = /^cwdstat (\d+) (\d+)$/.exec(line)
    if (line === 'fresh') fresh = true
    else if (stat?.[1] !== undefined && stat[2] !== undefined) cwdStat = { dev: stat[1], ino: stat[2] }
    else extra.push(line)
  }
  return { cwd, session, fresh, cwdStat, extra }
}

/** The text omp would write: `fresh` before `cwdstat`, every line ended by LF. */
export function serialiseBreadcrumb(breadcrumb: Breadcrumb): string {
  const lines = [breadcrumb.cwd, breadcrumb.session]
  if (breadcrumb.fresh) lines.push('fresh')
  if (breadcrumb.cwdStat !== null) lines.push(`cwdstat ${breadcrumb.cwdStat.dev} ${breadcrumb.cwdStat.ino}`)
  lines.push(...breadcrumb.extra)
  return `${lines.join('\n')}\n`
}
