/** Folders whose names collide, differ only in spelling, or are hostile. */
import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'

function place(odd, key, kind, options, note, expect = {}) {
  const project = odd.library.project(key, options)
  odd.add('Meaning', kind, odd.talk(`${kind}: ${key}`, { project: key }), {
    project: key,
    note,
    expect: { cwd: project.cwd, ...expect },
  })
  return project
}

export function addOddPlaces(odd) {
  const { library } = odd
  const same = 'two folders with one directory name'
  place(odd, 'odd a/b', same, { at: 'code/odd-w/a/b' }, 'grouped by the cwd of the header')
  place(odd, 'odd a-b', same, { at: 'code/odd-w/a-b' }, 'grouped by the cwd of the header')
  const spelling = 'spellings of a Windows folder'
  place(odd, 'odd C:', spelling, { cwd: 'C:\\work\\shop', state: 'other-system' })
  place(
    odd,
    'odd c:',
    spelling,
    { cwd: 'c:\\work\\shop', state: 'other-system' },
    'the same folder with another drive letter case',
  )
  place(odd, 'odd C:/', spelling, { cwd: 'C:/work/shop', state: 'other-system' })
  place(
    odd,
    'odd wsl',
    spelling,
    { cwd: '/mnt/c/work/shop', state: 'unreachable' },
    'the same folder as WSL names it',
  )
  place(odd, 'odd unc', spelling, { cwd: '\\\\server\\share\\shop', state: 'other-system' })

  const real = place(odd, 'odd real', 'a symlinked project', { at: 'code/odd-real' }, 'the real folder')
  const link = path.join(library.home, 'code', 'odd-link')
  symlinkSync(real.folder, link)
  place(
    odd,
    'odd link',
    'a symlinked project',
    { cwd: link, state: 'link' },
    'the same folder through a symlink',
  )

  const names = 'unusual folder names'
  place(odd, 'odd spaces', names, { at: 'code/odd  two spaces ' })
  place(odd, 'odd dash', names, { at: 'code/-rf' }, 'begins with a dash')
  place(odd, 'odd markup', names, { at: 'code/<b>odd</b> & "co"' })
  place(odd, 'odd dollar', names, { at: "code/$(touch odd); 'x'" }, 'never passed to a program unguarded')
  place(odd, 'odd arabic', names, { at: 'code/مشروع' })
  place(odd, 'odd nfd', names, { at: 'code/cafe\u0301' }, 'a decomposed accent')
  mkdirSync(path.join(library.home, 'code', 'caf\u00e9'), { recursive: true })
  place(odd, 'odd root', names, { cwd: '/', state: 'root' })
  place(odd, 'odd newline', names, { at: 'code/two\nlines' })
}
