/** Copies parts of a session as text: main writes them, since the window holds only what is on screen. */

import type { CallInput } from '@shared/ipc/contract'
import type { CopySpan } from '@shared/ipc/models/manage-models'
import { lineCount } from '@shared/session/text-size'
import type { Stores } from '../../stores/stores-context'
import { tellError } from './change-flows'

export type CopyFormat = CallInput<'session.copyText'>['as']

/** One row of the transcript: a text, or a tool call with its result. */
export async function copyBlock(stores: Stores, session: string, key: string, as: CopyFormat): Promise<void> {
  await copySpan(stores, session, { kind: 'block', key }, 'Block', as)
}

/** One entry with all of its blocks. */
export async function copyEntry(stores: Stores, session: string, ordinal: number): Promise<void> {
  await copySpan(stores, session, { kind: 'entry', ordinal }, 'Entry', 'markdown')
}

/** The prompt at or before an entry with all that answers it. */
export async function copyTurn(
  stores: Stores,
  session: string,
  ordinal: number,
  as: CopyFormat = 'markdown',
): Promise<void> {
  await copySpan(stores, session, { kind: 'turn', ordinal }, 'Turn', as)
}

/** The whole path that is shown; of a session that is not open, the one where reading starts. */
export async function copyPathText(
  stores: Stores,
  session: string,
  as: CopyFormat = 'markdown',
): Promise<void> {
  await copySpan(stores, session, { kind: 'path' }, 'Transcript', as)
}

async function copySpan(
  stores: Stores,
  session: string,
  span: CopySpan,
  what: string,
  as: CopyFormat,
): Promise<void> {
  const open = stores.session.getState()
  const tip = open.ref === session ? open.tip : null
  const text = await stores.client.call('session.copyText', { session, tip, span, as })
  if (!text.ok) return tellError(stores, text.error)
  const copied = await stores.client.call('app.copyText', { text: text.value.text })
  if (!copied.ok) return tellError(stores, copied.error)
  const lines = lineCount(text.value.text)
  const size = `${lines.toLocaleString('en')} ${lines === 1 ? 'line' : 'lines'}`
  const cut = text.value.cut ? ' It was too long: the end is missing.' : ''
  stores.toasts.getState().push({
    tone: 'done',
    text: `${what} copied as ${as === 'markdown' ? 'Markdown' : 'text'}, ${size}.${cut}`,
    undo: null,
  })
}
