/** `reroot` as a script sees it: answers, exit codes, and one line per complaint. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { headerOf, TestLibrary } from '../../library/reroot/test-library.test-support'
import type { CommandIo } from '../command'
import { UsageError } from '../command'
import { rerootCommand } from './reroot'

let library: TestLibrary
beforeEach(() => {
  library = new TestLibrary()
})
afterEach(() => library.remove())

async function run(...argv: string[]) {
  const answer: string[] = []
  const errors: string[] = []
  const io: CommandIo = {
    env: library.env,
    cwd: library.home,
    print: line => answer.push(line),
    error: line => errors.push(line),
    input: async function* () {},
    checkWritable: () => undefined,
  }
  const own = argv.includes('--agent-dir') ? [] : ['--agent-dir', library.root.layout.agentDir]
  const code = await rerootCommand.run([...argv, ...own], io)
  return { code, answer: answer.join('\n'), errors, json: () => JSON.parse(answer.join('\n')) }
}

it('plans, re-roots and undoes a folder, a prefix and files', async () => {
  const old = library.at('old')
  library.folder('new', 'sub')
  const file = library.session({ cwd: old, id: 'one', artifacts: { '0.bash.log': 'x' } })
  const inner = library.session({ cwd: path.join(old, 'sub'), id: 'two' })
  const before = library.files()
  const dry = await run('--from', 'old', '--to', 'new', '--prefix', '--dry-run', '--json')
  expect(dry).toMatchObject({ code: 0, errors: [] })
  expect(dry.json()).toMatchObject({
    dryRun: true,
    sessions: 2,
    asked: 2,
    projects: 2,
    artifactDirectories: 1,
  })
  expect(library.files()).toEqual(before)
  const done = await run('--from', `${old}/`, '--to', 'new', '--prefix', '--json')
  expect(done).toMatchObject({ code: 0, errors: [] })
  expect(done.json()).toMatchObject({ done: 2, files: 3, from: old, to: library.at('new') })
  expect(done.json().items).toEqual(dry.json().items)
  expect(done.json().items.map(({ journal }: { journal: string }) => journal)).toEqual([file, inner])
  const undone = await run('--undo', done.json().changeId, '--json')
  expect(undone.json()).toMatchObject({ done: 2, staying: [] })
  expect(library.files()).toEqual(before)
  const one = await run(path.relative(library.home, inner), '--to', 'new', '--json')
  expect(one.json()).toMatchObject({ done: 1 })
  expect(headerOf(path.join(library.directoryOf(library.at('new')), path.basename(inner))).cwd).toBe(
    library.at('new'),
  )
  expect(fs.existsSync(file)).toBe(true)
})

it('suggests, with evidence', async () => {
  const old = library.folder('code', 'app')
  const file = library.session({ cwd: old, id: 'one' })
  const { dev, ino } = fs.statSync(old)
  library.breadcrumb('pts-1', `${old}\n${file}\ncwdstat ${dev} ${ino}\n`)
  fs.renameSync(old, library.at('code', 'app2'))
  const suggested = await run('--suggest', 'code/app', '--json')
  expect(suggested.json()).toMatchObject({
    folder: old,
    state: 'missing',
    candidates: [{ path: library.at('code', 'app2'), evidence: 'same-folder' }],
  })
  expect((await run('--suggest', 'code/app')).answer).toContain('same folder, renamed')
})

it('answers 1 with one line for what fails, and wrong usage as such', async () => {
  const file = library.session({ cwd: library.at('old'), id: 'one' })
  library.folder('new')
  const failing = [
    ['--from', 'old', '--to', 'nowhere'],
    ['--from', 'none', '--to', 'new'],
    ['missing.jsonl', '--to', 'new'],
    ['--undo', 'no-such-change'],
    ['--from', 'old', '--to', 'new', '--agent-dir', 'absent'],
    ['--suggest', 'old', '--agent-dir', 'absent'],
    [path.relative(library.home, file), '--to', 'new', '--agent-dir', 'new'],
  ]
  for (const argv of failing) {
    const { code, answer, errors } = await run(...argv)
    expect([code, answer, errors.length], argv.join(' ')).toEqual([1, '', 1])
  }
  const wrong = [
    [],
    ['--from', 'old'],
    ['--from', 'old', 'x.jsonl', '--to', 'new'],
    ['x.txt', '--to', 'new'],
    ['x.jsonl', '--prefix', '--to', 'new'],
    ['--suggest', 'x', '--to', 'new'],
    ['--from', '', '--to', 'new'],
    ['--what'],
  ]
  for (const argv of wrong) await expect(run(...argv), argv.join(' ')).rejects.toThrow(UsageError)
})

it('tells of a session whose header is not where it belongs, instead of passing it over', async () => {
  library.folder('new')
  const old = library.at('old')
  const [late, glued] = [
    library.session({ cwd: old, id: 'late' }),
    library.session({ cwd: old, id: 'glued' }),
  ]
  const whole = library.session({ cwd: old, id: 'whole' })
  fs.writeFileSync(late, `{"type":"custom","id":"first","parentId":null}\n${fs.readFileSync(late, 'utf8')}`)
  fs.writeFileSync(glued, fs.readFileSync(glued, 'utf8').replace(/^(.*"type":"session".*)\n/m, '$1'))
  const hourAgo = new Date(library.env.now() - 3_600_000)
  for (const file of [late, glued]) fs.utimesSync(file, hourAgo, hourAgo)
  const { code, errors, json } = await run('--from', 'old', '--to', 'new', '--json')
  expect(code).toBe(1)
  expect(errors).toHaveLength(2)
  expect(json()).toMatchObject({ done: 1, asked: 3, items: [{ journal: whole }] })
  for (const error of errors) expect(error).toContain('no header where it belongs')
})

it('changes nothing that lies in the trash', async () => {
  library.folder('new')
  const file = library.session({ cwd: library.at('old'), id: 'one' })
  const item = path.join(library.root.layout.sessionsDir, 'grove-trash', 'item', 'old', path.basename(file))
  fs.mkdirSync(path.dirname(item), { recursive: true })
  fs.renameSync(file, item)
  const before = library.files()
  const { code, errors, json } = await run(item, '--to', 'new', '--json')
  expect(code).toBe(1)
  expect(json()).toMatchObject({
    done: 0,
    items: [],
    staying: [{ text: expect.stringContaining('in the trash') }],
  })
  expect(errors).toHaveLength(1)
  expect(library.files()).toEqual(before)
})

it('lets a session stay that was written to just now, and says so', async () => {
  library.folder('new')
  const file = library.session({ cwd: library.at('old'), id: 'one' })
  fs.utimesSync(file, new Date(), new Date())
  const { code, errors, json } = await run('--from', 'old', '--to', 'new', '--json')
  expect(code).toBe(1)
  expect(json()).toMatchObject({ done: 0, asked: 1, changeId: null, staying: [{ reason: 'in-use' }] })
  expect(errors).toHaveLength(1)
})
