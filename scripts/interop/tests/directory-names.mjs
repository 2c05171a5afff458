/** Where Grove would put the sessions of a folder is where omp looks for them. */
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { grove } from '../grove.mjs'
import { turn } from '../messages.mjs'
import { age } from '../world.mjs'

/** Folders of every kind, made; the keys tell what is special about them. */
function foldersOf(world) {
  const { home, temp, root } = world
  const folders = {
    'the home folder': home,
    'below it': join(home, 'proj'),
    'deep below it': join(home, 'work/a/b'),
    'spaces, a colon and a backslash': join(home, 'my app:x/sub\\folder'),
    'not Latin': join(home, 'код/проект 日本'),
    'dots in front': join(home, '..dots/x'),
    'a hidden folder': join(home, '.config/x'),
    'dashes that look like folders': join(home, 'work-a-b'),
    'the temp folder': temp,
    'below the temp folder': join(temp, 'abc/def'),
    'dots in front, in the temp folder': join(temp, '..dots'),
    'neither home nor temp': join(root, 'elsewhere/lib'),
    'beside home, with its name in front': `${home}-2`,
    'the root': '/',
    'of the system': '/usr',
  }
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true })
  const links = {
    'a link out of home': [join(home, 'out'), folders['neither home nor temp']],
    'a link into home': [join(root, 'in'), folders['below it']],
    'a link into the temp folder': [join(home, 'scratch'), folders['below the temp folder']],
  }
  for (const [kind, [link, target]] of Object.entries(links)) {
    symlinkSync(target, link)
    folders[kind] = link
    folders[`below ${kind}`] = join(link, 'deeper')
    mkdirSync(folders[`below ${kind}`])
  }
  return folders
}

function sameNames({ world, omp }) {
  const from = world.folder('from')
  const { file } = omp.ask(world, { do: 'create', cwd: from, calls: turn('Where am I?', 'Here.') })
  age([file])
  const folders = foldersOf(world)
  const ours = {}
  for (const [kind, to] of Object.entries(folders)) {
    const { items } = grove(world, 'reroot', '--from', from, '--to', to, '--dry-run')
    assert.equal(items.length, 1, kind)
    ours[kind] = basename(dirname(items[0].to))
  }
  const theirs = omp.run(
    world,
    Object.values(folders).map(cwd => ({ do: 'directory', cwd })),
  )
  const named = Object.keys(folders).map((kind, at) => [kind, basename(theirs[at])])
  assert.deepEqual(ours, Object.fromEntries(named))
  assert.equal(new Set(Object.values(ours)).size > 12, true, 'the folders are of many kinds')
}

export const directoryNameTests = [{ name: 'directory names: of every kind of folder', run: sameNames }]
