/** Texts cut to what a row shows. */

import type { ShownText } from '@shared/ipc/models/transcript-models'
import { limits } from '@shared/limits'
import { cutAtCharacter, listText, replaceLoneSurrogates } from '@shared/session/text'

/** `part` addresses the text inside its entry, for fetching the whole of it. */
export function shownText(text: string, part: string, max: number = limits.previewChars): ShownText {
  const cut = text.length > max
  return {
    text: replaceLoneSurrogates(cut ? alone(cutAtCharacter(text, max)) : text),
    cut,
    chars: text.length,
    lines: countLines(text),
    part,
  }
}

/** A text by itself: a part of a longer one may be kept as a view that holds all of it. */
function alone(part: string): string {
  return ` ${part}`.slice(1)
}

/** A name, a heading, a reason from a file: one line, its controls visible, no longer than a row shows. */
export function oneLineText(text: string): string {
  return listText(text, limits.firstPromptChars)
}

/** As `oneLineText`, where there is one. */
export function oneLineOrNull(text: string | null): string | null {
  return text === null ? null : oneLineText(text)
}

export function countLines(text: string): number {
  if (text === '') return 0
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1))
    lines++
  return lines
}
