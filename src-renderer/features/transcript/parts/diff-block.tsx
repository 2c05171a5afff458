/** Lines of an edit: sign, number, text; added and removed ones tinted and named for screen readers. */
import type { DiffLine } from '@shared/ipc/models/transcript-models'
import { memo } from 'react'

const CLASSES: Readonly<Record<DiffLine['sign'], string>> = {
  '+': 'tr-diff-line tr-diff-add',
  '-': 'tr-diff-line tr-diff-del',
  ' ': 'tr-diff-line',
  '~': 'tr-diff-line tr-diff-gap',
}

/** A diff. `cut` says that more lines were left out. */
export const DiffBlock = memo(function DiffBlock({
  lines,
  cut,
}: {
  lines: readonly DiffLine[]
  cut: boolean
}) {
  const digits = Math.max(2, ...lines.map(line => String(line.number ?? '').length))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div role="group" className="tr-diff" tabIndex={0} aria-label="Changed lines">
      <div className="tr-diff-lines u-text">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one diff never move
          <div key={index} className={CLASSES[line.sign]}>
            <span className="tr-diff-mark" aria-hidden>
              {line.sign === '~' ? '⋯' : line.sign === '-' ? '−' : line.sign}{' '}
              {String(line.number ?? '').padStart(digits)}
            </span>
            {line.sign === '+' && <span className="u-hidden">added: </span>}
            {line.sign === '-' && <span className="u-hidden">removed: </span>}
            <span className="tr-diff-text">{line.text}</span>
          </div>
        ))}
      </div>
      {cut && <p className="tr-more">More lines were changed than are shown here.</p>}
    </div>
  )
})
