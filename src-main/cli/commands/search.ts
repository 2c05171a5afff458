/** `search`: what was said in all sessions, told as it is found. Rule: docs/cli.md. */
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { WorkContext } from '../../engine/environment'
import { libraryRoots } from '../../library/roots'
import { headTargets } from '../../library/search/head-targets'
import { IndexReader } from '../../library/search/index-reader'
import { NO_FILTERS, type SearchTarget } from '../../library/search/search-target'
import { type FoundSession, type TextRequest, TextSearch } from '../../library/search/text-search'
import { type Command, type CommandIo, UsageError } from '../command'
import { agentDirOption, agentDirProblem, isoOrNull, isProject, limitOption, parsed } from '../options'
import { safeText } from '../plain-text'

const DEFAULT_LIMIT = 50
const MOST = 100_000
const HITS_EACH = 5
const HITS_EACH_JSON = 100

export const searchCommand: Command = {
  name: 'search',
  usage:
    'search QUERY [--exact | --regex] [--all-text] [--thinking] [--project P] [--limit N] [--agent-dir DIR] [--json]',
  summary: 'what was said in all sessions, as it is found',
  async run(argv, io) {
    const { values, positionals } = parsed(() =>
      parseArgs({
        args: argv,
        options: {
          exact: { type: 'boolean', default: false },
          regex: { type: 'boolean', default: false },
          'all-text': { type: 'boolean', default: false },
          thinking: { type: 'boolean', default: false },
          project: { type: 'string' },
          limit: { type: 'string' },
          'agent-dir': { type: 'string' },
          json: { type: 'boolean', default: false },
        },
        allowPositionals: true,
      }),
    )
    const text = positionals.join(' ')
    if (text.trim() === '') throw new UsageError('search needs something to look for.')
    if (values.exact && values.regex) throw new UsageError('--exact and --regex exclude each other.')
    const only = agentDirOption(values['agent-dir'], io)
    const problem = agentDirProblem(only, io)
    if (problem !== null) {
      io.error(`grove: ${problem}`)
      return 1
    }
    const { targets, problems } = headTargets(io.env, libraryRoots(io.env, [], only))
    for (const one of problems) io.error(`grove: ${one}`)
    const { project } = values
    const chosen = project === undefined ? targets : targets.filter(({ cwd }) => isProject(cwd, project, io))
    const request: TextRequest = {
      text,
      mode: values.regex ? 'regex' : values.exact ? 'exact' : 'words',
      allText: values['all-text'],
      thinking: values.thinking,
      filters: NO_FILTERS,
      order: 'recent',
      sessions: limitOption(values.limit, MOST) ?? DEFAULT_LIMIT,
      hitsEach: values.json ? HITS_EACH_JSON : HITS_EACH,
    }
    const complete = await printFound(request, chosen, values.json, io)
    return complete && problems.length === 0 ? 0 : 1
  },
}

/** Nobody waits beside a command, but its output has to get away. */
const terminalWork: WorkContext = {
  breathe: () => new Promise(resolve => setImmediate(resolve)),
  progress: () => undefined,
}

/** False when something could not be searched. */
async function printFound(
  request: TextRequest,
  targets: readonly SearchTarget[],
  json: boolean,
  io: CommandIo,
): Promise<boolean> {
  const index = new IndexReader(io.env)
  const events = new TextSearch(io.env, index).prepare(request, targets, terminalWork)
  if (!events.ok) throw new UsageError(events.error.message)
  let complete = true
  let sessions = 0
  let more = false
  for await (const event of events.value) {
    if (event.kind === 'note') {
      io.error(`grove: ${event.text}`)
      complete = false
    } else if (event.kind === 'more') more = true
    else if (event.kind === 'found' && sessions < request.sessions) {
      sessions++
      if (json) for (const line of jsonLines(event.session)) io.print(line)
      else printSession(event.session, io)
    }
  }
  index.close()
  if (!json && sessions === 0) io.print('Nothing was found.')
  if (!json && more) io.print('There is more: name a project, or raise --limit.')
  return complete
}

function jsonLines({ file, title, hits }: FoundSession): string[] {
  return hits.map(({ ordinal, entryId, artifact, role, time, part, at, snippet }) =>
    JSON.stringify({
      path: file,
      title: title.text === '' ? null : title.text,
      entryId,
      ordinal,
      artifact,
      role,
      time: isoOrNull(time),
      part,
      at,
      text: snippet.text,
      ranges: snippet.ranges,
    }),
  )
}

function printSession({ file, title, matches, atLeast, hits }: FoundSession, io: CommandIo): void {
  io.print(
    `${safeText(title.text === '' ? path.basename(file) : title.text)}  (${atLeast ? 'at least ' : ''}${matches})`,
  )
  io.print(`    ${safeText(file)}`)
  for (const { time, role, artifact, snippet } of hits) {
    const when = isoOrNull(time)?.slice(0, 16).replace('T', ' ') ?? ''.padEnd(16)
    io.print(`    ${when}  ${safeText(artifact ?? role).padEnd(8)}  ${safeText(snippet.text)}`)
  }
}
