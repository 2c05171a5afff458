/**
 * The field that renames a session in its row. It lies over the list, not in it: a listbox holds nothing but its options. It
 * goes where the row goes, out of sight too.
 */
import type { SessionRow } from '@shared/ipc/models/library-models'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { renameSession } from '../../commands/flows/manage-flows'
import { renamedFrom, TITLE_CHARS } from '../../commands/rename-words'
import { useStores } from '../../stores/stores-context'
import { InlineField } from '../../ui/inline-field'

export function RenameInList(props: {
  row: SessionRow
  /** Where the row begins in the list. */
  top: number
  scroller: RefObject<HTMLDivElement | null>
}) {
  const { row, top, scroller } = props
  const stores = useStores()
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const list = scroller.current
    if (!list) return
    const follow = () => {
      if (place.current) place.current.style.transform = `translateY(${top - list.scrollTop}px)`
    }
    follow()
    list.addEventListener('scroll', follow, { passive: true })
    return () => list.removeEventListener('scroll', follow)
  }, [top, scroller])
  const before = renamedFrom(row)
  return (
    <div ref={place} className="srow-rename">
      <InlineField
        label={`New title of ${row.title}`}
        value={before}
        maxLength={TITLE_CHARS}
        onEnd={text => {
          stores.rename.getState().end()
          if (text !== null) void renameSession(stores, row.ref, before, text)
        }}
      />
    </div>
  )
}
