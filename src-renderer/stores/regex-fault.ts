/** What is wrong with a regular expression, and where: told before anything is searched with it. */

export type RegexFault = {
  /** Place in the text, in UTF-16 units: all before it can be read. */
  at: number
  /** As the browser says it, without the expression. */
  reason: string
}

/** In front of an expression: case does not matter. Not a part of it. */
const IGNORE_CASE = '(?i)'

function problemOf(source: string): string | null {
  try {
    new RegExp(source, 'u')
    return null
  } catch (cause) {
    return cause instanceof Error ? cause.message : 'It cannot be read.'
  }
}

/** Null for an expression that can be searched with. */
export function regexFault(text: string): RegexFault | null {
  const skipped = text.startsWith(IGNORE_CASE) ? IGNORE_CASE.length : 0
  const source = text.slice(skipped)
  const problem = problemOf(source)
  if (problem === null) return null
  // The browser does not say where. What can be read stops there: an open bracket makes all after it unreadable.
  let at = source.length
  while (at > 0 && problemOf(source.slice(0, at)) !== null) at--
  const reason = problem.replace(/^Invalid regular expression: /, '')
  // The message repeats the expression, which may be long; the reason is what stands after it.
  const shown = `/${source}/u: `
  return { at: at + skipped, reason: reason.startsWith(shown) ? reason.slice(shown.length) : reason }
}
