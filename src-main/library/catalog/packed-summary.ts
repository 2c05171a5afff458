/**
 * A summary as text: an array, whose places stand for the fields, since the names of all fields would be as long as what they
 * say. So it lies in the catalog cache, and so the worker hands it to main, which costs both less than the object would. Pure.
 */
import type { SessionSummary } from './session-summary'

/** A session's row as it crosses to main. */
export type PackedRow = { root: string; file: string; packed: string }

export type FoundRow = { root: string; summary: SessionSummary }

export function packSummary(summary: SessionSummary): string {
  return JSON.stringify(valuesOf(summary))
}

/** `packed`: what `packSummary` of this version made of the summary of this file. */
export function unpackSummary(file: string, packed: string): SessionSummary {
  // By the rule above.
  return summaryOf(file, JSON.parse(packed) as Values)
}

export function foundRow({ root, file, packed }: PackedRow): FoundRow {
  return { root, summary: unpackSummary(file, packed) }
}

type S = SessionSummary

type Values = [
  /** Null: as `file`. Paths are most of a row. */
  realFile: string | null,
  ...names: [
    id: S['id'],
    version: S['version'],
    title: S['title'],
    titleSource: S['titleSource'],
    cwd: S['cwd'],
  ],
  ...times: [created: S['created'], lastActivity: S['lastActivity'], lastActivityRaw: S['lastActivityRaw']],
  ...sizes: [bytes: number, artifactBytes: number, entryCount: number, messageCount: number],
  ...text: [firstPrompt: string, status: S['status'], model: S['model']],
  ...costs: [cost: S['cost'], withoutCost: number],
  ...links: [parentSession: S['parentSession'], parentRealFile: S['parentRealFile']],
  ...places: [previousFiles: string[], rootIds: string[], tips: number],
  ...around: [artifactCount: number, subagentCount: number, hasDraft: boolean],
  ...state: [damagedLines: number, stub: S['stub'], fileId: string, modified: number, counted: boolean],
]

function valuesOf(s: SessionSummary): Values {
  return [
    s.realFile === s.file ? null : s.realFile,
    ...([s.id, s.version, s.title, s.titleSource, s.cwd] as const),
    ...([s.created, s.lastActivity, s.lastActivityRaw] as const),
    ...([s.bytes, s.artifactBytes, s.entryCount, s.messageCount] as const),
    ...([s.firstPrompt, s.status, s.model] as const),
    ...([s.cost, s.withoutCost] as const),
    ...([s.parentSession, s.parentRealFile] as const),
    ...([s.previousFiles, s.rootIds, s.tips] as const),
    ...([s.artifactCount, s.subagentCount, s.hasDraft] as const),
    ...([s.damagedLines, s.stub, s.fileId, s.modified, s.counted] as const),
  ]
}

/** As `valuesOf` names them, in that order. Read by place: taking an array apart costs more than reading a file. */
function summaryOf(file: string, v: Values): SessionSummary {
  return {
    file,
    realFile: v[0] ?? file,
    id: v[1],
    version: v[2],
    title: v[3],
    titleSource: v[4],
    cwd: v[5],
    created: v[6],
    lastActivity: v[7],
    lastActivityRaw: v[8],
    bytes: v[9],
    artifactBytes: v[10],
    entryCount: v[11],
    messageCount: v[12],
    firstPrompt: v[13],
    status: v[14],
    model: v[15],
    cost: v[16],
    withoutCost: v[17],
    parentSession: v[18],
    parentRealFile: v[19],
    previousFiles: v[20],
    rootIds: v[21],
    tips: v[22],
    artifactCount: v[23],
    subagentCount: v[24],
    hasDraft: v[25],
    damagedLines: v[26],
    stub: v[27],
    fileId: v[28],
    modified: v[29],
    counted: v[30],
  }
}
