/** Output of a tool with its terminal colours. */
import { memo, useMemo } from 'react'
import { ansiLines } from './ansi-lines'
import { PlainText } from './rich-text'

/** Lines that are drawn with colours; a longer output is shown plain, chunk by chunk. */
const COLOURED_LINES = 3000

/** Text of a tool result; `tone` error tints it. */
export const TerminalOutput = memo(function TerminalOutput({
  text,
  error,
}: {
  text: string
  error: boolean
}) {
  const lines = useMemo(() => ansiLines(text), [text])
  const className = error ? 'tr-term tr-term-error' : 'tr-term'
  if (lines.length > COLOURED_LINES) {
    return (
      <div className={className}>
        <PlainText text={lines.map(line => line.map(span => span.text).join('')).join('\n')} />
      </div>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <div role="group" className={className} tabIndex={0} aria-label="Output">
      <pre className="u-text">
        {lines.map((line, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text never move
          <span className="tr-line" key={row}>
            {line.map((span, index) =>
              span.classes === '' && span.color === null && span.background === null ? (
                span.text
              ) : (
                <span
                  // biome-ignore lint/suspicious/noArrayIndexKey: spans of one line never move
                  key={index}
                  className={span.classes}
                  style={{
                    color: span.color ?? undefined,
                    backgroundColor: span.background ?? undefined,
                  }}
                >
                  {span.text}
                </span>
              ),
            )}
            {'\n'}
          </span>
        ))}
      </pre>
    </div>
  )
})
