import fs from 'node:fs'
import path from 'node:path'
import { limits } from '@shared/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentWork } from '../../engine/environment'
import { countingFileSystem } from '../../engine/storage/counting-file-system'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import { listSessionFiles } from '../catalog/session-files'
import { TestLibrary } from '../reroot/test-library.test-support'
import { listDrafts } from './draft-list'
import { draftPreview } from './draft-preview'
import { countStrayDrafts } from './draft-stat'
import { value } from './draft-world.test-support'

let library: TestLibrary
let cwd: string
beforeEach(() => {
  library = new TestLibrary()
  cwd = library.folder('w', 'proj')
})
afterEach(() => library.remove())

const list = async (roots = [library.root]) =>
  value(await listDrafts(library.env, roots, new Map(), silentWork))
const itemOf = async (id: string) =>
  (await list()).find(({ journal }) => journal.endsWith(`_${id}.jsonl`))?.item

function add(id: string, draft: string | Uint8Array, lines?: string[]): string {
  const journal = library.session({ cwd, id, ...(lines === undefined ? {} : { lines }) })
  const file = path.join(journal.slice(0, -'.jsonl'.length), 'draft.txt')
  fs.mkdirSync(path.dirname(file))
  fs.writeFileSync(file, draft)
  return file
}

const prompt = (content: string) =>
  JSON.stringify({
    type: 'message',
    id: 'a1',
    parentId: null,
    timestamp: '2026-11-30T08:00:01.000Z',
    message: { role: 'user', content },
  })

describe('the drafts of all sessions', () => {
  it('are listed with title, place, preview and size, the newest first', async () => {
    const older = add('older', 'eins\nzwei')
    const newer = add('newer', '\n\n  größer 😀\r\n\r\ndrei\n4\n5\n6\n7')
    library.session({ cwd, id: 'none' })
    fs.utimesSync(older, 1_700_000_000, 1_700_000_000)
    fs.utimesSync(newer, 1_700_000_100, 1_700_000_100)
    const drafts = await list()
    expect(drafts.map(({ item }) => item)).toEqual([
      {
        title: 'Title newer',
        projectName: 'proj',
        shortCwd: '~/w/proj',
        preview: 'größer 😀\n\ndrei\n4\n5\n6',
        chars: 28,
        lines: 9,
        bytes: Buffer.byteLength('\n\n  größer 😀\r\n\r\ndrei\n4\n5\n6\n7'),
        modified: 1_700_000_100_000,
        alreadySent: false,
        problem: null,
        readOnly: false,
        location: newer,
      },
      expect.objectContaining({ title: 'Title older', chars: 9, lines: 2, location: older }),
    ])
    expect(drafts.map(({ isOrphan, root }) => [isOrphan, root])).toEqual([
      [false, library.root.id],
      [false, library.root.id],
    ])
  })

  it('say when they were sent already, and which may only be read', async () => {
    add('sent', ' the prompt \n', [prompt('the prompt')])
    add('unsent', 'another', [prompt('the prompt')])
    expect([(await itemOf('sent'))?.alreadySent, (await itemOf('unsent'))?.alreadySent]).toEqual([
      true,
      false,
    ])
    const [first] = await list([{ ...library.root, readOnly: true }])
    expect(first?.item.readOnly).toBe(true)
  })

  it('of a session that is there only for its draft is called so', async () => {
    const file = add('only', 'never sent', ['{"type":"model_change","id":"m","parentId":null}'])
    fs.writeFileSync(path.join(path.dirname(file), '.draft-only-session'), '')
    const journal = `${path.dirname(file)}.jsonl`
    fs.writeFileSync(journal, fs.readFileSync(journal, 'utf8').replaceAll('Title only', ''))
    expect((await itemOf('only'))?.title).toBe('Only a draft, 30 Nov 2026')
  })

  it('are listed without their session, but nothing else that lies there is taken for one', async () => {
    const file = add('gone', 'kept')
    fs.unlinkSync(`${path.dirname(file)}.jsonl`)
    const project = path.dirname(path.dirname(file))
    for (const place of [
      path.join(project, '.hidden'),
      path.join(project, 'empty'),
      path.join(library.root.layout.sessionsDir, 'grove-trash', 'item'),
      path.join(project, '2026-11-30T08-00-00-000Z_gone', 'local'),
    ]) {
      fs.mkdirSync(place, { recursive: true })
      fs.writeFileSync(path.join(place, 'draft.txt'), place.endsWith('empty') ? '' : 'x')
    }
    fs.mkdirSync(library.at('outside', 'deep'), { recursive: true })
    fs.writeFileSync(library.at('outside', 'deep', 'draft.txt'), 'x')
    fs.symlinkSync(library.at('outside'), path.join(library.root.layout.sessionsDir, 'link'))
    fs.symlinkSync(library.at('outside', 'deep'), path.join(project, 'linked'))
    const drafts = await list()
    expect(drafts).toMatchObject([
      {
        isOrphan: true,
        journal: `${path.dirname(file)}.jsonl`,
        item: {
          title: 'Draft without its session, 30 Nov 2026',
          projectName: 'unknown',
          shortCwd: '',
          preview: 'kept',
          problem: null,
        },
      },
    ])
    const listed = listSessionFiles(library.env, library.root)
    expect(countStrayDrafts(library.env, listed.ok ? listed.value.strays : [])).toBe(1)
  })

  it('that cannot be read say why; empty ones are none', async () => {
    add('binary', Uint8Array.of(0x61, 0xff))
    fs.truncateSync(add('huge', 'x'), limits.draftBytes + 1)
    add('empty', '')
    const link = add('link', 'x')
    fs.unlinkSync(link)
    fs.symlinkSync('/etc/hostname', link)
    expect(await list()).toHaveLength(3)
    expect(await itemOf('binary')).toMatchObject({
      problem: expect.stringContaining('UTF-8'),
      preview: '',
      bytes: 2,
    })
    expect(await itemOf('huge')).toMatchObject({ problem: expect.stringContaining('too large'), chars: 0 })
    expect(await itemOf('link')).toMatchObject({
      problem: expect.stringContaining('not a regular file'),
      preview: '',
    })
  })

  it('of 5 MB are counted whole and shown in part', async () => {
    add('long', 'ä😀\n'.repeat(700_000))
    expect(await itemOf('long')).toMatchObject({
      chars: 2_100_000,
      lines: 700_000,
      bytes: 4_900_000,
      preview: 'ä😀\n'.repeat(6).trimEnd(),
      problem: null,
    })
  })

  it('are read again only when they changed', async () => {
    const [one, two] = [add('one', 'a'), add('two', 'b')]
    const counted = countingFileSystem(nodeFileSystem)
    const env = { ...library.env, fs: counted }
    const seen = new Map()
    const look = async () => value(await listDrafts(env, [library.root], seen, silentWork))
    await look()
    counted.reset()
    expect(await look()).toHaveLength(2)
    expect([...counted.work.opened]).toEqual([])
    fs.writeFileSync(one, 'changed')
    fs.unlinkSync(two)
    expect((await look()).map(({ item }) => item.preview)).toEqual(['changed'])
    expect(seen.size).toBe(1)
    expect(counted.work.writes).toEqual([])
  })
})

describe('a preview', () => {
  it('is cut between characters, and blank text has none', () => {
    expect([...draftPreview('😀'.repeat(1000))]).toHaveLength(400)
    expect(draftPreview(' \n\t')).toBe('')
    expect(draftPreview('x'.repeat(5000))).toHaveLength(400)
  })
})
