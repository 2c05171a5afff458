/** Copies a row with its whole texts, and says so at the foot of the window. */
import type { TranscriptRow } from '@shared/ipc/models/transcript-models'
import { useCallback } from 'react'
import { errorLine } from '../../commands/error-text'
import { useStores } from '../../stores/stores-context'
import { type CopyFormat, rowText } from './row-text'

/** The function that copies; it fetches what the row shows cut. */
export function useCopyRow(): (row: TranscriptRow, format: CopyFormat) => Promise<void> {
  const { client, transcript, toasts } = useStores()
  return useCallback(
    async (row, format) => {
      const text = await rowText(row, format, async (ordinal, shown) => {
        if (!shown.cut) return shown.text
        const whole = await transcript.getState().loadWhole(ordinal, shown.part)
        return whole.state === 'ready' ? whole.value : shown.text
      })
      const result = await client.call('app.copyText', { text })
      toasts
        .getState()
        .push(
          result.ok
            ? { tone: 'done', text: format === 'text' ? 'Copied as text' : 'Copied as Markdown', undo: null }
            : { tone: 'error', text: errorLine(result.error), undo: null },
        )
    },
    [client, transcript, toasts],
  )
}
