/** Which files a tool call writes, edits, moves or deletes, by its arguments. Pure. */
import path from 'node:path'
import type { Touch } from '@shared/ipc/models/search-models'
import { messageOf } from '@shared/session/entry'
import { type JsonObject, objectOf, objectsOf, stringOrNull } from '@shared/session/json'

export type FileTouch = { path: string; how: Touch; callId: string | null }

const WRITERS = /^(write|create|write_file|create_file)$/i
const EDITORS =
  /^(edit|multi_?edit|str_replace\w*|replace|apply_?patch|patch|ast_?edit|hashline\w*|notebook_?edit|insert)$/i

/** Paths as the agent wrote them: more than these of one call are no list of files any more. */
const MOST = 500
const PATH_UNITS = 4096

/** The files that the calls of an entry change. */
export function touchesOf(record: JsonObject): FileTouch[] {
  const message = messageOf(record)
  if (message.role !== 'assistant') return []
  return objectsOf(message.content).flatMap(block => (block.type === 'toolCall' ? callTouches(block) : []))
}

/** The call whose result says that it did not work, so that nothing was changed; null for every other entry. */
export function failedCall(record: JsonObject): string | null {
  const message = messageOf(record)
  return message.role === 'toolResult' && message.isError === true ? stringOrNull(message.toolCallId) : null
}

function callTouches(call: JsonObject): FileTouch[] {
  const name = stringOrNull(call.name) ?? ''
  const writes = WRITERS.test(name)
  if (!writes && !EDITORS.test(name)) return []
  const args = objectOf(call.arguments)
  const found = new Map<string, Touch>()
  const add = (file: string | null, how: Touch) => {
    const clean = file?.trim().replace(/^["']|["']$/g, '') ?? ''
    if (
      clean !== '' &&
      clean !== '/dev/null' &&
      clean.length <= PATH_UNITS &&
      !/[\0\n\r]/.test(clean) &&
      found.size < MOST
    )
      found.set(clean, how)
  }
  const plain = writes ? 'write' : 'edit'
  for (const one of [args, ...objectsOf(args.edits), ...objectsOf(args.files)])
    for (const key of ['path', 'file_path', 'filePath', 'file', 'notebook_path'])
      add(stringOrNull(one[key]), how(one, plain))
  for (const key of ['rename', 'move', 'newPath', 'new_path']) add(stringOrNull(args[key]), 'move')
  if (!writes) for (const key of ['input', 'patch', 'diff']) patchFiles(stringOrNull(args[key]) ?? '', add)
  const callId = stringOrNull(call.id)
  return [...found].map(([file, how]) => ({ path: file, how, callId }))
}

function how(args: JsonObject, plain: Touch): Touch {
  switch (args.op) {
    case 'delete':
      return 'delete'
    case 'create':
      return 'write'
    default:
      return plain
  }
}

/** Heads of the parts of a patch: omp's own `[src/a.ts#1F3C]`, those of apply_patch, and those of a unified diff. */
const HEADS =
  /^(?:\[([^\]#\n]+)#[0-9A-Fa-f]+\]|\*\*\* (Update|Add|Delete) File: (.+)|\*\*\* Move to: (.+)|\+\+\+ (?:b\/)?([^\t\n]+).*)$/gm

function patchFiles(patch: string, add: (file: string | null, how: Touch) => void): void {
  for (const [, own, verb, file, moved, unified] of patch.matchAll(HEADS)) {
    if (own !== undefined) add(own, 'edit')
    else if (file !== undefined) add(file, verb === 'Add' ? 'write' : verb === 'Delete' ? 'delete' : 'edit')
    else if (moved !== undefined) add(moved, 'move')
    else add(unified ?? null, 'edit')
  }
}

/** A path as it is kept: absolute where the session's folder is known, with `/`. */
export function placedPath(file: string, cwd: string | null): string {
  const windows = cwd !== null && /^[A-Za-z]:[\\/]/.test(cwd)
  const p = windows ? path.win32 : path.posix
  const whole =
    cwd === null || p.isAbsolute(file) || file.startsWith('~') ? p.normalize(file) : p.join(cwd, file)
  return windows ? whole.replaceAll('\\', '/') : whole
}

/** Whether a path is what somebody asks for: the whole of it, its end, or its name. */
export function fitsPath(file: string, asked: string): boolean {
  return file === asked || file.endsWith(asked.startsWith('/') ? asked : `/${asked}`)
}
