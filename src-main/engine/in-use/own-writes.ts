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

  /** Whether `stat` is the very state that our last write to `journal` left. */
  has(journal: string, stat: Pick<FileStat, 'dev' | 'ino' | 'size' | 'mtimeMs'>): boolean {
    const own = this.states.get(journal)
    if (own === undefined || own.fileId !== `${stat.dev}:${stat.ino}`) return false
    return own.size === stat.size && own.modified === stat.mtimeMs
  }

  get all(): readonly OwnWrite[] {
    return [...this.states.values()]
  }
}
