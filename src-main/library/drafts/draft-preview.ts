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

/** Characters as a reader counts them: surrogate pairs once. */
export function charCount(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0xd800 && code <= 0xdbff && isLow(text.charCodeAt(at + 1))) count--
  }
  return count
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** Lines; the end of the last one may be missing. */
export function lineCount(text: string): number {
  let count = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++
  return count
}
