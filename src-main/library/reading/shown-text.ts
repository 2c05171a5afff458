/** Texts cut to what a row shows. */

import type { ShownText } from '@shared/ipc/models/transcript-models'
import { limits } from '@shared/limits'
import { replaceLoneSurrogates } from '@shared/session/text'

/** `part` addresses the text inside its entry, for fetching the whole of it. */
export function shownText(text: string, part: string, max: number = limits.previewChars): ShownText {
  const cut = text.length > max
  return {
    text: replaceLoneSurrogates(cut ? cutAtCharacter(text, max) : text),
    cut,
    chars: text.length,
    lines: countLines(text),
    part,
  }
}

/** The first `max` code units, one less when that would split a surrogate pair. */
export function cutAtCharacter(text: string, max: number): string {
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? max - 1 : max)
}

export function countLines(text: string): number {
  if (text === '') return 0
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1))
    lines++
  return lines
}
