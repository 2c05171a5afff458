/** The adding itself of `append`: one entry, or one after the other as they come; in a dry run only a look at each. */
import { ok, type Result } from '@shared/ipc/result'
import { objectOf, stringOrNull } from '@shared/session/json'
import { entryRecord, type NewEntry } from '@shared/session/new-entry'
import type { AppendOptions } from '../../engine/session/manager-options'
import { prepareRecord } from '../../engine/session/prepare-record'
import type { SessionDocument } from '../../engine/session/session-document'
import type { SessionManager } from '../../engine/session/session-manager'
import { attemptAsync, EngineError } from '../../engine/storage/errors'
import type { CommandIo } from '../command'
import { entryOf } from '../entry-input'
import { inputLines } from '../input-text'
import { type AnsweringModel, messageOf, type TextRole, textMessage, UNKNOWN_MODEL } from '../message-input'
import { hasEntry } from '../session-at-work'

export type EntrySource =
  | { kind: 'text'; text: string; role: TextRole }
  | { kind: 'entry'; json: string }
  | { kind: 'input' }

export type AddingOptions = {
  source: EntrySource
  /** Undefined: the leaf. */
  parentId: string | null | undefined
  dryRun: boolean
  json: boolean
}

/** Adds what the options say, one after the other; in a dry run it only looks whether it could. */
export class Adding {
  /** Entries that were written, or would be. */
  count = 0
  /** The last of them; null in a dry run. */
  id: string | null = null
  parentId: string | null

  constructor(
    private readonly io: CommandIo,
    private readonly manager: SessionManager,
    private readonly options: AddingOptions,
  ) {
    this.parentId = options.parentId === undefined ? manager.leafId : options.parentId
  }

  async all(): Promise<Result<true>> {
    const { source } = this.options
    switch (source.kind) {
      case 'text':
        return this.add(this.textEntry(source.text, source.role))
      case 'entry':
        return this.add(this.entryOf(source.json))
      case 'input':
        return this.addLines()
      default:
        return source satisfies never
    }
  }

  private addLines(): Promise<Result<true>> {
    return attemptAsync('read', 'standard input', async () => {
      for await (const { number, text } of inputLines(this.io.input())) {
        const entry = this.entryOf(text)
        const added = await this.add(entry)
        if (!added.ok) {
          const { code, message, path: where } = added.error
          throw new EngineError(code, `Line ${number} of standard input was not added: ${message}`, where)
        }
        if (this.options.dryRun) continue
        if (this.options.json) this.io.print(JSON.stringify({ id: this.id }))
        else this.io.print(this.id ?? '')
      }
      return true as const
    })
  }

  private async add(entry: Result<NewEntry>): Promise<Result<true>> {
    if (!entry.ok) return entry
    const { manager } = this
    // The first one hangs where it was asked to, each later one under the one before.
    const place: AppendOptions =
      this.options.parentId === undefined || this.count > 0
        ? {}
        : { parentId: this.options.parentId, leaf: 'follow' }
    const leaf = manager.leafId
    const added = this.options.dryRun ? this.look(entry.value) : await manager.append(entry.value, place)
    if (!added.ok) return added
    if (this.count > 0) this.parentId = leaf
    this.count++
    this.id = added.value
    return ok(true)
  }

  /** Whether the entry could be written. Its id is not known before it is. */
  private look(entry: NewEntry): Result<null> {
    const { manager } = this
    const target = entry.type === 'label' ? hasEntry(manager, entry.targetId) : ok(true as const)
    if (!target.ok) return target
    const place = { id: '00000000', parentId: null, timestamp: new Date(0).toISOString() }
    const prepared = prepareRecord(entryRecord(place, entry), null)
    return prepared.ok ? ok(null) : prepared
  }

  private textEntry(text: string, role: TextRole): Result<NewEntry> {
    const message = messageOf(textMessage(role, text), this.defaults())
    return message.ok ? ok({ type: 'message', message: message.value }) : message
  }

  private entryOf(json: string): Result<NewEntry> {
    return entryOf(json, this.defaults())
  }

  private defaults() {
    const { manager } = this
    const { parentId } = this.options
    const from = parentId === undefined || this.count > 0 ? manager.leafId : parentId
    return { now: this.io.env.now(), model: () => lastModel(manager.document, from) }
  }
}

/** Who answered last on the path to `leafId`; omp takes the model it goes on with from there. */
function lastModel(document: SessionDocument, leafId: string | null): AnsweringModel {
  const { index, columns } = document
  let at = (leafId === null ? undefined : index.ordinalOf(leafId)) ?? -1
  // A path in a circle is no longer than the file.
  for (let steps = 0; at >= 0 && steps < index.count; steps++, at = index.parent(at)) {
    if (columns.kind(at) !== 'assistant') continue
    const record = document.entry(at)
    if (!record.ok) continue
    const { api, provider, model } = objectOf(record.value.message)
    if (stringOrNull(provider) === null || stringOrNull(model) === null) continue
    return { api: stringOrNull(api) ?? 'unknown', provider: `${provider}`, model: `${model}` }
  }
  return UNKNOWN_MODEL
}
