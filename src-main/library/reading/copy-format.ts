/** The two ways in which parts of a transcript are written down for the clipboard. Pure; texts come in cleaned. */
import { contained, fenced, inlineCode, inlineWords, quoted } from '@shared/session/markdown'

export type CopyFormat = {
  /** Name of the whole: the title of a session. */
  title(text: string): string
  /** Who speaks from here on, and when. */
  heading(who: string, time: string | null): string
  /** What somebody wrote, which may be Markdown. */
  prose(text: string): string
  /** What was thought or told beside the conversation, under a name. */
  aside(name: string, text: string): string
  code(text: string, language: string): string
  /** A tool call or command: its name, what it is about, how it ended. */
  call(name: string, about: string, facts: string): string
  /** A sentence of ours about something that cannot be copied or stands between messages. */
  remark(text: string): string
  /** A line across. */
  rule(): string
}

/**
 * Markdown. Thinking is a quotation; calls are a bold name with fenced blocks below it; remarks are in italics. No text can
 * end its fence, and none leaves one open for what follows.
 */
export const MARKDOWN_FORMAT: CopyFormat = {
  title: text => `# ${inlineWords(text)}`,
  heading: (who, time) => `## ${inlineWords(who)}${time === null ? '' : `, ${time}`}`,
  prose: contained,
  aside: (name, text) => quoted(text === '' ? `*${inlineWords(name)}*` : `*${inlineWords(name)}*\n\n${text}`),
  code: fenced,
  call: (name, about, facts) =>
    [
      `**${inlineWords(name)}**`,
      about === '' ? '' : inlineCode(about),
      facts === '' ? '' : `(${inlineWords(facts)})`,
    ]
      .filter(part => part !== '')
      .join(' '),
  remark: text => `*${inlineWords(text)}*`,
  rule: () => '---',
}

/** Plain text: the same, without any marks. */
export const TEXT_FORMAT: CopyFormat = {
  title: text => text,
  heading: (who, time) => (time === null ? who : `${who}, ${time}`),
  prose: text => text,
  aside: (name, text) => (text === '' ? name : `${name}\n\n${text}`),
  code: text => text.replace(/\n$/, ''),
  call: (name, about, facts) =>
    [name, about, facts === '' ? '' : `(${facts})`].filter(part => part !== '').join(' '),
  remark: text => `[${text}]`,
  rule: () => '----',
}
