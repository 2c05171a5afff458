/**
 * Files that a benchmark measures with, made once: below `.cache/bench/corpora`, or the folder of `--dir`. They are always the same
 * for the same name, so that a later run takes those that are there.
 */
import fs from 'node:fs'
import path from 'node:path'

/** Raised whenever what is made differs: files of an earlier version are then made anew. */
const VERSION = 2
const FACTS = 'facts.json'
const READ_BYTES = 4 * 1024 * 1024

export type KeptCorpus<T> = { folder: string; facts: T }

/**
 * The corpus of that name below `base`; `make` writes it into an empty folder and answers what must be known of it, as plain data. It is
 * read once, so that its files are in the page cache.
 */
export function keptCorpus<T>(base: string, name: string, make: (folder: string) => T): KeptCorpus<T> {
  const folder = path.join(base, `${name}-v${VERSION}`)
  const noted = path.join(folder, FACTS)
  if (!fs.existsSync(noted)) {
    fs.rmSync(folder, { recursive: true, force: true })
    const work = `${folder}.${process.pid}.tmp`
    fs.mkdirSync(work, { recursive: true })
    try {
      fs.writeFileSync(path.join(work, FACTS), JSON.stringify(make(work)))
      fs.renameSync(work, folder)
    } finally {
      fs.rmSync(work, { recursive: true, force: true })
    }
  }
  readAll(folder)
  // Written above, by this version.
  return { folder, facts: JSON.parse(fs.readFileSync(noted, 'utf8')) as T }
}

function readAll(folder: string): void {
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const fd = fs.openSync(path.join(entry.parentPath, entry.name), 'r')
    while (fs.readSync(fd, buffer, 0, buffer.length, null) > 0);
    fs.closeSync(fd)
  }
}
