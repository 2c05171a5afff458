/** What a list shows of a draft's text. Pure. */

/** Characters and lines of a preview: what a row has room for. */
const PREVIEW_CHARS = 400
const PREVIEW_LINES = 6

/** The beginning of the text, without blank lines before it, cut between characters. */
export function draftPreview(text: string): string {
  const from = text.slice(Math.max(0, text.search(/\S/)))
  const lines = from.slice(0, 2 * PREVIEW_CHARS).split(/\r?\n/, PREVIEW_LINES)
  return [...lines.join('\n')].slice(0, PREVIEW_CHARS).join('').trimEnd()
}
