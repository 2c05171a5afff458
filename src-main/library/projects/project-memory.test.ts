import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type GroveData, groveData } from '../grove-data'
import { testEnvironment } from '../reroot/test-environment.test-support'
import { folderIdentity, notePresentProjects, projectMemoryFile, readProjectMemory } from './project-memory'

let home: string
let data: GroveData
beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-memory-'))
  data = groveData(testEnvironment(home))
})
afterEach(() => fs.rmSync(home, { recursive: true, force: true }))

describe('project memory', () => {
  it('notes folders that are there with the folders above them, and writes only when something changed', async () => {
    const env = testEnvironment(home)
    const app = path.join(home, 'clients', 'acme', 'app')
    fs.mkdirSync(app, { recursive: true })
    expect(await notePresentProjects(env, data, [app, `${app}/`, path.join(home, 'gone'), 'C:\\x'])).toEqual({
      ok: true,
      value: 3,
    })
    const { notes } = readProjectMemory(env, data)
    expect([...notes.keys()].sort()).toEqual([path.join(home, 'clients'), path.dirname(app), app])
    expect(notes.get(app)?.identity).toEqual(folderIdentity(env, app))
    const before = fs.statSync(projectMemoryFile(data), { bigint: true })
    expect(await notePresentProjects(env, data, [app])).toEqual({ ok: true, value: 0 })
    expect(fs.statSync(projectMemoryFile(data), { bigint: true }).mtimeNs).toBe(before.mtimeNs)
  })

  it('keeps the note of a folder that is gone, and the earlier identity of one that was replaced', async () => {
    const env = testEnvironment(home)
    const app = path.join(home, 'app')
    fs.mkdirSync(app)
    await notePresentProjects(env, data, [app])
    const first = folderIdentity(env, app)
    fs.renameSync(app, path.join(home, 'renamed'))
    await notePresentProjects(env, data, [app])
    expect(readProjectMemory(env, data).notes.get(app)?.identity).toEqual(first)
    fs.mkdirSync(app)
    await notePresentProjects(env, data, [app])
    expect(readProjectMemory(env, data).notes.get(app)?.earlier).toEqual(first)
  })

  it('sets a damaged file aside and leaves one of a newer version alone', async () => {
    const env = testEnvironment(home)
    fs.mkdirSync(data.directory, { recursive: true })
    fs.writeFileSync(projectMemoryFile(data), '{"version":1,"folders":[')
    expect(readProjectMemory(env, data).notes.size).toBe(0)
    const aside = fs.readdirSync(data.directory).find(name => name.includes('.damaged-'))
    expect(fs.readFileSync(path.join(data.directory, aside ?? ''), 'utf8')).toBe('{"version":1,"folders":[')
    const newer = '{"version":2,"whatever":true}'
    fs.writeFileSync(projectMemoryFile(data), newer)
    expect(await notePresentProjects(env, data, [home])).toEqual({ ok: true, value: 0 })
    expect(fs.readFileSync(projectMemoryFile(data), 'utf8')).toBe(newer)
  })
})
