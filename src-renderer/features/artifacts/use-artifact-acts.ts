/** What can be done with an artifact, and the menu that offers it. */
import type { ArtifactPreview, ArtifactView } from '@shared/ipc/models/session-models'
import { tellError } from '../../commands/flows/change-flows'
import { tellFailure } from '../../commands/flows/session-flows'
import { type CommandItem, plainItem } from '../../commands/menu-items'
import { useStores } from '../../stores/stores-context'

/** Each takes an artifact's ref, and tells what came of it. */
export function useArtifactActs() {
  const stores = useStores()
  const { client } = stores
  const done = (text: string) => stores.toasts.getState().push({ tone: 'done', text, undo: null })
  const copyShown = async ({ text, cut }: Pick<ArtifactPreview, 'text' | 'cut'>) => {
    const copied = await client.call('app.copyText', { text })
    if (copied.ok) done(cut ? 'Copied what is shown; the file is longer' : 'Copied')
    else tellError(stores, copied.error)
  }
  return {
    open: (artifact: string) => tellFailure(stores, client.call('artifact.open', { artifact })),
    reveal: (artifact: string) => tellFailure(stores, client.call('artifact.reveal', { artifact })),
    copyShown,
    copy: async (artifact: string) => {
      const preview = await client.call('artifact.preview', { artifact })
      if (preview.ok) await copyShown(preview.value)
      else tellError(stores, preview.error)
    },
    saveAs: async (artifact: string) => {
      const result = await client.call('artifact.saveAs', { artifact })
      if (!result.ok) tellError(stores, result.error)
      else if (result.value.saved !== null) done(`Saved as ${result.value.saved}`)
    },
  }
}

/** Items for an artifact: a subagent's opens as a session, everything else with its program. */
export function useFileMenu(): (file: ArtifactView | undefined) => CommandItem[] {
  const { session } = useStores()
  const acts = useArtifactActs()
  return file => {
    if (file === undefined) return []
    const { ref, session: agent, madeBy } = file
    const first =
      agent === null
        ? plainItem({
            key: 'artifact.open',
            text: 'Open with its program',
            onSelect: () => void acts.open(ref),
          })
        : plainItem({
            key: 'artifact.session',
            text: 'Open session',
            onSelect: () => void session.getState().openFrom(agent),
          })
    const items = [
      first,
      plainItem({
        key: 'artifact.reveal',
        text: 'Show in file manager',
        onSelect: () => void acts.reveal(ref),
      }),
    ]
    // A journal is read as a session, not copied as one long text.
    if (agent === null)
      items.push(plainItem({ key: 'artifact.copy', text: 'Copy text', onSelect: () => void acts.copy(ref) }))
    items.push(plainItem({ key: 'artifact.saveAs', text: 'Save as…', onSelect: () => void acts.saveAs(ref) }))
    if (madeBy !== null) {
      items.push(
        plainItem({
          key: 'entry.read',
          text: 'Show the entry that made it',
          onSelect: () => void session.getState().readAt(madeBy),
        }),
      )
    }
    return items
  }
}
