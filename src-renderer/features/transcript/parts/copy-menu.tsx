/** The copy button of a row: the block, its turn or the whole path, as Markdown or as text. */
import type { TranscriptRow } from '@shared/ipc/models/transcript-models'
import { Copy } from 'lucide-react'
import { useCommands } from '../../../commands/context'
import { type CopyFormat, copyBlock, copyPathText, copyTurn } from '../../../commands/flows/copy-flows'
import { useStores } from '../../../stores/stores-context'
import { DropdownMenu, type MenuItem } from '../../../ui/menu'

/** Shown while the row is hovered or focused. */
export function CopyMenu({ row }: { row: TranscriptRow }) {
  const stores = useStores()
  const commands = useCommands()
  const item = (
    key: string,
    text: string,
    keys: string | null,
    copy: (session: string) => Promise<void>,
  ): MenuItem => ({
    kind: 'item',
    key,
    text,
    keys,
    onSelect: () => {
      const { session } = stores.transcript.getState()
      if (session !== null) void copy(session)
    },
  })
  const block = (as: CopyFormat) => (session: string) => copyBlock(stores, session, row.key, as)
  const turn = (as: CopyFormat) => (session: string) => copyTurn(stores, session, row.ordinal, as)
  const path = (as: CopyFormat) => (session: string) => copyPathText(stores, session, as)
  return (
    <DropdownMenu
      label="Copy"
      items={[
        item('block-text', 'Copy block as text', 'C', block('text')),
        item('block', 'Copy block as Markdown', 'Shift C', block('markdown')),
        { kind: 'line', key: 'line-turn' },
        item('turn-text', 'Copy turn as text', null, turn('text')),
        item('turn', 'Copy turn as Markdown', null, turn('markdown')),
        { kind: 'line', key: 'line-path' },
        item('path-text', 'Copy transcript as text', null, path('text')),
        item('path', 'Copy transcript as Markdown', commands.keys('session.copyMarkdown'), path('markdown')),
      ]}
    >
      <button type="button" className="tr-icon tr-copy" aria-label="Copy" title="Copy">
        <Copy aria-hidden size={14} />
      </button>
    </DropdownMenu>
  )
}
