/** Characters and lines of a text, as a reader counts them. Pure. */

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
