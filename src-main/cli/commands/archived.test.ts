/** What the commands do with a session that omp archived: it is read like any other, forked and starred, and never written. */
import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { journal, message } from '../../engine/storage/journal.test-support'
import type { Command } from '../command'
import { WorkWorld } from '../work-world.test-support'
import { appendCommand } from './append'
import { continueBranchCommand } from './continue-branch'
import { draftCommand } from './draft'
import { dropCommand } from './drop'
import { forkCommand } from './fork'
import { inspectCommand } from './inspect'
import { labelCommand } from './label'
import { moveCommand } from './move'
import { renameCommand } from './rename'
import { rerootCommand } from './reroot'
import { starCommand } from './star'
import { usageCommand } from './usage'

let world: WorkWorld
let file: string
beforeEach(() => {
  world = new WorkWorld()
  const cwd = world.folder('proj')
  world.folder('else')
  const text = journal(...world.head('old', 'An old one'), message('a', null), message('b', 'a')).replaceAll(
    'CWD',
    cwd,
  )
  file = path.join(world.agentDir, 'archive', 'sessions', '-proj', 'old.jsonl.gz')
  fs.mkdirSync(path.join(path.dirname(file), 'old'), { recursive: true })
  fs.writeFileSync(file, gzipSync(text))
  fs.writeFileSync(path.join(path.dirname(file), 'old', '0.bash.log'), 'output')
  fs.writeFileSync(path.join(path.dirname(file), 'old', 'draft.txt'), 'not sent')
  world.makeOld(file)
})
afterEach(() => world.remove())

const inArchive = () => world.everything().filter(line => line.includes('/archive/'))

describe('an archived session', () => {
  it('is inspected like any other', async () => {
    const run = await world.run(inspectCommand, file, '--json')
    expect([run.code, run.errors]).toEqual([0, []])
    expect(run.json()).toMatchObject({
      ...{ file, id: 'old', title: 'An old one', entryCount: 2, draft: 'not sent', problems: [] },
      artifacts: [{ name: '0.bash.log' }],
    })
    expect((await world.run(usageCommand, file, '--json')).code).toBe(0)
    expect((await world.run(draftCommand, file)).answer).toBe('not sent')
  })

  it('that is cut off says so', async () => {
    fs.truncateSync(file, fs.statSync(file).size - 30)
    const run = await world.run(inspectCommand, file, '--json')
    expect(run.code).toBe(0)
    expect(run.json<{ problems: object[] }>().problems[0]).toEqual({ kind: 'cut-archive' })
  })

  it.each<[string, Command, string[]]>([
    ['append', appendCommand, ['--text', 'more']],
    ['rename', renameCommand, ['New']],
    ['label', labelCommand, ['a', 'here']],
    ['continue-branch', continueBranchCommand, ['a']],
    ['draft --set', draftCommand, ['--set', 'more']],
    ['draft --clear', draftCommand, ['--clear']],
    ['drop', dropCommand, []],
    ['move', moveCommand, ['--to', 'else']],
    ['reroot', rerootCommand, ['--to', 'else']],
  ])('is not changed by %s, nor by its dry run', async (_, command, options) => {
    const before = world.everything()
    for (const more of [['--dry-run'], []]) {
      const run = await world.run(command, file, ...options, ...more)
      expect(run.code).toBe(1)
      expect(run.errors.join('\n')).toMatch(/archived by omp, and archived sessions are only read; fork it/)
    }
    // Grove's own data may say that it looked.
    const agent = (lines: string[]) => lines.filter(line => line.includes('.omp/'))
    expect(agent(world.everything())).toEqual(agent(before))
  })

  it('is forked into the sessions of its folder, also with its agent directory named', async () => {
    const before = inArchive()
    for (const more of [[], ['--agent-dir', world.agentDir], ['--at', 'a']]) {
      const run = await world.run(forkCommand, file, ...more, '--json')
      expect([run.code, run.errors]).toEqual([0, []])
      const made = run.json<{ file: string; artifactFiles: number }>()
      expect(path.dirname(made.file)).toBe(path.join(world.agentDir, 'sessions', '-proj'))
      expect(fs.readFileSync(made.file, 'utf8')).toContain('"id":"a"')
      expect(made.artifactFiles).toBeGreaterThan(0)
    }
    expect(inArchive()).toEqual(before)
  })

  it('is starred, which writes the list of stars and nothing else', async () => {
    const before = inArchive()
    expect((await world.run(starCommand, file)).code).toBe(0)
    expect(fs.readFileSync(path.join(world.agentDir, 'session-pins.json'), 'utf8')).toContain('old')
    expect((await world.run(starCommand, file, '--off')).code).toBe(0)
    expect(inArchive()).toEqual(before)
  })
})
