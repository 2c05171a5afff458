/** What matters of a tool call in one line, and how it ended. */
import type { DiffLine } from '@shared/ipc/models/transcript-models'
import { limits } from '@shared/limits'
import { finiteOrNull, type JsonObject, objectOf, objectsOf, stringOrNull } from '@shared/session/json'
import { contentText } from '@shared/session/prompt'
import { cutAtCharacter, listText, replaceLoneSurrogates } from '@shared/session/text'
import { firstStringOf } from './entry-text'

/** Arguments that say what a call is about, most telling first. */
const TELLING = [
  'command',
  'path',
  'file_path',
  'filePath',
  'pattern',
  'query',
  'url',
  'code',
  'task',
  'description',
  'prompt',
  'name',
  'op',
  'input',
]

/** The command, path or pattern of a call; falls back to the first short text among its arguments. */
export function toolSummary(args: JsonObject): string {
  const telling = firstStringOf(args, TELLING) ?? firstStringOf(args, Object.keys(args))
  if (telling === null) return ''
  // An edit without a path names its file in the first line of the patch: `[src/a.ts#1F3C]`.
  const named = /^\s*\[([^\]#]+)(?:#[0-9A-Fa-f]+)?\]/.exec(telling)
  const pattern = typeof args.pattern === 'string' && telling === args.path ? `${args.pattern} in ` : ''
  return listText(pattern + (named?.[1] ?? telling), limits.lineChars)
}

export type ToolOutcome = {
  state: 'ok' | 'error'
  exitCode: number | null
  durationMs: number | null
  added: number | null
  removed: number | null
  diff: { lines: DiffLine[]; cut: boolean } | null
}

/** How a call ended, from the message of its result. */
export function toolOutcome(result: JsonObject): ToolOutcome {
  const details = objectOf(result.details)
  const text = contentText(result.content)
  // Other tools may quote such a line: a file that was read, say.
  const mayTellExit = result.toolName === 'bash' || result.isError === true
  const exitCode = finiteOrNull(details.exitCode) ?? (mayTellExit ? exitCodeIn(text) : null)
  const diff = stringOrNull(details.diff)
  const lines = diff === null ? [] : parseDiff(diff)
  return {
    state: result.isError === true || (exitCode !== null && exitCode !== 0) ? 'error' : 'ok',
    exitCode,
    durationMs:
      finiteOrNull(details.wallTimeMs) ??
      finiteOrNull(details.durationMs) ??
      finiteOrNull(details.totalDurationMs),
    added: diff === null ? null : lines.filter(({ sign }) => sign === '+').length,
    removed: diff === null ? null : lines.filter(({ sign }) => sign === '-').length,
    diff: diff === null ? null : shownDiff(lines),
  }
}

/** As many lines as a row shows, and of each as much. */
function shownDiff(lines: readonly DiffLine[]): { lines: DiffLine[]; cut: boolean } {
  let cut = lines.length > limits.diffLines
  const shown = lines.slice(0, limits.diffLines).map(line => {
    cut ||= line.text.length > limits.diffLineChars
    return { ...line, text: replaceLoneSurrogates(cutAtCharacter(line.text, limits.diffLineChars)) }
  })
  return { lines: shown, cut }
}

/** The shell tool ends its text with the exit code when it is not 0. */
function exitCodeIn(text: string): number | null {
  const match = /(?:Command exited with code|exit code:?|exited with) (-?\d+)\s*$/i.exec(text.slice(-200))
  return match === null ? null : Number(match[1])
}

/** Lines of a diff: a sign, perhaps a line number, the text. File headers and unified headers become marks. */
export function parseDiff(diff: string): DiffLine[] {
  return diff
    .replace(/\n$/, '')
    .split('\n')
    .map((line, at): DiffLine => {
      if (at < 2 && /^(--- |\+\+\+ )/.test(line)) return { sign: '~', number: null, text: line }
      if (line.startsWith('@@') || line.trim() === '...')
        return { sign: '~', number: null, text: line.trim() }
      const numbered = /^([+\- ])\s*(\d+)(?:[ |│:](.*))?$/.exec(line)
      if (numbered !== null)
        return { sign: signOf(numbered[1]), number: Number(numbered[2]), text: numbered[3] ?? '' }
      const sign = signOf(line[0])
      return { sign, number: null, text: sign === ' ' && line[0] !== ' ' ? line : line.slice(1) }
    })
}

function signOf(char: string | undefined): DiffLine['sign'] {
  return char === '+' || char === '-' ? char : ' '
}

/** Names of the subagents that a `task` result reports. */
export function subagentsOf(result: JsonObject): string[] {
  return objectsOf(objectOf(result.details).results)
    .map(item => stringOrNull(item.id))
    .filter((name): name is string => name !== null)
}
