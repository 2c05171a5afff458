/** Files that only have the name of a session: empty, foreign, no file at all, not to be read. */
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'

export function addNoSessions(odd) {
  const stub = { entryCount: 0, title: null }
  odd.add('Damage', 'zero bytes', '', { expect: { ...stub, damagedLines: 0, problems: ['empty'] } })
  odd.add('Damage', 'blanks only', ' \n\t\n   \n', {
    expect: { ...stub, damagedLines: 0, problems: ['empty'] },
  })
  odd.add('Damage', 'not JSONL at all', '# Shopping\n\n- bread\n- tea\n', {
    expect: { ...stub, damagedLines: 3, problems: ['header-missing', 'damaged-line'] },
  })
  const pretty = `${JSON.stringify({ type: 'session', version: 3, id: 'pretty', cwd: '/nowhere', entries: [1, 2] }, null, 2)}\n`
  odd.add('Damage', 'pretty-printed JSON', pretty, {
    expect: { ...stub, damagedLinesAtLeast: 1, problems: ['header-missing', 'damaged-line'] },
  })
  const binary = Buffer.from(Array.from({ length: 2_000 }, (_, i) => (i * 167 + 13) & 255))
  odd.add('Damage', 'binary bytes', binary, {
    expect: { ...stub, damagedLinesAtLeast: 1, problems: ['header-missing', 'damaged-line'] },
  })

  const directory = odd.newFile('directory')
  mkdirSync(directory, { recursive: true })
  odd.library.touch(directory, odd.library.ago({ days: 59 }))
  odd.record('Damage', 'a directory named like a session', directory, {
    expect: { stub: true, isFile: false },
  })
  const loop = odd.newFile('loop')
  symlinkSync(path.basename(loop), loop)
  odd.record('Damage', 'a symlink loop named like a session', loop, { expect: { stub: true, isFile: false } })
  const dangling = odd.newFile('dangling')
  symlinkSync('nothing-is-here.jsonl', dangling)
  odd.record('Damage', 'a symlink to nothing', dangling, { expect: { stub: true, isFile: false } })

  const { file } = odd.add('Damage', 'unreadable (no permission)', odd.talk('unreadable (no permission)'), {
    expect: { unreadable: true },
    note: 'mode 000; root can read it nevertheless',
  })
  chmodSync(file, 0)
}
