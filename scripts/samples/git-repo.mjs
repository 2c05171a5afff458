/**
 * A small git repository written without running git: loose objects, one branch, one remote.
 * Enough for git itself, and for whoever reads the root commit and the remote from the files.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { deflateSync } from 'node:zlib'

function writeObject(gitDir, type, body) {
  const bytes = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])
  const hash = createHash('sha1').update(bytes).digest('hex')
  const directory = path.join(gitDir, 'objects', hash.slice(0, 2))
  mkdirSync(directory, { recursive: true })
  writeFileSync(path.join(directory, hash.slice(2)), deflateSync(bytes))
  return hash
}

/** Write the tree of `files` (`{ 'src/a.ts': text }`) and return its hash. */
function writeTree(gitDir, files) {
  const entries = new Map()
  for (const [name, content] of Object.entries(files)) {
    const slash = name.indexOf('/')
    if (slash < 0) entries.set(name, Buffer.from(content))
    else {
      const folder = name.slice(0, slash)
      entries.set(folder, { ...entries.get(folder), [name.slice(slash + 1)]: content })
    }
  }
  const rows = [...entries].map(([name, value]) => {
    const file = Buffer.isBuffer(value)
    const hash = file ? writeObject(gitDir, 'blob', value) : writeTree(gitDir, value)
    const row = Buffer.concat([
      Buffer.from(`${file ? '100644' : '40000'} ${name}\0`),
      Buffer.from(hash, 'hex'),
    ])
    return { key: file ? name : `${name}/`, row }
  })
  rows.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)))
  return writeObject(gitDir, 'tree', Buffer.concat(rows.map(r => r.row)))
}

/**
 * Create `folder/.git` with one commit for each message, all of the same files.
 * @returns `{ rootCommit, head, remote }`
 */
export function writeGitRepo(folder, { files, remote, messages, at }) {
  const gitDir = path.join(folder, '.git')
  for (const part of ['objects', 'refs/heads', 'refs/tags', 'info']) {
    mkdirSync(path.join(gitDir, part), { recursive: true })
  }
  const tree = writeTree(gitDir, files)
  const commits = []
  const log = []
  for (const [i, message] of messages.entries()) {
    const parent = commits.at(-1)
    const who = `Kim Berger <kim@example.org> ${Math.floor(at / 1000) + i * 3600} +0000`
    const head = [
      `tree ${tree}`,
      ...(parent ? [`parent ${parent}`] : []),
      `author ${who}`,
      `committer ${who}`,
    ]
    const commit = writeObject(gitDir, 'commit', Buffer.from(`${head.join('\n')}\n\n${message}\n`))
    log.push(
      `${parent ?? '0'.repeat(40)} ${commit} ${who}\tcommit${parent ? '' : ' (initial)'}: ${message}\n`,
    )
    commits.push(commit)
  }
  const config = [
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n',
    remote ? `[remote "origin"]\n\turl = ${remote}\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n` : '',
    remote ? '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n' : '',
  ]
  mkdirSync(path.join(gitDir, 'logs', 'refs', 'heads'), { recursive: true })
  writeFileSync(path.join(gitDir, 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(path.join(gitDir, 'config'), config.join(''))
  writeFileSync(path.join(gitDir, 'refs', 'heads', 'main'), `${commits.at(-1)}\n`)
  for (const name of ['HEAD', 'refs/heads/main']) writeFileSync(path.join(gitDir, 'logs', name), log.join(''))
  return { rootCommit: commits[0], head: commits.at(-1), remote: remote ?? null }
}
