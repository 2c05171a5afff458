/**
 * The real prompt in a user message: programs put blocks of their own in front of it (reminders, environment
 * dumps). A block counts as injected by its tag's name; a prompt that begins with HTML is left alone.
 */
import { type JsonObject, objectsOf, stringOrNull } from './json'

const INJECTED =
  /^(system[-_](reminder|notice|message|prompt|context)|environment([-_](details|context|info))?|env|user[-_](instructions|info)|project[-_](context|instructions)|ide[-_][a-z_-]+|command-(name|message|args|contents)|local-command-[a-z]+|persisted-output|additional[-_]context|attached[-_]files|git[-_]status|workspace[-_](info|context)|agents?[-_]md|file|instructions|context|memories|skills?)$/i

export type SplitPrompt = {
  /** Blocks put in front of the prompt; empty when there are none. */
  injected: string
  text: string
}

/** Separates leading injected blocks from what was typed. */
export function splitPrompt(text: string): SplitPrompt {
  let rest = text
  for (;;) {
    const open = /^\s*<([a-zA-Z][\w-]*)(?:\s[^>]*)?>/.exec(rest)
    const name = open?.[1]
    if (open === null || name === undefined || !INJECTED.test(name)) break
    const close = rest.indexOf(`</${name}>`, open[0].length)
    if (close === -1) break
    rest = rest.slice(close + name.length + 3)
  }
  const injected = text.slice(0, text.length - rest.length).trim()
  return { injected, text: injected === '' ? text : rest.trimStart() }
}

/** All text of a message's content, blocks joined by a blank line; content may be a plain string. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .filter(block => block.type === 'text')
    .map(block => stringOrNull(block.text) ?? '')
    .filter(text => text !== '')
    .join('\n\n')
}

/** What the user typed in this message, or empty when it holds only injected blocks or was made by the program. */
export function promptText(message: JsonObject): string {
  if (message.role !== 'user' || message.synthetic === true) return ''
  return splitPrompt(contentText(message.content)).text.trim()
}
