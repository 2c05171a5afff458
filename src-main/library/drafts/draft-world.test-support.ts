/** For tests of drafts: a session in a small library, edited as the window does it. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { silentWork } from '../../engine/environment'
import { SessionManager } from '../../engine/session/session-manager'
import type { FileSystem } from '../../engine/storage/file-system'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import { changeHandlers } from '../changes/all-handlers'
import { recoverOperations } from '../changes/recovery'
import { listChanges, undoChange } from '../changes/undo'
import { TestLibrary } from '../reroot/test-library.test-support'
import { workingSettings } from '../working-session'
import { versionNow } from './draft-version'
import { type EditedDraft, editDraft } from './edit-draft'

export function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

export class DraftWorld {
  readonly library: TestLibrary
  readonly journal: string

  constructor(under = os.tmpdir()) {
    this.library = new TestLibrary(under)
    this.journal = this.library.session({ cwd: this.library.folder('w'), id: 'one' })
  }

  get file(): string {
    return path.join(this.journal.slice(0, -'.jsonl'.length), 'draft.txt')
  }

  /** The draft that lies there; null when none does. */
  get draft(): string | null {
    return fs.existsSync(this.file) ? fs.readFileSync(this.file, 'utf8') : null
  }

  /** What another program does: written in place. */
  write(text: string | Uint8Array): void {
    fs.mkdirSync(path.dirname(this.file), { recursive: true })
    fs.writeFileSync(this.file, text)
  }

  /** Saves over what is there now. */
  save(
    text: string,
    change: string | null = null,
    system: FileSystem = nodeFileSystem,
  ): Promise<Result<EditedDraft>> {
    return this.saveOver(value(versionNow(this.library.env, this.journal)), text, change, system)
  }

  async saveOver(
    version: EditedDraft['state']['version'],
    text: string,
    change: string | null = null,
    system: FileSystem = nodeFileSystem,
  ): Promise<Result<EditedDraft>> {
    const context = this.library.context(system)
    const { settings } = workingSettings(context, this.library.root.layout, null)
    const manager = SessionManager.open(context.env, settings, this.journal)
    return manager.ok ? editDraft(context, manager.value, { text, version, change }) : manager
  }

  changes() {
    return value(listChanges(this.library.context(), changeHandlers))
  }

  undo(change: string, system: FileSystem = nodeFileSystem) {
    return undoChange(this.library.context(system), changeHandlers, change, silentWork)
  }

  recover() {
    return recoverOperations(this.library.context(), changeHandlers, silentWork)
  }

  /** Locks and temporary files beside the journal, in its artifact directory, and among Grove's own data. */
  strays(): string[] {
    const { directory } = this.library.context().data
    return [path.dirname(this.journal), directory]
      .filter(place => fs.existsSync(place))
      .flatMap(place =>
        fs
          .readdirSync(place, { recursive: true, encoding: 'utf8' })
          .map(name => path.join(place, name))
          .filter(name => /\.(tmp|lock)$/.test(name)),
      )
  }

  /** What the end of the process does: its locks are nobody's any more. */
  endProcess(): void {
    for (const stray of this.strays()) if (stray.endsWith('.lock')) fs.unlinkSync(stray)
  }
}
