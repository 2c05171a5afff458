/** A text that may be cut: shows what came with the row, and fetches the rest when asked. */
import type { ShownText } from '@shared/ipc/models/transcript-models'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { useStores } from '../../../stores/stores-context'
import { textKey } from '../../../stores/transcript-store'
import { formatCount } from '../../../ui/format'

/** Draws `text` through `children`, with the button for the rest below it. */
export function WholeText(props: {
  ordinal: number
  text: ShownText
  children: (text: string) => ReactNode
}) {
  const { transcript } = useStores()
  const { ordinal, text } = props
  const key = textKey(ordinal, text.part)
  const whole = useStore(transcript, state => state.whole.get(key))
  const shown = props.children(whole?.state === 'ready' ? whole.value : text.text)
  // Named, so that a match in it is found on the page.
  const named = (
    <div className="tr-text" data-text={key}>
      {shown}
    </div>
  )
  if (!text.cut || whole?.state === 'ready') return named
  return (
    <>
      {named}
      <div className="tr-more">
        <button
          type="button"
          className="tr-morebtn"
          disabled={whole?.state === 'loading'}
          onClick={() => void transcript.getState().loadWhole(ordinal, text.part)}
        >
          {whole?.state === 'loading' ? 'Loading...' : 'Show whole text'}
        </button>
        <span className="u-faint">
          {formatCount(text.text.length)} of {formatCount(text.chars)} characters
        </span>
        {whole?.state === 'error' && <span className="tr-bad">{whole.error.message}</span>}
      </div>
    </>
  )
}
