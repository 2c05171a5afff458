/** Roots, stars, the registry of sessions kept elsewhere, and the command that resumes a session. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainLayout } from '../engine/layout/agent-directories'
import { type TestEnvironment, testEnvironment } from '../engine/test-environment.test-support'
import { readPins } from './catalog/pins'
import { listSessionFiles } from './catalog/session-files'
import { resumeCommand } from './resume-command'
import { type LibraryRoot, libraryRoots } from './roots'
import { layoutAround } from './session-home'

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment({ platform: 'linux' })
})
afterEach(() => env.remove())
const below = (...parts: string[]) => path.join(env.home, ...parts)

describe('roots', () => {
  it('are omp with its profiles, pi when it is there, and what was added, each once', () => {
    env.put('.omp/profiles/work/agent/x', '')
    env.put('.pi/agent/sessions/x', '')
    const roots = libraryRoots(env, [below('more'), below('.omp/agent')], null)
    expect(roots.map(({ kind, readOnly }) => [kind, readOnly])).toEqual([
      ['omp', false],
      ['profile', false],
      ['pi', true],
      ['added', false],
    ])
    expect(libraryRoots(env, [below('more')], '/only').map(({ id }) => id)).toEqual(['/only'])
  })

  it('are told by where a file lies', () => {
    env.put('.omp/profiles/work/agent/x', '')
    expect(layoutAround(env, below('.omp/profiles/work/agent/sessions/-p/s.jsonl'), null).blobsDir).toBe(
      below('.omp/profiles/work/agent/blobs'),
    )
    expect(layoutAround(env, '/copy/agent/sessions/-p/s.jsonl', null).blobsDir).toBe('/copy/agent/blobs')
    expect(layoutAround(env, '/tmp/s.jsonl', null).agentDir).toBe(below('.omp/agent'))
    expect(layoutAround(env, '/copy/agent/sessions/-p/s.jsonl', '/other').agentDir).toBe('/other')
  })
})

describe('session files', () => {
  const list = () => {
    const [root] = libraryRoots(env, [], null)
    const files = root === undefined ? null : listSessionFiles(env, root)
    if (files === null || !files.ok) throw new Error('unreadable')
    return files.value
  }

  it('are the .jsonl names in the folders of the sessions directory, the trash apart', () => {
    env.put('.omp/agent/sessions/-p/a.jsonl', '')
    env.put('.omp/agent/sessions/-p/a/Fix.jsonl', '')
    env.put('.omp/agent/sessions/-p/.a.jsonl.lock', '')
    env.put('.omp/agent/sessions/grove-trash/uuid/b.jsonl', '')
    env.put('.omp/agent/sessions/top.jsonl', '')
    expect(list()).toMatchObject({ present: true, complete: true, notes: [] })
    expect(list().files.map(({ file }) => file)).toEqual([below('.omp/agent/sessions/-p/a.jsonl')])
  })

  it('are not looked for behind a link that leads out', () => {
    env.put('outside/x.jsonl', '')
    env.put('.omp/agent/sessions/-p/a.jsonl', '')
    fs.symlinkSync(below('outside'), below('.omp/agent/sessions/-out'))
    expect(list().files).toHaveLength(1)
    expect(list().notes).toHaveLength(1)
  })

  it('are also those that the registry names; a registry file that is broken costs only itself', () => {
    const elsewhere = env.put('elsewhere/s.jsonl', '')
    env.put('.omp/agent/custom-session-files/aaaaaaa', elsewhere)
    env.put('.omp/agent/custom-session-files/bbbbbbb', below('gone.jsonl'))
    env.put('.omp/agent/custom-session-files/ccccccc', 'x'.repeat(5_000_000))
    env.put('.omp/agent/custom-session-files/ddddddd', 'relative.jsonl')
    expect(list().files).toMatchObject([{ file: elsewhere, registered: true }])
  })
})

it('stars are the texts of the list in the pins file; anything else is none', () => {
  const pins = (content: string) => [...readPins(env, [env.put('pins.json', content), below('none')])]
  expect(pins('[\n\t"a",\n\t"b"\n]')).toEqual(['a', 'b'])
  for (const bad of ['', '{', '{"a":1}', 'null', '[1, null]']) expect(pins(bad)).toEqual([])
  execFileSync('mkfifo', [below('pipe')])
  expect([...readPins(env, [below('pipe'), below('.')])]).toEqual([])
})

describe('resume command', () => {
  const root = (kind: LibraryRoot['kind'], agentDir: string): LibraryRoot => ({
    id: agentDir,
    name: '',
    kind,
    readOnly: false,
    layout: plainLayout(agentDir),
  })
  const command = (where: LibraryRoot, cwd: string | null = '/w/app', file = '/s/a.jsonl') =>
    resumeCommand(env, { file, cwd, cwdPresent: true, root: where }).command

  it('names profile or agent directory only when they are not the default', () => {
    expect(command(root('omp', below('.omp/agent')))).toBe('cd /w/app && omp --resume /s/a.jsonl')
    expect(command(root('profile', below('.omp/profiles/work/agent')))).toBe(
      'cd /w/app && omp --profile work --resume /s/a.jsonl',
    )
    expect(command(root('added', '/my agent'))).toBe(
      "cd /w/app && PI_CODING_AGENT_DIR='/my agent' omp --resume /s/a.jsonl",
    )
    expect(command(root('pi', below('.pi/agent')))).toBe('cd /w/app && pi --resume /s/a.jsonl')
    expect(command(root('omp', below('.omp/agent')), null)).toBe('omp --resume /s/a.jsonl')
  })

  it('gives hostile names to the shell as one word', () => {
    const hostile = [
      '/w/$(touch x); \'y\' "z" `w`',
      '/w/two\nlines',
      '/w/-rf',
      '-n',
      '/w/a\\b',
      '/w/*',
      '/w/~',
    ]
    for (const cwd of hostile) {
      const word = /^cd (.*) && omp/s.exec(command(root('omp', below('.omp/agent')), cwd))?.[1] ?? ''
      const seen = execFileSync('sh', ['-c', `printf %s ${word}`]).toString()
      expect(seen).toBe(cwd.startsWith('-') ? `./${cwd}` : cwd)
    }
  })
})
