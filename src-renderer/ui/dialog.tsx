/**
 * The frame of a dialog: focus is trapped inside and returned after, Esc and a click outside close it
 * unless `locked` (work that is running is cancelled by its own button).
 */
import { Dialog as Radix } from 'radix-ui'
import { type FormEvent, type ReactNode, useRef } from 'react'
import './dialog.css'
import { useScrolls } from './scrolls'

export type DialogProps = {
  title: string
  description?: ReactNode
  size?: 'small' | 'medium' | 'large'
  locked?: boolean
  onClose(): void
  /** Called after closing when what had the focus before is gone. */
  onFocusLost?: () => void
  /** Enter in a field, and the submit button. */
  onSubmit?: () => void
  footer?: ReactNode
  children?: ReactNode
}

export function Dialog(props: DialogProps) {
  const { title, description, size = 'medium', locked = false, onClose, onFocusLost, onSubmit } = props
  const before = useRef<Element | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit?.()
  }
  const body = (
    <>
      <header className="dlg-head">
        <Radix.Title className="dlg-title">{title}</Radix.Title>
        {description ? (
          <Radix.Description asChild>
            <div className="dlg-description">{description}</div>
          </Radix.Description>
        ) : null}
      </header>
      <DialogBody>{props.children}</DialogBody>
      {props.footer ? <footer className="dlg-foot">{props.footer}</footer> : null}
    </>
  )
  return (
    <Radix.Root open onOpenChange={open => !open && !locked && onClose()}>
      <Radix.Portal>
        <div className="dlg-veil">
          <Radix.Content
            className={`dlg dlg-${size}`}
            {...(description ? {} : { 'aria-describedby': undefined })}
            onInteractOutside={event => locked && event.preventDefault()}
            onEscapeKeyDown={event => locked && event.preventDefault()}
            onOpenAutoFocus={event => {
              // Still what had it before: Radix moves the focus after this.
              if (document.activeElement !== document.body) before.current = document.activeElement
              // A group of choices is entered at the one that is chosen.
              const first =
                event.target instanceof Element ? event.target.querySelector('input:checked') : null
              if (!(first instanceof HTMLElement)) return
              event.preventDefault()
              first.focus()
            }}
            onCloseAutoFocus={event => {
              // Radix would give it to the button that opened the dialog, and here commands open them.
              event.preventDefault()
              // The next step of the same question has the focus now.
              if (document.querySelector('[role="dialog"]')) return
              const { current } = before
              if (current instanceof HTMLElement && current.isConnected)
                current.focus({ preventScroll: true })
              if (document.activeElement === document.body) onFocusLost?.()
            }}
          >
            {onSubmit ? (
              <form className="dlg-form" onSubmit={submit}>
                {body}
              </form>
            ) : (
              body
            )}
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Takes the focus where it scrolls, for text with nothing in it that could. */
function DialogBody({ children }: { children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null)
  const scrolls = useScrolls(body)
  return (
    <div className="dlg-body" ref={body} tabIndex={scrolls ? 0 : undefined}>
      {children}
    </div>
  )
}
