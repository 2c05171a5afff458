/** How artifacts are named, divided and written. */
import type { ArtifactKind, ArtifactsView, ArtifactView } from '@shared/ipc/models/session-models'

export const KIND_NAMES: Readonly<Record<ArtifactKind, string>> = {
  output: 'Tool output',
  subagent: 'Subagent',
  advisor: 'Advisor',
  document: 'Document',
  data: 'Data',
  patch: 'Patch',
  local: 'Local file',
  draft: 'Draft',
  other: 'Other',
}

export type Part = 'files' | 'subagents' | 'pictures'

export type Parts = {
  files: readonly ArtifactView[]
  subagents: readonly ArtifactView[]
}

/** Files and subagents apart; both keep the order in which main sends them. */
export function partsOf(view: ArtifactsView): Parts {
  const agent = (file: ArtifactView) => file.session !== null
  return { files: view.files.filter(file => !agent(file)), subagents: view.files.filter(agent) }
}

/** The part that is shown first: the first one that holds something. */
export function firstPart(view: ArtifactsView): Part {
  const { files, subagents } = partsOf(view)
  if (files.length > 0) return 'files'
  return subagents.length > 0 ? 'subagents' : view.blobs.length > 0 ? 'pictures' : 'files'
}

/** Depth of the outermost subagent: how far the tree is indented counts from there. */
export function outermost(files: readonly ArtifactView[]): number {
  return files.reduce((least, file) => Math.min(least, file.depth), files[0]?.depth ?? 0)
}

const ESC = '\u001b'
const ESCAPES = new RegExp(
  `${ESC}(?:\\[[0-9;:?<=>!]*[ -/]*[@-~]|[\\]PX^_][^\\u0007\\n]*?(?:\\u0007|${ESC}\\\\|(?=\\n)|$)|[ -/]*[0-~]?)`,
  'g',
)

/** Terminal output as text: without escapes, a line that was written again as it was left. */
export function terminalText(text: string): string {
  if (!text.includes(ESC) && !text.includes('\r')) return text
  return text
    .replace(ESCAPES, '')
    .replace(/\r\n/g, '\n')
    .replace(/[^\n]*\r(?=[^\n])/g, '')
}

/** JSON indented; as it is when it does not parse. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

export type JsonSpan = { text: string; kind: 'key' | 'string' | 'number' | 'word' | 'plain' }

/** Tokens of JSON text, for colouring. Never fails: what is no token is plain. */
export function jsonSpans(text: string): JsonSpan[] {
  const spans: JsonSpan[] = []
  const pattern = /("(?:[^"\\\n]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g
  let end = 0
  for (const match of text.matchAll(pattern)) {
    const [whole, string, colon, number] = match
    if (match.index > end) spans.push({ text: text.slice(end, match.index), kind: 'plain' })
    if (string !== undefined) {
      spans.push({ text: string, kind: colon === undefined ? 'string' : 'key' })
      if (colon !== undefined) spans.push({ text: colon, kind: 'plain' })
    } else spans.push({ text: whole, kind: number === undefined ? 'word' : 'number' })
    end = match.index + whole.length
  }
  if (end < text.length) spans.push({ text: text.slice(end), kind: 'plain' })
  return spans
}

export type PatchLine = 'add' | 'del' | 'hunk' | 'file' | 'plain'

/** What a line of a unified diff is. */
export function patchLine(line: string): PatchLine {
  if (/^(\+\+\+|---|diff |index |Index: )/.test(line)) return 'file'
  if (line.startsWith('@@')) return 'hunk'
  if (line.startsWith('+')) return 'add'
  return line.startsWith('-') ? 'del' : 'plain'
}
