/**
 * Runs under bun, beside omp's own modules: does the steps that stdin names, with omp's code alone, and tells what omp
 * says. See omp.mjs for the steps.
 *
 *   bun omp-driver.mjs OMP_PACKAGE ANSWER_FILE < steps.json    one list of steps, answers into a file
 *   bun omp-driver.mjs OMP_PACKAGE                             a list on each line, each answered by a line on descriptor 3
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { digestOf, picturesIn } from './record-digest.ts'

const [ompPackage, answerFile] = process.argv.slice(2)
const omp = name => import(join(ompPackage, 'src/session', `${name}.ts`))
const { SessionManager } = await omp('session-manager')
const { getRecentSessions, resolveResumableSession } = await omp('session-listing')
const { FileSessionStorage } = await omp('session-storage')

/** Base64 texts in the image blocks of some messages, as hash and length; a reference that stayed one is shown. */
function imagesOf(messages) {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  return blocks
    .filter(({ type }) => type === 'image')
    .map(({ data, mimeType }) => {
      if (data.startsWith('blob:')) return { mimeType, unresolved: data }
      const bytes = Buffer.from(data, 'base64')
      return { mimeType, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    })
}

function branchPointsOf(manager, entries) {
  const points = {}
  const roots = manager.getTree().filter(({ entry }) => entry.parentId === null)
  if (roots.length > 1) points.null = roots.map(({ entry }) => entry.id)
  for (const { id } of entries) {
    const children = manager.getChildren(id).filter(child => child.id !== id)
    if (children.length > 1) points[id] = children.map(child => child.id)
  }
  return points
}

function labelsOf(manager, entries) {
  const targets = entries.flatMap(entry => (entry.type === 'label' ? [entry.targetId] : []))
  const labels = targets.map(id => [id, manager.getLabel(id)])
  return Object.fromEntries(labels.filter(([, label]) => label !== undefined))
}

/** What omp says of a session that it has open. */
function facts(manager) {
  const entries = manager.getEntries()
  const messages = entries.flatMap(entry => (entry.type === 'message' ? [entry.message] : []))
  const { messages: context, thinkingLevel, models, mode, ...more } = manager.buildSessionContext()
  const { messages: transcript } = manager.buildSessionContext({ transcript: true })
  return {
    id: manager.getSessionId(),
    file: manager.getSessionFile(),
    cwd: manager.getCwd(),
    recordedCwd: manager.getRecordedCwd(),
    header: manager.getHeader(),
    title: manager.getSessionName() ?? null,
    titleSource: manager.titleSource ?? null,
    entryIds: entries.map(({ id }) => id),
    parents: entries.map(({ parentId }) => parentId),
    types: entries.map(({ type }) => type),
    records: entries.map(digestOf),
    messageCount: messages.length,
    leafId: manager.getLeafId(),
    path: manager.getBranch().map(({ id }) => id),
    roots: manager.getTree().map(({ entry }) => entry.id),
    branchPoints: branchPointsOf(manager, entries),
    labels: labelsOf(manager, entries),
    usage: manager.getUsageStatistics(),
    context: context.map(({ role }) => role),
    settings: { thinkingLevel, models, mode },
    moreSettings: { serviceTier: more.serviceTier ?? null, injectedTtsrRules: more.injectedTtsrRules },
    transcript: transcript.map(({ role }) => role),
    images: imagesOf(messages),
    pictures: entries.flatMap(entry => picturesIn(entry)),
    isOnDisk: manager.isSessionOnDisk(),
  }
}

/** What `$name` stands for, at any depth of the arguments. */
function known(value, answers) {
  if (typeof value === 'string' && value.startsWith('$')) return answers[value.slice(1)]
  if (Array.isArray(value)) return value.map(item => known(item, answers))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, known(item, answers)]))
}

const pause = ms => new Promise(resolve => setTimeout(resolve, ms))

/** Calls of the driver's own, beside the methods of omp's manager. */
const EXTRA_CALLS = {
  /** Many messages, as soon as the other program is there; answers the ids of what omp took and had no trouble with. */
  async appendMany(manager, messages, { ready, other, pauseMs }) {
    writeFileSync(ready, '')
    while (!existsSync(other)) await pause(pauseMs)
    const ids = []
    for (const message of messages) {
      ids.push(manager.appendMessage(message))
      await pause(pauseMs)
    }
    await manager.flush()
    return ids
  },
  /** What `flush` says: omp keeps the first trouble that it had with the disk. */
  trouble: manager =>
    manager.flush().then(
      () => null,
      error => `${error.name}: ${error.message}`,
    ),
  async exportHtml(manager, output) {
    const { exportFromFile } = await import(join(ompPackage, 'src/export/html/index.ts'))
    return exportFromFile(manager.getSessionFile(), output)
  },
}

/** Calls methods of the manager in turn. An argument `$name` stands for what the call named so returned. */
async function act(manager, calls, answers) {
  for (const { call, args = [], as } of calls) {
    const given = args.map(value => known(value, answers))
    const answer = call in EXTRA_CALLS ? EXTRA_CALLS[call](manager, ...given) : manager[call](...given)
    const value = await answer
    if (as !== undefined) answers[as] = value
  }
}

const held = new Map()

async function withManager(manager, { calls = [], hold }) {
  const answers = {}
  await act(manager, calls, answers)
  if (hold !== undefined || [...held.values()].includes(manager)) {
    if (hold !== undefined) held.set(hold, manager)
    return { ...facts(manager), answers }
  }
  await manager.flush()
  const told = facts(manager)
  await manager.close()
  return { ...told, answers }
}

/** omp runs in the folder that it makes or continues a session in. */
function enter({ cwd }) {
  process.chdir(cwd)
  return cwd
}

const told = session => ({
  ...session,
  created: session.created.getTime(),
  modified: session.modified.getTime(),
})

/** omp's own storage, which is given the time to be looked at while it holds its locks; it then writes nothing. */
class HeldStorage extends FileSessionStorage {
  constructor(whileFile, holding) {
    super()
    this.whileFile = whileFile
    this.holding = holding
  }

  renameSync() {
    this.holding()
    while (existsSync(this.whileFile)) Bun.sleepSync(2)
    throw new Error('held')
  }
}

function holdLock({ file, whileFile }) {
  const storage = new HeldStorage(whileFile, () => writeFileSync(`${whileFile}.held`, ''))
  try {
    storage.writeTextSync(file, '', { expectedSize: statSync(file).size })
  } catch (error) {
    if (error.message !== 'held') throw error
  }
  return null
}

const STEPS = {
  create: async step => withManager(SessionManager.create(enter(step), step.directory), step),
  open: async step =>
    withManager(await SessionManager.open(step.file, undefined, undefined, { initialCwd: step.cwd }), step),
  continue: async step => withManager(await SessionManager.continueRecent(enter(step), step.directory), step),
  fork: async step =>
    withManager(
      await SessionManager.forkFrom(step.file, enter(step), undefined, undefined, step.options),
      step,
    ),
  held: async step => withManager(held.get(step.name), step),
  list: async step => (await SessionManager.list(step.cwd)).map(told),
  listAll: async () => (await SessionManager.listAll()).map(told),
  recent: async step => getRecentSessions(SessionManager.getDefaultSessionDir(step.cwd)),
  directory: async step => SessionManager.getDefaultSessionDir(step.cwd),
  resume: async step => {
    const match = await resolveResumableSession(step.argument, step.cwd)
    return match ? { scope: match.scope, session: told(match.session) } : null
  },
  holdLock,
}

/** The terminal that a step is done in, as tmux names it; without a name that of the whole process. */
function inTerminal({ terminal }) {
  if (terminal !== undefined) process.env.TMUX_PANE = terminal
}

async function answersTo(steps) {
  const answers = []
  for (const step of steps) {
    try {
      inTerminal(step)
      answers.push({ ok: await STEPS[step.do](step) })
    } catch (error) {
      answers.push({ error: error.message, stack: error.stack })
    }
    if (step.terminal !== undefined) delete process.env.TMUX_PANE
  }
  return answers
}

if (answerFile !== undefined) {
  writeFileSync(answerFile, JSON.stringify(await answersTo(JSON.parse(readFileSync(0, 'utf8')))))
} else {
  for await (const line of createInterface({ input: process.stdin })) {
    const steps = JSON.parse(Buffer.from(line, 'base64').toString('utf8'))
    const answer = Buffer.from(JSON.stringify(await answersTo(steps))).toString('base64')
    const bytes = Buffer.from(`${answer}\n`)
    for (let at = 0; at < bytes.length; ) at += writeSync(3, bytes, at)
  }
}
// omp keeps timers and watchers that would hold the process.
process.exit(0)
