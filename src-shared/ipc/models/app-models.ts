/** The program itself: what runs it, and what the user chose. */
import { z } from 'zod'
import { sessionRef, sessionScope, sessionSort } from './library-models'
import { ordinal } from './transcript-models'

export const appInfo = z.strictObject({
  version: z.string(),
  electron: z.string(),
  chrome: z.string(),
  node: z.string(),
  /** An old runtime for closed networks; WebP is not decoded on it. */
  oldRuntime: z.boolean(),
  platform: z.string(),
  dataDir: z.string(),
  /** The library on screen is the made-up sample library. */
  samples: z.boolean(),
  /** The window was told to read one agent directory only. */
  onlyAgentDir: z.string().nullable(),
})
export type AppInfo = z.infer<typeof appInfo>

/** What the window shows: kept by main, so that a window that crashed shows it again. */
export const shownPlace = z.strictObject({
  view: z.enum(['sessions', 'search', 'drafts', 'trash', 'changes']),
  scope: sessionScope,
  session: sessionRef.nullable(),
  tab: z.enum(['transcript', 'branches', 'artifacts', 'draft', 'details']),
  tip: ordinal.nullable(),
  pane: z.enum(['sidebar', 'list', 'session']),
  selected: z.array(sessionRef).max(10_000),
  /** Entry that reading stood at. */
  at: ordinal.nullable(),
})
export type ShownPlace = z.infer<typeof shownPlace>

export const themeChoice = z.enum(['system', 'light', 'dark'])
export type ThemeChoice = z.infer<typeof themeChoice>

export const settings = z.strictObject({
  theme: themeChoice,
  sort: sessionSort,
  sortReverse: z.boolean(),
  projectOrder: z.enum(['activity', 'name']),
  pinnedProjects: z.array(z.string()),
  addedRoots: z.array(z.string()),
  graphOrder: z.enum(['newest', 'oldest']),
  showSidebar: z.boolean(),
  showOutline: z.boolean(),
  sidebarWidth: z.number(),
  listWidth: z.number(),
})
export type Settings = z.infer<typeof settings>

export const DEFAULT_SETTINGS: Settings = {
  theme: 'system',
  sort: 'activity',
  sortReverse: false,
  projectOrder: 'activity',
  pinnedProjects: [],
  addedRoots: [],
  graphOrder: 'newest',
  showSidebar: true,
  showOutline: true,
  sidebarWidth: 224,
  listWidth: 328,
}
