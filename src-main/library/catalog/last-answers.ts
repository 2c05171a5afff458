/** Answers that stay true until the library changes: each is worked out once for a revision, however often it is asked for. */

/** Questions that are answered without being worked out again; a person looks at a few at a time. */
const KEPT = 24

export class LastAnswers {
  private readonly revision: () => number
  private readonly kept = new Map<string, { revision: number; answer: unknown }>()

  constructor(revision: () => number) {
    this.revision = revision
  }

  /** What `work` answers. `question` stands for one piece of work, and for one type. */
  of<T>(question: string, work: () => T): T {
    const revision = this.revision()
    const kept = this.kept.get(question)
    // The same question has the same type, by the rule above.
    if (kept?.revision === revision) return kept.answer as T
    const answer = work()
    this.kept.delete(question)
    this.kept.set(question, { revision, answer })
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= KEPT) break
      this.kept.delete(oldest)
    }
    return answer
  }
}
