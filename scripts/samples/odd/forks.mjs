/** Forks whose parent is named by id, by path, through a symlink, by an old path, or is gone. */
import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'

function forkOf(odd, kind, parent, parentSession) {
  const s = odd.writer(kind, { settings: false, header: { parentSession } })
  for (const entry of parent.entries) s.push(entry)
  s.leaf = parent.entries.at(-1).id
  s.user('Something only the fork has.')
  return s
}

export function addOddForks(odd) {
  const { library } = odd
  library.project('odd-tree', { at: 'code/odd-tree', note: 'a parent and its forks' })
  const project = 'odd-tree'
  const cwd = library.projects.get(project).cwd
  const before = path.join(library.sessionsDir, '-code-odd-tree-before', 'moved.jsonl')
  const p = odd.talk('parent of the forks', { cwd, header: { previousSessionFiles: [before] } })
  const parent = odd.add('Trees', 'a parent with forks', p, { project, expect: { forks: 4 } })
  const { built, file } = parent
  const link = path.join(library.home, 'link-to-sessions')
  mkdirSync(library.home, { recursive: true })
  symlinkSync(library.sessionsDir, link)
  const ways = {
    'fork by id': [built.id, true],
    'fork by path': [file, true],
    'fork by a path through a symlink': [path.join(link, path.relative(library.sessionsDir, file)), true],
    'fork by a path before the parent moved': [before, true],
    'fork of a deleted parent': ['01a00000-dead-7000-8000-000000000000', false],
    'fork of a deleted file': [path.join(library.sessionsDir, '-code-odd-tree', 'deleted.jsonl'), false],
  }
  for (const [kind, [parentSession, found]] of Object.entries(ways)) {
    const s = forkOf(odd, kind, built, parentSession)
    s.cwd = cwd
    odd.add('Trees', kind, s, {
      project,
      expect: { parentFound: found, parentId: found ? built.id : null, copiedEntries: built.entries.length },
    })
  }
}
