/** The sidebar: the library's places, the projects, and the roots. */
import type { SessionScope } from '@shared/ipc/models/library-models'
import { Archive, ArrowDownWideNarrow, History, Layers, PencilLine, Search, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { showScope, showView } from '../../commands/flows/navigate'
import { readyValue } from '../../stores/async'
import { sameScope } from '../../stores/navigation-store'
import { useStores } from '../../stores/stores-context'
import { IconButton } from '../../ui/button'
import { FilterField } from '../../ui/filter-field'
import { DropdownMenu } from '../../ui/menu'
import { useRoving } from '../../ui/roving'
import { Bone } from '../../ui/states'
import { ambiguousNames, arrangeProjects } from './arrange-projects'
import { NavItem } from './nav-item'
import { ProjectItem } from './project-item'
import { RootList } from './root-list'
import './sidebar.css'

const SCOPES: readonly {
  scope: SessionScope
  text: string
  icon: typeof Layers
  count: 'all' | 'starred' | 'archived'
}[] = [
  { scope: { kind: 'all' }, text: 'All sessions', icon: Layers, count: 'all' },
  { scope: { kind: 'starred' }, text: 'Starred', icon: Star, count: 'starred' },
  // Most people have none: it is there with the first one.
  { scope: { kind: 'archived' }, text: 'Archived', icon: Archive, count: 'archived' },
]

export function Sidebar() {
  const stores = useStores()
  const snapshot = readyValue(useStore(stores.library, state => state.snapshot))
  const place = useStore(stores.navigation, state => state.place)
  const scope = useStore(stores.list, state => state.scope)
  const roving = useRoving()
  const inSessions = place.view === 'sessions'
  return (
    <div className="side" {...roving}>
      <div className="side-scroll">
        <h2 className="side-heading">Library</h2>
        <ul>
          {SCOPES.map(({ scope: target, text, icon: Icon, count }) => {
            const current = inSessions && sameScope(scope, target)
            if (count === 'archived' && !current && (snapshot?.counts.archived ?? 0) === 0) return null
            return (
              <li key={text}>
                <NavItem
                  icon={<Icon aria-hidden />}
                  text={text}
                  count={snapshot?.counts[count]}
                  current={current}
                  first={current || (inSessions && scope.kind === 'project' && target.kind === 'all')}
                  onClick={() => showScope(stores, target)}
                />
              </li>
            )
          })}
          <li>
            <NavItem
              icon={<Search aria-hidden />}
              text="Search"
              current={place.view === 'search'}
              first={place.view === 'search'}
              onClick={() => showView(stores, 'search')}
            />
          </li>
          <li>
            <NavItem
              icon={<PencilLine aria-hidden />}
              text="Drafts"
              count={snapshot?.counts.drafts}
              current={place.view === 'drafts'}
              first={place.view === 'drafts'}
              onClick={() => showView(stores, 'drafts')}
            />
          </li>
          <li>
            <NavItem
              icon={<Trash2 aria-hidden />}
              text="Trash"
              count={snapshot?.counts.trash}
              current={place.view === 'trash'}
              first={place.view === 'trash'}
              onClick={() => showView(stores, 'trash')}
            />
          </li>
          <li>
            <NavItem
              icon={<History aria-hidden />}
              text="Recent changes"
              current={place.view === 'changes'}
              first={place.view === 'changes'}
              onClick={() => showView(stores, 'changes')}
            />
          </li>
        </ul>
        <Projects currentScope={inSessions ? scope : null} />
      </div>
      {snapshot ? <RootList roots={snapshot.roots} /> : null}
    </div>
  )
}

function Projects({ currentScope }: { currentScope: SessionScope | null }) {
  const stores = useStores()
  const [filter, setFilter] = useState('')
  const data = useStore(stores.library, state => state.snapshot)
  const order = useStore(stores.settings, state => state.settings.projectOrder)
  const pinned = useStore(stores.settings, state => state.settings.pinnedProjects)
  const all = readyValue(data)?.projects ?? []
  const shown = arrangeProjects(all, order, pinned, filter)
  const twice = ambiguousNames(all)
  const setOrder = (projectOrder: 'activity' | 'name') => {
    void stores.settings.getState().set({ projectOrder })
  }
  return (
    <>
      <div className="side-heading side-projects-head">
        <h2 className="u-grow">Projects</h2>
        <DropdownMenu
          items={[
            {
              kind: 'choice',
              key: 'activity',
              text: 'By last activity',
              checked: order === 'activity',
              onSelect: () => setOrder('activity'),
            },
            {
              kind: 'choice',
              key: 'name',
              text: 'By name',
              checked: order === 'name',
              onSelect: () => setOrder('name'),
            },
          ]}
        >
          <IconButton label="Order of projects" className="side-order">
            <ArrowDownWideNarrow aria-hidden />
          </IconButton>
        </DropdownMenu>
      </div>
      {all.length > 0 ? (
        <FilterField
          label="Filter projects"
          placeholder="Filter projects"
          className="side-filter"
          value={filter}
          onChange={setFilter}
        />
      ) : null}
      {data.state === 'loading' ? <ProjectBones /> : null}
      {data.state === 'ready' && shown.length === 0 ? (
        <p className="side-none">{all.length === 0 ? 'No projects yet.' : 'No project of that name.'}</p>
      ) : null}
      <ul>
        {shown.map((project, index) => (
          <li key={project.ref} className="side-project">
            <ProjectItem
              project={project}
              pinned={project.pinned || pinned.includes(project.ref)}
              current={currentScope?.kind === 'project' && currentScope.project === project.ref}
              first={index === 0}
              showFolder={twice.has(project.name)}
              onOpen={() => showScope(stores, { kind: 'project', project: project.ref })}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

function ProjectBones() {
  return (
    <div className="side-bones" aria-hidden>
      {[120, 84, 140, 96, 110].map(width => (
        <Bone key={width} width={width} />
      ))}
    </div>
  )
}
