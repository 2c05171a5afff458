/** Arguments of a call as they are read. Pure. */

/** The value alone where there is one argument and it is a text, such as a command; else the text as it is. */
export function argumentText(text: string): string {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return text
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return text
  const values: unknown[] = Object.values(parsed)
  const [only] = values
  return values.length === 1 && typeof only === 'string' ? only : text
}
