/** Numbered artifacts: every number once, every file whole, nothing stray. */
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Result } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Environment } from '../environment'
import { everyFault } from '../every-fault.test-support'
import { faultyFileSystem } from '../storage/faulty-file-system.test-support'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import { ArtifactStore } from './artifact-store'

const run = promisify(execFile)
const ROOT = path.resolve(import.meta.dirname, '../../..')

let env: TestEnvironment
let journal: string
let directory: string
beforeEach(() => {
  env = testEnvironment({ now: Date.now })
  journal = env.put('sessions/-p/a.jsonl', '{}\n')
  directory = path.join(env.home, 'sessions/-p/a')
})
afterEach(() => env.remove())

const store = (changes: Partial<Environment> = {}) => new ArtifactStore({ ...env, ...changes }, journal)
const names = () => (fs.existsSync(directory) ? fs.readdirSync(directory).sort() : [])
const bytes = (text: string) => Buffer.from(text)

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

describe('numbers', () => {
  it('begin at 0 and go on after the highest output', async () => {
    expect(value(await store().save('bash', bytes('out')))).toEqual({
      id: '0',
      path: path.join(directory, '0.bash.log'),
    })
    env.put('sessions/-p/a/41.read.log', '')
    expect(value(await store().allocate('grep')).id).toBe('42')
    expect(value(await store().save('bash', bytes(''))).id).toBe('43')
    expect(names()).toEqual(['0.bash.log', '41.read.log', '42.grep.log', '43.bash.log'])
    expect(fs.readFileSync(path.join(directory, '0.bash.log'), 'utf8')).toBe('out')
  })

  it('leave out what would be ambiguous, and what cannot be counted up', async () => {
    env.put('sessions/-p/a/0.md', '')
    env.put('sessions/-p/a/1.jsonl', '')
    env.put('sessions/-p/a/9007199254740991.bash.log', '')
    env.put(`sessions/-p/a/${'9'.repeat(40)}.bash.log`, '')
    expect(value(await store().allocate('x')).id).toBe('2')
  })

  it('that another program takes in that moment are left to it', async () => {
    for (const [work, taken] of [
      [(own: ArtifactStore) => own.save('bash', bytes('mine')), '0.other.log'],
      [(own: ArtifactStore) => own.allocate('bash'), '2.other.log'],
    ] as const) {
      const system = faultyFileSystem({
        before: ({ name, args }) => {
          const target = String(name === 'link' ? args[1] : args[0])
          if (/\/\d+\.bash\.log$/.test(target) && !fs.existsSync(path.join(directory, taken)))
            fs.writeFileSync(path.join(directory, taken), 'theirs')
        },
      })
      await work(store({ fs: system })).then(value)
    }
    expect(names()).toEqual(['0.other.log', '1.bash.log', '2.other.log', '3.bash.log'])
    expect(fs.readFileSync(path.join(directory, '1.bash.log'), 'utf8')).toBe('mine')
  })

  it.each([
    ['mcp__server/../tool name!', 'mcp__server_tool_name'],
    ['../../etc/passwd', 'etc_passwd'],
    ['___', 'tool'],
    ['', 'tool'],
    ['日本', 'tool'],
    [`${'a'.repeat(63)}/b`, 'a'.repeat(63)],
    ['a-b_c', 'a-b_c'],
  ])('of the tool %s', async (tool, name) => {
    expect(path.basename(value(await store().save(tool, bytes(''))).path)).toBe(`0.${name}.log`)
  })

  it('are not given out without the lock', async () => {
    env.put('sessions/-p/.a.jsonl.lock', `${process.ppid}:${Date.now()}\n`)
    expect(await store().allocate('bash')).toMatchObject({ error: { code: 'in-use' } })
    expect(await store().save('bash', bytes('x'))).toMatchObject({ error: { code: 'in-use' } })
    expect(fs.existsSync(directory)).toBe(false)
  })

  it('are of journals only, and no link is written through', async () => {
    expect(await new ArtifactStore(env, path.join(env.home, 'note')).allocate('x')).toMatchObject({
      error: { code: 'invalid-argument' },
    })
    fs.mkdirSync(path.join(env.home, 'elsewhere'))
    fs.symlinkSync(path.join(env.home, 'elsewhere'), directory)
    expect(await store().save('x', bytes('x'))).toMatchObject({ error: { code: 'conflict' } })
    expect(fs.readdirSync(path.join(env.home, 'elsewhere'))).toEqual([])
  })

  it('are all different when two processes take 200 each at once', { timeout: 120_000 }, async () => {
    const script = await bundled('allocate-scenario.test-support.ts')
    const child = (tool: string) => run(process.execPath, [script, journal, tool, '200'])
    const both = await Promise.all([child('bash'), child('read')])
    const ids = both.flatMap(({ stdout }): string[] => JSON.parse(stdout))
    expect(new Set(ids).size).toBe(400)
    expect(names()).toHaveLength(400)
    expect(fs.readdirSync(path.dirname(journal)).sort()).toEqual(['a', 'a.jsonl'])
  })
})

/** A program of this folder, made into one file that plain Node runs. */
async function bundled(name: string): Promise<string> {
  const out = path.join(env.home, 'bundle')
  const config = env.put(
    'vite.config.mjs',
    `export default ${JSON.stringify({
      root: ROOT,
      logLevel: 'error',
      build: { ssr: path.join(import.meta.dirname, name), outDir: out, minify: false },
      ssr: { noExternal: true },
      resolve: { alias: { '@shared': path.join(ROOT, 'src-shared') } },
    })}`,
  )
  const vite = path.join(ROOT, 'node_modules/vite/bin/vite.js')
  await run(process.execPath, [vite, 'build', '--config', config], { cwd: ROOT })
  const made = fs.readdirSync(out).find(file => /js$/.test(file)) ?? ''
  const script = path.join(env.home, 'program.mjs')
  fs.copyFileSync(path.join(out, made), script)
  return script
}

describe('resolve', () => {
  it('answers what the number names, and says when that is not one file', async () => {
    expect(value(store().resolve('1'))).toEqual({ candidates: [], ambiguous: false })
    const names = ['1.read.log', '1.bash.log', '1.a.md', '10.bash.log', '2.bash.log']
    const uuid = '0123abcd-0000-4000-8000-000000000000'
    for (const name of [...names, `1.bash.log.tmp-${uuid}`, `1.bash.log.77.${uuid}.bak`])
      env.put(`sessions/-p/a/${name}`, '')
    fs.symlinkSync('2.bash.log', path.join(directory, '2.link.log'))
    fs.mkdirSync(path.join(directory, '2.folder'))
    const of = (id: string) => {
      const { candidates, ambiguous } = value(store().resolve(id))
      return [...candidates.map(file => path.basename(file)), ambiguous]
    }
    expect(of('1')).toEqual(['1.bash.log', '1.read.log', '1.a.md', true])
    expect(of('2')).toEqual(['2.bash.log', false])
    expect(of('3')).toEqual([false])
    for (const id of ['', '-1', '1.', '../1', 'x', '1'.repeat(21)])
      expect(store().resolve(id)).toMatchObject({ error: { code: 'invalid-argument' } })
  })

  it('refuses to guess when the directory cannot be read', () => {
    fs.mkdirSync(directory)
    const system = faultyFileSystem({ fault: { at: 0, errno: 'EACCES', lasting: 'onwards' } })
    expect(store({ fs: system }).resolve('1')).toMatchObject({ error: { code: 'permission' } })
  })
})

it.each(['save', 'allocate'] as const)('%s, whichever call fails', async what => {
  for (const exists of [false, true]) {
    const before = exists ? ['0.old.log'] : []
    const scenes = await everyFault(() => {
      fs.rmSync(directory, { recursive: true, force: true })
      fs.rmSync(path.join(env.home, 'sessions/-p/.a.jsonl.lock'), { force: true })
      if (exists) env.put('sessions/-p/a/0.old.log', 'old')
      let taken: Result<{ path: string }> | undefined
      const call = (own: ArtifactStore) =>
        what === 'save' ? own.save('bash', bytes('out')) : own.allocate('bash')
      return {
        run: async system => {
          taken = await call(store({ fs: system, pid: 4_000_001 }))
        },
        check: async (where, { lasting }) => {
          const own = taken?.ok === true ? [path.basename(taken.value.path)] : []
          if (lasting === 'once') expect(names(), where).toEqual([...before, ...own].sort())
          if (lasting === 'once' && !exists && own.length === 0)
            expect(fs.existsSync(directory), where).toBe(false)
          if (taken?.ok === true && what === 'save')
            expect(fs.readFileSync(taken.value.path, 'utf8'), where).toBe('out')
          // The process that failed has ended; its lock is old enough to be taken over.
          const again = value(await call(store({ now: () => Date.now() + 60_000 })))
          expect(fs.readFileSync(again.path, 'utf8'), where).toBe(what === 'save' ? 'out' : '')
          expect(again.path).not.toBe(taken?.ok === true ? taken.value.path : '')
        },
      }
    })
    expect(scenes).toBeGreaterThan(15)
  }
})
