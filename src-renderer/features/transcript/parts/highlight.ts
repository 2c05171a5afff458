/**
 * Syntax highlighting as data. highlight.js answers with markup; it is taken apart into spans here, so that
 * no markup ever reaches the page. The languages are loaded when the first code block comes into view.
 */
import type { HLJSApi } from 'highlight.js'

/** Code longer than this is shown plain: colouring it would block the window. */
export const HIGHLIGHT_LIMIT = 50_000

export type CodeSpan = { text: string; classes: string }

let loaded: HLJSApi | null = null
let loading: Promise<HLJSApi> | null = null

/** The highlighter when it is there already. */
export function highlighter(): HLJSApi | null {
  return loaded
}

/** Loads the highlighter and its usual languages, once. */
export function loadHighlighter(): Promise<HLJSApi> {
  loading ??= import('highlight.js/lib/common').then(module => {
    loaded = module.default
    return loaded
  })
  return loading
}

/** Spans of a code block, or null when it is to be shown plain (unknown language, too long). */
export function highlightCode(hljs: HLJSApi, code: string, language: string | null): CodeSpan[] | null {
  if (language === null || code.length > HIGHLIGHT_LIMIT || !hljs.getLanguage(language)) return null
  return spansOf(hljs.highlight(code, { language, ignoreIllegals: true }).value)
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

/** Takes highlight.js markup apart: nothing but `span` tags with a class, and five entities. */
export function spansOf(markup: string): CodeSpan[] {
  const spans: CodeSpan[] = []
  const open: string[] = []
  const pattern = /<span class="([^"]*)">|<\/span>|[^<]+/g
  for (const match of markup.matchAll(pattern)) {
    const [piece, classes] = match
    if (classes !== undefined) open.push(classes)
    else if (piece === '</span>') open.pop()
    else {
      const text = piece.replace(/&(?:amp|lt|gt|quot|#x27);/g, entity => ENTITIES[entity] ?? entity)
      spans.push({ text, classes: open[open.length - 1] ?? '' })
    }
  }
  return spans
}

const BY_EXTENSION: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  py: 'python',
  rs: 'rust',
  go: 'go',
  rb: 'ruby',
  java: 'java',
  kt: 'kotlin',
  swift: 'swift',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  hpp: 'cpp',
  cs: 'csharp',
  php: 'php',
  sh: 'bash',
  bash: 'bash',
  zsh: 'bash',
  json: 'json',
  yml: 'yaml',
  yaml: 'yaml',
  toml: 'ini',
  ini: 'ini',
  md: 'markdown',
  html: 'xml',
  xml: 'xml',
  svg: 'xml',
  css: 'css',
  scss: 'scss',
  sql: 'sql',
  diff: 'diff',
  patch: 'diff',
  lua: 'lua',
  r: 'r',
  pl: 'perl',
}

/** Language by file name, for tool output that shows a file. */
export function languageOf(path: string): string | null {
  const extension = /\.([a-z0-9]+)$/i.exec(path.trim())?.[1]
  return extension === undefined ? null : (BY_EXTENSION[extension.toLowerCase()] ?? null)
}
