/** Reading colours out of style sheets: tokens, `var()`, `color-mix()`, hex and `rgb()`; and WCAG contrast. */
export type Colour = { r: number; g: number; b: number; a: number }

/** One declaration of a style sheet, with the selector it stands under. */
export type Declaration = { selector: string; property: string; value: string; media: string }

/** Declarations of a style sheet, comments left out. Nested at-rules are told by `media`. */
export function declarationsOf(css: string): Declaration[] {
  const text = css.replace(/\/\*[\s\S]*?\*\//g, '')
  const found: Declaration[] = []
  const open: string[] = []
  let chunk = ''
  for (const char of text) {
    if (char !== '{' && char !== '}' && char !== ';') {
      chunk += char
      continue
    }
    if (char === '{') open.push(chunk.trim())
    else if (chunk.includes(':')) found.push(declaration(chunk, open))
    if (char === '}') open.pop()
    chunk = ''
  }
  return found
}

function declaration(chunk: string, open: readonly string[]): Declaration {
  const at = chunk.indexOf(':')
  return {
    property: chunk.slice(0, at).trim(),
    value: chunk.slice(at + 1).trim(),
    selector: open.filter(part => !part.startsWith('@')).join(' '),
    media: open.filter(part => part.startsWith('@')).join(' '),
  }
}

export type Tokens = ReadonlyMap<string, string>

/** The tokens that hold for the selectors, later ones before earlier ones; `asked` is a media query that holds, too. */
export function tokensOf(css: string, selectors: readonly string[], asked = ''): Tokens {
  const tokens = new Map<string, string>()
  for (const { selector, property, value, media } of declarationsOf(css)) {
    const holds = selector.split(',').some(part => selectors.includes(part.trim()))
    if (holds && (media === '' || media === asked) && property.startsWith('--'))
      tokens.set(property.slice(2), value)
  }
  return tokens
}

/** The colour that a value means; throws for what is none. */
export function colourOf(value: string, tokens: Tokens): Colour {
  const text = value.trim()
  const token = /^var\(--([\w-]+)\)$/.exec(text)?.[1]
  if (token !== undefined) {
    const own = tokens.get(token)
    if (own === undefined) throw new Error(`There is no token --${token}.`)
    return colourOf(own, tokens)
  }
  if (text === 'transparent') return { r: 0, g: 0, b: 0, a: 0 }
  const hex = /^#([0-9a-f]{6})$/i.exec(text)?.[1]
  if (hex !== undefined) {
    const number = Number.parseInt(hex, 16)
    return { r: number >> 16, g: (number >> 8) & 255, b: number & 255, a: 1 }
  }
  const rgb = /^rgb\((\d+) (\d+) (\d+) \/ ([\d.]+)\)$/.exec(text)
  if (rgb) return { r: Number(rgb[1]), g: Number(rgb[2]), b: Number(rgb[3]), a: Number(rgb[4]) }
  const mix = /^color-mix\(in srgb, (.+?) (\d+)%, (.+)\)$/.exec(text)
  if (mix) return mixed(colourOf(mix[1] ?? '', tokens), Number(mix[2]) / 100, colourOf(mix[3] ?? '', tokens))
  throw new Error(`${value} is not a colour that is known here.`)
}

/** As `color-mix(in srgb, one SHARE, other)`: by share, weighed by how opaque each is. */
function mixed(one: Colour, share: number, other: Colour): Colour {
  const a = one.a * share + other.a * (1 - share)
  const channel = (key: 'r' | 'g' | 'b') =>
    a === 0 ? 0 : (one[key] * one.a * share + other[key] * other.a * (1 - share)) / a
  return { r: channel('r'), g: channel('g'), b: channel('b'), a }
}

/** What is seen of a colour that lies over an opaque one. */
export function over(top: Colour, below: Colour): Colour {
  const channel = (key: 'r' | 'g' | 'b') => top[key] * top.a + below[key] * (1 - top.a)
  return { r: channel('r'), g: channel('g'), b: channel('b'), a: 1 }
}

/** Contrast of two opaque colours by WCAG 2: 1 to 21. */
export function contrast(one: Colour, other: Colour): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number] // two went in
  return (light + 0.05) / (dark + 0.05)
}

function luminance({ r, g, b }: Colour): number {
  const [red, green, blue] = [r, g, b].map(channel => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number] // three went in
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
