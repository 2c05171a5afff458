/** Which addresses are handed to the system's browser or mail program, and why others are not. Pure. */

/** Milliseconds after a click or a key press in which a link may be opened: it is what the user just did. */
export const GESTURE_MS = 5_000

/** Why this address is not opened outside; null when it is. */
export function linkProblem(url: string): string | null {
  const parsed = parse(url)
  if (parsed === null) return 'This is not an address that can be opened. Only https and mailto links are.'
  if (parsed.protocol === 'mailto:') {
    // Some mail programs would add a file of the user's to the letter.
    return [...parsed.searchParams.keys()].some(key => /^attach(ment)?$/i.test(key))
      ? 'This mailto link would attach a file, and is not opened.'
      : null
  }
  if (parsed.protocol !== 'https:')
    return `Links with ${parsed.protocol} are not opened, only https and mailto links.`
  return parsed.username === '' && parsed.password === ''
    ? null
    : 'This link carries a name or a password, which can make it look like another place. It is not opened.'
}

function parse(url: string): URL | null {
  try {
    return new URL(url)
  } catch {
    return null
  }
}
