/** Markdown from a session as React elements: no markup of its own, no remote pictures, checked links. */
import { memo, type ReactNode } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { useStores } from '../../../stores/stores-context'
import { CodeBlock } from './code-block'

/** Text longer than this is shown as it is: laying it out as Markdown would block the window. */
export const MARKDOWN_LIMIT = 150_000

const PLUGINS = [remarkGfm]
// Addresses only ever become titles, or links through `safeUrl`.
const keepUrl = (url: string) => url

/** Address that may be opened outside, or null. */
export function safeUrl(url: string | undefined): string | null {
  if (url === undefined) return null
  try {
    const parsed = new URL(url)
    return parsed.protocol === 'https:' || parsed.protocol === 'mailto:' ? parsed.href : null
  } catch {
    return null
  }
}

function TextLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  const { client } = useStores()
  const url = safeUrl(href)
  if (url === null) {
    // What cannot be opened is shown with its address, so that nothing is hidden behind words.
    return (
      <span className="tr-deadlink" title={href}>
        {children}
      </span>
    )
  }
  return (
    <a
      href={url}
      title={url}
      onClick={event => {
        event.preventDefault()
        void client.call('app.openLink', { url })
      }}
      onAuxClick={event => event.preventDefault()}
    >
      {children}
    </a>
  )
}

const COMPONENTS: Components = {
  a: ({ href, children }) => <TextLink href={href}>{children}</TextLink>,
  img: ({ src, alt }) => (
    <span className="tr-deadlink" title={typeof src === 'string' ? src : undefined}>
      [image{alt ? `: ${alt}` : ''}]
    </span>
  ),
  // Block code arrives as <pre><code class="language-x">; both are drawn by CodeBlock.
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children }) => {
    const text = typeof children === 'string' ? children : String(children ?? '')
    const language = /language-([\w+#-]+)/.exec(className ?? '')?.[1] ?? null
    if (language === null && !text.includes('\n')) return <code>{text}</code>
    return <CodeBlock code={text.replace(/\n$/, '')} language={language} />
  },
  // Headings of a message stand below those of the page.
  h1: ({ children }) => <h3 className="tr-h1">{children}</h3>,
  h2: ({ children }) => <h4 className="tr-h2">{children}</h4>,
  h3: ({ children }) => <h5 className="tr-h3">{children}</h5>,
  h4: ({ children }) => <h6 className="tr-h3">{children}</h6>,
  h5: ({ children }) => <h6 className="tr-h3">{children}</h6>,
  table: ({ children }) => (
    <div className="tr-table">
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => <span className="tr-check">{checked ? '☑' : '☐'}</span>,
}

/** A message's text. */
export const RichText = memo(function RichText({ text }: { text: string }) {
  if (text.length > MARKDOWN_LIMIT) return <PlainText text={text} />
  return (
    <div className="tr-rich u-text">
      <Markdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={keepUrl}>
        {text}
      </Markdown>
    </div>
  )
})

/** Lines of one chunk of a very long text; chunks out of view are not laid out. */
const CHUNK_LINES = 200

/** A very long text, line by line as it is. */
export function PlainText({ text }: { text: string }) {
  const lines = text.split('\n')
  const chunks: string[] = []
  for (let at = 0; at < lines.length; at += CHUNK_LINES)
    chunks.push(lines.slice(at, at + CHUNK_LINES).join('\n'))
  return (
    <div className="tr-plain u-text">
      {chunks.map((chunk, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: chunks of one text never move
        <pre key={index}>{chunk}</pre>
      ))}
    </div>
  )
}
