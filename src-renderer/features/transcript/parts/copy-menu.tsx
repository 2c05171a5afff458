/** The copy button of a row: as text or as Markdown. */
import type { TranscriptRow } from '@shared/ipc/models/transcript-models'
import { Copy } from 'lucide-react'
import { DropdownMenu } from '../../../ui/menu'
import { useCopyRow } from '../use-copy-row'

/** Shown while the row is hovered or focused. */
export function CopyMenu({ row }: { row: TranscriptRow }) {
  const copy = useCopyRow()
  return (
    <DropdownMenu
      label="Copy this block"
      items={[
        {
          kind: 'item',
          key: 'text',
          text: 'Copy as text',
          keys: 'C',
          onSelect: () => void copy(row, 'text'),
        },
        {
          kind: 'item',
          key: 'markdown',
          text: 'Copy as Markdown',
          keys: 'Shift C',
          onSelect: () => void copy(row, 'markdown'),
        },
      ]}
    >
      <button type="button" className="tr-icon tr-copy" aria-label="Copy this block" title="Copy this block">
        <Copy aria-hidden size={14} />
      </button>
    </DropdownMenu>
  )
}
