/**
 * A box over the window, near its top, in which one types: the focus is trapped in it, Esc and a click outside close it. What is
 * done from it is done once it is gone, so that a dialog which that opens knows where the focus was.
 */
import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import './floating-box.css'

/** `elsewhere`: what is done places the focus itself; else it returns to where it was. */
export type FocusAfter = 'before' | 'elsewhere'

/** Closes the box and then does something. */
export type LeaveBox = (run: () => void, focus: FocusAfter) => void

export function FloatingBox(props: {
  title: string
  onClose(): void
  /** Called after closing when what had the focus before is gone. */
  onFocusLost(): void
  children(leave: LeaveBox): ReactNode
}) {
  const { onClose, onFocusLost } = props
  const before = useRef<Element | null>(null)
  const after = useRef<{ run(): void; focus: FocusAfter } | null>(null)
  const leave: LeaveBox = (run, focus) => {
    after.current = { run, focus }
    onClose()
  }
  return (
    <Radix.Root open onOpenChange={open => !open && onClose()}>
      <Radix.Portal>
        <div className="float-veil">
          <Radix.Content
            className="float"
            aria-describedby={undefined}
            onOpenAutoFocus={() => {
              if (document.activeElement !== document.body) before.current = document.activeElement
            }}
            onCloseAutoFocus={event => {
              event.preventDefault()
              const { current: wish } = after
              after.current = null
              if (wish?.focus !== 'elsewhere') {
                const { current } = before
                if (current instanceof HTMLElement && current.isConnected)
                  current.focus({ preventScroll: true })
                if (document.activeElement === document.body) onFocusLost()
              }
              wish?.run()
            }}
          >
            <Radix.Title className="u-hidden">{props.title}</Radix.Title>
            {props.children(leave)}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}
