/** Sessions on a file system that is read-only: listed and read as any other, and each refusal says why. */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, type TestContext } from 'vitest'
import { silentWork } from '../engine/environment'
import { LibraryScan } from './catalog/library-scan'
import { foundRow } from './catalog/packed-summary'
import { EditsWorld, textOf, unwrap } from './edits/edits-world.test-support'
import { renameSession } from './edits/rename-session'
import { libraryRoots } from './roots'

let world: EditsWorld
let mounted: string | null = null
beforeEach(() => {
  world = new EditsWorld()
})
afterEach(async () => {
  if (mounted !== null) execFileSync('umount', [mounted])
  mounted = null
  await world.remove()
})

/** Makes a folder a read-only file system of its own, or skips with the reason. */
function lock(ctx: TestContext, folder: string): void {
  if (process.getuid?.() !== 0 || process.platform !== 'linux') ctx.skip('mounting needs root on Linux')
  try {
    execFileSync('mount', ['--bind', folder, folder], { stdio: 'pipe' })
  } catch {
    ctx.skip('this system lets nobody mount a folder')
  }
  mounted = folder
  execFileSync('mount', ['-o', 'remount,ro,bind', folder], { stdio: 'pipe' })
}

it('is listed whole, and a change of it is refused as read-only', async ctx => {
  const file = world.session()
  const before = textOf(file)
  const agentDir = path.dirname(path.dirname(path.dirname(file)))
  lock(ctx, agentDir)
  const scan = new LibraryScan(world.library.env)
  const roots = libraryRoots(world.library.env, [], agentDir)
  const look = await scan.look(roots, scan.recall(roots), silentWork)
  expect(look.roots).toMatchObject([{ state: 'ok', note: null, notes: [] }])
  const { rows } = unwrap(await scan.rows(scan.recall(roots), true, silentWork))
  expect(rows.map(foundRow).map(({ summary }) => [summary.file, summary.title, summary.stub])).toEqual([
    [file, 'Title one', null],
  ])
  const report = unwrap(await world.edit(file, edit => renameSession(edit, 'Another title', 'user')))
  expect(report).toMatchObject({ done: 0, changeId: null, staying: [{}] })
  expect(report.staying[0]?.text).toContain('file system that is read-only')
  expect(textOf(file)).toBe(before)
})
