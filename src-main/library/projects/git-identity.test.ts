import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentWork } from '../../engine/environment'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import { normalRemote, readGitIdentity } from './git-identity'

let dir: string
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-git-'))
})
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }))

const read = (folder: string) => readGitIdentity(nodeFileSystem, folder, '/nowhere/home', silentWork)

function write(file: string, content: string | Buffer): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, content)
}

function commit(git: string, parents: string[], message: string): string {
  const body = [
    `tree ${'0'.repeat(40)}`,
    ...parents.map(parent => `parent ${parent}`),
    'author A <a@b> 1 +0000',
    '',
    message,
  ].join('\n')
  const object = Buffer.from(`commit ${body.length}\0${body}`)
  const hash = createHash('sha1').update(object).digest('hex')
  write(path.join(git, 'objects', hash.slice(0, 2), hash.slice(2)), deflateSync(object))
  return hash
}

describe('readGitIdentity', () => {
  it('walks loose commits back by first parents, and reads the remote', async () => {
    const git = path.join(dir, 'app', '.git')
    const root = commit(git, [], 'start\n\nparent 1111111111111111111111111111111111111111')
    const other = commit(git, [], 'another start')
    const tip = commit(git, [commit(git, [root], 'two'), other], 'merge')
    write(path.join(git, 'HEAD'), 'ref: refs/heads/main\n')
    write(path.join(git, 'packed-refs'), `# pack-refs with: peeled\n${tip} refs/heads/main\n`)
    write(
      path.join(git, 'config'),
      '[core]\n\tbare = false\n[remote "up"]\n\turl = /srv/x\n[remote "origin"]\n\turl = https://u:secret@Example.org/team/app.git\n',
    )
    expect(await read(path.join(dir, 'app'))).toEqual({
      rootCommit: root,
      remote: 'example.org/team/app',
      below: '',
    })
    fs.mkdirSync(path.join(dir, 'app', 'packages', 'web'), { recursive: true })
    expect((await read(path.join(dir, 'app', 'packages', 'web')))?.below).toBe('packages/web')
  })

  it('answers null where there is no repository, or only one of the whole home', async () => {
    expect(await read(dir)).toBeNull()
    fs.mkdirSync(path.join(dir, '.git'))
    fs.mkdirSync(path.join(dir, 'app'))
    expect(await readGitIdentity(nodeFileSystem, path.join(dir, 'app'), dir, silentWork)).toBeNull()
  })

  it('tells nothing of the first commit when an object is missing or broken, or there is none yet', async () => {
    const git = path.join(dir, '.git')
    write(path.join(git, 'HEAD'), 'ref: refs/heads/main\n')
    expect(await read(dir)).toEqual({ rootCommit: null, remote: null, below: '' })
    write(path.join(git, 'refs/heads/main'), `${commit(git, ['a'.repeat(40)], 'shallow')}\n`)
    expect((await read(dir))?.rootCommit).toBeNull()
    write(path.join(git, 'objects/aa', 'a'.repeat(38)), 'not deflated')
    expect((await read(dir))?.rootCommit).toBeNull()
    write(path.join(git, 'HEAD'), 'ref: refs/../../../etc/passwd\n')
    expect((await read(dir))?.rootCommit).toBeNull()
  })

  it('reads packs with deltas and a worktree, as git itself does', async ctx => {
    if (spawnSync('git', ['--version']).status !== 0) ctx.skip('git is not installed')
    const repo = path.join(dir, 'repo')
    fs.mkdirSync(repo)
    const run = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], {
        cwd: repo,
        encoding: 'utf8',
        env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', HOME: dir },
      }).trim()
    run('init', '-q', '-b', 'main')
    const words = Array.from({ length: 400 }, (_, at) => `word${(at * 7919) % 1000}`).join(' ')
    for (let at = 0; at < 30; at++) run('commit', '-q', '--allow-empty', '-m', `${words} ${at}`)
    run('gc', '-q', '--aggressive', '--prune=now')
    const root = run('rev-list', '--max-parents=0', 'HEAD')
    const packs = fs.readdirSync(path.join(repo, '.git/objects/pack')).filter(name => name.endsWith('.idx'))
    const verbose = run('verify-pack', '-v', path.join('.git/objects/pack', packs[0] ?? ''))
    expect(/^[0-9a-f]{40} commit (\d+ ){4}[0-9a-f]{40}$/m.test(verbose)).toBe(true)
    expect((await read(repo))?.rootCommit).toBe(root)
    run('worktree', 'add', '-q', path.join(dir, 'tree'))
    expect((await read(path.join(dir, 'tree')))?.rootCommit).toBe(root)
  })
})

describe('normalRemote', () => {
  it('knows one spelling, without user and password', () => {
    for (const url of [
      'git@example.org:team/app.git',
      'ssh://git@example.org:22/team/app',
      'https://u:secret@EXAMPLE.org/team/app/',
      'example.org:team/app.git',
    ])
      expect(normalRemote(url)).toBe('example.org/team/app')
    for (const url of ['/srv/git/app.git', 'file:///srv/app.git', 'C:\\git\\app', '../app', ''])
      expect(normalRemote(url)).toBeNull()
  })
})
