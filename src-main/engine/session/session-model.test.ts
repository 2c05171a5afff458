/**
 * The session manager against a small model: whatever is asked of it, and whatever others do to the file meanwhile, the file
 * holds every line that was acknowledged or written by others, byte for byte, and reads as the model says.
 */
import fs from 'node:fs'
import { entryRecord } from '@shared/session/new-entry'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryByteSource } from '../storage/byte-source'
import { JournalScan } from '../storage/journal-scan'
import { MemorySessionStorage } from '../storage/memory-session-storage'
import { nodeFileSystem } from '../storage/node-file-system'
import { testEnvironment } from '../test-environment.test-support'
import { stateOf } from './document-state.test-support'
import { apply } from './session-commands.test-support'
import { SessionDocument } from './session-document'
import { SessionManager } from './session-manager'
import { latin } from './session-model.test-support'
import { anyEntry, command, START_NAMES, start } from './session-starts.test-support'
import { expectRecord, settingsFor, value } from './session-world.test-support'

/** Deterministic unless a seed is given: a failure is told with its seed, and can be run again with it. */
const seed = Number(process.env.GROVE_SEED ?? 20_261_130)
const runs = Number(process.env.GROVE_RUNS ?? 30)

/** Waiting for the disk shows nothing here, and takes most of the time. */
const unsynced = { ...nodeFileSystem, fsync: () => undefined, fdatasync: () => undefined }

describe.each(['refuse', 'join'] as const)('a session manager that is to %s', sharing => {
  it.each(START_NAMES)('works on %s as the model does', { timeout: 120_000 }, async name => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 24 }), async commands => {
        const env = testEnvironment({ fs: unsynced })
        try {
          const world = start(env, name, sharing)
          world.check('at the start')
          for (const [at, one] of commands.entries()) {
            await apply(world, one)
            world.check(`after ${at}: ${JSON.stringify(one).slice(0, 200)}`)
          }
          expect(fs.readdirSync(env.home, { recursive: true }).map(String).filter(isStray)).toEqual([])
        } finally {
          env.remove()
        }
      }),
      { seed, numRuns: runs },
    )
  })
})

describe('what was appended', () => {
  it('is read back the same in chunks of any size, and as growth from any byte on', {
    timeout: 120_000,
  }, async () => {
    const written = fc.array(anyEntry, { minLength: 1, maxLength: 12 })
    const unit = fc.double({ min: 0, max: 1, noNaN: true })
    await fc.assert(
      fc.asyncProperty(written, fc.integer({ min: 1, max: 300 }), unit, async (entries, chunkBytes, cut) => {
        const env = testEnvironment({ fs: unsynced })
        try {
          const settings = settingsFor(env, 'refuse', 'open')
          const manager = value(SessionManager.create(env, settings, { cwd: env.home }))
          for (const entry of entries) value(await manager.append(entry))
          const bytes = fs.readFileSync(manager.file)
          const texts: string[] = []
          const scan = new JournalScan({
            seed: '',
            chunkBytes,
            onEntry: ({ record }) => texts.push(latin(JSON.stringify(record))),
          })
          scan.advance(memoryByteSource(bytes))
          expect(texts).toHaveLength(entries.length)
          for (const [at, entry] of entries.entries()) {
            const [id, parentId] = [scan.index.id(at) ?? '', scan.index.parentId(at)]
            expectRecord(
              texts[at] ?? '',
              entryRecord({ id, parentId, timestamp: '2026-02-01T00:00:00.000Z' }, entry),
            )
          }
          const storage = new MemorySessionStorage(
            manager.file,
            bytes.subarray(0, Math.floor(cut * bytes.length)),
          )
          const document = value(SessionDocument.open(storage, env.now))
          storage.appendFromOutside(bytes.subarray(Math.floor(cut * bytes.length)))
          value(document.refresh())
          expect(stateOf(document)).toEqual(stateOf(manager.document))
        } finally {
          env.remove()
        }
      }),
      { seed, numRuns: runs * 5 },
    )
  })
})

function isStray(name: string): boolean {
  return /\.(tmp|lock|bak)$/.test(name)
}
