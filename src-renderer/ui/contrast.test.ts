import { describe, expect, it } from 'vitest'
import {
  colourOf,
  contrast,
  type Declaration,
  declarationsOf,
  over,
  type Tokens,
  tokensOf,
} from './colours.test-support'

/** Files of the window by their path from here. */
const STYLES = import.meta.glob<string>('../**/*.css', { query: '?raw', import: 'default', eager: true })
const SOURCES = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.{test,test-support}.{ts,tsx}'], {
  query: '?raw',
  import: 'default',
  eager: true,
})
const TOKENS_FILE = './tokens.css'
const TOKENS = STYLES[TOKENS_FILE] ?? ''

const THEMES: Record<string, Tokens> = {
  light: tokensOf(TOKENS, [':root', '[data-theme="light"]']),
  dark: tokensOf(TOKENS, [':root', '[data-theme="light"]', '[data-theme="dark"]']),
}

/** What running text may stand on. */
const PAGE = ['bg', 'surface', 'raised', 'sunken', 'hover', 'select'] as const
const TINTS = [
  'accent-soft',
  'warn-soft',
  'danger-soft',
  'label-soft',
  'add-soft',
  'del-soft',
  'user-soft',
] as const
/** Where code and diffs are shown. */
const CODE = ['surface', 'sunken', 'raised', 'hover', 'user-soft', 'add-soft', 'del-soft'] as const

/** Tokens that are used as text, each with everything that it is drawn on: at least 4.5. */
const TEXT: Readonly<Record<string, readonly string[]>> = {
  fg: [...PAGE, ...TINTS],
  'fg-2': [...PAGE, ...TINTS],
  'fg-3': [...PAGE, 'accent-soft', 'warn-soft', 'user-soft'],
  accent: [...PAGE, 'accent-soft'],
  'accent-fg': ['accent', 'accent-strong'],
  warn: [...PAGE, 'warn-soft'],
  wait: [...PAGE],
  ok: [...PAGE],
  danger: [...PAGE, 'danger-soft'],
  'danger-fg': ['danger', 'danger-strong'],
  label: [...PAGE, 'label-soft'],
  user: [...PAGE, 'user-soft'],
  add: [...CODE],
  del: [...CODE],
  'lane-2': [...CODE],
  'lane-3': [...CODE],
  'lane-4': [...CODE],
  // Terminal text with its colours turned round.
  surface: ['fg'],
  'toast-fg': ['toast-bg'],
}

/** Tokens that draw a control's edge, a mark, a line of the graph or the focus: at least 3. */
const GRAPHICS: Readonly<Record<string, readonly string[]>> = {
  control: ['bg', 'surface', 'raised', 'sunken'],
  focus: [...PAGE, ...TINTS],
  accent: [...PAGE, 'accent-soft'],
  warn: [...PAGE],
  del: ['surface', 'sunken'],
  'fg-3': [...PAGE],
  'toast-fg': ['toast-bg'],
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8].map(lane => [`lane-${lane}`, ['surface', 'hover', 'select']]),
  ),
}

/** What only separates or fills, and tells nothing that is not told otherwise: no contrast is asked of it. */
const DECORATION: ReadonlySet<string> = new Set([
  'line',
  'row-line',
  'accent-line',
  'shadow',
  'veil',
  'scroll-shade',
  'toast-button',
])

const BACKGROUNDS: ReadonlySet<string> = new Set([...Object.values(TEXT).flat(), ...PAGE])

const SHEETS = Object.entries(STYLES)
  .filter(([name]) => name !== TOKENS_FILE)
  .map(([name, css]) => ({
    name,
    // The system's own colours are chosen by the system.
    rules: declarationsOf(css).filter(({ media }) => !media.includes('forced-colors')),
  }))

const tokensIn = (value: string) => [...value.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name ?? '')
const isColour = (token: string) => {
  try {
    colourOf(`var(--${token})`, THEMES.light ?? new Map())
    return true
  } catch {
    return false
  }
}
const isTextProperty = (property: string) =>
  ['color', 'text-decoration-color', 'caret-color'].includes(property)
const isEdge = (property: string) =>
  /^(border|outline|box-shadow|fill|stroke|accent-color|scrollbar-color)/.test(property)
const isBackground = (property: string) => /^background(-color|-image)?$/.test(property)

/** Uses of a colour that the lists above know nothing of. */
function unlisted({ property, value }: Declaration): string[] {
  const colours = tokensIn(value).filter(isColour)
  if (isTextProperty(property)) return colours.filter(token => !(token in TEXT))
  if (isEdge(property))
    return colours.filter(token => !(token in GRAPHICS) && !(token in TEXT) && !DECORATION.has(token))
  if (isBackground(property))
    return colours.filter(token => !BACKGROUNDS.has(token) && !(token in GRAPHICS) && !DECORATION.has(token))
  return []
}

/** Text and background that one rule sets together and that no list names together. */
function unlistedPairs(rules: readonly Declaration[]): string[] {
  const bySelector = grouped(rules)
  return [...bySelector.entries()].flatMap(([selector, own]) => {
    const texts = own.filter(({ property }) => property === 'color').flatMap(({ value }) => tokensIn(value))
    const grounds = own
      .filter(({ property, value }) => isBackground(property) && !value.includes('color-mix'))
      .flatMap(({ value }) => tokensIn(value))
      .filter(ground => !DECORATION.has(ground))
    return texts.flatMap(text =>
      grounds
        .filter(ground => !TEXT[text]?.includes(ground))
        .map(ground => `${selector}: ${text} on ${ground}`),
    )
  })
}

function grouped(rules: readonly Declaration[]): Map<string, Declaration[]> {
  const map = new Map<string, Declaration[]>()
  for (const rule of rules) {
    const key = `${rule.media}${rule.selector}`
    map.set(key, [...(map.get(key) ?? []), rule])
  }
  return map
}

function tooWeak(
  pairs: Readonly<Record<string, readonly string[]>>,
  tokens: Tokens,
  least: number,
): string[] {
  return Object.entries(pairs).flatMap(([token, grounds]) =>
    grounds.flatMap(ground => {
      const below = colourOf(`var(--${ground})`, tokens)
      const found = contrast(over(colourOf(`var(--${token})`, tokens), below), below)
      return found >= least ? [] : [`--${token} on --${ground}: ${found.toFixed(2)}`]
    }),
  )
}

describe.each(Object.entries(THEMES))('the colours of the %s theme', (_, tokens) => {
  it('are legible: 4.5 for text', () => {
    expect(tooWeak(TEXT, tokens, 4.5)).toEqual([])
  })

  it('are seen: 3 for controls, marks and lines', () => {
    expect(tooWeak(GRAPHICS, tokens, 3)).toEqual([])
  })

  it('tell a selected row from others by more than a shade', () => {
    // Selected rows have a bar in the accent beside the tint: that is what must be seen.
    const bar = colourOf('var(--accent)', tokens)
    expect(contrast(bar, colourOf('var(--select)', tokens))).toBeGreaterThanOrEqual(3)
  })
})

describe.each([
  ['light', [':root', '[data-theme="light"]', '[data-theme]']],
  ['dark', [':root', '[data-theme="light"]', '[data-theme="dark"]', '[data-theme]']],
])('who asks for more contrast in the %s theme', (_, selectors) => {
  const tokens = tokensOf(TOKENS, selectors, '@media (prefers-contrast: more)')

  it('gets edges that are seen and text that does not step back', () => {
    expect(tooWeak(TEXT, tokens, 4.5)).toEqual([])
    expect(tooWeak({ 'fg-2': [...PAGE], 'fg-3': [...PAGE] }, tokens, 7)).toEqual([])
    const edges = { line: [...PAGE], 'row-line': ['surface'], 'accent-line': ['surface'] }
    expect(tooWeak(edges, tokens, 3)).toEqual([])
    expect(tooWeak({ control: ['bg', 'surface', 'raised', 'sunken'] }, tokens, 7)).toEqual([])
  })
})

describe('the style sheets', () => {
  it('are all read', () => {
    expect(SHEETS.length).toBeGreaterThan(15)
    expect(SHEETS.flatMap(({ rules }) => rules).length).toBeGreaterThan(1000)
  })

  it('use no colour in a way whose contrast is not asked for above', () => {
    const found = SHEETS.flatMap(({ name, rules }) =>
      rules.flatMap(rule =>
        unlisted(rule).map(token => `${name}: ${rule.selector} { ${rule.property}: ${token} }`),
      ),
    )
    expect(found).toEqual([])
  })

  it('set no text on a background together that are not a pair above', () => {
    const found = SHEETS.flatMap(({ name, rules }) => unlistedPairs(rules).map(pair => `${name}: ${pair}`))
    expect(found).toEqual([])
  })

  it('are not gone round by components with colours of their own', () => {
    expect(Object.keys(SOURCES).length).toBeGreaterThan(100)
    const found = Object.entries(SOURCES).flatMap(([name, source]) =>
      tokensIn(source)
        .filter(token => isColour(token) && !(token in TEXT) && !(token in GRAPHICS))
        .map(token => `${name}: ${token}`),
    )
    expect(found).toEqual([])
  })

  it('name no colour but tokens', () => {
    const literal = /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch|lab)a?\(/i
    const found = SHEETS.flatMap(({ name, rules }) =>
      rules
        .filter(({ value }) => literal.test(value))
        .map(rule => `${name}: ${rule.selector} { ${rule.value} }`),
    )
    expect(found).toEqual([])
  })
})

it('knows contrast: black on white is 21, a colour on itself 1', () => {
  const none: Tokens = new Map()
  expect(contrast(colourOf('#000000', none), colourOf('#ffffff', none))).toBeCloseTo(21)
  expect(contrast(colourOf('#777777', none), colourOf('#ffffff', none))).toBeCloseTo(4.48, 2)
  expect(contrast(colourOf('#123456', none), colourOf('#123456', none))).toBe(1)
  expect(over(colourOf('rgb(0 0 0 / 0.5)', none), colourOf('#ffffff', none)).r).toBe(127.5)
})
