/** One fork, from what it would hold to what it became. Made anew for each dialog. */
import type { ForkDone, ForkPreview } from '@shared/ipc/models/manage-models'
import type { AppError } from '@shared/ipc/result'
import { createStore } from 'zustand/vanilla'
import type { Client, Progress } from '../../api/client'
import { type Async, LOADING, settled } from '../../stores/async'

/** What the fork would hold with the artifacts, or why they cannot be taken along; and without them. */
export type Previews = { full: ForkPreview | AppError; bare: ForkPreview }

export type ForkState = {
  previews: Async<Previews>
  withArtifacts: boolean
  /** Set while it is made. */
  work: Progress | null
  error: AppError | null
  done: ForkDone | null
  look(): Promise<void>
  setWithArtifacts(withArtifacts: boolean): void
  fork(): Promise<ForkDone | null>
  cancel(): void
}

export type ForkStore = ReturnType<typeof createForkStore>

/** `entry`: an id; the path to it becomes the new session; null: everything. */
export function createForkStore(client: Client, session: string, entry: string | null) {
  let abort: AbortController | null = null
  return createStore<ForkState>()((set, get) => ({
    previews: LOADING,
    withArtifacts: true,
    work: null,
    error: null,
    done: null,
    async look() {
      const preview = (withArtifacts: boolean) =>
        client.call('session.forkPreview', { session, entry, withArtifacts })
      const [full, bare] = await Promise.all([preview(true), preview(false)])
      if (!bare.ok) set({ previews: settled(full.ok ? bare : full) })
      else if (full.ok) set({ previews: { state: 'ready', value: { full: full.value, bare: bare.value } } })
      else {
        const value = { full: full.error, bare: bare.value }
        set({ previews: { state: 'ready', value }, withArtifacts: false })
      }
    },
    setWithArtifacts: withArtifacts => set({ withArtifacts }),
    async fork() {
      if (get().work !== null) return null
      abort = new AbortController()
      set({ work: { done: 0, total: 0, text: '' }, error: null })
      const result = await client.call(
        'session.fork',
        { session, entry, withArtifacts: get().withArtifacts },
        { signal: abort.signal, onProgress: work => set({ work }) },
      )
      set({ work: null })
      if (result.ok) set({ done: result.value })
      else if (result.error.code !== 'cancelled') set({ error: result.error })
      return result.ok ? result.value : null
    },
    cancel: () => abort?.abort(),
  }))
}

/** Files and bytes that the artifacts alone come to; null bytes where either is not known, null where they cannot come. */
export function artifactWeight({ full, bare }: Previews): { files: number; bytes: number | null } | null {
  if ('code' in full) return null
  const files = full.artifactFiles - bare.artifactFiles
  const bytes = full.bytes === null || bare.bytes === null ? null : full.bytes - bare.bytes
  return { files, bytes }
}
