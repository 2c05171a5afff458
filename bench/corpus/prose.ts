/** Text that looks like text to whoever counts its words: always the same, and quick to make by the gigabyte. */

const SYLLABLES =
  'ba be bo da de du fa fi go ha he ka ki lo ma me mi na no pa pe ra re ri sa se so ta te to un va wi za'.split(
    ' ',
  )
const COMMON =
  'the of to and a in is that for it test file error function branch session upload cache index value'.split(
    ' ',
  )
const VOCABULARY = 30_000
const POOL_CHARS = 8_000_000

/** Mulberry32: numbers from 0 up to 1. */
export function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export class Prose {
  private readonly random: () => number
  private readonly pool: string

  constructor(seed: number) {
    this.random = generator(seed)
    const words: string[] = []
    for (let chars = 0; chars < POOL_CHARS; chars += (words[words.length - 1]?.length ?? 0) + 1)
      words.push(word(this.random))
    this.pool = words.join(' ')
  }

  /** From 0 up to 1. */
  chance(): number {
    return this.random()
  }

  /** A whole number below `end`. */
  below(end: number): number {
    return Math.floor(this.random() * end)
  }

  /** Some `chars` characters of whole words. */
  text(chars: number): string {
    const { pool } = this
    const start = pool.indexOf(' ', this.below(pool.length - chars - 100)) + 1
    return pool.slice(start, pool.indexOf(' ', start + chars))
  }

  /** As `text`, in lines, with quotes and numbers, as programs print it. */
  output(chars: number): string {
    const lines: string[] = []
    for (let left = chars; left > 0; left -= 80) lines.push(`${this.below(9_999)}: "${this.text(68)}"`)
    return lines.join('\n')
  }
}

/** By Zipf's law, as in texts: a word is as frequent as its place among all is low. */
function word(random: () => number): string {
  const rank = Math.floor(VOCABULARY ** random()) - 1
  const frequent = COMMON[rank]
  if (frequent !== undefined) return frequent
  let text = ''
  for (let rest = rank; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    text += SYLLABLES[rest % SYLLABLES.length] ?? ''
  return text
}
