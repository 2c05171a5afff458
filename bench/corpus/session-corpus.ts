/** One large session: a chain, or a trunk that was left again and again for branches of its own. */
import fs from 'node:fs'
import path from 'node:path'
import { JournalLines, type TextSizes, USUAL_SIZES } from './journal-lines'
import { Prose } from './prose'

export type SessionFacts = { file: string; entries: number; bytes: number; branches: number }

/** Entries that are written at once. */
const WRITTEN = 5_000
const BRANCH_ENTRIES = 50
/** Bytes of an entry that are not text, and how many characters of text the usual sizes come to for each. */
const FRAME_BYTES = 330
const USUAL_BYTES = 1_250

/** Writes a session of about so many entries and bytes, with so many tips. */
export function makeLargeSession(
  folder: string,
  { entries, bytes, branches }: { entries: number; bytes: number; branches: number },
): SessionFacts {
  const scale = Math.max(0.05, (bytes / entries - FRAME_BYTES) / USUAL_BYTES)
  const journal = new JournalLines(new Prose(11), scaled(USUAL_SIZES, scale), 0)
  const sessions = path.join(folder, 'agent', 'sessions', '--w-large--')
  fs.mkdirSync(sessions, { recursive: true })
  const file = path.join(sessions, '2025-01-01T00-00-00-000Z_019b0000-0000-7000-8000-000000000000.jsonl')
  const fd = fs.openSync(file, 'w')
  const write = () => fs.writeSync(fd, journal.take())
  journal.begin('019b0000-0000-7000-8000-000000000000', '/w/large', 'A large session')
  const every = Math.max(1, Math.floor(entries / branches))
  let trunk: string | null = null
  for (let tips = 1; journal.entries < entries; ) {
    journal.next()
    if (journal.entries % WRITTEN === 0) write()
    const phase = journal.entries % every
    // The trunk is left for a branch, which begins a little above, and is come back to.
    if (phase === 0 && tips < branches) trunk = journal.place
    if (trunk !== null && phase === Math.min(BRANCH_ENTRIES, Math.floor(every / 2))) {
      journal.goBack(trunk)
      trunk = null
      tips++
    }
  }
  write()
  fs.closeSync(fd)
  return { file: path.relative(folder, file), entries: journal.entries, bytes: journal.bytes, branches }
}

function scaled(sizes: TextSizes, by: number): TextSizes {
  const { prompt, answer, thinking, result } = sizes
  return { prompt: prompt * by, answer: answer * by, thinking: thinking * by, result: result * by }
}
