/**
 * The two schemes of the app. `grove-app:` serves the built window, `grove-data:` pictures by ref: blobs,
 * images inside journals, artifacts. Types are sniffed from an allow-list; nothing is served as a document.
 */
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { protocol } from 'electron'
import { sniffImageType } from '../engine/blobs/image-type'
import { isPathInside } from '../engine/layout/path-inside'
import type { WorkerClient } from '../workers/worker-client'
import type { LibraryService } from './library-service'

const APP_SCHEME = 'grove-app'
export const DATA_SCHEME = 'grove-data'
const APP_HOST = 'window'
export const APP_ORIGIN = `${APP_SCHEME}://${APP_HOST}`

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Style elements are made by the dialog library while it locks scrolling; they can load nothing.
  "style-src 'self' 'unsafe-inline'",
  `img-src 'self' ${DATA_SCHEME}:`,
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** For what comes from disk: should it ever be shown as a document, that may do nothing. */
const DATA_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.woff': 'font/woff',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** Must run before the app is ready. */
export function registerSchemes(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true }
  protocol.registerSchemesAsPrivileged([
    { scheme: APP_SCHEME, privileges },
    { scheme: DATA_SCHEME, privileges },
  ])
}

export function serveSchemes(worker: WorkerClient, library: LibraryService): void {
  const root = path.join(__dirname, '../renderer')
  protocol.handle(APP_SCHEME, request => serveApp(root, request.url))
  protocol.handle(DATA_SCHEME, request => serveImage(request, worker, library))
}

async function serveApp(root: string, url: string): Promise<Response> {
  try {
    const { host, pathname } = new URL(url)
    if (host !== APP_HOST) return notFound()
    const file = path.join(root, decodeURIComponent(pathname))
    const type = TYPES[path.extname(file)]
    if (type === undefined || !isPathInside(root, file)) return notFound()
    const body = await fs.readFile(file)
    return new Response(new Uint8Array(body), {
      headers: {
        'content-type': type,
        'content-security-policy': CONTENT_SECURITY_POLICY,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      },
    })
  } catch {
    // Not there, or a name that is none (`%zz`).
    return notFound()
  }
}

async function serveImage(
  { url, method }: Request,
  worker: WorkerClient,
  library: LibraryService,
): Promise<Response> {
  if (method !== 'GET') return notFound()
  const bytes = await imageBytes(new URL(url), worker, library)
  if (!bytes.ok) return notFound()
  const type = sniffImageType(bytes.value)
  if (type === null) return notFound()
  return new Response(new Uint8Array(bytes.value), {
    headers: { ...DATA_HEADERS, 'content-type': type, 'cache-control': 'max-age=3600' },
  })
}

/** `grove-data://blob/ROOT/HASH`, `//inline/SESSION/ORDINAL/POSITION`, `//artifact/REF`. */
async function imageBytes(
  url: URL,
  worker: WorkerClient,
  library: LibraryService,
): Promise<Result<Uint8Array>> {
  const parts = url.pathname.split('/').filter(part => part !== '')
  const unknown: Result<Uint8Array> = {
    ok: false,
    error: { code: 'not-found', message: 'There is no such image.' },
  }
  if (url.host === 'blob') {
    const blobsDir = library.blobsDirOf(parts[0] ?? '')
    return blobsDir === undefined ? unknown : worker.run('blobImage', { blobsDir, hash: parts[1] ?? '' })
  }
  if (url.host === 'inline') {
    const place = library.place(parts[0] ?? '')
    const [ordinal, position] = [numberIn(parts[1]), numberIn(parts[2])]
    if (place === undefined || ordinal === null || position === null) return unknown
    return worker.run('inlineImage', { journal: place.file, ordinal, position })
  }
  const artifact = url.host === 'artifact' ? library.artifact(parts[0] ?? '') : undefined
  return artifact === undefined ? unknown : worker.run('artifactImage', artifact)
}

/** A number as our own addresses have it: digits, and nothing else that `Number` would take. */
function numberIn(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null
}

function notFound(): Response {
  return new Response(null, { status: 404 })
}
