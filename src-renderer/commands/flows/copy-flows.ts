/** Copies parts of a session as text: main writes them, since the window holds only what is on screen. */
import type { CopySpan } from '@shared/ipc/models/manage-models'
import type { Stores } from '../../stores/stores-context'
import { tellError } from './change-flows'

/** One entry, as Markdown. */
export async function copyEntry(stores: Stores, session: string, ordinal: number): Promise<void> {
  await copySpan(stores, session, { kind: 'entry', ordinal }, 'Entry')
}

/** The prompt at or before an entry with all that answers it, as Markdown. */
export async function copyTurn(stores: Stores, session: string, ordinal: number): Promise<void> {
  await copySpan(stores, session, { kind: 'turn', ordinal }, 'Turn')
}

/** The whole path that is shown, as Markdown; of a session that is not open, the one where reading starts. */
export async function copyPathText(stores: Stores, session: string): Promise<void> {
  await copySpan(stores, session, { kind: 'path' }, 'Transcript')
}

async function copySpan(stores: Stores, session: string, span: CopySpan, what: string): Promise<void> {
  const open = stores.session.getState()
  const tip = open.ref === session ? open.tip : null
  const text = await stores.client.call('session.copyText', { session, tip, span, as: 'markdown' })
  if (!text.ok) return tellError(stores, text.error)
  const copied = await stores.client.call('app.copyText', { text: text.value.text })
  if (!copied.ok) return tellError(stores, copied.error)
  const rest = text.value.cut ? ', cut to what fits' : ''
  stores.toasts.getState().push({ tone: 'done', text: `${what} copied as Markdown${rest}.`, undo: null })
}
