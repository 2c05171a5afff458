/** Toasts: what was just done, with Undo. Read aloud politely; they wait while one is at them. */
import { visiblePath } from '@shared/session/text'
import { CircleCheck, TriangleAlert, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useCommands } from '../commands/context'
import { errorLine } from '../commands/error-text'
import { undoChange } from '../commands/flows/change-flows'
import { useStores } from '../stores/stores-context'
import type { Toast, ToastBody } from '../stores/toasts-store'
import { reportText } from './report-text'

/** Time a toast stays (ms): longer when there is something to decide, or something went wrong. */
function stayOf(toast: Toast): number {
  if (toast.undo !== null) return 12_000
  return toneOf(toast.body) === 'error' ? 15_000 : 5_000
}

function toneOf(body: ToastBody): 'done' | 'error' {
  switch (body.kind) {
    case 'text':
      return body.tone
    case 'error':
    case 'file':
      return 'error'
    case 'report':
      return body.report.done === 0 && body.report.asked > 0 ? 'error' : 'done'
    default:
      return body satisfies never
  }
}

function textOf(body: ToastBody): string {
  switch (body.kind) {
    case 'text':
    case 'file':
      return body.text
    case 'error':
      return errorLine(body.error)
    case 'report':
      return reportText(body.change, body.report)
    default:
      return body satisfies never
  }
}

/** The last part of a path, by which one of several messages is known at a glance. */
function fileName(path: string): string {
  return visiblePath(path.split(/[/\\]/).pop() || path)
}

export function Toasts({ onFocusLost }: { onFocusLost(): void }) {
  const stores = useStores()
  const toasts = useStore(stores.toasts, state => state.toasts)
  return (
    <section className="toasts" aria-label="Messages" role="status" aria-live="polite">
      {toasts.map(toast => (
        <ToastLine key={toast.id} toast={toast} onFocusLost={onFocusLost} />
      ))}
    </section>
  )
}

function ToastLine({ toast, onFocusLost }: { toast: Toast; onFocusLost(): void }) {
  const stores = useStores()
  const commands = useCommands()
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => stores.toasts.getState().dismiss(toast.id), stayOf(toast))
    return () => clearTimeout(timer)
  }, [held, stores, toast])
  const tone = toneOf(toast.body)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the toast while one is at it
    <div
      className={`toast toast-${tone}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {tone === 'error' ? <TriangleAlert aria-hidden /> : <CircleCheck aria-hidden />}
      <span className="toast-text u-text">
        {toast.body.kind === 'file' ? <b className="toast-file u-cut">{fileName(toast.body.path)}</b> : null}
        {textOf(toast.body)}
      </span>
      {toast.undo !== null ? (
        <button
          type="button"
          className="toast-button"
          title={commands.keys('change.undo') ?? undefined}
          onClick={() => {
            if (toast.undo !== null) void undoChange(stores, toast.undo)
            onFocusLost()
          }}
        >
          Undo
        </button>
      ) : null}
      <button
        type="button"
        className="toast-close"
        aria-label="Dismiss"
        onClick={() => {
          stores.toasts.getState().dismiss(toast.id)
          onFocusLost()
        }}
      >
        <X aria-hidden />
      </button>
    </div>
  )
}
