/**
 * A text field in the place of a text: Enter and leaving it save, Esc leaves the text as it was. The focus goes back to what
 * had it before.
 */
import { type KeyboardEvent, useEffect, useRef } from 'react'
import './inline-field.css'

export function InlineField(props: {
  label: string
  value: string
  maxLength: number
  className?: string
  /** The text; null when it is to stay as it was. Called once. */
  onEnd(text: string | null): void
}) {
  const { label, value, maxLength, className = '', onEnd } = props
  const input = useRef<HTMLInputElement>(null)
  const before = useRef<Element | null>(null)
  const ended = useRef(false)
  const end = (text: string | null) => {
    if (ended.current) return
    ended.current = true
    onEnd(text)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the field comes and goes
  useEffect(() => {
    const field = input.current
    if (document.activeElement !== field) before.current = document.activeElement
    field?.focus({ preventScroll: true })
    field?.select()
    return () => {
      // What it stood in is gone, and a field that is taken away tells nobody that it lost the focus.
      if (field?.isConnected === false) end(null)
    }
  }, [])
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    end(event.key === 'Enter' ? event.currentTarget.value : null)
    if (before.current instanceof HTMLElement && before.current.isConnected) {
      before.current.focus({ preventScroll: true })
    }
  }
  return (
    <input
      ref={input}
      type="text"
      className={`inline-field ${className}`}
      aria-label={label}
      defaultValue={value}
      maxLength={maxLength}
      spellCheck={false}
      onKeyDown={onKeyDown}
      onBlur={event => end(event.currentTarget.value)}
    />
  )
}
