/** The name under which omp keeps the breadcrumb of a terminal. Pure. Rule: docs/format.md, Terminal breadcrumbs. */

export type TerminalFacts = {
  /** Device path of the terminal on standard input, or null when it is none. */
  terminal: string | null
  env: Readonly<Record<string, string | undefined>>
}

const BY_VARIABLE: readonly (readonly [variable: string, prefix: string])[] = [
  ['TMUX_PANE', 'tmux-'],
  ['CMUX_SURFACE_ID', 'cmux-'],
  ['KITTY_WINDOW_ID', 'kitty-'],
  ['WEZTERM_PANE', 'wezterm-'],
  ['TERM_SESSION_ID', 'apple-'],
  ['WT_SESSION', 'wt-'],
]

/** Terminal id, or null when omp would keep no breadcrumb. */
export function terminalIdOf({ terminal, env }: TerminalFacts): string | null {
  if (terminal !== null) return terminal.replace(/^\/dev\//, '').replace(/\//g, '-')
  const pane = env.ZELLIJ_PANE_ID
  if (pane !== undefined && pane !== '') {
    const session = env.ZELLIJ_SESSION_NAME
    const middle = session === undefined || session === '' ? '' : `${session.replace(/[/\\]/g, '-')}-`
    return `zellij-${middle}${pane}`
  }
  for (const [variable, prefix] of BY_VARIABLE) {
    const value = env[variable]
    if (value !== undefined && value !== '') return prefix + value
  }
  return null
}
