/** For tests: a fresh sample library on disk, made by the generator that users have, with its manifest. */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Environment } from '../engine/environment'
import { nodeEnvironment } from '../engine/node-environment'

/** What the generator says of one session; see scripts/samples/README.md. */
export type SampleSession = {
  key: string
  id: string | null
  file: string
  cwd: string | null
  kind: string
  title: string | null
  titleSource: string | null
  version: number | null
  bytes: number
  created: string | null
  lastActivity: string | null
  parentSession: string | null
  entryCount: number
  messageCount: number
  types: Record<string, number>
  status: string
  firstPrompt: string | null
  leafId: string | null
  path: string[] | null
  roots: string[] | null
  branchPoints: Record<string, string[]>
  tips: string[] | null
  labels: Record<string, string>
  usage: Record<string, number | null>
  damagedLines: { line: number; offset: number; bytes: number }[]
  blobs: { referenced: string[]; missing: string[] }
  artifacts: { name: string; bytes: number }[]
  artifactFiles: { name: string; bytes: number }[]
  artifactBytes: number
  subagents: { file: string; advisor: boolean }[]
  draft: { text: string; bytes: number; state: string } | null
  problems: { kind: string; line?: number }[]
}

export type OddFile = {
  kind: string
  section: string
  /** Key of its project. */
  project: string
  file: string
  id: string | null
  note: string | null
  expect: Record<string, unknown>
}

export type SampleLibrary = {
  dir: string
  agentDir: string
  home: string
  sessions: SampleSession[]
  odd: OddFile[]
  /** Absolute path of a file named in the manifest. */
  at(relative: string): string
  /** An environment whose clock stands at the samples' "today" and whose home is theirs. */
  env: Environment
  remove(): void
}

/** Runs the generator; takes a few seconds. `odd` adds every kind of odd file. */
export function makeSampleLibrary({ odd }: { odd: boolean }): SampleLibrary {
  const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'grove-samples-')))
  const script = path.resolve(import.meta.dirname, '../../scripts/samples.mjs')
  execFileSync(process.execPath, [script, dir, ...(odd ? ['--odd'] : [])], { stdio: 'pipe' })
  const manifest = JSON.parse(fs.readFileSync(path.join(dir, 'manifest.json'), 'utf8'))
  const home = path.join(dir, manifest.home)
  return {
    dir,
    home,
    agentDir: path.join(dir, manifest.agentDir),
    sessions: manifest.sessions,
    odd: manifest.odd,
    at: relative => path.join(dir, relative),
    env: { ...nodeEnvironment(), home, env: {}, now: () => Date.parse(manifest.now) },
    remove: () => remove(dir),
  }
}

/** Some samples are made unreadable or read-only; they are removed all the same. */
function remove(directory: string): void {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) fs.chmodSync(path.join(entry.parentPath, entry.name), 0o755)
  }
  fs.rmSync(directory, { recursive: true, force: true })
}
