/** What a worker that searches, or builds the index, knows of the sessions there are. */
import type { Result } from '@shared/ipc/result'
import { displayTitle } from '../library/catalog/session-row'
import type { SessionSummary } from '../library/catalog/session-summary'
import { type SearchTarget, searchTarget } from '../library/search/search-target'
import type { ListChange } from '../workers/kept-list'
import { ListFeed } from './list-feed'

export class TargetFeed {
  private readonly feed: ListFeed<SessionSummary, SearchTarget>
  private losses = 0

  constructor(send: (change: ListChange<SearchTarget>) => Promise<Result<null>>) {
    this.feed = new ListFeed(
      ({ file }) => file,
      summary => searchTarget(summary, displayTitle(summary).title),
      send,
    )
  }

  /** Another worker takes the place of the one that was told. */
  forget(): void {
    this.feed.forget()
  }

  /** `losses`: of the worker's client, as of now. */
  bring(sessions: readonly { summary: SessionSummary }[], losses: number): Promise<Result<null>> {
    if (losses !== this.losses) this.feed.forget()
    this.losses = losses
    return this.feed.bring(sessions.map(({ summary }) => summary))
  }
}
