/**
 * Where omp loses or spoils something of a session's files, and Grove does not. Each number is one of a list of 32; those that
 * concern files are here, or shown elsewhere already:
 *
 *    3  chain broken at labels                       branched-session.test.ts
 *    8  blobs, drafts not atomic                     ../blobs/blob-writer.test.ts, ../artifacts/draft-store.test.ts;
 *       breadcrumbs not atomic                       ../breadcrumbs/leave-breadcrumb.test.ts (by ../storage/atomic-replace.ts)
 *    9  blob overwritten in place, never verified    ../blobs/blob-writer.test.ts
 *   11  duplicate ids, cycles, second headers        ../../../src-shared/session/session-entry-index.test.ts
 *   15  deleting is for good                         ../../library/trash/trash.test.ts
 *   16  two processes                                session-kill.test.ts, session-model.test.ts
 *   17  artifact numbers collide                     ../artifacts/artifact-store.test.ts
 *   19  a lock whose pid was reused                  ../storage/publish-lock.test.ts
 */
import fs from 'node:fs'
import path from 'node:path'
import { encodeTitleSlot } from '@shared/session/title-slot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { faultyFileSystem } from '../storage/faulty-file-system.test-support'
import { HEADER, journal, message } from '../storage/journal.test-support'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import type { ManagerSettings } from './manager-settings'
import { SessionManager } from './session-manager'
import { settingsFor, value } from './session-world.test-support'

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
})
afterEach(() => env.remove())

const TIME = '2026-01-02T03:04:05.006Z'
const slotOf = (title: string) => encodeTitleSlot({ title, source: 'user', updatedAt: TIME })
const SLOT = slotOf('old')
const ENTRIES = [message('a', null), message('b', 'a')]
const PLAIN = `${SLOT}${journal(HEADER, ...ENTRIES)}`
const user = (content: string) => ({ role: 'user', content, timestamp: 1 })

const put = (content: string | Uint8Array) => env.put('agent/sessions/-p/s.jsonl', content)
function open(file: string, changes: Partial<ManagerSettings> = {}): SessionManager {
  return value(SessionManager.open(env, { ...settingsFor(env, 'refuse', 'lazy'), ...changes }, file))
}
const append = async (manager: SessionManager, text = 'more') =>
  value(await manager.appendMessage(user(text)))
const textOf = (file: string) => fs.readFileSync(file, 'utf8')
function idsOf({ document: { index } }: SessionManager): (string | null)[] {
  return Array.from({ length: index.count }, (_, at) => index.id(at))
}
const beside = (file: string) => fs.readdirSync(path.dirname(file))

describe('loss and damage', () => {
  it('1: a record without line feed is not glued to the next one', async () => {
    const file = put(PLAIN.trimEnd())
    const id = await append(open(file))
    expect(textOf(file).startsWith(PLAIN)).toBe(true)
    expect(idsOf(open(file))).toEqual(['a', 'b', id])
    expect(open(file).document.damaged).toEqual([])
    // Nor when the end is torn while the session is open.
    const manager = open(file, { sharing: 'join' })
    fs.appendFileSync(file, '{"type":"message","id":"to')
    await append(manager)
    expect(textOf(file)).toContain('\n{"type":"message","id":"to\n{"type":"message"')
    expect(open(file).document.damaged).toHaveLength(1)
  })

  it('2: a session that was deleted is not found; nothing without a header is made', async () => {
    const file = put(PLAIN)
    const manager = open(file)
    await append(manager)
    fs.unlinkSync(file)
    for (const change of [
      () => manager.appendMessage(user('x')),
      () => manager.setSessionName('x', 'user'),
      () => manager.continueBranch('a'),
      () => manager.setLabel('a', 'x'),
    ])
      expect(await change()).toMatchObject({ ok: false, error: { code: 'not-found' } })
    expect(beside(file)).toEqual([])
    // And it goes on when the file is back.
    fs.writeFileSync(file, PLAIN)
    value(await manager.refresh())
    await append(manager)
    expect(open(file).document.isWritable).toBe(true)
  })

  it.each([
    ['shorter', `${SLOT.slice(0, -10)}"}\n`],
    ['longer', `${SLOT.slice(0, -3)}    "}\n`],
    ['behind a byte order mark', `\ufeff${SLOT}`],
    ['ended by CR LF', `${SLOT.slice(0, -1)}\r\n`],
  ])('4: a slot %s is never overwritten: the title is written with the whole file', async (_, slot) => {
    const file = put(`${slot}${journal(HEADER, ...ENTRIES)}`)
    const before = fs.statSync(file).ino
    value(await open(file).setSessionName('new', 'user'))
    expect(fs.statSync(file).ino).not.toBe(before)
    const again = open(file)
    expect(again.document.hasExactSlot).toBe(true)
    expect(again.id).toBe(HEADER.id)
    expect(idsOf(again).slice(0, 2)).toEqual(['a', 'b'])
    expect(again.title.title).toBe('new')
  })

  it('4: a slot that shares its line with the header is not overwritten, nor written anew', async () => {
    const glued = `${SLOT.trimEnd()}${journal(HEADER, ...ENTRIES)}`
    const file = put(glued)
    expect(await open(file).setSessionName('new', 'user')).toMatchObject({ error: { code: 'damaged' } })
    expect(await open(file).appendMessage(user('x'))).toMatchObject({ error: { code: 'damaged' } })
    expect(textOf(file)).toBe(glued)
  })

  it('5: a title longer than its slot is whole when it is opened again', async () => {
    const long = `${'long ä title '.repeat(30)}end`
    const file = put(PLAIN)
    value(await open(file).setSessionName(long, 'user'))
    expect(open(file).title).toEqual({ title: long, source: 'user' })
    // Also after more was written, and after a rename that never reached the slot.
    await append(open(file))
    const slot = textOf(file).slice(0, 256)
    const manager = open(file)
    value(await manager.setSessionName('short', 'user'))
    const bytes = fs.readFileSync(file)
    bytes.write(slot, 0)
    fs.writeFileSync(file, bytes)
    expect(open(file).title.title).toBe(long)
  })

  it('6: lines that cannot be read survive appends, titles and migrations byte for byte', async () => {
    const odd = [
      Buffer.from('{"cut'),
      Buffer.from([0, 0, 0]),
      Buffer.from([0xff, 0xfe, 0x41]),
      Buffer.from('null'),
      Buffer.from(']['),
    ]
    for (const head of [`${SLOT}${journal(HEADER)}`, journal(HEADER), journal({ ...HEADER, version: 2 })]) {
      const lines = odd.flatMap(line => [
        line,
        Buffer.from(`\n${journal(message(`m${odd.indexOf(line)}`, null))}`),
      ])
      const file = put(Buffer.concat([Buffer.from(head), ...lines]))
      const manager = open(file)
      await append(manager)
      value(await manager.setSessionName('new', 'user'))
      await append(manager)
      const after = fs.readFileSync(file)
      for (const line of lines) expect(after.includes(line)).toBe(true)
      expect(after.includes(Buffer.concat(lines))).toBe(true)
    }
  })

  it('7: what is not on the disk is told, and can be put there before there is an answer', async () => {
    const settings = settingsFor(env, 'refuse', 'lazy')
    const lazy = value(SessionManager.create(env, settings, { cwd: env.home }))
    await append(lazy, 'typed')
    expect(lazy.unsaved).toBe(1)
    value(await lazy.ensureOnDisk())
    expect(lazy.unsaved).toBe(0)
    expect(textOf(lazy.file)).toContain('typed')
    const eager = value(SessionManager.create(env, { ...settings, gate: 'open' }, { cwd: env.home }))
    await append(eager, 'typed as well')
    expect(eager.unsaved).toBe(0)
    expect(textOf(eager.file)).toContain('typed as well')
    const lost = value(SessionManager.create(env, settings, { cwd: env.home }))
    await append(lost)
    expect(value(await lost.close())).toEqual({ unsaved: 1 })
  })

  it('8: a new file is on the disk before it has its name, and its name before it is acknowledged', async () => {
    const file = put(journal(HEADER, ...ENTRIES))
    const steps = await recorded(file, manager => manager.setSessionName('written anew', 'user'))
    const write = steps.findIndex(step => /^write .*\.tmp$/.test(step))
    const sync = steps.findIndex(step => /^fsync .*\.tmp$/.test(step))
    const rename = steps.findIndex(step => step.startsWith('rename') && step.endsWith('.tmp'))
    const directory = steps.indexOf(`fsync ${path.dirname(file)}`)
    expect([write, sync, rename, directory].every(step => step >= 0)).toBe(true)
    expect([write, sync, rename, directory]).toEqual([write, sync, rename, directory].sort((a, b) => a - b))
    // An append waits for the disk only where that was asked for, and then before it is acknowledged.
    expect(await recorded(put(PLAIN), manager => manager.appendMessage(user('x')))).not.toContain(
      `fdatasync ${file}`,
    )
    const synced = await recorded(put(PLAIN), manager => manager.appendMessage(user('x')), { sync: 'disk' })
    expect(synced.indexOf(`write ${file}`)).toBeLessThan(synced.indexOf(`fdatasync ${file}`))
  })

  it('10: what others write is told once, and the next change is made', async () => {
    const file = put(PLAIN)
    const manager = open(file)
    for (let round = 0; round < 3; round++) {
      fs.appendFileSync(file, journal(message(`f${round}`, 'b')))
      const refused = await manager.appendMessage(user('x'))
      expect(refused).toMatchObject({ ok: false, error: { code: 'changed-on-disk' } })
      const id = await append(manager)
      expect(idsOf(open(file)).slice(-2)).toEqual([`f${round}`, id])
    }
    const joined = open(file, { sharing: 'join' })
    fs.appendFileSync(file, journal(message('g', 'b')))
    await append(joined)
    expect(joined.unsaved).toBe(0)
  })

  it('11: a null line, ids that stand twice and a second header open, and can be written to', async () => {
    const second = { ...HEADER, id: 'other', cwd: '/elsewhere' }
    const loop = [message('x', 'y'), message('y', 'x'), message('x', null, 'again'), message('z', 'z')]
    const file = put(`${SLOT}${journal(HEADER, 'null', ...ENTRIES, second, ...loop, 'null')}`)
    const manager = open(file)
    expect(manager.id).toBe(HEADER.id)
    for (const id of ['a', 'x', 'y', 'z']) {
      value(manager.branch(id))
      expect(value(manager.context()).messages.length).toBeLessThanOrEqual(7)
      await append(manager)
    }
    expect(open(file).document.damaged).toHaveLength(2)
    expect(textOf(file)).toContain(`\n${JSON.stringify(second)}\n`)
    for (const id of ['b', 'x', 'y', 'z']) value(await manager.createBranchedSession(id))
  })

  it('12: the slot is written under the lock, and only into the file that was looked at', async () => {
    const file = put(PLAIN)
    const lock = path.join(path.dirname(file), '.s.jsonl.lock')
    let held = false
    const manager = on(file, ({ name, args }) => {
      if (name === 'open' && args[1] === 'r+') held = fs.existsSync(lock)
    })
    value(await manager.setSessionName('new', 'user'))
    expect(held).toBe(true)
    // Another file takes its place right before the slot would be written.
    const replaced = put(PLAIN)
    const other = `${slotOf('theirs')}${journal(HEADER, message('theirs', null))}`
    const late = on(replaced, ({ name, args }) => {
      if (name !== 'open' || args[1] !== 'r+' || textOf(replaced) === other) return
      fs.writeFileSync(`${replaced}.new`, other)
      fs.renameSync(`${replaced}.new`, replaced)
    })
    await late.setSessionName('ours', 'user')
    expect(textOf(replaced).slice(256)).toBe(other.slice(256))
    expect(textOf(replaced).split('\n')[0]?.length).toBe(255)
  })

  it('13: an edit of equal length by another program is noticed, and not overwritten', async () => {
    const file = put(PLAIN)
    const manager = open(file)
    await append(manager)
    const slot = slotOf('theirs')
    const fd = fs.openSync(file, 'r+')
    fs.writeSync(fd, slot, 0)
    fs.closeSync(fd)
    fs.utimesSync(file, 9_999, 9_999)
    expect(await manager.appendMessage(user('x'))).toMatchObject({ error: { code: 'changed-on-disk' } })
    expect(manager.title.title).toBe('theirs')
    await append(manager)
    expect(textOf(file).startsWith(slot)).toBe(true)
    // A title given by their user is not replaced by one that was made up.
    expect(value(await manager.setSessionName('made up', 'auto'))).toEqual({
      changed: false,
      slotOnly: false,
    })
  })

  it('14: texts of any length are whole', async () => {
    const long = '败'.repeat(700_000)
    const file = put(PLAIN)
    await append(open(file), long)
    const { document } = open(file)
    expect(value(document.entry(2))).toMatchObject({ message: { content: long } })
  })
})

describe('others, and what the file means', () => {
  it('16: growth is noticed before anything is added, and both lines are there', async () => {
    const file = put(PLAIN)
    const [one, two] = [open(file), open(file, { sharing: 'join' })]
    const first = await append(one)
    const second = await append(two)
    expect(await one.appendMessage(user('x'))).toMatchObject({ error: { code: 'changed-on-disk' } })
    expect(idsOf(one)).toEqual(['a', 'b', first, second])
    // Each goes on at its own place.
    expect([one.leafId, two.leafId]).toEqual([first, second])
  })

  it.each(['refuse', 'join'] as const)(
    '16: a session that was there for a draft stays when another program (%s) added to it',
    async sharing => {
      const settings = settingsFor(env, sharing, 'lazy')
      const manager = value(SessionManager.create(env, settings, { cwd: env.home }))
      const saved = value(await manager.saveDraft('unsent', null))
      value(await manager.saveDraft('', saved.version))
      fs.appendFileSync(manager.file, journal(message('theirs', null)))
      value(await manager.close())
      expect(idsOf(open(manager.file))).toEqual(['theirs'])
    },
  )

  it('21: where to go on is in the file, and can be taken back', async () => {
    const file = put(PLAIN)
    const before = textOf(file)
    const manager = open(file)
    const marker = value(await manager.continueBranch('a'))
    expect(open(file).leafId).toBe(marker)
    expect(value(open(file).context()).messages).toHaveLength(1)
    value(await manager.undoContinueBranch(marker ?? ''))
    expect(textOf(file)).toBe(before)
    expect(open(file).leafId).toBe('b')
    const again = value(await manager.continueBranch('a')) ?? ''
    await append(manager)
    expect(await manager.undoContinueBranch(again)).toMatchObject({ error: { code: 'conflict' } })
  })

  it('26: a version that is not known is read, and never written', async () => {
    const future = `${SLOT}${journal({ ...HEADER, version: 4 }, ...ENTRIES)}`
    const file = put(future)
    const manager = open(file)
    const refused = { ok: false, error: { code: 'unsupported-version' } }
    expect(await manager.appendMessage(user('x'))).toMatchObject(refused)
    expect(await manager.setSessionName('x', 'user')).toMatchObject(refused)
    expect(await manager.continueBranch('a')).toMatchObject(refused)
    expect(await manager.createBranchedSession('b')).toMatchObject(refused)
    expect(idsOf(manager)).toEqual(['a', 'b'])
    expect(textOf(file)).toBe(future)
    expect(beside(file)).toEqual(['s.jsonl'])
  })

  it('28: looking at a session changes nothing, of whatever state it is', async () => {
    const contents = [
      '',
      '\n',
      'no session',
      journal({ ...HEADER, version: 1 }, ...ENTRIES),
      `${PLAIN}{"torn`,
      `${PLAIN}null\n`,
    ]
    for (const content of contents) {
      const file = put(content)
      const system = faultyFileSystem()
      const before = fs.statSync(file)
      const manager = value(
        SessionManager.open({ ...env, fs: system }, settingsFor(env, 'refuse', 'lazy'), file),
      )
      void [manager.title, manager.usage, manager.context(), manager.unsaved, manager.document.problems]
      value(await manager.refresh())
      value(await manager.close())
      const writing = new Set([
        'write',
        'truncate',
        'rename',
        'link',
        'unlink',
        'makeDirectory',
        'setTimes',
        'setMode',
      ])
      expect(system.calls.filter(({ name }) => writing.has(name))).toEqual([])
      expect(system.calls.filter(({ name, args }) => name === 'open' && args[1] !== 'r')).toEqual([])
      expect(textOf(file)).toBe(content)
      expect(fs.statSync(file)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs })
      expect(beside(file)).toEqual(['s.jsonl'])
      expect(fs.readdirSync(path.join(env.home, 'agent'))).toEqual(['sessions'])
    }
  })
})

describe('headers that omp takes for something else', () => {
  const versionless = { type: 'session', id: 'sid', timestamp: TIME, cwd: '/w/app' }
  const TREE = [message('a', null), message('b', 'a'), message('c1', 'b'), message('c2', 'b')]

  it('keep the tree of entries that have ids when they name no version, and name it from then on', async () => {
    for (const header of [versionless, { ...versionless, version: 0 }, { ...versionless, version: 1 }]) {
      const file = put(journal(header, ...TREE))
      expect(idsOf(open(file))).toEqual(['a', 'b', 'c1', 'c2'])
      const id = await append(open(file))
      const again = open(file)
      expect(idsOf(again)).toEqual(['a', 'b', 'c1', 'c2', id])
      expect(again.document.version).toBe(3)
      expect(again.document.index.parentId(2)).toBe('b')
      for (const entry of TREE) expect(textOf(file).split('\n')).toContain(JSON.stringify(entry))
    }
  })

  it('are never written to when something else is on their line', async () => {
    for (const text of [
      `${SLOT.trimEnd()}${journal(HEADER, ...ENTRIES)}`,
      `${JSON.stringify(HEADER)}${journal(...ENTRIES)}`,
    ]) {
      const file = put(text)
      expect(idsOf(open(file))).toEqual(['a', 'b'])
      for (const manager of [open(file), open(file)])
        for (const change of [manager.appendMessage(user('x')), manager.setSessionName('x', 'user')])
          expect(await change).toMatchObject({ error: { code: 'damaged' } })
      expect(textOf(file)).toBe(text)
    }
  })

  it('with a byte order mark before them are written to', async () => {
    for (const text of [journal(HEADER, ...ENTRIES), PLAIN]) {
      const file = put(`\uFEFF${text}`)
      const id = await append(open(file))
      expect(idsOf(open(file))).toEqual(['a', 'b', id])
    }
  })
})

/** A manager on a file system that tells each call before it is made. */
function on(
  file: string,
  before: (call: { name: string; args: readonly unknown[] }) => void,
  changes: Partial<ManagerSettings> = {},
): SessionManager {
  const settings = { ...settingsFor(env, 'refuse', 'lazy'), ...changes }
  return value(SessionManager.open({ ...env, fs: faultyFileSystem({ before }) }, settings, file))
}

/** What a change did, in order: the call and the file that it concerned. */
async function recorded(
  file: string,
  change: (manager: SessionManager) => Promise<{ ok: boolean }>,
  changes: Partial<ManagerSettings> = {},
): Promise<string[]> {
  const system = faultyFileSystem()
  const names = new Map<number, string>()
  const steps: string[] = []
  const watched = {
    ...system,
    open: (...args: Parameters<typeof system.open>) => {
      const fd = system.open(...args)
      names.set(fd, args[0])
      return fd
    },
  }
  const manager = value(
    SessionManager.open({ ...env, fs: watched }, { ...settingsFor(env, 'refuse', 'lazy'), ...changes }, file),
  )
  let seen = system.calls.length
  const note = () => {
    for (; seen < system.calls.length; seen++) {
      const call = system.calls[seen]
      const [first] = call?.args ?? []
      steps.push(`${call?.name} ${typeof first === 'number' ? names.get(first) : String(first)}`)
    }
  }
  // Descriptors are used again, so that each call is named when the next one begins.
  const open = watched.open
  watched.open = (...args) => {
    note()
    return open(...args)
  }
  expect((await change(manager)).ok).toBe(true)
  note()
  return steps
}
