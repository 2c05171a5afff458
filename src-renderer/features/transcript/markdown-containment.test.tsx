/** What is copied as Markdown, read by a real Markdown parser: no text of a session reaches beyond its place. */
import { contained, fenced, inlineCode, inlineWords, plainText, quoted } from '@shared/session/markdown'
import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import Markdown from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { expect, test } from 'vitest'

const MARK = 'THE NEXT HEADING'

/** HTML of a document in which `part` stands before a heading of ours. */
function drawn(part: string): string {
  const document = `${part}\n\n## ${MARK}\n\n${fenced('last output')}\n`
  return renderToStaticMarkup(<Markdown remarkPlugins={[remarkGfm]}>{document}</Markdown>)
}

/** The heading and the block after it are what they were meant to be, outside of everything before. */
const END = `<h2>${MARK}</h2>\n<pre><code>last output\n</code></pre>`

/** Pieces that open, close and hide things in Markdown. */
const piece = fc.constantFrom(
  ...[
    '```',
    '````',
    '`',
    '~~~',
    '~~~~',
    '\n',
    '\n\n',
    ' ',
    '  ',
    '   ',
    '    ',
    '\t',
    '- ',
    '1. ',
    '> ',
    '* ',
  ],
  ...[
    '<!--',
    '-->',
    '<pre>',
    '</pre>',
    '<script>',
    '<div>',
    '<?',
    '<![CDATA[',
    '<a',
    '>',
    '$$',
    '[x]: ',
    '[^1]: ',
  ],
  ...[
    '|a|b|\n|-|-|\n',
    '---',
    '===',
    '# ',
    '\\',
    'js',
    'word',
    '*',
    '_',
    '\r',
    '\r\n',
    '<https://x.y>',
    '&lt;',
  ],
)
const hostile = fc.array(piece, { maxLength: 40 }).map(parts => parts.join(''))

test('a text, whatever is open in it, ends before what follows', () => {
  fc.assert(
    fc.property(hostile, text => {
      expect(drawn(contained(plainText(text)))).toContain(END)
    }),
    { numRuns: 600 },
  )
})

test('a quotation ends before what follows', () => {
  fc.assert(fc.property(hostile, text => void expect(drawn(quoted(plainText(text)))).toContain(END)))
})

test('code stays in its fence, to the letter', () => {
  fc.assert(
    fc.property(hostile, fc.constantFrom('', 'sh', 'diff', 'json'), (text, language) => {
      const clean = plainText(text)
      const [block, ...rest] = codeBlocks(drawn(fenced(clean, language)))
      const value = clean.replace(/\n$/, '')
      expect(block).toBe(value === '' ? '' : `${value}\n`)
      expect(rest).toEqual(['last output\n'])
    }),
    { numRuns: 500 },
  )
})

/** The texts of the code blocks of a page, their entities resolved. */
function codeBlocks(html: string): string[] {
  return [...html.matchAll(/<pre><code[^>]*>([^<]*)<\/code><\/pre>/g)].map(match =>
    (match[1] ?? '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&amp;', '&'),
  )
}

test('words and short code stay in their line and mean themselves', () => {
  fc.assert(
    fc.property(hostile, text => {
      const clean = plainText(text)
      expect(drawn(`## ${inlineWords(clean)}`)).toContain(END)
      expect(drawn(`*${inlineWords(clean)}*`)).toContain(END)
      expect(drawn(`**bash** ${inlineCode(clean)}`)).toContain(END)
    }),
    { numRuns: 200 },
  )
})

test('ordinary messages are left as they are', () => {
  const ordinary = [
    'Two **words**.\n\n```ts\nconst a = `b`\n```\n\n- one\n- two <b>bold</b>',
    'See <https://example.org> and `<!-- x -->`.\n\n~~~\n```\n~~~',
    '| a | b |\n| - | - |\n| 1 | 2 |',
  ]
  for (const text of ordinary) expect(contained(text)).toBe(text)
  expect(contained('```\nnever closed')).toBe('> ```\n> never closed')
  expect(contained('<!-- never closed')).toBe('\\<!-- never closed')
})
