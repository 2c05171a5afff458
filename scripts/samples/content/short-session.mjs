/** A plain conversation from a list of turns: the quickest way to a readable session. */
import { buildSession } from '../session-writer.mjs'

/**
 * @param turns strings and objects in order: `{ you }` a prompt, `{ agent, think? }` an answer, `{ calls, text?, think? }` a
 *   round of tool calls, or a function that gets the writer
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
