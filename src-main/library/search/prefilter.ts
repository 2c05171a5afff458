/**
 * Bytes that every line with a match has, so that whole files are passed over at the speed of memory and only lines that can match are
 * parsed. Says yes too often, never no to what would match: text stands in JSON as UTF-8 or escaped, which is considered. A writer that
 * escapes plain ASCII letters, which no JSON writer does, is not.
 */
import type { SearchMode } from '@shared/ipc/models/search-models'
import { regexParts } from '@shared/search/matcher'

/** Any of `needles` must be in a part of a file that can match; null: every part can. */
export type Prefilter = { needles: readonly Buffer[] } | null

/** Bytes of a needle: more do not tell more, and one must lie whole in the overlap of two pieces. */
const MOST_BYTES = 256

export function prefilterOf(text: string, mode: SearchMode): Prefilter {
  switch (mode) {
    case 'exact':
      return literalFilter(text)
    case 'regex': {
      const { source, ignoreCase } = regexParts(text)
      const literal = ignoreCase ? '' : requiredLiteral(source)
      return literal === '' ? null : literalFilter(literal)
    }
    case 'words':
      // Accents are written in many ways.
      return null
    default:
      return mode satisfies never
  }
}

/**
 * The longest run that stands in the file as it stands in the text: without what JSON escapes, and without what is laid out another
 * way where arguments are shown.
 */
function literalFilter(text: string): Prefilter {
  let best = ''
  for (const [run] of text.matchAll(/[ !#-+\--.0-9;-[\]-~]+/g)) {
    const plain = run.trim()
    if (plain.length > best.length) best = plain
  }
  if (best.length > 1) return { needles: [Buffer.from(best.slice(0, MOST_BYTES))] }
  const other = /[^\0-\x7f]/u.exec(text)?.[0]
  if (other === undefined) return best === '' ? null : { needles: [Buffer.from(best)] }
  const code = other.charCodeAt(0).toString(16).padStart(4, '0')
  const escapes = [`\\u${code}`, `\\u${code.toUpperCase()}`].map(one => Buffer.from(one))
  // Half a pair is only ever escaped.
  return { needles: isWhole(other) ? [Buffer.from(other), ...escapes] : escapes }
}

function isWhole(char: string): boolean {
  const code = char.charCodeAt(0)
  return char.length === 2 || code < 0xd800 || code > 0xdfff
}

/** A text that stands in everything that the expression matches; empty where none is easily told. */
export function requiredLiteral(source: string): string {
  let best = ''
  let run = ''
  let depth = 0
  const end = () => {
    if (run.length > best.length) best = run
    run = ''
  }
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? ''
    if (char === '\\') {
      const next = source[++at] ?? ''
      if (/[^A-Za-z0-9]/.test(next) && depth === 0) run += next
      else {
        // What follows the letter of an escape belongs to it: its end is not looked for.
        end()
        if (/[ukxpPc]/.test(next)) return best
      }
    } else if (char === '[') {
      end()
      for (at++; at < source.length && source[at] !== ']'; at++) if (source[at] === '\\') at++
    } else if (char === '(') {
      end()
      depth++
    } else if (char === ')') {
      depth--
      end()
    } else if (char === '|' && depth === 0) return ''
    else if ('?*{'.includes(char)) {
      run = run.slice(0, -1)
      end()
      if (char === '{') at = Math.max(at, source.indexOf('}', at))
    } else if ('+.^$'.includes(char)) end()
    else if (depth === 0) run += char
  }
  end()
  return best
}
