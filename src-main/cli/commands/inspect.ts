/** `inspect`: everything that one session file says, as facts. Rule: docs/cli.md. */
import { parseArgs } from 'node:util'
import { shallowJson } from '@shared/session/json'
import { isArtifact, listArtifacts } from '../../engine/artifacts/artifact-directory'
import { BlobStore } from '../../engine/blobs/blob-store'
import { artifactDirectoryOf } from '../../engine/layout/session-paths'
import { SessionDocument } from '../../engine/session/session-document'
import type { SessionProblem } from '../../engine/session/session-problems'
import { journalStorage } from '../../engine/storage/open-journal'
import { readDraft } from '../../library/reading/draft'
import { layoutAround } from '../../library/session-home'
import { type Command, type CommandIo, UsageError } from '../command'
import { agentDirOption, agentDirProblem, fileArgument, parsed } from '../options'
import { formatBytes, safeText } from '../plain-text'
import { contextFacts } from './inspect-context'

export const inspectCommand: Command = {
  name: 'inspect',
  usage: 'inspect FILE [--agent-dir DIR] [--json]',
  summary: 'what one session file holds',
  async run(argv, io) {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args: argv,
        options: { 'agent-dir': { type: 'string' }, json: { type: 'boolean', default: false } },
        allowPositionals: true,
      }),
    )
    const [name, ...more] = positionals
    if (name === undefined || more.length > 0) throw new UsageError('inspect needs exactly one file.')
    const only = agentDirOption(values['agent-dir'], io)
    const problem = agentDirProblem(only, io)
    if (problem !== null) {
      io.error(`grove: ${problem}`)
      return 1
    }
    const file = fileArgument(name, io)
    const document = SessionDocument.open(journalStorage(io.env, file), io.env.now)
    if (!document.ok) {
      io.error(`grove: ${document.error.message}`)
      return 1
    }
    const facts = inspectObject(document.value, io, only)
    if (values.json) io.print(JSON.stringify(facts, null, 2))
    else printFacts(facts, io)
    return 0
  },
}

type Inspection = ReturnType<typeof inspectObject>

function inspectObject(document: SessionDocument, io: CommandIo, only: string | null) {
  const { index, facts, header } = document
  const { title, source } = document.title
  const directory = artifactDirectoryOf(document.path)
  const { files, unreadable } =
    directory === null ? { files: [], unreadable: [] } : listArtifacts(io.env.fs, directory)
  for (const folder of unreadable) io.error(`grove: Cannot read all artifacts in ${directory}: ${folder}.`)
  const draft = readDraft(io.env, document.path)
  // A draft below a folder that cannot be read has been told of with it.
  if (!draft.ok && unreadable.length === 0) io.error(`grove: ${draft.error.message}`)
  const { input, output, cacheRead, cacheWrite, totalTokens, cost } = facts.usage
  const idsOf = (ordinals: readonly number[]) =>
    ordinals.map(ordinal => index.id(ordinal)).filter((id): id is string => id !== null)
  return {
    file: document.path,
    header: shallowJson(document.headerRecord),
    id: document.id,
    title,
    titleSource: source,
    version: document.version,
    entryCount: index.count,
    messageCount: facts.messageCount,
    types: Object.fromEntries([...facts.types].map(([type, { count }]) => [type, count])),
    leafId: index.leaf === null ? null : index.id(index.leaf),
    path: idsOf(index.path(index.leaf)),
    roots: idsOf(index.roots()),
    branchPoints: branchPoints(document),
    tips: idsOf(index.tips()),
    labels: Object.fromEntries(facts.labels),
    status: facts.status,
    firstPrompt: facts.firstPrompt === '' ? null : facts.firstPrompt,
    cwd: header?.cwd ?? null,
    parentSession: header?.parentSession ?? null,
    ...contextFacts(document, io),
    usage: { input, output, cacheRead, cacheWrite, totalTokens, cost },
    blobs: blobCounts(document, io, only),
    artifacts: files.filter(isArtifact).map(({ name, kind, bytes }) => ({ name, kind, bytes })),
    subagents: files.filter(({ kind }) => kind === 'subagent').map(({ name, bytes }) => ({ name, bytes })),
    draft: draft.ok ? (draft.value?.text ?? null) : null,
    damagedLines: document.damaged,
    problems: document.problems,
  }
}

/** Ids with two or more children; `"null"` when two or more entries have no parent id. */
function branchPoints(document: SessionDocument): Record<string, (string | null)[]> {
  const { index } = document
  const children = new Map<string, (string | null)[]>()
  for (let ordinal = 0; ordinal < index.count; ordinal++) {
    const parentId = index.parentId(ordinal)
    if (parentId !== null && index.ordinalOf(parentId) === undefined) continue
    if (parentId !== null && parentId === index.id(ordinal)) continue
    const key = parentId ?? 'null'
    const list = children.get(key)
    if (list === undefined) children.set(key, [index.id(ordinal)])
    else list.push(index.id(ordinal))
  }
  return Object.fromEntries([...children].filter(([, ids]) => ids.length > 1))
}

function blobCounts(document: SessionDocument, io: CommandIo, only: string | null) {
  const hashes = [...document.facts.blobs.keys()]
  const store = new BlobStore(io.env.fs, layoutAround(io.env, document.path, only).blobsDir)
  return { referenced: hashes.length, missing: hashes.filter(hash => store.size(hash) === null).length }
}

function costText(cost: number | null): string {
  return cost === null ? 'cost unknown' : `$${cost.toFixed(4)}`
}

function contextText({ context, transcript }: Inspection): string {
  if (context === null || transcript === null) return 'unknown'
  return `${context.length} messages for a model, ${transcript.length} for a reader`
}

function printFacts(facts: Inspection, io: CommandIo): void {
  io.print(safeText(facts.title ?? facts.firstPrompt ?? 'Untitled'))
  const rows: [string, string][] = [
    ['file', facts.file],
    ['id', facts.id ?? 'unknown'],
    ['folder', facts.cwd ?? 'unknown'],
    ['version', String(facts.version ?? 'unknown')],
    ['status', facts.status],
    ['entries', `${facts.entryCount}, ${facts.messageCount} of them messages`],
    ['tips', `${facts.tips.length}, branch points ${Object.keys(facts.branchPoints).length}`],
    ['context', contextText(facts)],
    ['tokens', `${facts.usage.input} in, ${facts.usage.output} out, ${costText(facts.usage.cost)}`],
    ['blobs', `${facts.blobs.referenced} referenced, ${facts.blobs.missing} missing`],
    [
      'artifacts',
      `${facts.artifacts.length}, ${formatBytes(facts.artifacts.reduce((sum, { bytes }) => sum + bytes, 0))}`,
    ],
    ['draft', facts.draft === null ? 'none' : `${facts.draft.length} characters`],
  ]
  for (const [name, value] of rows) io.print(`  ${name.padEnd(10)} ${safeText(value)}`)
  for (const { line, bytes, reason } of facts.damagedLines)
    io.print(`  line ${line}: ${reason} (${bytes} bytes)`)
  for (const problem of facts.problems)
    if (problem.kind !== 'damaged-line') io.print(`  ${problemLine(problem)}`)
}

function problemLine({ kind, entryId, line, count }: SessionProblem): string {
  const at = line === undefined ? '' : ` in line ${line}`
  return `${kind}${entryId === undefined ? '' : ` ${safeText(entryId)}`}${at}${count === undefined ? '' : ` (${count})`}`
}
