/**
 * The paths of open sessions that are planned as rows: the few that were looked at last, of each session that
 * is open. When a session grows, a path that goes on is planned on; when it is rewritten, all begin anew.
 */
import { ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { SessionDocument } from '../../engine/session/session-document'
import { atOnce, type Steps } from '../../engine/steps'
import { PathView, type TreeShape, treeShape } from './path-view'

type Planned = {
  revision: number
  tree: TreeShape
  /** Tip -> its view, in order of use. */
  views: Map<number | null, PathView>
  /** Views of an earlier revision that may be continued. */
  earlier: PathView[]
}

export class PlannedPaths {
  /** Weak: what is planned goes with the document, which the manager drops. */
  private readonly byDocument = new WeakMap<SessionDocument, Planned>()

  /** The tree of a document as it is now. */
  tree(document: SessionDocument): TreeShape {
    return this.planned(document).tree
  }

  /** The rows of the path to `tip`, which must be in the document. */
  view(document: SessionDocument, tip: number | null, now: number): Result<PathView> {
    return atOnce(this.viewing(document, tip, now))
  }

  /** `view` in steps. */
  *viewing(document: SessionDocument, tip: number | null, now: number): Steps<Result<PathView>> {
    const planned = this.planned(document)
    const known = planned.views.get(tip)
    if (known !== undefined && !known.isEnd) return keep(planned, tip, known)
    const earlier = known === undefined ? planned.earlier : [known, ...planned.earlier]
    const view = yield* PathView.opening(document, planned.tree, tip, now, earlier)
    if (!view.ok) return view
    // Grown meanwhile: whoever asks next has it planned on.
    const current = this.planned(document)
    if (current !== planned) current.earlier.unshift(view.value)
    return keep(planned, tip, view.value)
  }

  /** The path to `tip` as far as it is planned; of a long one that is not planned yet, its end with at least `rows` rows. */
  end(document: SessionDocument, tip: number | null, now: number, rows: number): Result<PathView> {
    const planned = this.planned(document)
    const known = planned.views.get(tip)
    if (known !== undefined) return keep(planned, tip, known)
    const view = PathView.openEnd(document, planned.tree, tip, now, rows, planned.earlier)
    return view.ok ? keep(planned, tip, view.value) : view
  }

  private planned(document: SessionDocument): Planned {
    const known = this.byDocument.get(document)
    if (known?.revision === document.revision) return known
    const earlier = known === undefined ? [] : [...known.views.values()].reverse()
    const planned = { revision: document.revision, tree: treeShape(document), views: new Map(), earlier }
    this.byDocument.set(document, planned)
    return planned
  }
}

/** Notes a use of a view, and lets go of the one that was used longest ago. */
function keep(planned: Planned, tip: number | null, view: PathView): Result<PathView> {
  planned.views.delete(tip)
  planned.views.set(tip, view)
  for (const oldest of planned.views.keys()) {
    if (planned.views.size <= limits.plannedPaths) break
    planned.views.delete(oldest)
  }
  return ok(view)
}
