/** A small agent directory for this folder's tests, and everything in it as text. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { encodeTitleSlot } from '@shared/session/title-slot'
import { type Environment, silentWork } from '../../engine/environment'
import type { InUseState } from '../../engine/in-use/in-use'
import { unknownProcessTable } from '../../engine/in-use/unknown-process-table'
import { plainLayout } from '../../engine/layout/agent-directories'
import { cwdDirectoryName } from '../../engine/layout/cwd-directory-name'
import type { FileSystem } from '../../engine/storage/file-system'
import { nodeFileSystem } from '../../engine/storage/node-file-system'
import type { ChangeContext } from '../changes/change-handlers'
import type { ChangeTarget } from '../changes/change-target'
import { groveData } from '../grove-data'
import type { LibraryRoot } from '../roots'
import { allSessionTargets } from './session-targets'
import { testEnvironment } from './test-environment.test-support'

export type SessionSpec = {
  cwd: string
  id: string
  /** Files below the artifact directory. */
  artifacts?: Record<string, string>
  header?: Record<string, unknown>
  lineEnd?: '\n' | '\r\n'
  bom?: boolean
  slot?: boolean
  lines?: string[]
}

export class TestLibrary {
  readonly home: string
  readonly root: LibraryRoot
  /** What the in-use check answers, by journal. */
  readonly uses = new Map<string, InUseState>()
  env: Environment

  constructor(under = os.tmpdir()) {
    this.home = fs.realpathSync(fs.mkdtempSync(path.join(under, 'grove-reroot-')))
    this.env = testEnvironment(this.home)
    const layout = plainLayout(path.join(this.home, '.omp', 'agent'))
    fs.mkdirSync(layout.sessionsDir, { recursive: true })
    this.root = { id: layout.agentDir, name: 'omp', kind: 'omp', readOnly: false, layout }
  }

  remove(): void {
    fs.rmSync(this.home, { recursive: true, force: true })
  }

  at(...parts: string[]): string {
    return path.join(this.home, ...parts)
  }

  folder(...parts: string[]): string {
    fs.mkdirSync(this.at(...parts), { recursive: true })
    return this.at(...parts)
  }

  directoryOf(cwd: string): string {
    const canonicalHome = this.home
    const name = cwdDirectoryName({ canonicalCwd: cwd, canonicalHome, canonicalTemp: '/nowhere/tmp' })
    return path.join(this.root.layout.sessionsDir, name)
  }

  /** Writes a session an hour old, as omp would; answers its file. */
  session(spec: SessionSpec): string {
    const directory = this.directoryOf(spec.cwd)
    fs.mkdirSync(directory, { recursive: true })
    const file = path.join(directory, `2026-11-30T08-00-00-000Z_${spec.id}.jsonl`)
    const end = spec.lineEnd ?? '\n'
    const header = {
      type: 'session',
      version: 3,
      id: spec.id,
      timestamp: '2026-11-30T08:00:00.000Z',
      cwd: spec.cwd,
      ...spec.header,
    }
    const lines = spec.lines ?? [
      '{"type":"message","id":"a1","parentId":null,"timestamp":"2026-11-30T08:00:01.000Z","message":{"role":"user","content":"hello \u2028 there"}}',
      '{"damaged',
      '{"type":"custom","customType":"x","data":{"n":12345678901234567890},"id":"a2","parentId":"a1"}',
    ]
    const slot = encodeTitleSlot({
      title: `Title ${spec.id}`,
      source: 'user',
      updatedAt: '2026-11-30T08:00:00.000Z',
    })
    const text = [JSON.stringify(header), ...lines].map(line => line + end).join('')
    fs.writeFileSync(file, `${spec.bom === true ? '\uFEFF' : ''}${spec.slot === false ? '' : slot}${text}`)
    for (const [name, content] of Object.entries(spec.artifacts ?? {})) {
      const artifact = path.join(file.slice(0, -'.jsonl'.length), name)
      fs.mkdirSync(path.dirname(artifact), { recursive: true })
      fs.writeFileSync(artifact, content)
    }
    const hourAgo = Date.now() / 1000 - 3600
    fs.utimesSync(file, hourAgo, hourAgo)
    return file
  }

  breadcrumb(terminal: string, text: string): string {
    const file = path.join(this.root.layout.breadcrumbsDir, terminal)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, text)
    return file
  }

  context(fileSystem: FileSystem = nodeFileSystem): ChangeContext {
    const env = { ...this.env, fs: fileSystem }
    const processes = { ...unknownProcessTable('test'), isAlive: () => true }
    return {
      env,
      data: groveData(env),
      deps: {
        processes,
        instance: env.uuid(),
        inUse: async () => ({
          taken: env.now(),
          check: journal => this.uses.get(journal) ?? { state: 'free' },
        }),
      },
    }
  }

  async targets(): Promise<ChangeTarget[]> {
    const targets = await allSessionTargets(this.env, [this.root], silentWork)
    if (!targets.ok) throw new Error(targets.error.message)
    return targets.value.sessions
  }

  /** Every file of the agent directory, by path relative to it, with its content. */
  files(): Record<string, string> {
    return filesBelow(this.root.layout.agentDir)
  }
}

export function filesBelow(directory: string): Record<string, string> {
  const files: Record<string, string> = {}
  for (const name of fs.readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
    const file = path.join(directory, name)
    if (fs.lstatSync(file).isFile()) files[name] = fs.readFileSync(file, 'latin1')
  }
  return files
}

/** Entry lines of a journal: everything behind the header line. */
export function entriesOf(file: string): string {
  const text = fs.readFileSync(file, 'latin1')
  const header = /^.*"type":"session".*$/m.exec(text)
  return header === null ? text : text.slice(header.index + header[0].length)
}

export function headerOf(file: string): Record<string, unknown> {
  const line = fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .find(text => text.includes('"type":"session"'))
  // A test's own file: its header is an object.
  return JSON.parse(line ?? '{}') as Record<string, unknown>
}
