/** What a worker that searches, or builds the index, knows of the sessions there are. */
import type { Result } from '@shared/ipc/result'
import { displayTitle } from '../library/catalog/session-row'
import type { SessionSummary } from '../library/catalog/session-summary'
import { type SearchTarget, searchTarget } from '../library/search/search-target'
import type { ListChange } from '../workers/kept-list'
import { ListFeed } from './list-feed'

export type TargetFeed = ListFeed<SessionSummary, SearchTarget>

export function targetFeed(send: (change: ListChange<SearchTarget>) => Promise<Result<null>>): TargetFeed {
  return new ListFeed(
    ({ file }) => file,
    summary => searchTarget(summary, displayTitle(summary).title),
    send,
  )
}
