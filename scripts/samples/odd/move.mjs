/** Sessions prepared for moving, deleting and drafts; what needs a live process is only described. */
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { buildSession } from '../session-writer.mjs'

function places(odd) {
  const { library } = odd
  const add = (key, kind, options, note, expect = {}) => {
    library.project(key, options)
    return odd.add('Move', kind, odd.talk(`${kind}: ${key}`, { project: key }), {
      project: key,
      note,
      expect: { projectState: options.state ?? 'present', ...expect },
    })
  }
  add('odd-gone', 'project folder deleted', { at: 'code/odd-gone', state: 'gone' })
  add('odd-usb', 'project on an unmounted volume', {
    cwd: '/media/kim/odd-stick/odd-usb',
    state: 'unreachable',
  })
  add(
    'odd-same-name',
    'a same-named folder elsewhere',
    { at: 'code/odd-same-name', state: 'gone' },
    'another folder of that name exists; nothing else speaks for it',
  )
  library.project('odd-same-name elsewhere', {
    at: 'archive/odd-same-name',
    files: { 'other.txt': 'Not the same folder.\n' },
  })
  add('odd-windows', 'a Windows folder seen on Linux', {
    cwd: 'D:\\code\\odd-windows',
    state: 'other-system',
  })
  add(
    'odd-not-a-folder',
    'a file where the folder was',
    { at: 'code/odd-not-a-folder/deep', state: 'gone' },
    'ENOTDIR is missing as well',
  )
  library.file(path.join(library.home, 'code', 'odd-not-a-folder'), 'A file now.\n')
}

function moves(odd) {
  const { library } = odd
  library.project('odd-move', {
    at: 'code/odd-move',
    state: 'renamed',
    nowAt: 'code/odd-moved',
    git: { remote: 'git@example.org:grove/odd-move.git', messages: ['Start'] },
    files: { 'README.md': '# Moved\n' },
  })
  library.project('odd-moved', { at: 'code/odd-moved' })
  const add = (kind, options = {}, extra = {}) =>
    odd.add('Move', kind, odd.talk(kind, { project: 'odd-move' }), {
      project: 'odd-move',
      ...extra,
      ...options,
    })
  add('a session to move')
  const clash = add('target holds a same-named file')
  const other = odd.talk('target holds a same-named file', { project: 'odd-moved' })
  other.fileName = path.basename(clash.file)
  odd.add('Move', 'the same-named file in the target', other, { project: 'odd-moved' })
  const art = add('target holds a same-named artifact', {
    artifacts: { '0.bash.log': 'from the old place\n', '1.bash.log': 'only in the old place\n' },
  })
  const target = path.join(
    library.sessionsDir,
    library.projects.get('odd-moved').directory,
    path.basename(art.artifacts),
  )
  library.file(path.join(target, '0.bash.log'), 'from the new place\n')
  library.file(path.join(target, '1.read.log'), 'the same number, another tool\n')
  const linked = add('a symlink among the artifacts', { artifacts: { '0.bash.log': 'a true file\n' } })
  const outside = library.file(
    path.join(library.home, 'precious', 'keep-me.txt'),
    'Must never be followed, moved or deleted.\n',
  )
  symlinkSync(outside, path.join(linked.artifacts, '1.bash.log'))
  symlinkSync(path.dirname(outside), path.join(linked.artifacts, 'local'))
  add('an omp that has the session open and is silent', {
    note: 'named by the breadcrumb odd-tmux; start a process with that terminal to make it real',
  })
  const file = path.join(library.dir, library.odd.at(-1).file)
  library.breadcrumb('odd-tmux', {
    cwd: library.projects.get('odd-move').cwd,
    file,
    stat: path.join(library.home, 'code', 'odd-moved'),
  })
  add('another process appends while it is changed', { note: 'append to it every 100 ms during the change' })
  add('removed from outside, then recreated', { note: 'unlink it while it is shown' })
  library.project('odd-read-only', { at: 'code/odd-read-only' })
  const readOnly = odd.add(
    'Move',
    'a read-only directory',
    odd.talk('a read-only directory', { project: 'odd-read-only' }),
    {
      project: 'odd-read-only',
      note: 'mode 555; root can write it nevertheless',
      expect: { readOnlyDirectory: true },
    },
  )
  library.touch(path.dirname(readOnly.file), library.ago({ days: 59 }))
  chmodSync(path.dirname(readOnly.file), 0o555)
}

function deletes(odd) {
  const { library } = odd
  const s = odd.talk('a parent with subagents and forks')
  const parent = odd.add('Move', 'a parent with subagents and forks', s, {
    artifacts: { '0.bash.log': 'output\n', 'local/plan.md': '# Plan\n' },
    expect: { subagents: 2, forks: 1 },
  })
  const child = seed => buildSession({ seed: `odd/${seed}`, cwd: s.cwd, start: s.start + 60_000 })
  const worker = child('worker')
  worker.user('Do half of it.')
  const helper = child('helper')
  helper.user('Do a quarter of it.')
  library.subagent(
    parent.artifacts,
    parent.file,
    {
      name: 'Worker',
      writer: worker,
      output: 'half\n',
      children: [{ name: 'Helper', writer: helper, output: 'a quarter\n' }],
    },
    [],
  )
  const fork = odd.writer('fork of the parent with subagents', {
    settings: false,
    header: { parentSession: parent.built.id },
  })
  for (const entry of parent.built.entries) fork.push(entry)
  fork.from(parent.built.entries.at(-1).id).user('The fork stays when its parent is deleted.')
  odd.add('Move', 'a fork whose parent will be deleted', fork, { expect: { parentId: parent.built.id } })
}

function drafts(odd) {
  const { library } = odd
  const prompt = 'Is the certificate still valid?'
  const equal = odd.writer('draft equal to the last prompt')
  equal.user(prompt)
  odd.add('Move', 'draft equal to the last prompt', equal, {
    draft: prompt,
    expect: { draft: 'already-sent' },
  })
  odd.add('Move', 'an empty draft', odd.talk('an empty draft'), { draft: '', expect: { hasDraft: false } })
  const size = odd.size(200_000, 5_000_000)
  const large = 'A very long draft, pasted from a log. '.repeat(Math.ceil(size / 38)).slice(0, size)
  odd.add('Move', 'a very large draft', odd.talk('a very large draft'), {
    draft: large,
    expect: { hasDraft: true, draftBytes: size },
    note: '--full-size: 5 MB',
  })
  odd.add(
    'Move',
    'a draft that omp changes while it is open',
    odd.talk('a draft that omp changes while it is open'),
    {
      draft: 'The first version of the draft',
      expect: { hasDraft: true },
      note: 'write another text into it while it is shown',
    },
  )
  const orphan = odd.newFile('orphan').replace(/\.jsonl$/, '')
  mkdirSync(orphan, { recursive: true })
  const file = library.file(
    path.join(orphan, 'draft.txt'),
    'A draft whose session is gone\n',
    library.ago({ days: 59 }),
  )
  odd.record('Move', 'a draft without its session', file, { expect: { orphan: true } })
}

export function addOddMoves(odd) {
  places(odd)
  moves(odd)
  deletes(odd)
  drafts(odd)
}
