/** A user of omp and Grove of its own for one test: home folder, temp folder, agent directory, environment. */
import { createHash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { makeSamples } from '../samples/make-samples.mjs'

// Grove takes a session that was written to in the last 10 seconds for one in use.
const A_WHILE_AGO_S = 120

/** Nothing that a test runs may reach the network: a proxy where nobody listens. */
const NO_NETWORK = Object.fromEntries(
  ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].flatMap(name => [
    [name, 'http://127.0.0.1:9'],
    [name.toLowerCase(), 'http://127.0.0.1:9'],
  ]),
)

export class World {
  /** @param {boolean} samples whether the sample library is put into the home folder */
  constructor({ samples = false } = {}) {
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'grove-interop-')))
    this.manifest = samples ? makeSamples(this.root).manifest : undefined
    this.home = join(this.root, 'home')
    this.temp = join(this.root, 'temporary')
    this.agentDir = join(this.home, '.omp/agent')
    this.sessionsDir = join(this.agentDir, 'sessions')
    this.blobsDir = join(this.agentDir, 'blobs')
    for (const directory of [this.home, this.temp]) mkdirSync(directory, { recursive: true })
  }

  /** What a program of this user sees. A terminal's name makes omp keep a breadcrumb for it. */
  env(terminal) {
    const { PATH = '/usr/bin:/bin' } = process.env
    const pane = terminal === undefined ? {} : { TMUX_PANE: terminal }
    return { PATH, LANG: 'C.UTF-8', HOME: this.home, TMPDIR: this.temp, ...pane, ...NO_NETWORK }
  }

  /** A folder below the home folder, made. */
  folder(path) {
    const folder = join(this.home, path)
    mkdirSync(folder, { recursive: true })
    return folder
  }

  /** The path from the world's root, for messages and comparison. */
  short(path) {
    return relative(this.root, path)
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true })
  }
}

/** Makes files look as if they were written some time ago, so that nobody takes them for being written now. */
export function age(files, seconds = A_WHILE_AGO_S) {
  const time = Date.now() / 1000 - seconds
  for (const file of files) utimesSync(file, time, time)
}

/** Every file below a folder, as sorted paths; directories too when asked for. Links are not followed. */
export function everythingBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map(name => join(folder, name))
    .sort()
}

/** All session files of a sessions root, with those of subagents. */
export function sessionFiles(folder) {
  return everythingBelow(folder).filter(path => path.endsWith('.jsonl') && lstatSync(path).isFile())
}

const CONTENT = {
  file: path => createHash('sha256').update(readFileSync(path)).digest('hex'),
  link: path => readlinkSync(path),
  directory: () => '',
}

/** Everything that one can tell about each path below a folder: kind, bytes, mode, inode, exact time. */
export function picture(folder) {
  const facts = path => {
    const { mtimeNs, mode, ino, size } = lstatSync(path, { bigint: true })
    const stat = lstatSync(path)
    const kind = stat.isSymbolicLink() ? 'link' : stat.isDirectory() ? 'directory' : 'file'
    return [
      kind,
      CONTENT[kind](path),
      `${size} bytes`,
      `mode ${mode}`,
      `inode ${ino}`,
      `time ${mtimeNs}`,
    ].join(', ')
  }
  return Object.fromEntries([folder, ...everythingBelow(folder)].map(path => [path, facts(path)]))
}

/** The artifact directory of a session file. */
export const artifactsOf = file =>
  join(
    dirname(file),
    file
      .split('/')
      .at(-1)
      .replace(/\.jsonl$/, ''),
  )
