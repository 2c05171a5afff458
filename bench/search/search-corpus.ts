/** A library of sessions of many words, made anew for each run, always the same: conversation, tool output, now and then a picture. */
import fs from 'node:fs'
import path from 'node:path'

export type Corpus = {
  bytes: number
  /** Bytes of what was said: what the index covers. */
  textBytes: number
  /** A word that only one session holds. */
  needle: string
}

const SYLLABLES =
  'ba be bo da de du fa fi go ha he ka ki lo ma me mi na no pa pe ra re ri sa se so ta te to un va wi za'.split(
    ' ',
  )
const COMMON =
  'the of to and a in is that for it test file error function branch session upload cache index value'.split(
    ' ',
  )
const NEEDLE = 'quetzalcoatlus'

/** Writes sessions of `bytes` in all below an agent directory. */
export function makeCorpus(agentDir: string, sessions: number, bytes: number): Corpus {
  const random = generator(7)
  const corpus: Corpus = { bytes: 0, textBytes: 0, needle: NEEDLE }
  const each = bytes / sessions
  for (let at = 0; at < sessions; at++) {
    const folder = path.join(agentDir, 'sessions', `-project-${at % 40}`)
    fs.mkdirSync(folder, { recursive: true })
    const lines = [
      line({
        type: 'session',
        version: 3,
        id: `s${at}`,
        timestamp: '2026-01-01T00:00:00.000Z',
        cwd: `/w/project-${at % 40}`,
      }),
    ]
    let size = 0
    for (let entry = 0; size < each; entry++) {
      const text = entry === 4 && at === Math.floor(sessions / 2) ? NEEDLE : ''
      const made = entryOf(entry, random, text)
      corpus.textBytes += made.textBytes
      size += lines[lines.push(line(made.record)) - 1]?.length ?? 0
    }
    const content = lines.join('')
    fs.writeFileSync(path.join(folder, `2026-01-01T00-00-00-000Z_${at}.jsonl`), content)
    corpus.bytes += content.length
  }
  return corpus
}

function line(record: object): string {
  return `${JSON.stringify(record)}\n`
}

/** Three of eight entries are tool output, which is most of the bytes; one of two hundred is a picture. */
function entryOf(entry: number, random: () => number, extra: string): { record: object; textBytes: number } {
  const tool = entry % 8 > 4
  const text = `${prose(random, tool ? 300 : 90)} ${extra}`.trim()
  const block =
    entry % 200 === 199
      ? { type: 'image', mimeType: 'image/png', data: 'QUJD'.repeat(200) }
      : { type: 'text', text }
  const role = tool ? 'toolResult' : entry % 8 === 0 ? 'user' : 'assistant'
  const head = {
    type: 'message',
    id: `e${entry}`,
    parentId: entry === 0 ? null : `e${entry - 1}`,
    timestamp: '2026-01-01T00:00:00.000Z',
  }
  const said = !tool && block.type === 'text'
  return { record: { ...head, message: { role, content: [block] } }, textBytes: said ? text.length : 0 }
}

const VOCABULARY = 30_000

function prose(random: () => number, words: number): string {
  return Array.from({ length: words }, () => word(random)).join(' ')
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

/** Mulberry32. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
