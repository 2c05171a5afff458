/** Rows of a transcript: what one path of a session looks like, cut to what a screen needs. */
import { z } from 'zod'

/** Position of an entry in its file's list of entries, from 0. Stable while the file only grows. */
export const ordinal = z.number().int().min(0)

/**
 * A text as shown: `text` holds at most `limits.previewChars` characters; when `cut`, the whole of it is
 * fetched with `session.text` by `part`.
 */
export const shownText = z.strictObject({
  text: z.string(),
  cut: z.boolean(),
  chars: z.number(),
  lines: z.number(),
  /** Address of the text inside its entry, for `session.text`. */
  part: z.string(),
})
export type ShownText = z.infer<typeof shownText>

export const shownImage = z.strictObject({
  /** Address for `grove-blob:`; null when the image is missing or of a type that is not shown. */
  url: z.string().nullable(),
  mimeType: z.string(),
  bytes: z.number().nullable(),
  /** Why there is no picture, or null. */
  problem: z.string().nullable(),
})
export type ShownImage = z.infer<typeof shownImage>

/** The other continuations at a fork. `index` counts from 1 among `count` siblings, in file order. */
export const forkSwitch = z.strictObject({
  index: z.number(),
  count: z.number(),
  /** Tip to show for the sibling before and after this one; null at the ends. */
  previousTip: ordinal.nullable(),
  nextTip: ordinal.nullable(),
})
export type ForkSwitch = z.infer<typeof forkSwitch>

const rowBase = {
  key: z.string(),
  ordinal,
  entryId: z.string().nullable(),
  time: z.number().nullable(),
  /** The time as written, when it could not be used as it is. */
  rawTime: z.string().nullable(),
  labels: z.array(z.string()),
  fork: forkSwitch.nullable(),
}

export const promptRow = z.strictObject({
  ...rowBase,
  kind: z.literal('prompt'),
  text: shownText,
  images: z.array(shownImage),
  /** Text the program put in front of the prompt, folded. */
  injected: shownText.nullable(),
  synthetic: z.boolean(),
})
export const agentRow = z.strictObject({
  ...rowBase,
  kind: z.literal('agent'),
  /** First row of an assistant message: shows name, model and time. */
  head: z.boolean(),
  model: z.string().nullable(),
  text: shownText,
  images: z.array(shownImage),
  /** error, aborted, length: how the message ended when not well. */
  stop: z.string().nullable(),
  errorText: z.string().nullable(),
  tokens: z.number().nullable(),
})
export const thinkingRow = z.strictObject({
  ...rowBase,
  kind: z.literal('thinking'),
  head: z.boolean(),
  model: z.string().nullable(),
  text: shownText,
  redacted: z.boolean(),
})
export const diffLine = z.strictObject({
  sign: z.enum(['+', '-', ' ', '~']),
  number: z.number().nullable(),
  text: z.string(),
})
export type DiffLine = z.infer<typeof diffLine>

export const toolRow = z.strictObject({
  ...rowBase,
  kind: z.literal('tool'),
  head: z.boolean(),
  model: z.string().nullable(),
  name: z.string(),
  callId: z.string(),
  /** What matters in one line: the command, the path, the pattern. */
  summary: z.string(),
  intent: z.string().nullable(),
  /** none: no result on this path; call-missing: a result whose call is not on this path. */
  state: z.enum(['ok', 'error', 'none', 'call-missing']),
  exitCode: z.number().nullable(),
  durationMs: z.number().nullable(),
  added: z.number().nullable(),
  removed: z.number().nullable(),
  args: shownText.nullable(),
  output: shownText.nullable(),
  diff: z.strictObject({ lines: z.array(diffLine), cut: z.boolean() }).nullable(),
  images: z.array(shownImage),
  /** More than one result answers this call. */
  extraResults: z.number(),
  resultOrdinal: ordinal.nullable(),
  /** Subagents this call started, by name, when their sessions are there. */
  subagents: z.array(z.strictObject({ name: z.string(), session: z.string().nullable() })),
})
export const dividerRow = z.strictObject({
  ...rowBase,
  kind: z.literal('divider'),
  what: z.enum([
    'compaction',
    'branch-summary',
    'reset',
    'model',
    'thinking-level',
    'mode',
    'service-tier',
    'title',
    'exit',
    'init',
    'gap',
  ]),
  text: z.string(),
  body: shownText.nullable(),
})
export const noteRow = z.strictObject({
  ...rowBase,
  kind: z.literal('note'),
  what: z.enum(['developer', 'custom', 'bash', 'python', 'files', 'unknown']),
  title: z.string(),
  body: shownText.nullable(),
  exitCode: z.number().nullable(),
  images: z.array(shownImage),
})
export const transcriptRow = z.discriminatedUnion('kind', [
  promptRow,
  agentRow,
  thinkingRow,
  toolRow,
  dividerRow,
  noteRow,
])
export type PromptRow = z.infer<typeof promptRow>
export type AgentRow = z.infer<typeof agentRow>
export type ThinkingRow = z.infer<typeof thinkingRow>
export type ToolRow = z.infer<typeof toolRow>
export type DividerRow = z.infer<typeof dividerRow>
export type NoteRow = z.infer<typeof noteRow>
export type TranscriptRow = z.infer<typeof transcriptRow>

export const transcriptPage = z.strictObject({
  revision: z.number(),
  /** Tip of the path that is shown. */
  tip: ordinal.nullable(),
  /** Rows on the whole path. */
  total: z.number(),
  from: z.number(),
  /** The end of a long path came first: rows above it are still to come, by the outline, and all rows then have other numbers. */
  earlier: z.boolean(),
  /** Row at which what came first stands; null when its rows are not there as they were. */
  origin: z.number().nullable(),
  rows: z.array(transcriptRow),
})
export type TranscriptPage = z.infer<typeof transcriptPage>

/** The prompts of the shown path, for the outline and for jumping. */
export const outline = z.strictObject({
  revision: z.number(),
  items: z.array(z.strictObject({ row: z.number(), ordinal, text: z.string(), time: z.number().nullable() })),
})
export type Outline = z.infer<typeof outline>
