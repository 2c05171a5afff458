/** The builders on their own: names, slots, entries, facts. */
import { describe, expect, test } from 'vitest'
import { directoryName } from './directory-name.mjs'
import { sessionFileName } from './session-names.mjs'
import { buildSession } from './session-writer.mjs'
import { SLOT_BYTES, titleSlot } from './title-slot.mjs'
import { bash } from './tool-calls.mjs'

describe('directory names', () => {
  test.each([
    ['/home/u', '-'],
    ['/home/u/proj', '-proj'],
    ['/home/u/proj/my app:x/sub', '-proj-my app-x-sub'],
    ['/tmp', '-tmp'],
    ['/tmp/abc/def', '-tmp-abc-def'],
    ['/usr/local/lib', '--usr-local-lib--'],
    ['/', '----'],
    ['C:\\work\\p', '--C--work-p--'],
    ['/home/u/проект 日本', '-проект 日本'],
  ])('%s', (cwd, name) => {
    expect(directoryName(cwd, { home: '/home/u' })).toBe(name)
  })
})

describe('title slot', () => {
  test('pads to 256 bytes, with the capacity of omp', () => {
    const empty = titleSlot('', undefined, '2026-11-30T08:17:14.302Z')
    expect(JSON.parse(empty).pad).toHaveLength(174)
    const long = titleSlot('x'.repeat(400), 'user', '2026-11-30T08:17:14.302Z')
    expect([Buffer.byteLength(long), JSON.parse(long).title.length]).toEqual([SLOT_BYTES, 158])
  })

  test('cuts between code points', () => {
    const slot = titleSlot(`${'x'.repeat(156)}🌳🌳`, 'user', '2026-11-30T08:17:14.302Z')
    expect([Buffer.byteLength(slot), JSON.parse(slot).title]).toEqual([SLOT_BYTES, 'x'.repeat(156)])
  })
})

describe('session', () => {
  const talk = () => {
    const s = buildSession({ seed: 'test', cwd: '/w', start: Date.UTC(2026, 0, 2), title: 'A test' })
    const ask = s.user('Run the tests')
    s.step({ calls: [bash('npm test', 'ok', { exit: 1, seconds: 2 })] })
    s.say('Red.')
    s.from(ask)
    s.say('Another answer.')
    return { s, ask }
  }

  test('is the same each time and differs by seed', () => {
    expect(talk().s.build().bytes).toEqual(talk().s.build().bytes)
    expect(buildSession({ seed: 'a' }).newId()).not.toBe(buildSession({ seed: 'b' }).newId())
  })

  test('knows its tree, status and file name', () => {
    const { s, ask } = talk()
    const { facts, fileName, id } = s.build()
    expect(facts.entryCount).toBe(8)
    expect(Object.keys(facts.branchPoints)).toEqual([ask])
    expect([facts.tips.length, facts.status, facts.path.at(-1)]).toEqual([2, 'complete', facts.leafId])
    expect(fileName).toBe(sessionFileName('2026-01-02T00:00:00.000Z', id))
  })

  test('writes keys in the order of omp', () => {
    const { s } = talk()
    const [model] = s.entries()
    const custom = s.entries().find(e => e.type === 'custom')
    expect(Object.keys(model).slice(0, 4)).toEqual(['type', 'id', 'parentId', 'timestamp'])
    expect(Object.keys(custom)).toEqual(['type', 'customType', 'data', 'id', 'parentId', 'timestamp'])
  })

  test('counts damaged lines with their place', () => {
    const { s } = talk()
    s.raw('{"broken', { reason: 'cut' })
    const built = s.build()
    const [line] = built.facts.damagedLines
    expect([line.line, built.bytes.subarray(line.offset, line.offset + line.bytes).toString()]).toEqual([
      11,
      '{"broken',
    ])
  })
})
