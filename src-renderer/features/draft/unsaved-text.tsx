/** What was typed in the draft of a session that is not there any more: it can still be copied. */
import { TriangleAlert } from 'lucide-react'
import { useStore } from 'zustand'
import { copyText } from '../../commands/flows/session-flows'
import { draftStoreOf } from '../../stores/draft-store'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Bar } from './draft-bars'
import './draft.css'

export function UnsavedText({ session }: { session: string }) {
  const stores = useStores()
  const text = useStore(draftStoreOf(stores.client), state => state.unsaved().get(session))
  if (text === undefined) return null
  return (
    <div className="dr-orphan">
      <Bar tone="bad" icon={<TriangleAlert aria-hidden />} text="Unsent text that could not be saved.">
        <Button onClick={() => void copyText(stores, text, 'Your text')}>Copy</Button>
      </Bar>
    </div>
  )
}
