/**
 * The divider between two regions: dragged, moved with arrow keys, put back with a double click. Widths
 * are pixels that the settings remember, so regions keep their width when the window changes.
 */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'

export type SplitterProps = {
  label: string
  width: number
  min: number
  max: number
  usual: number
  /** While dragging: shown, not remembered. */
  onMove(width: number): void
  onDone(width: number): void
}

const STEP = 16

export function Splitter({ label, width, min, max, usual, onMove, onDone }: SplitterProps) {
  const start = useRef<{ x: number; width: number } | null>(null)
  const clamp = (value: number) => Math.round(Math.min(Math.max(value, min), max))

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = { x: event.clientX, width }
  }
  const onPointerMove = (event: PointerEvent) => {
    if (start.current) onMove(clamp(start.current.width + event.clientX - start.current.x))
  }
  const onPointerUp = (event: PointerEvent) => {
    if (!start.current) return
    onDone(clamp(start.current.width + event.clientX - start.current.x))
    start.current = null
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const to =
      event.key === 'ArrowLeft'
        ? width - STEP
        : event.key === 'ArrowRight'
          ? width + STEP
          : event.key === 'Home'
            ? min
            : event.key === 'End'
              ? max
              : null
    if (to === null) return
    event.preventDefault()
    onDone(clamp(to))
  }
  return (
    // A focusable separator with a value is a control (ARIA window splitter); an <hr> is not.
    <div
      role="separator"
      tabIndex={0}
      className="splitter"
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onDoubleClick={() => onDone(usual)}
      onKeyDown={onKeyDown}
    />
  )
}
