/** The bar at the top: brand, search, theme, settings; on a narrow window the way back. */
import type { ThemeChoice } from '@shared/ipc/models/app-models'

import { ArrowLeft, Monitor, Moon, PanelLeft, Search, Settings2, Sun, SunMoon, Trees } from 'lucide-react'

import type { Ref } from 'react'
import { useStore } from 'zustand'
import { useCommands } from '../commands/context'
import { paneOut } from '../commands/flows/navigate'
import { useStores } from '../stores/stores-context'
import { IconButton, Kbd } from '../ui/button'
import { commandIcon } from '../ui/command-icons'
import { DropdownMenu } from '../ui/menu'

const THEMES: readonly { theme: ThemeChoice; text: string }[] = [
  { theme: 'system', text: 'As the system' },
  { theme: 'light', text: 'Light' },
  { theme: 'dark', text: 'Dark' },
]

const THEME_ICONS = { system: SunMoon, light: Sun, dark: Moon } as const

export function TopBar(props: { onePane: boolean; layerRef: Ref<HTMLDivElement> }) {
  const { onePane, layerRef } = props
  const stores = useStores()
  const commands = useCommands()
  const pane = useStore(stores.navigation, state => state.pane)
  const theme = useStore(stores.settings, state => state.settings.theme)
  const sidebar = useStore(stores.settings, state => state.settings.showSidebar)
  const ThemeIcon = THEME_ICONS[theme] ?? Monitor
  return (
    <header className="top" data-region="top">
      {onePane && pane !== 'sidebar' ? (
        <button type="button" className="btn btn-quiet top-back" onClick={() => paneOut(stores)}>
          <ArrowLeft aria-hidden />
          {pane === 'session' ? 'Sessions' : 'Library'}
        </button>
      ) : (
        <div className="top-brand" aria-hidden>
          <Trees />
          Grove
        </div>
      )}
      <h1 className="u-hidden">Grove</h1>
      {onePane ? null : (
        <IconButton
          label={sidebar ? 'Hide sidebar' : 'Show sidebar'}
          keys={commands.keys('view.sidebar')}
          aria-expanded={sidebar}
          onClick={() => commands.run('view.sidebar')}
        >
          <PanelLeft aria-hidden />
        </IconButton>
      )}
      {onePane ? null : <BackAndForward />}
      <SearchButton />
      <span className="u-grow top-space" />
      <DropdownMenu
        items={THEMES.map(({ theme: candidate, text }) => ({
          kind: 'choice' as const,
          key: candidate,
          text,
          checked: candidate === theme,
          onSelect: () => void stores.settings.getState().set({ theme: candidate }),
        }))}
      >
        <IconButton label="Theme">
          <ThemeIcon aria-hidden />
        </IconButton>
      </DropdownMenu>
      <IconButton
        label="Settings"
        keys={commands.keys('app.settings')}
        onClick={() => commands.run('app.settings')}
      >
        <Settings2 aria-hidden />
      </IconButton>
      <div ref={layerRef} />
    </header>
  )
}

/** The way one came, as in a browser. */
function BackAndForward() {
  const stores = useStores()
  const commands = useCommands()
  // Followed for what the buttons can do.
  useStore(stores.navigation)
  useStore(stores.session, state => state.back.length > 0)
  useStore(stores.session, state => state.ahead.length > 0)
  const buttons = ['go.back', 'go.forward'] as const
  return (
    <span className="top-ways">
      {buttons.map(id => (
        <IconButton
          key={id}
          label={commands.title(id)}
          keys={commands.keys(id)}
          disabled={!commands.enabled(id)}
          onClick={() => commands.run(id)}
        >
          {commandIcon(id)}
        </IconButton>
      ))}
    </span>
  )
}

/** Looks like the field it opens: the one box. */
function SearchButton() {
  const commands = useCommands()
  return (
    <button
      type="button"
      className="top-search"
      data-region-focus=""
      aria-haspopup="dialog"
      onClick={() => commands.run('search.box')}
    >
      <Search aria-hidden />
      <span className="u-grow u-cut">Search sessions and messages</span>
      <Kbd>{commands.keys('search.box')}</Kbd>
    </button>
  )
}
