/**
 * Where odd files go and how they are told in the manifest.
 *
 * Each is `{ kind, section, project, file, id, note, expect }`. `expect` holds only what is certain: `entryCount`,
 * `damagedLines` (a number), `title`, `status`, `problems` (kinds that must be among those told), and further
 * facts by name. `…AtLeast` and `…AtMost` stand where more than one reading is right.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { JournalWriter } from '../journal-writer.mjs'
import { createRandom } from '../prng.mjs'
import { artifactDirectory, sessionFileName, sessionId } from '../session-names.mjs'
import { buildSession } from '../session-writer.mjs'

const MINUTE = 60_000

export class OddFiles {
  constructor(library, { fullSize = false } = {}) {
    this.library = library
    this.fullSize = fullSize
    this.count = 0
    library.project('odd', { at: 'code/odd', note: 'odd files, one for each kind' })
  }

  /** The full size with --full-size, else the small one. */
  size(small, full) {
    return this.fullSize ? full : small
  }

  /** A time of its own for each file, two months before now. */
  nextStart() {
    return this.library.ago({ days: 60 }) + this.count++ * MINUTE
  }

  /** A writer titled with its kind; nothing but settings in it unless `settings: false`. */
  writer(kind, options = {}) {
    const { cwd } = this.library.projects.get(options.project ?? 'odd')
    return buildSession({
      seed: `odd/${kind}`,
      cwd,
      start: this.nextStart(),
      title: kind,
      titleSource: 'user',
      ...options,
    })
  }

  /** A writer with one prompt and one answer: four entries with the settings. */
  talk(kind, options) {
    const s = this.writer(kind, options)
    s.user(`An odd file: ${kind}.`)
    s.say('It is read like any other, as far as it can be.')
    return s
  }

  /** A path below the sessions of a project, with a proper name. */
  newFile(kind, project = 'odd') {
    const start = this.nextStart()
    const id = sessionId(createRandom(`odd/file/${kind}`), start)
    const { directory } = this.library.projects.get(project)
    return path.join(this.library.sessionsDir, directory, sessionFileName(new Date(start).toISOString(), id))
  }

  /**
   * Write an odd file and its record. `content`: a writer, text or bytes. `expect` adds to or overrides what a
   * writer knows of itself; `at` is another modification time.
   */
  add(section, kind, content, { expect = {}, note, project = 'odd', file, at, artifacts = {}, draft } = {}) {
    const { library } = this
    const isWriter = content instanceof JournalWriter
    const target = file ?? (isWriter ? library.sessionFile(project, content) : this.newFile(kind, project))
    const built = isWriter ? content.build() : null
    const time = at ?? built?.endMs ?? library.ago({ days: 59 })
    library.file(target, built ? built.bytes : content, time)
    const files = { ...artifacts, ...(draft === undefined ? {} : { 'draft.txt': draft }) }
    for (const [name, body] of Object.entries(files))
      library.file(path.join(artifactDirectory(target), name), body, time)
    const known = built && {
      title: built.title,
      entryCount: built.facts.entryCount,
      damagedLines: built.facts.damagedLines.length,
      status: built.facts.status,
    }
    this.record(section, kind, target, {
      note,
      project,
      expect: { ...known, ...expect },
      id: built?.id ?? null,
    })
    return { built, file: target, artifacts: artifactDirectory(target) }
  }

  /** A file too large for memory: `lines` yields text without line feed, written one by one. */
  addLines(section, kind, writer, lines, { expect = {}, note, project = 'odd' } = {}) {
    const built = writer.build()
    const target = this.library.sessionFile(project, writer)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, built.bytes)
    let entryCount = built.facts.entryCount
    let chunk = []
    let size = 0
    const flush = () => {
      if (chunk.length) writeFileSync(target, `${chunk.join('\n')}\n`, { flag: 'a' })
      chunk = []
      size = 0
    }
    for (const line of lines) {
      chunk.push(line)
      size += line.length
      entryCount++
      if (size > 4_000_000) flush()
    }
    flush()
    this.library.touch(target, built.endMs)
    this.record(section, kind, target, {
      note,
      project,
      id: built.id,
      expect: { title: built.title, entryCount, damagedLines: 0, ...expect },
    })
    return target
  }

  /** Only the record, for what is no file of its own. */
  record(section, kind, target, { note = null, project = 'odd', expect = {}, id = null } = {}) {
    this.library.odd.push({ kind, section, project, file: this.library.relative(target), id, note, expect })
  }
}
