/** The title of the open session; a double click or F2 makes it a field. */
import type { SessionRow } from '@shared/ipc/models/library-models'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { useCommands } from '../commands/context'
import { renameSession } from '../commands/flows/manage-flows'
import { renamedFrom, TITLE_CHARS } from '../commands/rename-words'
import { useStores } from '../stores/stores-context'
import { InlineField } from '../ui/inline-field'

export function SessionTitle({ row }: { row: SessionRow }) {
  const stores = useStores()
  const commands = useCommands()
  const title = useRef<HTMLHeadingElement>(null)
  const renaming = useStore(stores.rename, state => state.at === 'header' && state.session === row.ref)
  const was = useRef(false)
  useEffect(() => {
    // Begun with a double click, the field took the focus from the title itself.
    if (was.current && !renaming && document.activeElement === document.body) title.current?.focus()
    was.current = renaming
  }, [renaming])
  if (renaming) {
    const before = renamedFrom(row)
    return (
      <InlineField
        label={`New title of ${row.title}`}
        value={before}
        maxLength={TITLE_CHARS}
        className="pane-rename"
        onEnd={text => {
          stores.rename.getState().end()
          if (text !== null) void renameSession(stores, row.ref, before, text)
        }}
      />
    )
  }
  return (
    // A second way for the mouse; by keyboard it is a command.
    <h2
      ref={title}
      className="pane-title u-cut u-text"
      tabIndex={-1}
      title={row.title}
      onDoubleClick={() =>
        commands.run('session.rename', { kind: 'sessions', sessions: [row.ref], at: 'session' })
      }
    >
      {row.title}
    </h2>
  )
}
