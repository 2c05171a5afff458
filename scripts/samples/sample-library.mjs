/**
 * The library on disk: project folders, session files with their artifacts, blobs, breadcrumbs, stars,
 * and the manifest that says what a reader should find.
 *
 * Everything is written below one directory. The only content that is not decided by that directory and
 * `now` is the device and inode in breadcrumbs, which are those of the real folders.
 */
import { existsSync, mkdirSync, realpathSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { BlobWriter } from './blob-writer.mjs'
import { directoryName } from './directory-name.mjs'
import { settleTimes, utimesSeconds } from './file-times.mjs'
import { writeGitRepo } from './git-repo.mjs'
import { artifactDirectory } from './session-names.mjs'
import { sessionRecord, stubRecord } from './session-record.mjs'

export const DEFAULT_NOW = Date.UTC(2026, 10, 20, 10)

const HOUR = 3_600_000

export class SampleLibrary {
  /** @param dir an existing empty directory  @param now the time "today", Unix ms */
  constructor(dir, { now = DEFAULT_NOW } = {}) {
    this.dir = realpathSync(dir)
    this.now = now
    this.home = path.join(this.dir, 'home')
    this.agentDir = path.join(this.home, '.omp', 'agent')
    this.sessionsDir = path.join(this.agentDir, 'sessions')
    this.terminalsDir = path.join(this.agentDir, 'terminal-sessions')
    mkdirSync(this.sessionsDir, { recursive: true })
    mkdirSync(this.terminalsDir, { recursive: true })
    this.blobs = new BlobWriter(path.join(this.agentDir, 'blobs'))
    this.projects = new Map()
    this.sessions = []
    this.pins = []
    this.breadcrumbs = []
    this.odd = []
    this.times = new Map()
  }

  /** Unix ms of a moment before `now`. */
  ago({ days = 0, hours = 0, minutes = 0 }) {
    return this.now - Math.round((days * 24 + hours + minutes / 60) * HOUR)
  }

  /** Path relative to the library directory, with `/`. */
  relative(file) {
    return path.relative(this.dir, file).split(path.sep).join('/')
  }

  /** Write a file below the library; `at` (Unix ms) becomes its modification time. */
  file(target, content, at) {
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, content)
    if (at !== undefined) this.touch(target, at)
    return target
  }

  /** Set the modification time of a file, now and again when everything is written. */
  touch(target, at) {
    utimesSync(target, utimesSeconds(at), utimesSeconds(at))
    this.times.set(target, at)
  }

  /**
   * Declare a project.
   * `at` is its folder below home; or `cwd` any absolute path that is not made. `state`: present, gone,
   * renamed (`now` is the folder's present place below home), unreachable, other-system.
   */
  project(key, { at, cwd, state = 'present', nowAt, files = {}, git, note } = {}) {
    const recorded = cwd ?? path.join(this.home, at)
    const folder = state === 'present' ? recorded : state === 'renamed' ? path.join(this.home, nowAt) : null
    let repo = null
    if (folder) {
      mkdirSync(folder, { recursive: true })
      for (const [name, content] of Object.entries(files)) this.file(path.join(folder, name), content)
      if (git) repo = writeGitRepo(folder, { files, at: this.ago({ days: 120 }), ...git })
    }
    const directory = directoryName(recorded, { home: this.home })
    const renamed = state === 'renamed' ? { from: recorded, to: folder } : {}
    const project = {
      key,
      cwd: recorded,
      folder,
      state,
      directory,
      git: repo,
      ...renamed,
      ...(note ? { note } : {}),
    }
    this.projects.set(key, project)
    return project
  }

  /** Where a session of a project lies (or will lie). */
  sessionFile(projectKey, writer) {
    return path.join(this.sessionsDir, this.projects.get(projectKey).directory, writer.fileName)
  }

  /**
   * Write a session and what belongs to it.
   * `artifacts`: relative name to text, bytes or `{ content, at }`; `subagents`: a list as in `subagent`;
   * `draft`: text; `starred`; `kind` and `tags` say in the manifest what the session is an example of;
   * `facts` override what was derived.
   */
  session(projectKey, key, writer, options = {}) {
    const project = this.projects.get(projectKey)
    const file = options.file ?? this.sessionFile(projectKey, writer)
    const built = this.writeJournal(file, writer)
    const art = artifactDirectory(file)
    const artifacts = []
    for (const [name, value] of Object.entries(options.artifacts ?? {})) {
      const { content, at = built.endMs } = value?.content === undefined ? { content: value } : value
      this.file(path.join(art, name), content, at)
      artifacts.push({ name, bytes: Buffer.byteLength(content) })
    }
    const subagents = (options.subagents ?? []).flatMap(child => this.subagent(art, file, child, artifacts))
    if (options.draft !== undefined) this.file(path.join(art, 'draft.txt'), options.draft, built.endMs)
    if (options.draftOnly) this.file(path.join(art, '.draft-only-session'), '', built.endMs)
    if (options.starred) this.pins.push(built.id)
    this.sessions.push(
      sessionRecord({ key, project, file, built, artifacts, subagents, options, library: this }),
    )
    return built
  }

  /** A file that is no proper session, with facts stated by hand. */
  rawFile(file, bytes, { key, project, at, kind, tags = [], problems = [], facts = {} }) {
    this.file(file, bytes, at)
    const id = /_([^_]+)\.jsonl$/.exec(file)?.[1] ?? null
    this.sessions.push(
      stubRecord({ key, id, project, file, bytes, kind, tags, problems, facts, library: this }),
    )
  }

  /** Write one journal with its time. */
  writeJournal(file, writer) {
    const built = writer.build()
    this.file(file, built.bytes, built.endMs)
    return built
  }

  /**
   * Write a subagent's journal and output below an artifact directory, its own children below that.
   * `{ name, writer, output?, json?, children? }`; a child's file is `<name>/<name>.<child>.jsonl`.
   */
  subagent(art, parentFile, { name, writer, output, json, advisor, children = [] }, artifacts, prefix = '') {
    const stem = prefix ? `${prefix}.${name}` : name
    const file = path.join(art, `${stem}.jsonl`)
    writer.moreHeader = { ...writer.moreHeader, parentSession: parentFile }
    const built = this.writeJournal(file, writer)
    const side = { md: output, json: json === undefined ? undefined : `${JSON.stringify(json, null, 2)}\n` }
    for (const [extension, content] of Object.entries(side)) {
      if (content === undefined) continue
      this.file(path.join(art, `${stem}.${extension}`), content, built.endMs)
    }
    const { entryCount, messageCount } = built.facts
    const record = { name, agentId: stem, file: this.relative(file), id: built.id, advisor: Boolean(advisor) }
    Object.assign(record, { entryCount, messageCount, bytes: built.bytes.length, parent: prefix || null })
    const nested = children.flatMap(c => this.subagent(path.join(art, stem), file, c, artifacts, stem))
    return [record, ...nested]
  }

  /** A breadcrumb: which terminal had which session open; `stat` names the folder whose identity it notes. */
  breadcrumb(terminal, { cwd, file, fresh = false, stat, note }) {
    const lines = [cwd, file, ...(fresh ? ['fresh'] : [])]
    if (stat) {
      const { dev, ino } = statSync(stat)
      lines.push(`cwdstat ${dev} ${ino}`)
    }
    this.file(path.join(this.terminalsDir, terminal), `${lines.join('\n')}\n`, this.ago({ hours: 1 }))
    const record = { terminal, cwd, file: this.relative(file), fresh, targetExists: existsSync(file) }
    this.breadcrumbs.push({ ...record, statOf: stat ? this.relative(stat) : null, ...(note ? { note } : {}) })
  }

  /** Write stars and manifest, then give every file and directory its settled time. */
  finish() {
    const pins = this.pins.length
      ? `[\n${this.pins.map(id => `\t${JSON.stringify(id)}`).join(',\n')}\n]`
      : '[]'
    writeFileSync(path.join(this.agentDir, 'session-pins.json'), pins, { mode: 0o600 })
    const manifest = this.manifest()
    writeFileSync(path.join(this.dir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    settleTimes(this.dir, this.times, this.ago({ days: 60 }))
    return manifest
  }

  manifest() {
    const projects = [...this.projects.values()].map(project => ({
      ...project,
      folder: project.folder === null ? null : this.relative(project.folder),
      sessions: this.sessions.filter(s => s.project === project.key).length,
    }))
    return {
      format: 1,
      now: new Date(this.now).toISOString(),
      home: this.relative(this.home),
      agentDir: this.relative(this.agentDir),
      projects,
      sessions: this.sessions,
      stars: this.pins,
      blobs: [...this.blobs.stored.values()],
      breadcrumbs: this.breadcrumbs,
      odd: this.odd,
    }
  }
}
