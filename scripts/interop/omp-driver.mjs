/**
 * Runs under bun, beside omp's own modules: does the steps that stdin names, with omp's code alone, and writes what
 * omp says to the file named by the last argument. See omp.mjs for the steps.
 *
 *   bun omp-driver.mjs OMP_PACKAGE ANSWER_FILE < steps.json
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [ompPackage, answerFile] = process.argv.slice(2)
const omp = name => import(join(ompPackage, 'src/session', `${name}.ts`))
const { SessionManager } = await omp('session-manager')
const { resolveResumableSession } = await omp('session-listing')

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
  const { messages: context, thinkingLevel, models, mode } = manager.buildSessionContext()
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
    messageCount: messages.length,
    leafId: manager.getLeafId(),
    path: manager.getBranch().map(({ id }) => id),
    roots: manager.getTree().map(({ entry }) => entry.id),
    branchPoints: branchPointsOf(manager, entries),
    labels: labelsOf(manager, entries),
    usage: manager.getUsageStatistics(),
    context: context.map(({ role }) => role),
    settings: { thinkingLevel, models, mode },
    transcript: transcript.map(({ role }) => role),
    images: imagesOf(messages),
  }
}

/** Calls methods of the manager in turn. An argument `$name` stands for what the call named so returned. */
async function act(manager, calls, answers) {
  for (const { call, args = [], as } of calls) {
    const known = value =>
      typeof value === 'string' && value.startsWith('$') ? answers[value.slice(1)] : value
    const answer = await manager[call](...args.map(known))
    if (as !== undefined) answers[as] = answer
  }
}

async function withManager(manager, { calls = [] }) {
  const answers = {}
  await act(manager, calls, answers)
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

const STEPS = {
  create: async step => withManager(SessionManager.create(enter(step)), step),
  open: async step => withManager(await SessionManager.open(step.file), step),
  continue: async step => withManager(await SessionManager.continueRecent(enter(step)), step),
  fork: async step => withManager(await SessionManager.forkFrom(step.file, enter(step)), step),
  list: async step => (await SessionManager.list(step.cwd)).map(told),
  listAll: async () => (await SessionManager.listAll()).map(told),
  directory: async step => SessionManager.getDefaultSessionDir(step.cwd),
  resume: async step => {
    const match = await resolveResumableSession(step.argument, step.cwd)
    return match ? { scope: match.scope, session: told(match.session) } : null
  },
}

const answers = []
for (const step of JSON.parse(readFileSync(0, 'utf8'))) {
  try {
    answers.push({ ok: await STEPS[step.do](step) })
  } catch (error) {
    answers.push({ error: error.message, stack: error.stack })
  }
}
writeFileSync(answerFile, JSON.stringify(answers))
// omp keeps timers and watchers that would hold the process.
process.exit(0)
