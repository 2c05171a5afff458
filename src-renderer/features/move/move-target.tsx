/** Where to: the folder (kept, a known project's, or another one), and the agent directory where there are several. */
import { FolderSearch } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { readyValue } from '../../stores/async'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { ChoiceCard } from '../../ui/choices'
import { FilterField } from '../../ui/filter-field'
import { countOf } from '../../ui/format'
import { targetFolders, targetRoots } from './move-places'
import type { MoveStore } from './move-store'
import './move.css'

export function MoveTargetChoice(props: { store: MoveStore; one: boolean; locked: boolean }) {
  const { store, one, locked } = props
  const stores = useStores()
  const snapshot = readyValue(useStore(stores.library, state => state.snapshot))
  const target = useStore(store, state => state.target)
  const roots = targetRoots(snapshot?.roots ?? [])
  return (
    <>
      <Folders store={store} one={one} locked={locked} />
      {roots.length > 1 ? (
        <fieldset className="choice-set" disabled={locked}>
          <legend className="choice-legend">To which agent directory?</legend>
          <ChoiceCard
            name="move-root"
            title={one ? 'Stay in the one it is in' : 'Stay in the one they are in'}
            checked={target.root === null}
            onChoose={() => void store.getState().choose({ root: null })}
          />
          {roots.map(root => (
            <ChoiceCard
              key={root.ref}
              name="move-root"
              title={root.name}
              text={root.agentDir}
              checked={target.root === root.ref}
              onChoose={() => void store.getState().choose({ root: root.ref })}
            />
          ))}
        </fieldset>
      ) : null}
    </>
  )
}

function Folders({ store, one, locked }: { store: MoveStore; one: boolean; locked: boolean }) {
  const stores = useStores()
  const [filter, setFilter] = useState('')
  const projects = readyValue(useStore(stores.library, state => state.snapshot))?.projects ?? []
  const { folder } = useStore(store, state => state.target)
  const chosen = useStore(store, state => state.chosen)
  const shown = targetFolders(projects, filter)
  const choose = (path: string | null) => void store.getState().choose({ folder: path })
  const known = targetFolders(projects, '').flatMap(({ cwd }) => (cwd === null ? [] : [cwd]))
  return (
    <fieldset className="choice-set" disabled={locked}>
      <legend className="choice-legend">To which folder?</legend>
      <ChoiceCard
        name="move-folder"
        title={one ? 'Keep the folder it has' : 'Keep the folder of each session'}
        checked={folder === null}
        onChoose={() => choose(null)}
      />
      {chosen.map(path => (
        <ChoiceCard
          key={path}
          name="move-folder"
          path
          title={path}
          text="You chose this folder."
          checked={folder === path}
          onChoose={() => choose(path)}
        />
      ))}
      <FilterField
        label="Filter folders"
        placeholder="Filter folders of known projects"
        className="move-filter"
        value={filter}
        onChange={setFilter}
        // Enter would confirm the dialog while a name is being typed.
        onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
      />
      <div className="move-folders">
        {shown.map(project => (
          <ChoiceCard
            key={project.ref}
            name="move-folder"
            path
            title={project.shortCwd}
            text={countOf(project.sessions, 'session')}
            checked={folder === project.cwd}
            onChoose={() => choose(project.cwd)}
          />
        ))}
        {shown.length === 0 ? <p className="u-muted">No folder of that name.</p> : null}
      </div>
      <div className="choice choice-card choice-other">
        <span className="u-grow">Another folder</span>
        <Button onClick={() => void store.getState().chooseFolder(known)}>
          <FolderSearch aria-hidden />
          Choose folder…
        </Button>
      </div>
    </fieldset>
  )
}
