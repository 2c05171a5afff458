/**
 * The last write of ours to each journal: a file that was written to a moment ago is in use, unless that was us and
 * nobody wrote since.
 */
import type { FileStat } from '../storage/file-system'

export type OwnWrite = {
  /** Absolute path of the journal. */
  journal: string
  /** `dev:ino`. */
  fileId: string
  size: number
  /** Unix ms. */
  modified: number
}

export class OwnWrites {
  private readonly states = new Map<string, OwnWrite>()

  /** Notes the state that a write of ours left. */
  note(write: OwnWrite): void {
    this.states.set(write.journal, write)
  }

  /**
   * Whether `stat` is the very state that our last write to `journal` left. A journal that is moved has other names on the
   * way: what counts is the file.
   */
  has(journal: string, stat: Pick<FileStat, 'dev' | 'ino' | 'size' | 'mtimeMs'>): boolean {
    const { dev, ino, size, mtimeMs } = stat
    return this.left(journal, { fileId: `${dev}:${ino}`, size, modified: mtimeMs })
  }

  /** As `has`, of a state as a session storage tells it. */
  left(journal: string, { fileId, size, modified }: Omit<OwnWrite, 'journal'>): boolean {
    const named = this.states.get(journal)
    const own = named?.fileId === fileId ? named : this.all.find(write => write.fileId === fileId)
    return own !== undefined && own.size === size && own.modified === modified
  }

  get all(): readonly OwnWrite[] {
    return [...this.states.values()]
  }
}
