/**
 * Every call of the file system fails in turn, once and from then on: the change is there or it is not, what was
 * acknowledged is there, nothing else is, and the session manager goes on when the system does.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { describe, expect, it } from 'vitest'
import { isTemporaryName } from '../storage/atomic-replace'
import { type Fault, faultyFileSystem, systemError } from '../storage/faulty-file-system.test-support'
import { FileSessionStorage } from '../storage/file-session-storage'
import { journal, message } from '../storage/journal.test-support'
import { nodeFileSystem } from '../storage/node-file-system'
import { DAMAGED, SCENES, type Scene, type SceneKind } from './fault-scenes.test-support'
import { SessionDocument } from './session-document'
import { value } from './session-world.test-support'

const ERRORS = ['EIO', 'ENOSPC', 'EACCES', 'EMFILE'] as const

describe.each(SCENES)('$name', { timeout: 120_000 }, kind => {
  it.each(['once', 'onwards'] as const)('with a call that fails %s', async lasting => {
    let failures = 0
    for (let at = 0; ; at++) {
      const errno = ERRORS[at % ERRORS.length] ?? 'EIO'
      const failed = await withFault(kind, { at, lasting, errno })
      if (failed === null) break
      if (failed === 'write') await withFault(kind, { at, lasting, errno: 'ENOSPC', short: true })
      failures++
    }
    expect(failures).toBeGreaterThan(5)
  })

  it('with a descriptor that cannot be closed without an error', async () => {
    for (let at = 0, calls = at + 1; at < calls; at++) {
      const scene = await kind.prepare()
      calls = 0
      scene.use({
        ...nodeFileSystem,
        close: fd => {
          nodeFileSystem.close(fd)
          if (calls++ === at) throw systemError('EIO', 'close')
        },
      })
      await holds(kind, scene, `close ${at}`, { lasting: 'once' })
    }
  })
})

describe('another program that adds a line without asking, before any call of a change', () => {
  const onDisk = SCENES.filter(({ name }) => !/^a first answer|synced$/.test(name))

  it.each(onDisk)('keeps its line: $name', { timeout: 120_000 }, async kind => {
    for (let at = 0, calls = 1; at < calls; at++) {
      const scene = await kind.prepare()
      const { manager, acknowledged, env } = scene
      const foreign = message('foreign', null)
      const system = faultyFileSystem({
        before: () => {
          if (system.calls.length - 1 === at && !written) fs.appendFileSync(manager.file, journal(foreign))
          written = system.calls.length - 1 >= at
        },
      })
      let written = false
      scene.use(system)
      const result = await scene.run()
      scene.use(nodeFileSystem)
      calls = system.calls.length
      const where = `before call ${at}: ${system.calls[at]?.name}, answered ${result.ok ? 'ok' : result.error.message}`
      expect(fs.readFileSync(manager.file, 'utf8'), where).toContain(journal(foreign))
      const ids = idsOf(readAnew(scene))
      const kept = kind.adds < 0 && result.ok ? acknowledged.slice(0, kind.adds) : acknowledged
      expect(ids.slice(0, kept.length), where).toEqual(kept)
      expect(ids.length - kept.length, where).toBe(1 + (result.ok ? Math.max(0, kind.adds) : 0))
      const again = await untilRead(() =>
        manager.appendMessage({ role: 'user', content: 'more', timestamp: 3 }),
      )
      expect(again.ok, where).toBe(true)
      env.remove()
    }
  })
})

/** Answers the name of the call that failed; null when the change needs fewer calls. */
async function withFault(kind: SceneKind, fault: Fault): Promise<string | null> {
  const scene = await kind.prepare()
  const system = faultyFileSystem({ fault })
  scene.use(system)
  const { at, lasting, errno, short } = fault
  await holds(kind, scene, `${errno} ${lasting} at call ${at}${short ? ', short' : ''}`, fault, () => {
    const call = system.calls[at]
    return `${call?.name} ${call?.args[0]}`
  })
  return system.calls[at]?.name ?? null
}

async function holds(
  kind: SceneKind,
  scene: Scene,
  fault: string,
  { lasting, short = false }: Pick<Fault, 'lasting' | 'short'>,
  call: () => string = () => '',
): Promise<void> {
  const { manager, acknowledged, env } = scene
  const before = scene.files()
  const result = await scene.run()
  const where = `${kind.name}, ${fault}: ${call()}, answered ${result.ok ? 'ok' : result.error.message}`
  scene.use(nodeFileSystem)
  scene.later()
  const torn = short && lasting === 'onwards'
  // On the disk: old or new.
  const left = manager.isOnDisk || fs.existsSync(manager.file) ? readAnew(scene) : null
  if (left !== null && left.index.count > 0) {
    const ids = idsOf(left)
    const old = ids.slice(0, acknowledged.length)
    const news = ids.length - acknowledged.length
    if (kind.adds >= 0) expect(old, where).toEqual(acknowledged)
    else expect(acknowledged.slice(0, ids.length), where).toEqual(ids)
    expect(result.ok ? [kind.adds] : [0, kind.adds], where).toContain(news)
    damageIsOld(left, where, torn ? 1 : 0)
  }
  const strays = scene.files().filter(name => !before.includes(name) && !isExpected(scene, name, result))
  const bySweep = (name: string) => isTemporaryName(path.basename(name)) || name.endsWith('.lock')
  if (lasting === 'once') expect(strays, where).toEqual([])
  else
    expect(
      strays.filter(name => !bySweep(name) && !isUntold(scene, name)),
      where,
    ).toEqual([])
  // The manager goes on: at once, or after it has read what a failure left.
  const again = await untilRead(() => manager.appendMessage({ role: 'assistant', content: [], timestamp: 3 }))
  expect(again.ok ? 'ok' : again.error.message, where).toBe('ok')
  const whole = readAnew(scene)
  const ids = idsOf(whole)
  const kept = kind.adds < 0 ? acknowledged.slice(0, kind.adds) : acknowledged
  expect(ids.slice(0, kept.length), where).toEqual(kept)
  expect(ids[ids.length - 1], where).toBe(again.ok ? again.value : '')
  expect(whole.version, where).toBe(3)
  expect(new Set(ids).size, where).toBe(ids.length)
  damageIsOld(whole, where, torn ? 1 : 0)
  const renamed = await manager.setSessionName('works again', 'user')
  expect(renamed, where).toMatchObject({ ok: true })
  expect(readAnew(scene).title.title, where).toBe('works again')
  expect(readAnew(scene).isWritable, where).toBe(true)
  env.remove()
}

async function untilRead<T>(change: () => Promise<Result<T>>): Promise<Result<T>> {
  const first = await change()
  return !first.ok && first.error.code === 'changed-on-disk' ? change() : first
}

/** A file that a change makes when it is made: the session itself, or the one branched off. */
function isExpected({ manager, env }: Scene, name: string, result: Result<unknown>): boolean {
  const full = path.join(env.home, name)
  return result.ok && (full === manager.file || manager.file.startsWith(full) || name.endsWith('.jsonl'))
}

/** Whole, but its name could not be taken away again: the next attempt finds it; folders above it stay as well. */
function isUntold({ manager, env }: Scene, name: string): boolean {
  const full = path.join(env.home, name)
  return manager.file.startsWith(full) || name.endsWith('.jsonl')
}

function readAnew({ env, manager }: Scene): SessionDocument {
  return value(SessionDocument.open(new FileSessionStorage(env, manager.file), env.now))
}

function idsOf({ index }: SessionDocument): string[] {
  return Array.from({ length: index.count }, (_, at) => index.id(at) ?? '')
}

/** The damage that was there before is there, byte for byte, and at most `more` besides. */
function damageIsOld(document: SessionDocument, where: string, more: number): void {
  const texts = document.damaged.map(({ offset, bytes }) =>
    Buffer.from(value(document.rawBytes(offset, bytes))).toString('utf8'),
  )
  const strange = texts.filter(text => text !== DAMAGED && text !== '{"torn')
  expect(strange.slice(more), `${where}: ${strange}`).toEqual([])
  const text = fs.readFileSync(document.path, 'utf8')
  const expected = document.index.count > 2 && document.index.ordinalOf('x') === undefined
  if (expected && document.path.endsWith('s.jsonl') && document.index.count > 3)
    expect(text.includes(`\n${DAMAGED}\n`), where).toBe(true)
}
