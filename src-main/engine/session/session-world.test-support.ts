/** For tests: a session manager, its file, others who write to it, and the model of what must come of it. */
import fs from 'node:fs'
import type { Result } from '@shared/ipc/result'
import { parseObject } from '@shared/session/json'
import { expect } from 'vitest'
import { plainLayout } from '../layout/agent-directories'
import { FileSessionStorage } from '../storage/file-session-storage'
import type { TestEnvironment } from '../test-environment.test-support'
import { stateOf } from './document-state.test-support'
import type { ManagerSettings } from './manager-settings'
import { SessionDocument } from './session-document'
import { SessionManager } from './session-manager'
import { bytesOf, type SessionModel, withReferences } from './session-model.test-support'
import type { SharingMode } from './session-writer'

export class SessionWorld {
  manager: SessionManager
  readonly env: TestEnvironment
  readonly model: SessionModel
  readonly settings: ManagerSettings
  /** The header as it must be, parsed; null until the file is there. */
  private header: string | null = null
  private outsideWrites = 0

  constructor(env: TestEnvironment, model: SessionModel, settings: ManagerSettings, manager: SessionManager) {
    this.env = env
    this.model = model
    this.settings = settings
    this.manager = manager
    if (model.isOnDisk) model.learn(idsOf(manager.document))
    model.leaf = model.lastId
  }

  get sharing(): SharingMode {
    return this.settings.sharing ?? 'refuse'
  }

  /** The program ends without a word, and another one opens the session. */
  reopen(): void {
    this.manager = value(SessionManager.open(this.env, this.settings, this.manager.file))
    this.model.leaf = this.model.lastId
    this.model.untold = false
  }

  /** Another program changes the file. */
  outside(change: (file: string) => void): void {
    const { file } = this.manager
    change(file)
    // Two writes can fall into one tick of the file system's clock; others come later than that.
    const { atime } = fs.statSync(file)
    fs.utimesSync(file, atime, new Date(Date.now() + 10_000 * ++this.outsideWrites))
    this.model.untold = true
  }

  /** Entries of version 1 have the ids that they are read with. */
  learn(): void {
    this.model.learn(idsOf(this.reopened()))
  }

  /** What a change must answer that is refused for what others did; null when it goes on. */
  refusal(): 'changed-on-disk' | null {
    const refused = this.model.untold && this.sharing === 'refuse'
    this.model.untold = false
    return refused ? 'changed-on-disk' : null
  }

  /** The text of the last line, which our program must have just added. */
  lastLine(): string {
    const body = this.model.isOnDisk ? this.bodyOnDisk() : this.bodyInMemory()
    expect(body.endsWith('\n')).toBe(true)
    return body.slice(body.lastIndexOf('\n', body.length - 2) + 1, -1)
  }

  bodyInMemory(): string {
    const { document } = this.manager
    return Buffer.from(value(document.rawBytes(0, document.bytes)))
      .toString('latin1')
      .split('\n')
      .slice(2)
      .join('\n')
  }

  bodyOnDisk(): string {
    const { body, header } = this.read()
    expect(header).not.toBeNull()
    return body
  }

  /** Everything that must hold, whatever was done. */
  check(where: string): void {
    const { model, manager } = this
    expect(manager.isOnDisk, where).toBe(model.isOnDisk)
    expect(manager.leafId, where).toBe(model.untold ? manager.leafId : model.leafNow)
    if (!model.isOnDisk) {
      this.compare(manager.document, where)
      expect(manager.unsaved, where).toBe(model.entries.length)
      expect(fs.existsSync(manager.file) ? fs.readFileSync(manager.file, 'utf8').trim() : '', where).toBe('')
      return
    }
    expect(manager.unsaved, where).toBe(0)
    const { header, body } = this.read()
    expect(body, where).toBe(model.body)
    this.header ??= header
    expect({ ...parseObject(header ?? ''), version: 0 }, where).toEqual({
      ...parseObject(this.header ?? ''),
      version: 0,
    })
    const reopened = this.reopened()
    this.compare(reopened, where)
    expect(reopened.version ?? 1, where).toBe(model.version)
    if (!model.untold) expect(stateOf(manager.document), where).toEqual(stateOf(reopened))
  }

  private compare(document: SessionDocument, where: string): void {
    const { model } = this
    const { index } = document
    const ordinals = Array.from({ length: index.count }, (_, at) => at)
    const found = ordinals.map(at => ({ id: index.id(at), parentId: index.parentId(at) }))
    expect(found, where).toEqual(model.entries.map(({ id, parentId }) => ({ id, parentId })))
    const last = index.leaf
    expect(last === null ? null : index.id(last), where).toBe(model.lastId)
    expect(
      index.path(last).map(at => index.id(at)),
      where,
    ).toEqual(model.path(model.lastId))
    expect([...document.facts.labels], where).toEqual(expect.arrayContaining([...model.labels]))
    expect(document.facts.labels.size, where).toBe(model.labels.size)
    expect(document.title, where).toEqual(model.title)
  }

  private read(): { header: string | null; body: string } {
    const text = fs.readFileSync(this.manager.file).toString('latin1')
    let at = 0
    while (at < text.length) {
      const end = text.indexOf('\n', at)
      const line = text.slice(at, end)
      at = end + 1
      if (
        parseObject(
          bytesOf(line)
            .toString('utf8')
            .replace(/^\ufeff/, ''),
        )?.type === 'session'
      )
        return { header: line, body: text.slice(at) }
    }
    return { header: null, body: '' }
  }

  private reopened(): SessionDocument {
    return value(SessionDocument.open(new FileSessionStorage(this.env, this.manager.file), this.env.now))
  }
}

export function settingsFor(
  env: TestEnvironment,
  sharing: SharingMode,
  gate: 'lazy' | 'open',
): ManagerSettings {
  return { layout: plainLayout(`${env.home}/agent`), sharing, gate }
}

export function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

function idsOf({ index }: SessionDocument): (string | null)[] {
  return Array.from({ length: index.count }, (_, at) => index.id(at))
}

/** Whether a record says what was asked for, pictures as references or not. */
export function expectRecord(text: string, expected: object): void {
  const record = parseObject(bytesOf(text).toString('utf8'))
  expect(withReferences(record)).toEqual(withReferences(JSON.parse(JSON.stringify(expected))))
}
