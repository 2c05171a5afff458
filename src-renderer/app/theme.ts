/** The theme on the page: what the user chose, or what the system has. */
import type { ThemeChoice } from '@shared/ipc/models/app-models'

const DARK = '(prefers-color-scheme: dark)'

/** The theme that a choice means at this moment. */
export function themeOf(choice: ThemeChoice, systemDark: boolean): 'light' | 'dark' {
  if (choice === 'system') return systemDark ? 'dark' : 'light'
  return choice
}

/** Sets the theme of the page now, and whenever choice or system change; the answer ends it. */
export function followTheme(
  choice: () => ThemeChoice,
  subscribe: (changed: () => void) => () => void,
): () => void {
  const system = window.matchMedia(DARK)
  const apply = () => {
    document.documentElement.dataset.theme = themeOf(choice(), system.matches)
  }
  apply()
  system.addEventListener('change', apply)
  const stop = subscribe(apply)
  return () => {
    system.removeEventListener('change', apply)
    stop()
  }
}
