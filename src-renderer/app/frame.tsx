/** The window: top bar, sidebar, list, session, status bar; one pane at a time when it is narrow. */
import { DEFAULT_SETTINGS } from '@shared/ipc/models/app-models'
import { type Ref, useState } from 'react'
import { useStore } from 'zustand'
import { type Commands, CommandsContext, type PagePorts } from '../commands/context'
import { ChangesView } from '../features/changes/changes-view'
import { DraftsView } from '../features/drafts/drafts-view'
import { Sidebar } from '../features/library/sidebar'
import { SearchView } from '../features/search/search-view'
import { SessionList } from '../features/session-list/session-list'
import { isEmptyLibrary, Welcome } from '../features/session-list/welcome'
import { TrashView } from '../features/trash/trash-view'
import { type Stores, StoresProvider, useStores } from '../stores/stores-context'
import { TooltipProvider } from '../ui/button'
import { LayerContext } from '../ui/layer'
import { Dialogs } from './dialogs'
import { FileDrop } from './file-drop'
import { ONE_PANE_QUERY } from './page-ports'
import { SessionPane } from './session-pane'
import { Splitter } from './splitter'
import { StatusBar } from './status-bar'
import { Toasts } from './toasts'
import { TopBar } from './top-bar'
import { useMedia } from './use-media'
import './frame.css'

export function App({ stores, commands, page }: { stores: Stores; commands: Commands; page: PagePorts }) {
  const [layer, setLayer] = useState<HTMLElement | null>(null)
  return (
    <StoresProvider stores={stores}>
      <CommandsContext value={commands}>
        <TooltipProvider>
          <LayerContext value={layer}>
            <Frame page={page} layerRef={setLayer} />
          </LayerContext>
        </TooltipProvider>
      </CommandsContext>
    </StoresProvider>
  )
}

function Frame({ page, layerRef }: { page: PagePorts; layerRef: Ref<HTMLDivElement> }) {
  const stores = useStores()
  const loaded = useStore(stores.settings, state => state.loaded)
  const place = useStore(stores.navigation, state => state.place)
  const onePane = useMedia(ONE_PANE_QUERY)
  const focusList = () => page.focusRegion('list')
  // The pane is there only after the next render.
  const focusSession = () => setTimeout(() => page.focusRegion('session'), 0)
  // Where the keyboard goes when what had it is gone, if nothing else took it.
  const onFocusLost = () => {
    if (document.activeElement === null || document.activeElement === document.body) focusList()
  }
  return (
    <div className="frame">
      <TopBar onePane={onePane} layerRef={layerRef} />
      {/* Widths are remembered: nothing is drawn with the wrong ones first. */}
      {loaded ? onePane ? <OnePane page={page} /> : <Panes page={page} /> : <div className="frame-body" />}
      <StatusBar />
      <FileDrop />
      <Toasts onFocusLost={() => setTimeout(onFocusLost, 0)} />
      <Dialogs mac={page.mac} onOpened={focusSession} onFocusLost={onFocusLost} />
      <p className="u-hidden" aria-live="polite">
        {place.view === 'sessions' ? '' : PLACES[place.view]}
      </p>
    </div>
  )
}

const PLACES = { search: 'Search', drafts: 'Drafts', trash: 'Trash', changes: 'Recent changes' } as const

/** What takes the place of list and session. */
function PlaceView({ view, page }: { view: keyof typeof PLACES; page: PagePorts }) {
  switch (view) {
    case 'search':
      return <SearchView onOpened={() => setTimeout(() => page.focusRegion('session'), 0)} />
    case 'drafts':
      return <DraftsView />
    case 'trash':
      return <TrashView />
    case 'changes':
      return <ChangesView />
    default:
      return view satisfies never
  }
}

const SIDEBAR = { min: 168, max: 400 }
const LIST = { min: 260, max: 620 }

function Panes({ page }: { page: PagePorts }) {
  const stores = useStores()
  const settings = useStore(stores.settings, state => state.settings)
  const listHidden = useStore(stores.navigation, state => state.listHidden)
  const view = useStore(stores.navigation, state => state.place.view)
  const empty = useStore(stores.library, state => isEmptyLibrary(state.snapshot))
  const [sidebarMove, setSidebarMove] = useState<number | null>(null)
  const [listMove, setListMove] = useState<number | null>(null)
  const sidebarWidth = sidebarMove ?? settings.sidebarWidth
  const listWidth = listMove ?? settings.listWidth
  return (
    <div className="frame-body">
      {settings.showSidebar ? (
        <nav
          className="frame-side"
          aria-label="Library"
          data-region="sidebar"
          style={{ width: sidebarWidth }}
        >
          <Sidebar />
          <Splitter
            label="Width of the sidebar"
            width={sidebarWidth}
            {...SIDEBAR}
            usual={DEFAULT_SETTINGS.sidebarWidth}
            onMove={setSidebarMove}
            onDone={width => {
              setSidebarMove(null)
              void stores.settings.getState().set({ sidebarWidth: width })
            }}
          />
        </nav>
      ) : null}
      {view === 'sessions' && empty ? (
        <main className="frame-main">
          <section className="frame-welcome" aria-label="Sessions" data-region="list">
            <Welcome />
          </section>
        </main>
      ) : view === 'sessions' ? (
        <>
          {listHidden ? null : (
            <section
              className="frame-list"
              aria-label="Sessions"
              data-region="list"
              style={{ width: listWidth }}
            >
              <SessionList follow onEnter={() => page.focusRegion('session')} />
              <Splitter
                label="Width of the session list"
                width={listWidth}
                {...LIST}
                usual={DEFAULT_SETTINGS.listWidth}
                onMove={setListMove}
                onDone={width => {
                  setListMove(null)
                  void stores.settings.getState().set({ listWidth: width })
                }}
              />
            </section>
          )}
          <main className="frame-main" data-region="session">
            <SessionPane />
          </main>
        </>
      ) : (
        <main className="frame-main" data-region="list">
          <PlaceView view={view} page={page} />
        </main>
      )}
    </div>
  )
}

function OnePane({ page }: { page: PagePorts }) {
  const stores = useStores()
  const pane = useStore(stores.navigation, state => state.pane)
  const view = useStore(stores.navigation, state => state.place.view)
  if (pane === 'sidebar') {
    return (
      <main className="frame-body">
        <nav className="frame-main" aria-label="Library" data-region="sidebar">
          <Sidebar />
        </nav>
      </main>
    )
  }
  if (view !== 'sessions') {
    return (
      <main className="frame-body">
        <div className="frame-main" data-region="list">
          <PlaceView view={view} page={page} />
        </div>
      </main>
    )
  }
  return (
    <main className="frame-body">
      {pane === 'session' ? (
        <div className="frame-main" data-region="session">
          <SessionPane />
        </div>
      ) : (
        <section className="frame-main" aria-label="Sessions" data-region="list">
          {/* The pane is there only after the next render. */}
          <SessionList follow={false} onEnter={() => setTimeout(() => page.focusRegion('session'), 0)} />
        </section>
      )}
    </main>
  )
}
