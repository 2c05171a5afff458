/**
 * The path to one tip of a session as rows: the plan of its rows, the fork switches and labels on them, and
 * pages of rows. Kept per tip until the session changes.
 */
import type { ForkSwitch, Outline, TranscriptPage, TranscriptRow } from '@shared/ipc/models/transcript-models'
import { ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { type Branches, findBranches } from '@shared/session/branches'
import { messageOf } from '@shared/session/entry'
import { type JsonObject, stringOrNull } from '@shared/session/json'
import { contentText, splitPrompt } from '@shared/session/prompt'
import { saneTime } from '@shared/session/sane-time'
import { NO_PARENT } from '@shared/session/session-entry-index'
import { listText } from '@shared/session/text'
import type { SessionDocument } from '../../engine/session/session-document'
import type { ImageAddress } from './shown-image'
import { planTranscript, type RowPlan, toolStart } from './transcript-plan'
import { buildRow, entryTime, type RowContext } from './transcript-rows'

export class PathView {
  readonly tip: number | null
  private readonly document: SessionDocument
  private readonly now: number
  private readonly branches: Branches
  private readonly children: Map<number, number[]>
  private readonly startedAt = new Map<string, number>()
  private plans: RowPlan[] = []

  private constructor(document: SessionDocument, tip: number | null, now: number) {
    this.document = document
    this.tip = tip
    this.now = now
    this.branches = findBranches(document.index, document.columns)
    this.children = document.index.childrenByParent()
  }

  static open(document: SessionDocument, tip: number | null, now: number): Result<PathView> {
    const view = new PathView(document, tip, now)
    const path = document.index.path(tip)
    const records = document.entries(path)
    if (!records.ok) return records
    for (const record of records.value) view.noteStart(record)
    const entries = path.map((ordinal, at) => ({ ordinal, record: records.value[at] ?? {} }))
    view.plans = planTranscript(entries, view.beginsAtGap(path[0]))
    return ok(view)
  }

  private noteStart(record: JsonObject): void {
    const start = toolStart(record)
    const time = start === null ? null : saneTime(start.startedAt, this.now)
    if (start !== null && time !== null) this.startedAt.set(start.callId, time)
  }

  private beginsAtGap(root: number | undefined): boolean {
    if (root === undefined) return false
    const parentId = this.document.index.parentId(root)
    return (
      parentId !== null &&
      parentId !== this.document.index.id(root) &&
      this.document.index.parent(root) === NO_PARENT
    )
  }

  get total(): number {
    return this.plans.length
  }

  /** Rows `from`..`from + count`; `from` null: the newest ones. */
  page(
    from: number | null,
    count: number,
    images: ImageAddress,
    subagentRef: RowContext['subagentRef'],
  ): Result<TranscriptPage> {
    const start = Math.max(0, Math.min(from ?? this.total - count, this.total))
    const plans = this.plans.slice(start, start + count)
    const ordinals = [...new Set(plans.flatMap(plan => [plan.ordinal, ...plan.results]))]
    const read = this.document.entries(ordinals)
    if (!read.ok) return read
    const records = new Map(ordinals.map((ordinal, at) => [ordinal, read.value[at] ?? {}]))
    const rows = plans.map((plan, at) => this.row(plan, start + at, records, images, subagentRef))
    return ok({ revision: this.document.revision, tip: this.tip, total: this.total, from: start, rows })
  }

  private row(
    plan: RowPlan,
    number: number,
    records: Map<number, JsonObject>,
    images: ImageAddress,
    subagentRef: RowContext['subagentRef'],
  ): TranscriptRow {
    const record = records.get(plan.ordinal) ?? {}
    const firstOfEntry =
      this.plans[number - 1]?.ordinal !== plan.ordinal || this.plans[number - 1]?.kind === 'gap'
    const results = plan.results.map(ordinal => ({ ordinal, record: records.get(ordinal) ?? {} }))
    const callId = stringOrNull(blockId(record, plan.block))
    return buildRow(plan, {
      base: {
        key: `${plan.ordinal}.${plan.block}.${plan.kind}`,
        ordinal: plan.ordinal,
        entryId: this.document.index.id(plan.ordinal),
        ...entryTime(record, this.now),
        labels: firstOfEntry ? this.labelsOf(plan) : [],
        fork: firstOfEntry && plan.kind !== 'gap' ? this.forkOf(plan) : null,
      },
      record,
      results,
      startedAt: callId === null ? null : (this.startedAt.get(callId) ?? null),
      now: this.now,
      images,
      subagentRef,
    })
  }

  private labelsOf(plan: RowPlan): string[] {
    const labels = plan.covers.map(ordinal => {
      const id = this.document.index.id(ordinal)
      return id === null ? undefined : this.document.facts.labels.get(id)
    })
    return labels.filter((label): label is string => label !== undefined)
  }

  /** The switch where this row's entry, or one without a row before it, is one of several continuations. */
  private forkOf(plan: RowPlan): ForkSwitch | null {
    const { index } = this.document
    for (const ordinal of plan.covers) {
      const all = this.children.get(index.parent(ordinal)) ?? []
      if (all.length < 2) continue
      const siblings = all.filter(child => child === ordinal || this.branches.hasMessages[child] === 1)
      if (siblings.length < 2) continue
      const at = siblings.indexOf(ordinal)
      const tipOf = (sibling: number | undefined) =>
        sibling === undefined ? null : (this.branches.newestBelow[sibling] ?? sibling)
      return {
        index: at + 1,
        count: siblings.length,
        previousTip: tipOf(siblings[at - 1]),
        nextTip: tipOf(siblings[at + 1]),
      }
    }
    return null
  }

  /** Row at which an entry stands, its results and the entries a row stands for included. */
  rowOf(ordinal: number): number | null {
    const exact = this.plans.findIndex(plan => plan.ordinal === ordinal)
    if (exact !== -1) return exact
    const covering = this.plans.findIndex(
      plan => plan.covers.includes(ordinal) || plan.results.includes(ordinal),
    )
    return covering === -1 ? null : covering
  }

  outline(): Result<Outline> {
    const prompts = this.plans
      .map((plan, row) => ({ plan, row }))
      .filter(({ plan }) => plan.kind === 'prompt')
    const records = this.document.entries(prompts.map(({ plan }) => plan.ordinal))
    if (!records.ok) return records
    const items = prompts.map(({ plan, row }, at) => {
      const record = records.value[at] ?? {}
      const text = splitPrompt(contentText(messageOf(record).content)).text
      return {
        row,
        ordinal: plan.ordinal,
        text: listText(text, limits.lineChars) || 'Empty prompt',
        time: entryTime(record, this.now).time,
      }
    })
    return ok({ revision: this.document.revision, items })
  }
}

function blockId(record: JsonObject, block: number): unknown {
  const content = messageOf(record).content
  const blocks: unknown[] = Array.isArray(content) ? content : []
  const value = blocks[block]
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : null
}
