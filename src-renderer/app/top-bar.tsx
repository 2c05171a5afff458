/** The bar at the top: brand, filter, theme, settings; on a narrow window the way back. */
import type { ThemeChoice } from '@shared/ipc/models/app-models'
import { ArrowLeft, Monitor, Moon, PanelLeft, Settings2, Sun, SunMoon, Trees } from 'lucide-react'
import type { Ref } from 'react'
import { useStore } from 'zustand'
import { useCommands } from '../commands/context'
import { paneOut, showScope } from '../commands/flows/navigate'
import { useStores } from '../stores/stores-context'
import { IconButton } from '../ui/button'
import { commandIcon } from '../ui/command-icons'
import { FilterField } from '../ui/filter-field'
import { DropdownMenu } from '../ui/menu'

const THEMES: readonly { theme: ThemeChoice; text: string }[] = [
  { theme: 'system', text: 'As the system' },
  { theme: 'light', text: 'Light' },
  { theme: 'dark', text: 'Dark' },
]

const THEME_ICONS = { system: SunMoon, light: Sun, dark: Moon } as const

export function TopBar(props: { onePane: boolean; focusList(): void; layerRef: Ref<HTMLDivElement> }) {
  const { onePane, focusList, layerRef } = props
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
      <FilterBox focusList={focusList} />
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

function FilterBox({ focusList }: { focusList(): void }) {
  const stores = useStores()
  const commands = useCommands()
  const filter = useStore(stores.list, state => state.filter)
  const setFilter = (text: string) => {
    // Typing shows the list it filters.
    if (stores.navigation.getState().place.view !== 'sessions') {
      showScope(stores, stores.list.getState().scope)
    }
    stores.navigation.getState().setPane('list')
    stores.list.getState().setFilter(text)
  }
  return (
    <search className="top-search">
      <FilterField
        label="Filter sessions"
        placeholder="Filter sessions"
        main={{ keys: commands.keys('library.filter') }}
        value={filter}
        onChange={setFilter}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
          event.preventDefault()
          focusList()
        }}
      />
    </search>
  )
}
