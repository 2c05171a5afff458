/** A conversation from a list of turns: the quickest way to a readable session. */
import { createRandom } from '../prng.mjs'
import { buildSession } from '../session-writer.mjs'

/**
 * @param options as for `buildSession`
 * @param turns in order: `{ you }` a prompt, `{ agent, think? }` an answer, `{ calls, text?, think? }` a round of tool
 *   calls, or a function that gets the writer
 */
export function shortSession(options, turns) {
  const s = buildSession(options)
  for (const turn of turns) {
    if (typeof turn === 'function') turn(s)
    else if (turn.you !== undefined) s.user(turn.you, { seconds: turn.seconds ?? 90 })
    else if (turn.agent !== undefined) s.say(turn.agent, { think: turn.think })
    else s.step(turn)
  }
  return s
}

/** Options of the journal; all others describe the session in the library. */
const WRITER_KEYS = [
  'title',
  'titleSource',
  'header',
  'id',
  'version',
  'slot',
  'model',
  'thinking',
  'fileName',
  'headerLine',
]

/**
 * Write a short session of a project, begun `days` and `hours` before now.
 * Other options go to `buildSession` (title, header, version, …) or to `library.session` (tags, draft, …).
 */
export function addShort(library, project, key, { days = 0, hours = 0, minutes = 0, ...rest }, turns) {
  const own = Object.entries(rest).filter(([name]) => WRITER_KEYS.includes(name))
  const options = Object.fromEntries(Object.entries(rest).filter(([name]) => !WRITER_KEYS.includes(name)))
  const { cwd } = library.projects.get(project)
  // Nobody begins on the hour: up to 100 minutes earlier, decided by the session's name.
  const earlier = createRandom(`start/${project}/${key}`).int(6_000_000)
  const start = library.ago({ days, hours, minutes }) - earlier
  const writer = shortSession({ seed: `${project}/${key}`, cwd, start, ...Object.fromEntries(own) }, turns)
  return library.session(project, key, writer, options)
}
