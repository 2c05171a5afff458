/**
 * The path to one tip of a session as rows: the plan of its rows, the fork switches and labels on them, and
 * pages of rows. Records are read one at a time and not kept. A path that only grew is planned on from where
 * it ended.
 *
 * Of a long path the end can be planned first (`openEnd`): its rows are numbered from 0, and rows above are still to come. Once the
 * whole is planned, `origin` of a page is where the rows of the end stand in it.
 */
import type { ForkSwitch, Outline, TranscriptPage, TranscriptRow } from '@shared/ipc/models/transcript-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { type Branches, findBranches } from '@shared/session/branches'
import { messageOf } from '@shared/session/entry'
import { type JsonObject, stringOrNull } from '@shared/session/json'
import { contentText, splitPrompt } from '@shared/session/prompt'
import { saneTime } from '@shared/session/sane-time'
import { NO_PARENT, type SessionEntryIndex } from '@shared/session/session-entry-index'
import { listText } from '@shared/session/text'
import type { SessionDocument } from '../../engine/session/session-document'
import { atOnce, type Steps } from '../../engine/steps'
import type { CopyRow } from './copy-text'
import { textAt } from './entry-text'
import type { ImageAddress } from './shown-image'
import { oneLineText } from './shown-text'
import { needsRecord, type RowPlan, TranscriptPlanner, toolStart } from './transcript-plan'
import { buildRow, entryTime, type RowContext } from './transcript-rows'

/** Bytes of a path's end that are planned first, and at most in search of calls whose results stand there. */
const END_BYTES = 256 * 1024
const MOST_END_BYTES = 4 * 1024 * 1024
/** Bytes that are read, and entries that are planned, in one step. */
const STEP_BYTES = 1024 * 1024
const STEP_ENTRIES = 20_000

/** Bytes of lines that one page is made of: sixty rows may be pictures of many megabytes each. */
const PAGE_BYTES = 8 * 1024 * 1024

/** What all paths of one state of a session share. */
export type TreeShape = {
  branches: Branches
  /** Of the entries that have several. */
  children: ReadonlyMap<number, readonly number[]>
}

export function treeShape(document: SessionDocument): TreeShape {
  return {
    branches: findBranches(document.index, document.columns),
    children: document.index.forks(),
  }
}

/** Whether the entry before this one is not in the file. One that names itself is no such gap. */
export function followsGap(index: SessionEntryIndex, ordinal: number): boolean {
  const parentId = index.parentId(ordinal)
  return parentId !== null && parentId !== index.id(ordinal) && index.parent(ordinal) === NO_PARENT
}

export class PathView {
  readonly tip: number | null
  private readonly document: SessionDocument
  private readonly index: SessionEntryIndex
  private readonly tree: TreeShape
  private readonly now: number
  private readonly path: readonly number[]
  private readonly planner: TranscriptPlanner
  private readonly startedAt: Map<string, number>
  /** Position on the path from which on it is planned: 0 for all of it. */
  private start = 0
  /** Row at which the part stands that was planned first; null where it does not stand there as it was. */
  private firstRow: number | null = 0
  private plans: RowPlan[] = []
  /** Made when first asked for. */
  private rowsByOrdinal: Map<number, number> | null = null
  /** Its planner went on to another view. */
  private continued = false

  private constructor(
    document: SessionDocument,
    tree: TreeShape,
    tip: number | null,
    now: number,
    base: PathView | null,
  ) {
    this.document = document
    this.index = document.index
    this.tree = tree
    this.tip = tip
    this.now = now
    this.path = document.index.path(tip)
    this.planner = base?.planner ?? new TranscriptPlanner()
    this.startedAt = base?.startedAt ?? new Map()
  }

  /**
   * `earlier`: views of the same session made before it grew. One whose path this path continues is taken
   * over, and must not be used any more.
   */
  static open(
    document: SessionDocument,
    tree: TreeShape,
    tip: number | null,
    now: number,
    earlier: readonly PathView[] = [],
  ): Result<PathView> {
    return atOnce(PathView.opening(document, tree, tip, now, earlier))
  }

  /** `open` in steps. The document may grow meanwhile; what comes to the path then is not in the view. */
  static *opening(
    document: SessionDocument,
    tree: TreeShape,
    tip: number | null,
    now: number,
    earlier: readonly PathView[] = [],
  ): Steps<Result<PathView>> {
    const path = document.index.path(tip)
    const base = earlier.find(view => view.start === 0 && view.isContinuedBy(document, path)) ?? null
    if (base !== null) base.continued = true
    const end = earlier.find(view => view.start > 0 && view.isContinuedBy(document, path))
    const view = new PathView(document, tree, tip, now, base)
    const planned = yield* view.planning(base?.path.length ?? 0)
    if (!planned.ok) return planned
    if (base !== null) view.firstRow = base.firstRow
    else view.firstRow = end === undefined ? 0 : view.rowsOfEnd(end)
    return ok(view)
  }

  /** The end of a path, with at least `rows` rows where it has as many; all of it where that is not much more. */
  static openEnd(
    document: SessionDocument,
    tree: TreeShape,
    tip: number | null,
    now: number,
    rows: number,
    earlier: readonly PathView[] = [],
  ): Result<PathView> {
    const path = document.index.path(tip)
    const base = earlier.find(view => view.isContinuedBy(document, path))
    if (base !== undefined) return PathView.continued(base, tip, tree, now)
    for (let start = path.length, bytes = END_BYTES; ; bytes *= 4) {
      start = startOfEnd(document, path, start, bytes)
      const view = new PathView(document, tree, tip, now, null)
      view.start = start
      const planned = atOnce(view.planning(start))
      if (!planned.ok) return planned
      // Results of calls above would be missing at the end: a little more of it mostly has them.
      const settled = view.plans.length >= rows && (view.planner.unanswered === 0 || bytes > MOST_END_BYTES)
      if (start === 0 || settled) return ok(view)
    }
  }

  private static continued(
    base: PathView,
    tip: number | null,
    tree: TreeShape,
    now: number,
  ): Result<PathView> {
    base.continued = true
    const view = new PathView(base.document, tree, tip, now, base)
    view.start = base.start
    view.firstRow = base.firstRow
    const planned = atOnce(view.planning(base.path.length))
    return planned.ok ? ok(view) : planned
  }

  /** Whether rows above are still to come. */
  get isEnd(): boolean {
    return this.start > 0
  }

  private isContinuedBy(document: SessionDocument, path: readonly number[]): boolean {
    // Another index means that the file was read anew: nothing of it need be as it was.
    if (this.continued || this.index !== document.index || this.path.length === 0) return false
    return this.path.length <= path.length && this.path.every((ordinal, at) => path[at] === ordinal)
  }

  /** Row at which the rows of `end` stand here; null when they are not all here as they are there. */
  private rowsOfEnd(end: PathView): number | null {
    const first = end.plans[0]
    const row = first === undefined ? -1 : this.plans.findIndex(plan => rowKey(plan) === rowKey(first))
    if (row === -1) return null
    const same = end.plans.every((plan, at) => {
      const here = this.plans[row + at]
      return here !== undefined && rowKey(here) === rowKey(plan)
    })
    return same ? row : null
  }

  private *planning(start: number): Steps<Result<true>> {
    const root = this.path[0]
    if (start === 0 && root !== undefined && followsGap(this.index, root)) this.planner.addGap(root)
    const total = this.path.length
    for (let at = start; at < total; ) {
      const from = at
      const read: number[] = []
      for (let bytes = 0; at < total && bytes < STEP_BYTES && at - from < STEP_ENTRIES; at++) {
        const ordinal = this.path[at] ?? 0
        if (!needsRecord(this.document.columns.shape(ordinal))) continue
        read.push(ordinal)
        bytes += this.index.place(ordinal).length
      }
      const planned = this.plan(from, at, read)
      if (!planned.ok) return planned
      if (at < total) yield { done: at - start, total: total - start }
      // Read anew meanwhile: the path names other entries now.
      if (this.document.index !== this.index) return this.changed()
    }
    this.plans = this.planner.rows(this.start === 0)
    return ok(true as const)
  }

  private changed(): Result<never> {
    const { path } = this.document
    return err('changed-on-disk', `${path} changed since it was read; it is read again.`, path)
  }

  /** Plans the entries `from`..`to` of the path; the records of those in `read` are needed for it. */
  private plan(from: number, to: number, read: readonly number[]): Result<true> {
    let next = from
    const planUpTo = (end: number) => {
      for (; next < end; next++) this.planOne(this.path[next] ?? 0, {})
    }
    const visited = this.document.visit(read, (record, ordinal) => {
      let at = next
      while (this.path[at] !== ordinal) at++
      planUpTo(at)
      this.noteStart(record)
      this.planOne(ordinal, record)
      next = at + 1
    })
    if (visited.ok) planUpTo(to)
    return visited
  }

  private planOne(ordinal: number, record: JsonObject): void {
    this.planner.add({ ordinal, shape: this.document.columns.shape(ordinal), record })
  }

  private noteStart(record: JsonObject): void {
    const start = toolStart(record)
    const time = start === null ? null : saneTime(start.startedAt, this.now)
    if (start !== null && time !== null) this.startedAt.set(start.callId, time)
  }

  get total(): number {
    return this.plans.length
  }

  /** Rows `from`..`from + count`, or the first of them, at least one, where they are large; `from` null: the newest ones. */
  page(
    from: number | null,
    count: number,
    images: ImageAddress,
    subagentRef: RowContext['subagentRef'],
  ): Result<TranscriptPage> {
    const first = Math.max(0, Math.min(from ?? this.total - count, this.total))
    const wanted = this.plans.slice(first, first + count)
    const many = this.fitting(from === null ? wanted.reverse() : wanted)
    const start = from === null ? this.total - many : first
    const rows = this.rows(this.plans.slice(start, start + many), images, subagentRef)
    if (!rows.ok) return rows
    return ok({
      revision: this.document.revision,
      tip: this.tip,
      total: this.total,
      from: start,
      earlier: this.isEnd,
      origin: this.firstRow,
      rows: rows.value,
    })
  }

  /** How many of these rows, one after the other, one page takes. */
  private fitting(plans: readonly RowPlan[]): number {
    let bytes = 0
    const tooMany = plans.findIndex((plan, at) => {
      // The rows of one message share its line.
      const shared = plans[at - 1]?.ordinal === plan.ordinal ? this.index.place(plan.ordinal).length : 0
      bytes += this.rowBytes(plan) - shared
      return at > 0 && bytes > PAGE_BYTES
    })
    return tooMany === -1 ? plans.length : tooMany
  }

  /** The plans of all rows. */
  get rowPlans(): readonly RowPlan[] {
    return this.plans
  }

  /** Bytes of the entries that make up a row. */
  rowBytes(plan: RowPlan): number {
    return [plan.ordinal, ...plan.results].reduce((sum, at) => sum + this.index.place(at).length, 0)
  }

  /** Rows by their plans, with the whole of every text in them. */
  copyRows(plans: readonly RowPlan[], images: ImageAddress): Result<CopyRow[]> {
    const read = this.records(plans)
    if (!read.ok) return read
    const wholeText: CopyRow['textAt'] = (ordinal, part) => textAt(read.value.get(ordinal) ?? {}, part)
    return ok(plans.map(plan => ({ row: this.row(plan, read.value, images, () => null), textAt: wholeText })))
  }

  /** Rows by their plans, one after the other: of a page of pictures only one is held at a time. */
  private rows(
    plans: readonly RowPlan[],
    images: ImageAddress,
    subagentRef: RowContext['subagentRef'],
  ): Result<TranscriptRow[]> {
    const rows: TranscriptRow[] = []
    const held = new Map<number, JsonObject>()
    const isHeld = ({ ordinal, results }: RowPlan) => [ordinal, ...results].every(one => held.has(one))
    const ordinals = plans.flatMap(({ ordinal, results }, at) =>
      plans[at - 1]?.ordinal === ordinal ? results : [ordinal, ...results],
    )
    const read = this.document.visit(ordinals, (record, visited) => {
      held.set(visited, record)
      for (let plan = plans[rows.length]; plan !== undefined && isHeld(plan); plan = plans[rows.length]) {
        rows.push(this.row(plan, held, images, subagentRef))
        const next = plans[rows.length]?.ordinal
        for (const ordinal of held.keys()) if (ordinal !== next) held.delete(ordinal)
      }
    })
    return read.ok ? ok(rows) : read
  }

  private records(plans: readonly RowPlan[]): Result<Map<number, JsonObject>> {
    const ordinals = [...new Set(plans.flatMap(plan => [plan.ordinal, ...plan.results]))]
    const read = this.document.entries(ordinals)
    return read.ok ? ok(new Map(ordinals.map((ordinal, at) => [ordinal, read.value[at] ?? {}]))) : read
  }

  private row(
    plan: RowPlan,
    records: Map<number, JsonObject>,
    images: ImageAddress,
    subagentRef: RowContext['subagentRef'],
  ): TranscriptRow {
    const record = records.get(plan.ordinal) ?? {}
    const results = plan.results.map(ordinal => ({ ordinal, record: records.get(ordinal) ?? {} }))
    const callId = stringOrNull(blockId(record, plan.block))
    return buildRow(plan, {
      base: {
        key: rowKey(plan),
        ordinal: plan.ordinal,
        entryId: this.index.id(plan.ordinal),
        ...entryTime(record, this.now),
        labels: this.labelsOf(plan),
        fork: this.forkOf(plan),
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
      const id = this.index.id(ordinal)
      return id === null ? undefined : this.document.labels.get(id)
    })
    return labels.flatMap(label => (label === undefined ? [] : [oneLineText(label)]))
  }

  /** The switch where an entry that this row covers is one of several continuations. */
  private forkOf(plan: RowPlan): ForkSwitch | null {
    const { branches, children } = this.tree
    for (const ordinal of plan.covers) {
      const all = children.get(this.index.parent(ordinal)) ?? []
      if (all.length < 2) continue
      const siblings = all.filter(child => child === ordinal || branches.hasMessages[child] === 1)
      if (siblings.length < 2) continue
      const at = siblings.indexOf(ordinal)
      const tipOf = (sibling: number | undefined) =>
        sibling === undefined ? null : (branches.newestBelow[sibling] ?? sibling)
      return {
        index: at + 1,
        count: siblings.length,
        previousTip: tipOf(siblings[at - 1]),
        nextTip: tipOf(siblings[at + 1]),
      }
    }
    return null
  }

  /** Row at which an entry stands, one without a row of its own included; null when it is not on the path. */
  rowOf(ordinal: number): number | null {
    if (this.rowsByOrdinal === null) {
      this.rowsByOrdinal = new Map()
      for (const [row, { covers }] of this.plans.entries())
        for (const covered of covers) this.rowsByOrdinal.set(covered, row)
    }
    return this.rowsByOrdinal.get(ordinal) ?? null
  }

  outline(): Result<Outline> {
    const rows = new Map<number, number>()
    for (const [row, { kind, ordinal }] of this.plans.entries()) if (kind === 'prompt') rows.set(ordinal, row)
    const items: Outline['items'] = []
    const read = this.document.visit([...rows.keys()], (record, ordinal) => {
      const text = splitPrompt(contentText(messageOf(record).content)).text
      items.push({
        row: rows.get(ordinal) ?? 0,
        ordinal,
        text: listText(text, limits.lineChars) || 'Empty prompt',
        time: entryTime(record, this.now).time,
      })
    })
    return read.ok ? ok({ revision: this.document.revision, items }) : read
  }
}

/**
 * Position on the path from which on its entries, up to `end`, have about so many bytes to be read. It is that of a prompt where one
 * is not far: results mostly stand in the turn of their calls.
 */
function startOfEnd(document: SessionDocument, path: readonly number[], end: number, bytes: number): number {
  let start = end
  for (let left = bytes; start > 0; start--) {
    if (left <= 0 && (document.columns.shape(path[start] ?? 0) === 'prompt' || left < -2 * bytes)) break
    const ordinal = path[start - 1] ?? 0
    if (needsRecord(document.columns.shape(ordinal))) left -= document.index.place(ordinal).length
  }
  return start
}

/** Names a row while its session is open. */
export function rowKey(plan: RowPlan): string {
  return `${plan.ordinal}.${plan.block}.${plan.kind}`
}

function blockId(record: JsonObject, block: number): unknown {
  const content = messageOf(record).content
  const blocks: unknown[] = Array.isArray(content) ? content : []
  const value = blocks[block]
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : null
}
