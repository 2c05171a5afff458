import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { nodeEnvironment } from '../node-environment'
import { countingFileSystem } from './counting-file-system'
import { FileSessionStorage } from './file-session-storage'
import { MemorySessionStorage } from './memory-session-storage'
import { nodeFileSystem } from './node-file-system'
import { sessionStorageSuite } from './session-storage.suite'

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-storage-'))
afterAll(() => fs.rmSync(directory, { recursive: true }))
let files = 0

sessionStorageSuite('a file', text => {
  const file = path.join(directory, `${files++}.jsonl`)
  fs.writeFileSync(file, text)
  return {
    storage: new FileSessionStorage(nodeEnvironment(), file),
    append: more => fs.appendFileSync(file, more),
    replace: other => {
      fs.writeFileSync(`${file}.new`, other)
      fs.renameSync(`${file}.new`, file)
    },
    remove: () => fs.rmSync(file),
  }
})

sessionStorageSuite('memory', text => {
  const storage = new MemorySessionStorage('/memory.jsonl', Buffer.from(text))
  return {
    storage,
    append: more => storage.appendFromOutside(Buffer.from(more)),
    replace: other => storage.replaceFromOutside(Buffer.from(other)),
    remove: () => storage.replaceFromOutside(null),
  }
})

describe('FileSessionStorage', () => {
  const storageOf = (name: string) => new FileSessionStorage(nodeEnvironment(), path.join(directory, name))

  it('refuses what is no regular file, without waiting for a pipe', () => {
    fs.mkdirSync(path.join(directory, 'folder.jsonl'))
    fs.symlinkSync('loop.jsonl', path.join(directory, 'loop.jsonl'))
    execFileSync('mkfifo', [path.join(directory, 'pipe.jsonl')])
    expect(storageOf('folder.jsonl').open()).toMatchObject({ error: { code: 'damaged' } })
    expect(storageOf('pipe.jsonl').open()).toMatchObject({ error: { code: 'damaged' } })
    expect(storageOf('loop.jsonl').open()).toMatchObject({ error: { code: 'io' } })
  })

  it('tells a link that leads nowhere from a file that is gone', () => {
    fs.symlinkSync('nowhere.jsonl', path.join(directory, 'dangling.jsonl'))
    const leadsNowhere = { error: { code: 'damaged', message: expect.stringContaining('leads nowhere') } }
    expect(storageOf('dangling.jsonl').stat()).toMatchObject(leadsNowhere)
    expect(storageOf('dangling.jsonl').open()).toMatchObject(leadsNowhere)
    expect(storageOf('gone.jsonl').open()).toMatchObject({ error: { code: 'not-found' } })
  })

  it('follows a link to a regular file', () => {
    fs.writeFileSync(path.join(directory, 'real.jsonl'), 'real')
    fs.symlinkSync('real.jsonl', path.join(directory, 'link.jsonl'))
    expect(storageOf('link.jsonl').stat()).toMatchObject({ value: { size: 4 } })
  })

  it('leaves no descriptor open when it cannot look at what it opened', () => {
    fs.writeFileSync(path.join(directory, 'x.jsonl'), 'x')
    const counted = countingFileSystem({
      ...nodeFileSystem,
      fstat: () => {
        throw Object.assign(new Error('EIO'), { code: 'EIO' })
      },
    })
    expect(
      new FileSessionStorage({ ...nodeEnvironment(), fs: counted }, path.join(directory, 'x.jsonl')).open(),
    ).toMatchObject({
      error: { code: 'io' },
    })
    expect(counted.work.open).toBe(0)
  })
})
