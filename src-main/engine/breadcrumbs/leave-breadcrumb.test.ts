/** Breadcrumbs and registry notes are written whole, and read for who continues. */
import fs from 'node:fs'
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyFault } from '../every-fault.test-support'
import { type AgentLayout, plainLayout } from '../layout/agent-directories'
import { faultyFileSystem } from '../storage/faulty-file-system.test-support'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import { registerCustomFile } from './custom-file-registry'
import { leaveBreadcrumb } from './leave-breadcrumb'
import { breadcrumbFor } from './recent-breadcrumb'
import { wyhash } from './wyhash'

let env: TestEnvironment
let layout: AgentLayout
let cwd: string
let session: string
beforeEach(() => {
  env = testEnvironment()
  layout = plainLayout(path.join(env.home, '.omp/agent'))
  cwd = path.join(env.home, 'proj')
  fs.mkdirSync(cwd)
  session = path.join(layout.sessionsDir, '-proj/a.jsonl')
})
afterEach(() => env.remove())

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

const leave = (fresh = false) =>
  value(leaveBreadcrumb(env, layout.breadcrumbsDir, 'pts-3', { cwd, session, fresh }))
const crumb = () => fs.readFileSync(path.join(layout.breadcrumbsDir, 'pts-3'), 'utf8')
const recent = (where = cwd) => breadcrumbFor(env, layout.breadcrumbsDir, 'pts-3', where)
const putSession = (name = 'a.jsonl') => env.put(`.omp/agent/sessions/-proj/${name}`, '{}\n')

describe('leaving a breadcrumb', () => {
  it('writes what omp writes, with the identity of the folder', () => {
    const { dev, ino } = fs.statSync(cwd, { bigint: true })
    leave(true)
    expect(crumb()).toBe(`${cwd}\n${session}\nfresh\ncwdstat ${dev} ${ino}\n`)
    leave()
    expect(crumb()).toBe(`${cwd}\n${session}\ncwdstat ${dev} ${ino}\n`)
    expect(fs.readdirSync(layout.breadcrumbsDir)).toEqual(['pts-3'])
  })

  it('notes no identity of what is no folder', () => {
    fs.rmdirSync(cwd)
    leave()
    expect(crumb()).toBe(`${cwd}\n${session}\n`)
    fs.writeFileSync(cwd, '')
    leave()
    expect(crumb()).toBe(`${cwd}\n${session}\n`)
  })

  it.each(['', '.', '..', 'a/b', 'a\\b', '../../x', 'a\0', '.x.0123456789abcdef.tmp'])(
    'refuses the terminal %j',
    id => {
      const what = { cwd, session, fresh: false }
      expect(leaveBreadcrumb(env, layout.breadcrumbsDir, id, what)).toMatchObject({
        error: { code: 'invalid-argument' },
      })
      expect(fs.existsSync(layout.breadcrumbsDir)).toBe(false)
      expect(breadcrumbFor(env, layout.breadcrumbsDir, id, cwd)).toEqual({ kind: 'none' })
    },
  )

  it('refuses a path that would be read as another', () => {
    for (const what of [
      { cwd: `${cwd}\nfresh`, session },
      { cwd, session: `${session}\nfresh` },
      { cwd: 'proj', session },
      { cwd, session: 'a.jsonl' },
    ])
      expect(leaveBreadcrumb(env, layout.breadcrumbsDir, 'pts-3', { ...what, fresh: false })).toMatchObject({
        error: { code: 'invalid-argument' },
      })
  })
})

describe('continuing by a breadcrumb', () => {
  it('is not for what is not there, not readable, or gone', () => {
    expect(recent()).toEqual({ kind: 'none' })
    leave()
    expect(recent()).toEqual({ kind: 'none' })
    env.put('.omp/agent/terminal-sessions/pts-3', 'torn')
    expect(recent()).toEqual({ kind: 'none' })
    fs.mkdirSync(session, { recursive: true })
    leave()
    expect(recent()).toEqual({ kind: 'none' })
  })

  it('tells a session that was begun from one that is there by now', () => {
    leave(true)
    expect(recent()).toEqual({ kind: 'fresh', session })
    putSession()
    expect(recent()).toMatchObject({ kind: 'session', file: session, sameCwd: true })
  })

  it('goes from a subagent to the session it belongs to', () => {
    const root = putSession()
    session = putSession('a/Fix/Fix.Check.jsonl')
    putSession('a/Fix.jsonl')
    leave()
    expect(recent()).toMatchObject({ file: root })
  })

  it('knows a folder by device and inode under another name, and no other', () => {
    putSession()
    leave()
    const moved = path.join(env.home, 'moved')
    const other = path.join(env.home, 'other')
    fs.mkdirSync(other)
    fs.renameSync(cwd, moved)
    const gone = { recordedCwd: cwd, recordedCwdExists: false, sameCwd: false }
    expect(recent(moved)).toMatchObject({ ...gone, sameFolder: true })
    expect(recent(other)).toMatchObject({ ...gone, sameFolder: false })
    expect(recent(path.join(env.home, 'none'))).toMatchObject({ ...gone, sameFolder: false })
    fs.mkdirSync(cwd)
    expect(recent(other)).toMatchObject({ recordedCwdExists: true, sameFolder: false })
  })

  it('has no identity to go by where none was noted', () => {
    putSession()
    env.put('.omp/agent/terminal-sessions/pts-3', `${cwd}/\n${session}\n`)
    expect(recent()).toMatchObject({ sameCwd: true, sameFolder: null })
  })

  it('takes a folder for gone only when it certainly is', () => {
    putSession()
    leave()
    const locked = faultyFileSystem({
      only: ['lstat'],
      before: ({ args }) => {
        if (args[0] === cwd) throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
      },
    })
    const seen = breadcrumbFor({ ...env, fs: locked }, layout.breadcrumbsDir, 'pts-3', env.home)
    expect(seen).toMatchObject({ recordedCwdExists: true })
    fs.rmdirSync(cwd)
    fs.symlinkSync(path.join(env.home, 'nowhere'), cwd)
    expect(recent(env.home)).toMatchObject({ recordedCwdExists: false })
  })
})

describe('the registry', () => {
  const names = () =>
    fs.existsSync(layout.customFilesDir) ? fs.readdirSync(layout.customFilesDir).sort() : []
  const hashOf = (file: string) => wyhash(Buffer.from(file)).toString(16).padStart(16, '0')
  const note = (name: string) => fs.readFileSync(path.join(layout.customFilesDir, name), 'utf8')

  it('notes sessions elsewhere, and those that do not end in .jsonl, once', () => {
    for (const file of [path.join(env.home, 'talk.jsonl'), path.join(layout.sessionsDir, '-proj/talk')]) {
      const name = hashOf(file).slice(-7)
      const first = value(registerCustomFile(env, layout, file))
      expect(first).toBe(path.join(layout.customFilesDir, name))
      expect(note(name)).toBe(file)
      const { ino } = fs.statSync(first ?? '')
      expect(value(registerCustomFile(env, layout, `${path.dirname(file)}/./${path.basename(file)}`))).toBe(
        first,
      )
      expect(fs.statSync(first ?? '').ino).toBe(ino)
    }
    expect(names()).toHaveLength(2)
  })

  it('needs none for what omp finds, be it through a link', () => {
    expect(value(registerCustomFile(env, layout, session))).toBeNull()
    putSession()
    fs.symlinkSync(layout.sessionsDir, path.join(env.home, 'link'))
    expect(value(registerCustomFile(env, layout, path.join(env.home, 'link/-proj/new.jsonl')))).toBeNull()
    expect(value(registerCustomFile(env, layout, `${layout.sessionsDir}-2/a.jsonl`))).not.toBeNull()
    expect(registerCustomFile(env, layout, 'a.jsonl')).toMatchObject({ error: { code: 'invalid-argument' } })
  })

  it('leaves the note of another session of the same short hash', () => {
    const file = path.join(env.home, 'talk')
    const hash = hashOf(file)
    env.put(`.omp/agent/custom-session-files/${hash.slice(-7)}`, '/other/session')
    for (let times = 0; times < 2; times++)
      expect(value(registerCustomFile(env, layout, file))).toBe(path.join(layout.customFilesDir, hash))
    expect(note(hash.slice(-7))).toBe('/other/session')
    expect(note(hash)).toBe(file)
    fs.writeFileSync(path.join(layout.customFilesDir, hash), '/third/session')
    expect(registerCustomFile(env, layout, file)).toMatchObject({ error: { code: 'conflict' } })
  })

  it('writes a torn note anew', () => {
    const file = path.join(env.home, 'talk')
    const name = hashOf(file).slice(-7)
    env.put(`.omp/agent/custom-session-files/${name}`, '')
    value(registerCustomFile(env, layout, file))
    expect(note(name)).toBe(file)
  })

  it.each([
    ['a first breadcrumb', 'terminal-sessions', null],
    ['a breadcrumb over another', 'terminal-sessions', '/w\n/s.jsonl\n'],
    ['a note', 'custom-session-files', null],
  ])('%s, whichever call fails: old or new, nothing stray', async (_what, folder, before) => {
    const directory = path.join(layout.agentDir, folder)
    const file = path.join(env.home, 'talk')
    const name = folder === 'terminal-sessions' ? 'pts-3' : hashOf(file).slice(-7)
    const act = (own: TestEnvironment) =>
      folder === 'terminal-sessions'
        ? leaveBreadcrumb(own, directory, 'pts-3', { cwd, session, fresh: false })
        : registerCustomFile(own, layout, file)
    const content = () => {
      const there = path.join(directory, name)
      return fs.existsSync(there) ? fs.readFileSync(there, 'utf8') : null
    }
    const { dev, ino } = fs.statSync(cwd, { bigint: true })
    const plain = `${cwd}\n${session}\n`
    const scenes = await everyFault(() => {
      fs.rmSync(layout.agentDir, { recursive: true, force: true })
      if (before !== null) env.put(`.omp/agent/${folder}/pts-3`, before)
      let done = false
      return {
        run: system => {
          done = act({ ...env, fs: system }).ok
        },
        check: (where, { lasting }) => {
          const whole = folder === 'terminal-sessions' ? `${plain}cwdstat ${dev} ${ino}\n` : file
          // A folder that cannot be asked has no identity; the breadcrumb is whole without.
          expect([before, whole, plain], where).toContain(content())
          if (done) expect([whole, plain], where).toContain(content())
          const there = fs.existsSync(directory) ? fs.readdirSync(directory) : []
          if (lasting === 'once')
            expect(
              there.filter(one => one !== name),
              where,
            ).toEqual([])
          expect(act(env).ok, where).toBe(true)
          expect(content(), where).toBe(whole)
        },
      }
    })
    expect(scenes).toBeGreaterThan(15)
  })
})
