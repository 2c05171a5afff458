/**
 * Reading of sessions for the window: what is on screen, made from documents that stay indexed. Runs in the
 * worker. Looks only; every answer is plain data.
 */
import type { FindAnswer } from '@shared/ipc/models/search-models'
import type { EntryPreview, SessionTree, TipView } from '@shared/ipc/models/session-models'
import type { Outline, TranscriptPage } from '@shared/ipc/models/transcript-models'
import { err, ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import { openingTip, ownSegment } from '@shared/session/branches'
import { isMessageKind } from '@shared/session/entry-columns'
import { cutAtCharacter, replaceLoneSurrogates } from '@shared/session/text'
import type { Environment, WorkContext } from '../../engine/environment'
import { OpenDocuments } from '../../engine/session/open-documents'
import type { SessionDocument, SessionGrowth } from '../../engine/session/session-document'
import { inSteps } from '../../engine/steps'
import { type SessionSummary, summarizeDocument } from '../catalog/session-summary'
import { findInPath } from '../search/find-in-path'
import { type CopyRequest, copyPath } from './copy-path'
import type { CopiedText } from './copy-text'
import { glance } from './document-glance'
import { entryLine } from './entry-preview'
import { textAt } from './entry-text'
import { followsGap, type PathView } from './path-view'
import { PlannedPaths } from './planned-paths'
import { problemSentences } from './problem-text'
import { type RawLine, rawLine } from './raw-line'
import type { ImageAddress } from './shown-image'
import { oneLineText } from './shown-text'

export type OpenedSession = {
  revision: number
  growth: SessionGrowth
  summary: SessionSummary
  entries: number
  openTip: number | null
  leaf: number | null
  tips: TipView[]
  tipCount: number
  /** Null while it is not known. */
  prompts: number | null
  /** False: facts, tokens and costs are still to come, by `completed`. */
  complete: boolean
  problems: string[]
}

export class SessionReader {
  private readonly env: Environment
  private readonly manager: OpenDocuments
  private readonly paths = new PlannedPaths()
  /** Sessions that are being read in steps. */
  private readonly reading = new Map<string, Promise<unknown>>()
  /** How sessions turned out otherwise when they were completed, until that is told. */
  private readonly untold = new WeakMap<SessionDocument, SessionGrowth>()

  constructor(env: Environment) {
    this.env = env
    this.manager = new OpenDocuments(env)
  }

  /** Reads what changed on disk and tells what the session is now. */
  open(journal: string): Result<OpenedSession> {
    const read = this.manager.read(journal)
    if (!read.ok) return read
    const { document } = read.value
    const growth = greater(read.value.growth, this.takeLearnt(document))
    const tips = document.index.tips()
    const { complete } = document
    const facts = complete ? document.facts : glance(document, this.env.now())
    return ok({
      revision: document.revision,
      growth,
      summary: summarizeDocument(this.env, document, {}, facts),
      entries: document.index.count,
      openTip: openingTip(document.index, document.columns),
      leaf: document.index.leaf,
      tips: this.tipViews(document, tips),
      tipCount: tips.length,
      prompts: complete ? facts.promptCount : null,
      complete,
      problems: problemSentences(document),
    })
  }

  /** Reads what changed on disk and tells how. */
  refresh(journal: string): Result<{ growth: SessionGrowth; revision: number }> {
    const read = this.manager.read(journal)
    if (!read.ok) return read
    const { document, growth } = read.value
    return ok({ growth: greater(growth, this.takeLearnt(document)), revision: document.revision })
  }

  /** Learns what opening left out, where no other job did; how the session differs from what was told of it. */
  async learn(
    journal: string,
    work: WorkContext,
  ): Promise<Result<{ growth: SessionGrowth; revision: number }>> {
    const before = await this.opened(journal, work)
    if (!before.ok) return before
    const { index, revision } = before.value
    const completed = await this.completed(journal, work)
    if (!completed.ok) return completed
    const now = completed.value
    const growth = now.index !== index ? 'rewritten' : now.revision !== revision ? 'grown' : 'same'
    return ok({ growth: greater(growth, this.takeLearnt(now)), revision: now.revision })
  }

  private takeLearnt(document: SessionDocument): SessionGrowth {
    const learnt = this.untold.get(document) ?? 'same'
    this.untold.delete(document)
    return learnt
  }

  /** Opens a session in steps, where it is not open yet. */
  async opened(journal: string, work: WorkContext): Promise<Result<SessionDocument>> {
    await this.others(journal, work)
    const known = this.manager.known(journal)
    if (known !== null) return ok(known)
    const document = await this.once(journal, inSteps(this.manager.opening(journal), work, 'Reading'))
    if (!document.ok || document.value.complete) return document
    // A parent that is not there may lie in a line that only looks like a record: nothing is shown before that is known.
    const doubtful = document.value.index.orphans().length > 0
    return doubtful ? await this.completed(journal, work) : document
  }

  /** As `opened`, with everything that is to be known of it. */
  async completed(journal: string, work: WorkContext): Promise<Result<SessionDocument>> {
    const document = await this.opened(journal, work)
    if (!document.ok) return document
    await this.others(journal, work)
    if (document.value.complete) return document
    const checked = await this.once(journal, inSteps(document.value.checking(), work, 'Reading'))
    if (!checked.ok) return checked
    this.untold.set(document.value, checked.value)
    return document
  }

  /** The path to `tip` planned whole, where it is in the session. */
  async planned(journal: string, tip: number | null, work: WorkContext): Promise<Result<unknown>> {
    const document = await this.opened(journal, work)
    if (!document.ok) return document
    const shown = this.shownTip(document.value, tip)
    if (!shown.ok) return shown
    return await inSteps(this.paths.viewing(document.value, shown.value, this.env.now()), work, 'Reading')
  }

  /** Waits for what another job reads of the same session. */
  private async others(journal: string, work: WorkContext): Promise<void> {
    for (let other = this.reading.get(journal); other !== undefined; other = this.reading.get(journal)) {
      // Whoever began it may be cancelled: it is begun anew then.
      await other.catch(() => undefined)
      await work.breathe()
    }
  }

  private async once<T>(journal: string, reading: Promise<T>): Promise<T> {
    this.reading.set(journal, reading)
    try {
      return await reading
    } finally {
      this.reading.delete(journal)
    }
  }

  isOpen(journal: string): boolean {
    return this.manager.known(journal) !== null
  }

  document(journal: string): Result<SessionDocument> {
    return this.manager.current(journal)
  }

  private tipViews(document: SessionDocument, tips: readonly number[]): TipView[] {
    const newest = [...tips].reverse().slice(0, limits.tips)
    const leaf = document.index.leaf
    if (leaf !== null && tips.includes(leaf) && !newest.includes(leaf)) newest[newest.length - 1] = leaf
    const pathLengths = document.index.pathLengths()
    const views = newest.map(tip => {
      const own = ownSegment(document.index, tip)
      const lastMessage = own.find(ordinal => isMessageKind(document.columns.kind(ordinal)))
      return { tip, own, shown: lastMessage ?? tip, hasMessages: lastMessage !== undefined }
    })
    const records = document.entries(views.map(({ shown }) => shown))
    return views.map(({ tip, own, shown, hasMessages }, at) => {
      const cost = own.reduce((sum, ordinal) => sum + document.columns.cost(ordinal), 0)
      const record = records.ok ? records.value[at] : undefined
      return {
        ordinal: tip,
        id: document.index.id(tip),
        text: record === undefined ? '' : entryLine(record).text,
        time: document.columns.time(tip) ?? document.columns.time(shown),
        own: own.length,
        onPath: pathLengths[tip] ?? 0,
        cost: cost > 0 && document.complete ? cost : null,
        isLeaf: tip === document.index.leaf,
        hasMessages,
      }
    })
  }

  private pathView(journal: string, tip: number | null): Result<PathView> {
    const found = this.manager.current(journal)
    if (!found.ok) return found
    const shown = this.shownTip(found.value, tip)
    return shown.ok ? this.paths.view(found.value, shown.value, this.env.now()) : shown
  }

  private shownTip({ index, columns, path }: SessionDocument, tip: number | null): Result<number | null> {
    const shown = tip ?? openingTip(index, columns)
    if (shown === null || shown < index.count) return ok(shown)
    return err('changed-on-disk', `${path} changed since it was opened; it is read again.`, path)
  }

  /** The newest rows, without a look at what lies far above them. */
  newest(
    journal: string,
    input: { tip: number | null; count: number },
    images: ImageAddress,
    subagentRef: (name: string) => string | null,
  ): Result<TranscriptPage> {
    const document = this.manager.current(journal)
    if (!document.ok) return document
    const shown = this.shownTip(document.value, input.tip)
    if (!shown.ok) return shown
    const view = this.paths.end(document.value, shown.value, this.env.now(), input.count)
    return view.ok ? view.value.page(null, input.count, images, subagentRef) : view
  }

  transcript(
    journal: string,
    input: { tip: number | null; from: number | null; count: number },
    images: ImageAddress,
    subagentRef: (name: string) => string | null,
  ): Result<TranscriptPage> {
    const view = this.pathView(journal, input.tip)
    return view.ok ? view.value.page(input.from, input.count, images, subagentRef) : view
  }

  outline(journal: string, tip: number | null): Result<Outline> {
    const view = this.pathView(journal, tip)
    return view.ok ? view.value.outline() : view
  }

  /** Row of an entry on the path to `tip`; when it is not on it, on the path to the newest tip beyond it. */
  rowOf(journal: string, tip: number | null, ordinal: number): Result<{ row: number | null; tip: number }> {
    const view = this.pathView(journal, tip)
    if (!view.ok) return view
    const row = view.value.rowOf(ordinal)
    if (row !== null || view.value.tip === null) return ok({ row, tip: view.value.tip ?? ordinal })
    const found = this.manager.current(journal)
    if (!found.ok) return found
    const other = this.paths.tree(found.value).branches.newestBelow[ordinal] ?? ordinal
    const otherView = this.pathView(journal, other)
    return otherView.ok ? ok({ row: otherView.value.rowOf(ordinal), tip: other }) : otherView
  }

  /** First row of an entry on the path where reading starts; null when it is not on it. */
  rowOfEntry(journal: string, entry: string): Result<number | null> {
    const found = this.manager.current(journal)
    if (!found.ok) return found
    const view = this.pathView(journal, null)
    if (!view.ok) return view
    const ordinal = found.value.index.ordinalOf(entry)
    return ok(ordinal === undefined ? null : view.value.rowOf(ordinal))
  }

  /** A part of the path to `tip` as text; where its entry is not on that path, of the path to the newest tip beyond it. */
  async copyText(
    journal: string,
    tip: number | null,
    request: CopyRequest,
    images: ImageAddress,
    work: WorkContext,
  ): Promise<Result<CopiedText>> {
    const { span } = request
    const at = 'ordinal' in span ? this.rowOf(journal, tip, span.ordinal) : ok({ tip })
    if (!at.ok) return at
    const view = this.pathView(journal, at.value.tip)
    const document = this.manager.current(journal)
    if (!view.ok) return view
    if (!document.ok) return document
    return await copyPath(document.value, view.value, request, images, work)
  }

  /** The texts on the path to `tip` in which something occurs. */
  async find(
    journal: string,
    tip: number | null,
    query: { text: string; exact: boolean },
    work: WorkContext,
  ): Promise<Result<FindAnswer>> {
    const view = this.pathView(journal, tip)
    const document = this.manager.current(journal)
    if (!view.ok) return view
    return document.ok ? await findInPath(document.value, view.value, query, work) : document
  }

  /** The whole of a text that a row shows cut; cut only at the limit of what a window can hold. */
  text(journal: string, ordinal: number, part: string): Result<{ text: string; cut: boolean }> {
    const document = this.manager.current(journal)
    if (!document.ok) return document
    const record = document.value.entry(ordinal)
    if (!record.ok) return record
    const text = textAt(record.value, part)
    if (text === null) return err('not-found', `Entry ${ordinal} of ${journal} has no text ${part}.`, journal)
    const cut = text.length > limits.textChars
    return ok({ text: replaceLoneSurrogates(cut ? cutAtCharacter(text, limits.textChars) : text), cut })
  }

  tree(journal: string): Result<SessionTree> {
    const found = this.manager.current(journal)
    if (!found.ok) return found
    const { index, columns, revision } = found.value
    const labels = [...found.value.labels].flatMap(([id, label]) => {
      const ordinal = index.ordinalOf(id)
      return ordinal === undefined ? [] : [{ ordinal, label: oneLineText(label) }]
    })
    return ok({
      revision,
      count: index.count,
      parents: index.parents(),
      ...columns.arrays(),
      labels,
      leaf: index.leaf,
    })
  }

  previews(journal: string, ordinals: readonly number[]): Result<EntryPreview[]> {
    const found = this.manager.current(journal)
    if (!found.ok) return found
    const document = found.value
    const known = ordinals.filter(ordinal => ordinal < document.index.count)
    const records = document.entries(known)
    if (!records.ok) return records
    return ok(
      known.map((ordinal, at) => ({
        ordinal,
        id: document.index.id(ordinal),
        ...entryLine(records.value[at] ?? {}),
        gap: followsGap(document.index, ordinal),
      })),
    )
  }

  /** Raw bytes of a line that is damaged or not finished. */
  rawLine(journal: string, line: number): Result<RawLine> {
    const found = this.manager.current(journal)
    return found.ok ? rawLine(found.value, line) : found
  }
}

/** The one of two differences that says more. */
function greater(one: SessionGrowth, other: SessionGrowth): SessionGrowth {
  const order: readonly SessionGrowth[] = ['same', 'grown', 'rewritten']
  return order.indexOf(one) > order.indexOf(other) ? one : other
}
