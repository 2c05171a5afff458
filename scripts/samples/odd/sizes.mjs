/** Sizes that hurt: long lines, many pictures, many entries, many files. Small by default, real with --full-size. */

import { chart } from '../pictures.mjs'
import { createRandom } from '../prng.mjs'

const MB = 1_000_000

const line = (s, id, parentId, type, payload) =>
  JSON.stringify({ type, id, parentId, timestamp: s.wait(1).iso(), ...payload })

/** Base64 text of about `bytes`, the same block repeated. */
function base64Text(seed, bytes) {
  const block = Buffer.from(createRandom(seed).hex(60_000), 'hex').toString('base64').replace(/=+$/, '')
  return block.repeat(Math.ceil(bytes / block.length)).slice(0, bytes - (bytes % 4))
}

function longLines(odd) {
  const bytes = odd.size(2 * MB, 64 * MB)
  const s = odd.talk('one very long line')
  s.say(`${'All of this is one line. '.repeat(Math.ceil(bytes / 25))}The end.`)
  s.user('And a short one after it.')
  odd.add('Size', 'one very long line', s, {
    expect: { longestLineAtLeast: bytes },
    note: '--full-size: 64 MB',
  })

  const pictures = odd.size(20, 200)
  const each = odd.size(50_000, 10 * MB)
  const many = odd.talk('many large pictures in the lines')
  const data = base64Text('picture', each)
  const last = many.leaf
  const rows = function* () {
    for (let i = 0; i < pictures; i++)
      yield line(many, `pic${i}`, i ? `pic${i - 1}` : last, 'message', {
        message: {
          role: 'user',
          content: [
            { type: 'text', text: `Picture ${i}` },
            { type: 'image', mimeType: 'image/png', data },
          ],
          timestamp: many.clock,
        },
      })
  }
  odd.addLines('Size', 'many large pictures in the lines', many, rows(), {
    expect: { status: 'pending' },
    note: 'base64 not externalised, all the same; --full-size: 200 of 10 MB',
  })

  const twice = odd.talk('the same picture twice')
  const image = odd.library.blobs.image(chart())
  for (const text of ['Here it is.', 'And here it is again.']) twice.user([{ type: 'text', text }, image])
  odd.add('Size', 'the same picture twice', twice, { expect: { blobsReferenced: 1 } })

  const compactions = odd.size(100, 300)
  const summary = 'Everything that was said so far, once more. '.repeat(
    Math.ceil(odd.size(5_000, 5 * MB) / 44),
  )
  const c = odd.talk('hundreds of large compactions')
  const kept = c.leaf
  const compact = function* () {
    for (let i = 0; i < compactions; i++)
      yield line(c, `com${i}`, i ? `com${i - 1}` : kept, 'compaction', {
        summary,
        shortSummary: `compaction ${i}`,
        firstKeptEntryId: kept,
        tokensBefore: 150_000,
        tokensAfter: 9_000,
      })
  }
  odd.addLines('Size', 'hundreds of large compactions', c, compact(), {
    expect: { types: { compaction: compactions } },
    note: '--full-size: 300 of 5 MB',
  })
}

function needles(odd) {
  const noise = odd.size(5_000, 250_000)
  const messages = odd.size(30, 300)
  const s = odd.writer('few messages among many custom entries', { settings: false })
  const rows = function* () {
    let parent = null
    for (let i = 0; i < noise; i++) {
      if (i % Math.floor(noise / messages) === 0 && i / Math.floor(noise / messages) < messages) {
        yield line(s, `m${i}`, parent, 'message', {
          message: {
            role: i % 2 ? 'assistant' : 'user',
            content: [{ type: 'text', text: `A message after ${i} others` }],
            timestamp: s.clock,
          },
        })
        parent = `m${i}`
      }
      yield line(s, `c${i}`, parent, 'custom', { customType: 'tick', data: { i } })
      parent = `c${i}`
    }
  }
  odd.addLines('Size', 'few messages among many custom entries', s, rows(), {
    expect: { messageCount: messages },
    note: '--full-size: 250,000 custom entries and 300 messages',
  })

  const tail = odd.talk('the last 500 entries are no messages')
  for (let i = 0; i < 500; i++) tail.custom('tick', { i })
  odd.add('Size', 'the last 500 entries are no messages', tail, {
    expect: { status: 'complete', messageCount: 2 },
  })

  const far = odd.talk('results whose calls lie far above')
  const count = 40
  far.assistant(
    Array.from({ length: count }, (_, i) => ({
      type: 'toolCall',
      id: `far_${i}`,
      name: 'read',
      arguments: { path: `src/file-${i}.ts` },
    })),
    { stop: 'toolUse' },
  )
  for (let i = 0; i < odd.size(400, 20_000); i++) far.custom('tick', { i })
  for (let i = 0; i < count; i++)
    far.result({
      id: `far_${i}`,
      name: 'read',
      content: [{ type: 'text', text: `file ${i}: `.padEnd(1_200, 'export ') }],
    })
  odd.add('Size', 'results whose calls lie far above', far, {
    expect: { pairedCalls: count, status: 'interrupted' },
  })
}

function manyFiles(odd) {
  const project = 'odd-many'
  odd.library.project(project, { at: 'code/odd-many', note: 'many small sessions with artifact directories' })
  const count = odd.size(60, 3_000)
  for (let i = 0; i < count; i++) {
    const s = odd.talk(`one of many, number ${i + 1}`, { project })
    odd.add('Size', 'one of many files', s, {
      project,
      artifacts: { '0.bash.log': `output of session ${i + 1}\n` },
      note: i ? undefined : '--full-size: 3,000 files',
    })
  }
}

export function addOddSizes(odd) {
  longLines(odd)
  needles(odd)
  manyFiles(odd)
}
