/** Small marks of a row: labels, and the switch between the continuations of a fork. */
import type { ForkSwitch } from '@shared/ipc/models/transcript-models'
import { Bookmark, ChevronLeft, ChevronRight } from 'lucide-react'
import { useStores } from '../../../stores/stores-context'

/** Labels as chips. */
export function Labels({ labels }: { labels: readonly string[] }) {
  return labels.map(label => (
    <span className="tr-label" key={label} title={`Label: ${label}`}>
      <Bookmark aria-hidden size={12} />
      <span className="u-cut">{label}</span>
    </span>
  ))
}

/** `‹ 2 / 3 ›`: shows another continuation; the fork stays where it is on screen. */
export function ForkSwitcher({ fork, row }: { fork: ForkSwitch; row: number }) {
  const { session, transcript } = useStores()
  const show = (tip: number | null) => {
    if (tip === null) return
    transcript.getState().keepRow(row)
    session.getState().showTip(tip)
  }
  const at = `${fork.index} of ${fork.count} continuations`
  return (
    <span className="tr-switch" role="group" aria-label={at}>
      <button
        type="button"
        aria-label="Previous continuation"
        title="Previous continuation"
        disabled={fork.previousTip === null}
        onClick={() => show(fork.previousTip)}
      >
        <ChevronLeft aria-hidden size={14} />
      </button>
      <b aria-hidden title={at}>
        {fork.index} / {fork.count}
      </b>
      <button
        type="button"
        aria-label="Next continuation"
        title="Next continuation"
        disabled={fork.nextTip === null}
        onClick={() => show(fork.nextTip)}
      >
        <ChevronRight aria-hidden size={14} />
      </button>
    </span>
  )
}
