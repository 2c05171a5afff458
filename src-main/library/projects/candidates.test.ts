import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Environment, silentWork } from '../../engine/environment'
import { EngineError } from '../../engine/storage/errors'
import { type GroveData, groveData } from '../grove-data'
import { testEnvironment } from '../reroot/test-environment.test-support'
import { type CandidateSources, findCandidates } from './candidates'
import { folderIdentity, notePresentProjects, readProjectMemory } from './project-memory'

let home: string
let env: Environment
let data: GroveData
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-candidates-'))
  env = testEnvironment(home)
  data = groveData(env)
})
afterEach(() => fs.rmSync(home, { recursive: true, force: true }))

/** A name that no folder around the test's own has: the search climbs out of the test's home. */
const own = (name: string) => `${name}${path.basename(home).slice(-6)}`
const at = (...parts: string[]) => path.join(home, ...parts)
function make(...parts: string[]): string {
  fs.mkdirSync(at(...parts), { recursive: true })
  return at(...parts)
}
function find(gone: string, more: Partial<CandidateSources> = {}) {
  const memory = readProjectMemory(env, data)
  return findCandidates(env, gone, { memory, breadcrumbs: [], otherFolders: [], ...more }, silentWork)
}

describe('findCandidates', () => {
  it('finds the renamed folder by what a breadcrumb says, before one of the same name', async () => {
    const gone = make('code', own('old-app'))
    const cwdStat = folderIdentity(env, gone) ?? null
    make('archive', own('old-app'))
    make('code', 'other')
    fs.renameSync(gone, at('code', 'new-app'))
    expect(await find(gone, { breadcrumbs: [{ cwd: gone, cwdStat }] })).toEqual([
      {
        path: at('code', 'new-app'),
        evidence: 'same-folder',
        text: "Its device and inode are those noted in a terminal's breadcrumb.",
      },
      {
        path: at('archive', own('old-app')),
        evidence: 'same-name',
        text: 'Another folder of that name; nothing else speaks for it.',
      },
    ])
  })

  it('finds a folder moved elsewhere by the notes', async () => {
    const gone = make('code', own('old-app'))
    await notePresentProjects(env, data, [gone])
    make('work', 'deep')
    fs.renameSync(gone, at('work', 'deep', 'thing'))
    expect((await find(gone)).map(item => [item.path, item.evidence])).toEqual([
      [at('work', 'deep', 'thing'), 'same-folder'],
    ])
  })

  it('finds a renamed prefix by itself, by a folder below it, and a project by its neighbour', async () => {
    const web = make('clients', 'acme', 'web')
    const api = make('clients', 'acme', 'api')
    const cwdStat = folderIdentity(env, web) ?? null
    fs.renameSync(at('clients', 'acme'), at('clients', 'acme-corp'))
    const byBelow = { breadcrumbs: [{ cwd: web, cwdStat }] }
    expect((await find(at('clients', 'acme'), byBelow))[0]).toMatchObject({
      path: at('clients', 'acme-corp'),
      evidence: 'same-folder',
    })
    expect((await find(api, byBelow))[0]).toMatchObject({
      path: at('clients', 'acme-corp', 'api'),
      evidence: 'same-folder',
    })
    fs.renameSync(at('clients', 'acme-corp'), at('clients', 'acme'))
    await notePresentProjects(env, data, [web])
    fs.renameSync(at('clients', 'acme'), at('acme2'))
    fs.rmdirSync(at('acme2', 'web'))
    expect((await find(at('clients', 'acme')))[0]).toMatchObject({
      path: at('acme2'),
      evidence: 'same-folder',
    })
    expect((await find(api))[0]).toMatchObject({ path: at('acme2', 'api'), evidence: 'same-folder' })
  })

  it('finds the same repository cloned elsewhere, and does not trust a reused inode', async ctx => {
    if (spawnSync('git', ['--version']).status !== 0) ctx.skip('git is not installed')
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd })
    const gone = make('code', own('lib'))
    git(gone, 'init', '-q')
    git(gone, 'commit', '-q', '--allow-empty', '-m', 'start')
    await notePresentProjects(env, data, [gone])
    git(home, 'clone', '-q', gone, at('code', 'lib-clone'))
    fs.rmSync(gone, { recursive: true })
    expect((await find(gone)).map(item => [item.path, item.evidence])).toEqual([
      [at('code', 'lib-clone'), 'same-repository'],
    ])
    const other = make('code', 'unrelated')
    git(other, 'init', '-q')
    git(other, 'commit', '-q', '--allow-empty', '-m', 'another start')
    const cwdStat = folderIdentity(env, other) ?? null
    const found = await find(gone, { breadcrumbs: [{ cwd: gone, cwdStat }] })
    expect(found.map(item => item.path)).toEqual([at('code', 'lib-clone')])
  })

  it('looks at the folders of other projects, follows no links, and offers nothing for an unreachable one', async () => {
    const far = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-far-'))
    try {
      fs.mkdirSync(path.join(far, own('app')))
      fs.symlinkSync(path.join(far, own('app')), path.join(home, own('app')))
      fs.symlinkSync(home, path.join(home, 'circle'))
      make('code')
      const gone = at('code', own('app'))
      const found = await find(gone, { otherFolders: [path.join(far, own('app'))] })
      expect(found.map(item => item.path)).toEqual([path.join(far, own('app'))])
    } finally {
      fs.rmSync(far, { recursive: true })
    }
    make('no-such-disk')
    expect(await find('/mnt/no-such-disk')).toEqual([])
    expect(await find('C:\\no-such-disk')).toEqual([])
  })

  it('can be cancelled', async () => {
    const work = {
      breathe: () => Promise.reject(new EngineError('cancelled', 'Cancelled.')),
      progress: () => undefined,
    }
    const sources = { memory: readProjectMemory(env, data), breadcrumbs: [], otherFolders: [] }
    await expect(findCandidates(env, at('x'), sources, work)).rejects.toThrow('Cancelled')
  })
})
