/** A summary of a session for tests, with what matters to them. */
import type { SessionSummary } from './session-summary'

export function summary(file: string, more: Partial<SessionSummary> = {}): SessionSummary {
  const texts = {
    id: file,
    title: null,
    titleSource: null,
    cwd: '/w/app',
    firstPrompt: '',
    stub: null,
    model: null,
  }
  const times = { created: null, lastActivity: null, lastActivityRaw: null, modified: 0 }
  const numbers = {
    bytes: 1,
    artifactBytes: 0,
    entryCount: 0,
    messageCount: 0,
    withoutCost: 0,
    tips: 0,
    damagedLines: 0,
  }
  const around = { artifactCount: 0, subagentCount: 0, hasDraft: false, previousFiles: [], cost: null }
  const links = { parentSession: null, parentRealFile: null, realFile: file, rootIds: [] }
  const state = { fileId: file, version: 3, status: 'complete' as const, counted: true }
  return { file, ...texts, ...times, ...numbers, ...around, ...links, ...state, ...more }
}
