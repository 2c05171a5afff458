/**
 * Move, delete, share: each kind of session that is hard to change, as it is seen and planned before anything changes. The
 * changes themselves, with crashes and other programs beside them, are tested where they are made.
 */
import fs from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { silentWork } from '../engine/environment'
import type { InUseCheck } from '../engine/in-use/in-use'
import { createInUseCheck } from '../engine/in-use/in-use-check'
import type { ProcessTable } from '../engine/in-use/process-table'
import { unknownProcessTable } from '../engine/in-use/unknown-process-table'
import { ompLayout } from '../engine/layout/agent-directories'
import { artifactDirectoryOf } from '../engine/layout/session-paths'
import type { ChangeContext } from './changes/change-handlers'
import { listDrafts } from './drafts/draft-list'
import { groveData } from './grove-data'
import {
  describeOddSection,
  type Looked,
  manifestProjects,
  type OddCases,
  unwrap,
} from './odd-files.test-support'
import { findCandidates } from './projects/candidates'
import { projectState } from './projects/project-state'
import { artifactPath } from './reading/artifacts-view'
import { planReroot } from './reroot/plan'
import { allSessionTargets } from './reroot/session-targets'
import type { LibraryRoot } from './roots'
import { planDelete } from './trash/delete-plan'

function rootOf({ library }: Looked): LibraryRoot {
  const layout = ompLayout(library.env, null)
  expect(layout.agentDir).toBe(library.agentDir)
  return { id: layout.agentDir, name: 'omp', kind: 'omp', readOnly: false, layout }
}

/** A context in which changes are planned; nothing of it writes. */
function contextOf(
  { library }: Looked,
  inUse: InUseCheck['check'] = () => ({ state: 'free' }),
): ChangeContext {
  const { env } = library
  const deps = {
    processes: unknownProcessTable('test'),
    instance: 'test',
    inUse: async () => ({ taken: env.now(), check: inUse }),
  }
  return { env, data: groveData(env), deps }
}

async function targetsOf(looked: Looked) {
  return unwrap(await allSessionTargets(looked.library.env, [rootOf(looked)], silentWork)).sessions
}

/** The plan that takes the sessions of the renamed folder to where it is now. */
async function plannedMove(looked: Looked, inUse?: InUseCheck['check']) {
  const { library } = looked
  const from = manifestProjects(library).get('odd-move')?.cwd ?? ''
  const to = path.join(library.home, 'code', 'odd-moved')
  const [context, sessions] = [contextOf(looked, inUse), await targetsOf(looked)]
  const scope = { kind: 'project' as const, cwd: from }
  return unwrap(await planReroot(context, scope, to, sessions, [rootOf(looked)], silentWork))
}

async function goes(looked: Looked): Promise<void> {
  const plan = await plannedMove(looked)
  expect(plan.moves.map(({ move }) => move.from)).toContain(looked.file)
  expect(whole(looked)).toBe(true)
}

function whole(looked: Looked): boolean {
  expect(looked.facts()).toMatchObject({ title: looked.odd.expect.title, damaged: [], problems: [] })
  return true
}

function folder(state: string, reason: RegExp, candidates: [path: string, evidence: string][] = []) {
  return async (looked: Looked): Promise<void> => {
    const { env } = looked.library
    const { cwd } = looked.summary
    expect(cwd).toBe(manifestProjects(looked.library).get(looked.odd.project)?.cwd)
    const answer = projectState(env, cwd)
    expect([answer.state, answer.reason]).toEqual([state, expect.stringMatching(reason)])
    const sources = { memory: { notes: new Map(), writable: false }, breadcrumbs: [], otherFolders: [] }
    const found = await findCandidates(env, cwd ?? '', sources, silentWork)
    expect(found.map(({ path: at, evidence }) => [path.relative(looked.library.home, at), evidence])).toEqual(
      candidates,
    )
    expect(whole(looked)).toBe(true)
  }
}

const folders: OddCases = {
  'project folder deleted': folder('missing', /is gone\.$/),
  'project on an unmounted volume': folder('unreachable', /is not mounted\.$/),
  'a same-named folder elsewhere': folder('missing', /is gone\.$/, [['archive/odd-same-name', 'same-name']]),
  'a Windows folder seen on Linux': folder('other-system', /is a path of Windows/),
  'a file where the folder was': folder('missing', /is a file now\.$/),
}

const moves: OddCases = {
  'a session to move': goes,
  'target holds a same-named file': async looked => {
    const plan = await plannedMove(looked)
    const stays = plan.staying.filter(({ reason }) => reason === 'clash')
    expect(stays.map(({ title }) => title)).toEqual([looked.odd.kind, 'target holds a same-named artifact'])
    expect(stays[0]?.text).toMatch(/ is already there; neither is touched\.$/)
    expect(plan.moves.map(({ move }) => move.from)).not.toContain(looked.file)
  },
  'the same-named file in the target': looked => {
    expect(whole(looked)).toBe(true)
    expect(looked.row.projectName).toBe('odd-moved')
  },
  'target holds a same-named artifact': async looked => {
    const plan = await plannedMove(looked)
    expect(plan.staying.find(({ title }) => title === looked.odd.kind)).toMatchObject({ reason: 'clash' })
    expect(plan.moves.map(({ move }) => move.from)).not.toContain(looked.file)
    expect(looked.row.artifacts).toBe(2)
  },
  'a symlink among the artifacts': async looked => {
    const { env } = looked.library
    // Listed as what they are and never followed out of the directory.
    for (const name of ['1.bash.log', 'local/keep-me.txt'])
      expect(artifactPath(env, looked.file, name)).toMatchObject({ ok: false, error: { code: 'permission' } })
    expect(artifactPath(env, looked.file, '0.bash.log')).toMatchObject({ ok: true })
    await goes(looked)
  },
  'an omp that has the session open and is silent': async looked => {
    const check = await silentOmp(looked)
    expect(check(looked.file, looked.summary.cwd)).toMatchObject({ state: 'in-use', pid: 4711 })
    const plan = await plannedMove(looked, check)
    const stays = plan.staying.find(({ title }) => title === looked.odd.kind)
    expect(stays).toMatchObject({ reason: 'in-use' })
    expect(stays?.text).toContain('4711')
  },
  'another process appends while it is changed': looked => {
    const before = looked.bytes()
    const { document } = looked
    fs.appendFileSync(looked.file, '{"type":"custom","customType":"late","id":"late","parentId":null}\n')
    expect(document.refresh()).toEqual({ ok: true, value: 'grown' })
    expect(looked.ids([document.index.leaf ?? -1])).toEqual(['late'])
    fs.writeFileSync(looked.file, before)
    expect(document.refresh()).toEqual({ ok: true, value: 'rewritten' })
    expect(document.index.count).toBe(4)
  },
  'removed from outside, then recreated': looked => {
    const before = looked.bytes()
    const { document } = looked
    fs.unlinkSync(looked.file)
    // What was read stays as it was told, and the file is said to be gone.
    expect(document.refresh()).toMatchObject({ ok: false, error: { code: 'not-found' } })
    expect(document.index.count).toBe(4)
    const last = String(before).split('\n').at(-2) ?? ''
    fs.writeFileSync(looked.file, `${before}${last.replace('"id":"', '"id":"n')}\n`)
    expect(document.refresh()).toMatchObject({ ok: true })
    expect([document.index.count, document.facts.messageCount]).toEqual([5, 3])
    fs.writeFileSync(looked.file, before)
  },
  'a read-only directory': looked => {
    expect(whole(looked)).toBe(true)
    // Root writes it nevertheless; another user is asked in src-main/cli/odd-files-process.test.ts.
    expect(fs.statSync(path.dirname(looked.file)).mode & 0o222).toBe(0)
  },
}

/** One omp in the terminal whose breadcrumb names the session; it holds no file open. */
async function silentOmp(looked: Looked): Promise<InUseCheck['check']> {
  const omp = {
    pid: 4711,
    name: 'omp',
    argv: ['omp'],
    uid: 1000,
    cwd: '/elsewhere',
    terminal: '/dev/odd-tmux',
  }
  const table: ProcessTable = {
    scan: async () => ({
      known: true,
      processes: [{ ...omp, terminalKnown: true, env: {}, openFiles: [] }],
    }),
    isAlive: pid => pid === omp.pid,
    startOf: () => null,
    startedAt: () => null,
  }
  const crumbs = rootOf(looked).layout.breadcrumbsDir
  const look = await createInUseCheck(looked.library.env, table, [crumbs], silentWork)
  return (journal, cwd) => look.check(journal, cwd)
}

const deletes: OddCases = {
  'a parent with subagents and forks': async looked => {
    const target = (await targetsOf(looked)).filter(({ journal }) => journal === looked.file)
    const plan = unwrap(await planDelete(contextOf(looked), target, {}, silentWork))
    expect(plan.units).toMatchObject([{ subagents: looked.odd.expect.subagents, hasDraft: false }])
    // Everything of the directory goes with it, and is counted beforehand.
    const directory = artifactDirectoryOf(looked.file) ?? ''
    const inside = fs.readdirSync(directory, { recursive: true, withFileTypes: true })
    expect(plan.units[0]?.files).toBe(1 + inside.filter(entry => entry.isFile()).length)
    expect(looked.row).toMatchObject({ subagents: 2 })
  },
  'a fork whose parent will be deleted': looked => {
    const parent = looked.library.odd.find(({ kind }) => kind === 'a parent with subagents and forks')
    expect(looked.summary.parentSession).toBe(parent?.id)
    expect(looked.said().at(-1)).toBe('prompt: The fork stays when its parent is deleted.')
  },
}

async function draftOf(looked: Looked) {
  const drafts = await listDrafts(looked.library.env, [rootOf(looked)], new Map(), silentWork)
  const journal = looked.file.endsWith('draft.txt') ? `${path.dirname(looked.file)}.jsonl` : looked.file
  return unwrap(drafts).find(draft => draft.journal === journal)
}

const drafts: OddCases = {
  'draft equal to the last prompt': async looked => {
    expect(looked.row.hasDraft).toBe(true)
    expect(await draftOf(looked)).toMatchObject({ isOrphan: false, item: { alreadySent: true } })
  },
  'an empty draft': async looked => {
    expect(looked.row.hasDraft).toBe(false)
    expect(await draftOf(looked)).toBeUndefined()
  },
  'a very large draft': async looked => {
    expect(looked.row.hasDraft).toBe(true)
    const draft = await draftOf(looked)
    expect(draft).toMatchObject({ isOrphan: false, item: { chars: looked.odd.expect.draftBytes } })
    expect(JSON.stringify(draft).length).toBeLessThan(4_000)
  },
  'a draft that omp changes while it is open': async looked => {
    expect(await draftOf(looked)).toMatchObject({ isOrphan: false, item: { alreadySent: false } })
  },
  'a draft without its session': async looked => {
    expect(await draftOf(looked)).toMatchObject({ isOrphan: true })
    const sessions = await targetsOf(looked)
    expect(sessions.some(({ journal }) => journal.startsWith(path.dirname(looked.file)))).toBe(false)
  },
}

describeOddSection('Move', { ...folders, ...moves, ...deletes, ...drafts })
