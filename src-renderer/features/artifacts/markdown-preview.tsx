/** A Markdown artifact as React elements: no markup of its own, no remote pictures, checked links. */
import type { ReactNode } from 'react'
import Markdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { useStores } from '../../stores/stores-context'

const PLUGINS = [remarkGfm]
const keepUrl = (url: string) => url

function Link({ href, children }: { href: string | undefined; children: ReactNode }) {
  const { client } = useStores()
  const url = href !== undefined && /^(https:\/\/|mailto:)/i.test(href) ? href : null
  if (url === null) return <span title={href}>{children}</span>
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
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  img: ({ alt }) => <span>[image{alt ? `: ${alt}` : ''}]</span>,
  h1: ({ children }) => <h3 className="ar-md-h1">{children}</h3>,
  h2: ({ children }) => <h4 className="ar-md-h2">{children}</h4>,
  h3: ({ children }) => <h5 className="ar-md-h3">{children}</h5>,
  h4: ({ children }) => <h6 className="ar-md-h3">{children}</h6>,
  input: ({ checked }) => <span>{checked ? '☑ ' : '☐ '}</span>,
}

export function MarkdownPreview({ text }: { text: string }) {
  return (
    <div className="ar-md u-text">
      <Markdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={keepUrl}>
        {text}
      </Markdown>
    </div>
  )
}
