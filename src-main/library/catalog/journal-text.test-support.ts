/** Lines of journals for tests of the list, as programs write them. */
import { encodeTitleSlot, type TitleSource } from '@shared/session/title-slot'

const TIME = '2026-01-30T10:00:00.000Z'

export function slotText(title: string, source: TitleSource | null = 'user'): string {
  return encodeTitleSlot({ title, source, updatedAt: TIME })
}

export function headerText(more: Record<string, unknown> = {}): string {
  return `${JSON.stringify({ type: 'session', version: 3, id: 'sid', timestamp: TIME, cwd: '/w/app', ...more })}\n`
}

export function entryText(id: string, parentId: string | null, more: Record<string, unknown> = {}): string {
  return `${JSON.stringify({ type: 'custom', id, parentId, timestamp: TIME, ...more })}\n`
}

export function messageText(
  id: string,
  parentId: string | null,
  role: 'user' | 'assistant',
  text: string,
  more: Record<string, unknown> = {},
): string {
  const content = [{ type: 'text', text }]
  const reply = { provider: 'p', model: 'm', stopReason: 'stop', usage: { output: 3, cost: { total: 0.25 } } }
  const message = { role, content, ...(role === 'assistant' ? reply : {}), ...more }
  return entryText(id, parentId, { type: 'message', message })
}

/** A conversation of so many turns: `chars` characters each, ids from 1 on, in one line. */
export function conversationText(turns: number, chars = 40): string {
  let text = ''
  for (let at = 1; at <= turns; at++) {
    const parent = at === 1 ? null : `e${2 * at - 2}`
    text += messageText(`e${2 * at - 1}`, parent, 'user', `Question ${at} `.padEnd(chars, '.'))
    text += messageText(`e${2 * at}`, `e${2 * at - 1}`, 'assistant', `Answer ${at} `.padEnd(chars, '.'))
  }
  return text
}
