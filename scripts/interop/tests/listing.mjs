/** Browsing with Grove changes nothing, and nothing of what omp lists. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { grove, groveRun, inspectAll } from '../grove.mjs'
import { picture, sessionFiles } from '../world.mjs'

/** Everything that omp's listings say: all sessions, and those of each project. */
function ompListings(world, omp) {
  const projects = world.manifest.projects.map(({ cwd }) => cwd).filter(cwd => existsSync(cwd))
  assert.ok(projects.length >= 5, 'there are projects with folders')
  const [all, ...each] = omp.run(world, [{ do: 'listAll' }, ...projects.map(cwd => ({ do: 'list', cwd }))])
  assert.ok(all.length >= 40 && each.every(list => list.length > 0), 'omp lists sessions')
  return { all, each }
}

async function browsing({ world, omp }) {
  // omp's own listing makes directories, so that it comes before the first look.
  const before = ompListings(world, omp)
  const found = picture(world.root)
  const listed = grove(world, 'list').map(({ path }) => path)
  const plain = JSON.parse(groveRun(world, ['list', '--json']).stdout).map(({ path }) => path)
  const files = sessionFiles(world.sessionsDir)
  await inspectAll(world, files)
  assert.deepEqual(picture(world.root), found, 'not a byte, mode, inode or time has changed')
  assert.deepEqual(plain, listed, 'the home folder alone leads to the same sessions')
  assert.deepEqual(ompListings(world, omp), before)
  const missing = before.all.map(({ path }) => path).filter(path => !listed.includes(path))
  assert.deepEqual(missing, [], 'Grove lists all that omp lists')
}

export const listingTests = [
  { name: 'browsing: nothing changes, in bytes, times or what omp lists', samples: true, run: browsing },
]
