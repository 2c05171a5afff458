/** A block of code, coloured once it is in view, with a button that copies it. */
import { useEffect, useMemo, useRef, useState } from 'react'
import { CopyButton } from './copy-button'
import { highlightCode, highlighter, loadHighlighter } from './highlight'

/** Shows code. A language that is not known is shown plain. */
export function CodeBlock({ code, language }: { code: string; language: string | null }) {
  const frame = useRef<HTMLDivElement>(null)
  const [hljs, setHljs] = useState(highlighter)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element || seen) return
    const observer = new IntersectionObserver(
      entries => {
        if (entries.some(entry => entry.isIntersecting)) setSeen(true)
      },
      { rootMargin: '200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [seen])
  useEffect(() => {
    if (!seen || hljs || language === null) return
    let here = true
    void loadHighlighter().then(loaded => {
      if (here) setHljs(() => loaded)
    })
    return () => {
      here = false
    }
  }, [seen, hljs, language])
  const spans = useMemo(
    () => (seen && hljs ? highlightCode(hljs, code, language) : null),
    [seen, hljs, code, language],
  )
  return (
    <div className="tr-code" ref={frame}>
      <div className="tr-code-head">
        <span>{language ?? 'text'}</span>
        <CopyButton label="Copy code" text={() => Promise.resolve(code)} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <div role="group" className="tr-code-body" tabIndex={0} aria-label={`Code, ${language ?? 'text'}`}>
        <pre className="u-text">
          <code>
            {spans === null
              ? code
              : spans.map((span, index) =>
                  span.classes === '' ? (
                    span.text
                  ) : (
                    // biome-ignore lint/suspicious/noArrayIndexKey: spans of one text never move
                    <span key={index} className={span.classes}>
                      {span.text}
                    </span>
                  ),
                )}
          </code>
        </pre>
      </div>
    </div>
  )
}
