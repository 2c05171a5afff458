/** For tests: sessions on the real file system, real processes that use them, changes as the window makes them, and undo. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import type { EditReport } from '@shared/ipc/models/manage-models'
import type { Result } from '@shared/ipc/result'
import { silentWork } from '../../engine/environment'
import type { FileSystem } from '../../engine/storage/file-system'
import { changeContext } from '../changes/change-context'
import type { ChangeContext } from '../changes/change-handlers'
import { type ChangeRecord, readChanges } from '../changes/recent-changes'
import { listChanges, undoChange } from '../changes/undo'
import { type SessionSpec, TestLibrary } from '../reroot/test-library.test-support'
import { editHandlers } from './edit-handlers'
import { type EditSession, editSession } from './edit-session'
import type { EditDone, SessionEdit } from './edit-work'

export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

/** A change of one session, as the window asks for it. */
export type Change = (edit: SessionEdit) => Promise<Result<EditDone>>

export class EditsWorld {
  readonly library = new TestLibrary()
  private readonly children: ChildProcess[] = []

  async remove(): Promise<void> {
    for (const child of this.children) {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    this.library.remove()
  }

  /** Of a new run of Grove, which asks the real processes. */
  context(fileSystem?: FileSystem): ChangeContext {
    const { env, root } = this.library
    const used = fileSystem === undefined ? env : { ...env, fs: fileSystem }
    return changeContext(used, () => [root.layout.breadcrumbsDir])
  }

  session(spec: Partial<SessionSpec> = {}): string {
    const cwd = this.library.folder('w', 'app')
    return this.library.session({ cwd, id: 'one', ...spec })
  }

  target(journal: string, more: Partial<EditSession> = {}): EditSession {
    const { layout } = this.library.root
    return { ref: 's1', journal, title: 'listed as this', layout, readOnly: false, ...more }
  }

  edit(journal: string, change: Change, includeMaybe = false, context = this.context()) {
    return editSession(context, this.target(journal), includeMaybe, change, silentWork)
  }

  /** As `edit`; the change must be made. Answers its report. */
  async done(journal: string, change: Change): Promise<EditReport & { changeId: string }> {
    const report = unwrap(await this.edit(journal, change))
    const { changeId, staying } = report
    if (changeId === null) throw new Error(`Nothing was changed: ${JSON.stringify(staying)}`)
    return { ...report, changeId }
  }

  undo(changeId: string, context = this.context()) {
    return undoChange(context, editHandlers, changeId, silentWork)
  }

  changes(): ChangeRecord[] {
    const context = this.context()
    return unwrap(readChanges(context.env, context.data))
  }

  /** Why the newest change cannot be undone, as the list of changes says; null when it can. */
  whyNot(): string | null {
    const [newest] = unwrap(listChanges(this.context(), editHandlers))
    if (newest === undefined) throw new Error('There is no change.')
    return newest.whyNot
  }

  /** As `whyNot`, of one of the changes. */
  whyNotOf(changeId: string): string | null {
    const change = unwrap(listChanges(this.context(), editHandlers)).find(({ id }) => id === changeId)
    if (change === undefined) throw new Error('There is no such change.')
    return change.whyNot
  }

  /** A process of another program that has the file open, until the test ends. */
  async hold(file: string): Promise<void> {
    const script = `require('fs').openSync(${JSON.stringify(file)}, 'r'); console.log('open'); setInterval(() => 0, 1e6)`
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    this.children.push(child)
    if (child.stdout === null) throw new Error('no pipe')
    await once(child.stdout, 'data')
  }

  /** What another program adds, long enough ago to be no sign of use. */
  write(file: string, line: string): void {
    fs.appendFileSync(file, `${line}\n`)
    this.makeOld(file)
  }

  makeOld(file: string): void {
    const then = Math.floor(Date.now() / 1000) - 3600
    fs.utimesSync(file, then, then)
  }
}

export function textOf(file: string): string {
  return fs.readFileSync(file, 'utf8')
}

/** The records of a journal, slot and header first; lines that are none are left out. */
export function recordsOf(file: string): Record<string, unknown>[] {
  return textOf(file)
    .split('\n')
    .flatMap(line => {
      try {
        // A test's own file: what parses is an object.
        return [JSON.parse(line) as Record<string, unknown>]
      } catch {
        return []
      }
    })
}
