/** A field that filters what is below it: Esc and its button clear it. */
import { Search, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { Kbd } from './button'
import './filter-field.css'

/** As much of a filter as main takes. */
const MOST = 500

export function FilterField(props: {
  label: string
  placeholder: string
  value: string
  onChange(text: string): void
  /** Before Esc is looked at; a press whose default is prevented is used up. */
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
  /** The window's own, which a key leads to. */
  main?: { keys: string | null }
  className?: string
}) {
  const { label, placeholder, value, onChange, main } = props
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    props.onKeyDown?.(event)
    if (event.defaultPrevented || event.key !== 'Escape' || value === '') return
    // What is around it would take it for a wish to close.
    event.stopPropagation()
    onChange('')
  }
  return (
    <div className={`filter ${props.className ?? ''}`}>
      <Search aria-hidden />
      <input
        type="text"
        aria-label={label}
        placeholder={placeholder}
        maxLength={MOST}
        spellCheck={false}
        value={value}
        onChange={event => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        {...(main ? { 'data-filter': '' } : {})}
      />
      {value !== '' ? (
        <button type="button" aria-label="Clear filter" onClick={() => onChange('')}>
          <X aria-hidden />
        </button>
      ) : (
        main && <Kbd>{main.keys}</Kbd>
      )}
    </div>
  )
}
