/** The sketch of a cache with its pictures, and the sessions that were forked from it. */
import path from 'node:path'
import { missingBlobRef } from '../blob-writer.mjs'
import { chart, dialogShot, rings } from '../pictures.mjs'
import { buildSession } from '../session-writer.mjs'
import { readImage, write } from '../tool-calls.mjs'
import { addShort, shortSession } from './short-session.mjs'

const SKETCH =
  '# Where the cache sits\n\n```\nclient ── cache ── server ── store\n            │\n            └── ETag, max 64 MB, oldest out first\n```\n'

/** The sketch: a picture in a prompt, one in a tool result, one as `image_url`, one that is missing. */
function sketch(library) {
  const { cwd } = library.projects.get('grove-api')
  const s = buildSession({
    seed: 'cache',
    cwd,
    start: library.ago({ days: 1, hours: 3 }),
    title: 'Sketch of the response cache',
    titleSource: 'auto',
    model: 'gemini',
  })
  s.user('Let us think about where a cache would sit. Nothing is decided yet.')
  s.say(
    'Three places are possible:\n\n- **in the client**: fastest, every process has its own;\n- **beside the server**: one for all, one hop;\n- **before the store**: saves the disk, not the work.\n\nFor the traffic you showed me I would begin beside the server.',
  )
  const logo = rings()
  s.step({
    text: 'Here is how the hit rate would look with 64 MB:',
    calls: [
      readImage(
        'docs/hit-rate.png',
        library.blobs.put(
          chart([2, 4, 7, 9, 11, 12, 12, 13], { low: [186, 206, 194], high: [38, 128, 84] }),
          'png',
        ),
        {
          bytes: 2_048,
        },
      ),
    ],
  })
  const fromHere = s.say('It levels off at 48 MB. More memory would not help.')
  const dataUrl = library.blobs.dataUrl(dialogShot())
  s.user(
    [
      {
        type: 'text',
        text: 'Would the dialog in this screenshot show it? And the ring is the logo, just so you know.',
      },
      library.blobs.image(logo),
      { type: 'image', mimeType: 'image/png', data: missingBlobRef('cache') },
    ],
    {
      providerPayload: {
        type: 'openaiResponsesHistory',
        items: [
          {
            type: 'message',
            role: 'user',
            content: [{ type: 'input_image', detail: 'auto', image_url: dataUrl }],
          },
        ],
      },
    },
  )
  s.step({ calls: [write('docs/cache.md', SKETCH)] })
  s.say(
    'The dialog has room for one line: `cache 48 MB, 93 % hits`. I wrote the sketch down in `docs/cache.md`.',
  )
  const built = library.session('grove-api', 'cache', s, {
    tags: ['images', 'missing-blob', 'artifacts'],
    artifacts: {
      'local/cache.md': SKETCH,
      'handoff-2026-11-19.md': '# Handoff\n\nThe cache sits beside the server, 48 MB.\n',
    },
  })
  return { built, file: library.sessionFile('grove-api', s), fromHere }
}

/** The entries from the root to `id`, copied as they are, as a fork does. */
function pathTo(entries, id) {
  const byId = new Map(entries.map(e => [e.id, e]))
  const chain = []
  for (let at = byId.get(id); at; at = byId.get(at.parentId)) chain.unshift(at)
  return chain
}

function forkOf(library, key, options, turns) {
  const { cwd } = library.projects.get('grove-api')
  const s = shortSession({ seed: key, cwd, settings: false, ...options }, [])
  for (const entry of options.copied) {
    s.push(entry)
    s.usedIds.add(entry.id)
    s.leaf = entry.id
  }
  for (const turn of turns) turn(s)
  return library.session('grove-api', key, s, { kind: 'fork', tags: ['fork'], ...options.record })
}

export function addCacheSessions(library) {
  const cache = sketch(library)
  const { id, entries } = cache.built
  forkOf(
    library,
    'fork-by-id',
    {
      start: library.ago({ days: 1, hours: 1 }),
      title: 'Sketch of the response cache, with Redis',
      copied: entries,
      header: { parentSession: id, providerPromptCacheKey: id },
      record: {
        note: 'parentSession is the id; all entries are copied',
        facts: { copiedEntries: entries.length },
      },
    },
    [
      s => s.user('And with Redis instead?'),
      s => s.say('One hop more, but it survives a restart. At 48 MB I would not.'),
    ],
  )
  const part = pathTo(entries, cache.fromHere)
  forkOf(
    library,
    'fork-by-path',
    {
      start: library.ago({ days: 1 }),
      title: 'Rename the blob directory',
      copied: part,
      header: { parentSession: cache.file },
      record: { note: 'parentSession is the path', facts: { copiedEntries: part.length } },
    },
    [
      s => s.user('Something else: rename the blob directory to `objects`.'),
      s => s.say('Done in three places; the old name is still read.'),
    ],
  )
  const stale = path.join(library.home, 'code', 'grove', path.basename(cache.file))
  addShort(
    library,
    'grove-api',
    'fork-stale',
    {
      title: 'Cache headers only',
      days: 5,
      kind: 'fork',
      tags: ['fork', 'stale-parent'],
      header: { parentSession: stale },
      facts: { parentFound: false },
    },
    [
      { you: 'Forget the cache. Only set the headers.' },
      {
        agent:
          '`Cache-Control: private, max-age=60` on everything under `/v1/files`, an `ETag` from size and mtime.',
      },
    ],
  )
  const before = path.join(
    library.sessionsDir,
    '-code-grove',
    '2026-11-16T10-00-00-000Z_01a1e3cc-9d00-7000-8000-0000000000aa.jsonl',
  )
  addShort(
    library,
    'grove-api',
    'moved-once',
    { title: 'Name the cache keys', days: 4, tags: ['moved'], header: { previousSessionFiles: [before] } },
    [
      { you: 'What should the key of a cached answer be?' },
      {
        agent:
          'Method, path, sorted query, and the `Accept` header: `GET /v1/files?limit=20 application/json`.',
      },
    ],
  )
}
