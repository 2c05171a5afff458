/**
 * The paths of open sessions that are planned as rows: the few that were looked at last, of each session that
 * is open. When a session grows, a path that goes on is planned on; when it is rewritten, all begin anew.
 */
import { ok, type Result } from '@shared/ipc/result'
import { limits } from '@shared/limits'
import type { SessionDocument } from '../../engine/session/session-document'
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
    const planned = this.planned(document)
    const known = planned.views.get(tip)
    const view =
      known === undefined ? PathView.open(document, planned.tree, tip, now, planned.earlier) : ok(known)
    if (!view.ok) return view
    planned.views.delete(tip)
    planned.views.set(tip, view.value)
    for (const oldest of planned.views.keys()) {
      if (planned.views.size <= limits.plannedPaths) break
      planned.views.delete(oldest)
    }
    return view
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
