/** Markdown as words. Pure. */

/** One line of Markdown as words: without the marks that only mean something when they are drawn. */
export function plainWords(text: string): string {
  return text.replace(/^[#>\s]+/, '').replace(/\*\*|__|`/g, '')
}

/** Text of several lines without the marks of bold words; everything else may be code and stays. */
export function withoutBold(text: string): string {
  return text.replace(/\*\*(?=\S)([^*\n]*[^\s*])\*\*/g, '$1')
}
