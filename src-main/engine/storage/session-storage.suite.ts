/** The conformance suite of `SessionStorage`: every storage passes it, so that the engine need not know which it has. */
import { encodeTitleSlot } from '@shared/session/title-slot'
import { describe, expect, it } from 'vitest'
import { readRange } from './byte-source'
import { EngineError } from './errors'
import type { SessionStorage } from './session-storage'

/** A storage under test, and the ways in which other programs change what it shows. */
export type StorageUnderTest = {
  storage: SessionStorage
  append(text: string): void
  /** Another file in its place. */
  replace(text: string): void
  remove(): void
}

export function sessionStorageSuite(name: string, create: (text: string) => StorageUnderTest): void {
  const contentOf = (storage: SessionStorage) => {
    const opened = storage.open()
    if (!opened.ok) return opened.error.code
    const text = Buffer.from(readRange(opened.value.source, 0, opened.value.source.size)).toString('utf8')
    opened.value.source.close()
    return text
  }
  const statOf = (storage: SessionStorage) => {
    const stat = storage.stat()
    if (!stat.ok) throw new Error(stat.error.message)
    return stat.value
  }

  describe(`${name} as a session storage`, () => {
    it('answers the bytes and their state', () => {
      const { storage } = create('hello')
      expect(contentOf(storage)).toBe('hello')
      expect(statOf(storage)).toMatchObject({ size: 5, readOnly: false })
      expect(contentOf(create('').storage)).toBe('')
    })

    it('answers the same state as long as nothing changes, however often it is read', () => {
      const { storage } = create('hello')
      const before = statOf(storage)
      contentOf(storage)
      expect(statOf(storage)).toEqual(before)
    })

    it('shows what is appended to the next who opens it, and not to those who have it open', () => {
      const { storage, append } = create('one')
      const before = statOf(storage)
      const opened = storage.open()
      append(' two')
      expect(contentOf(storage)).toBe('one two')
      expect(statOf(storage)).toMatchObject({ fileId: before.fileId, size: 7 })
      if (!opened.ok) throw new Error(opened.error.message)
      expect(Buffer.from(readRange(opened.value.source, 0, 100)).toString()).toBe('one')
      opened.value.source.close()
    })

    it('has another identity when it is replaced, while what is open stays as it was', () => {
      const { storage, replace } = create('first')
      const before = statOf(storage)
      const opened = storage.open()
      replace('second')
      expect(statOf(storage).fileId).not.toBe(before.fileId)
      expect(contentOf(storage)).toBe('second')
      if (!opened.ok) throw new Error(opened.error.message)
      expect(Buffer.from(readRange(opened.value.source, 0, 100)).toString()).toBe('first')
      opened.value.source.close()
    })

    it('answers not-found, as a value, when it is gone', () => {
      const { storage, remove } = create('x')
      remove()
      expect(storage.stat()).toMatchObject({ ok: false, error: { code: 'not-found', path: storage.path } })
      expect(contentOf(storage)).toBe('not-found')
    })

    it('reads any range, and fewer bytes beyond the end', () => {
      const opened = create('0123456789').storage.open()
      if (!opened.ok) throw new Error(opened.error.message)
      const { source } = opened.value
      expect(Buffer.from(readRange(source, 2, 5)).toString()).toBe('234')
      expect(Buffer.from(readRange(source, 8, 20)).toString()).toBe('89')
      expect(readRange(source, 50, 60)).toHaveLength(0)
      expect(readRange(source, 5, 2)).toHaveLength(0)
      source.close()
    })

    describe('writing', () => {
      const SLOT = encodeTitleSlot({ title: 'old', source: 'user', updatedAt: '2026-01-02T03:04:05.006Z' })
      const NEW_SLOT = Buffer.from(SLOT.replace('old', 'new'))
      const bytes = (text: string) => Buffer.from(text, 'utf8')

      it('appends whole lines, under the same identity, and answers the state afterwards', () => {
        const { storage } = create('one\n')
        const before = statOf(storage)
        const after = storage.append(bytes('two\nthree\n'), before, 'os')
        expect(after).toEqual({ ok: true, value: statOf(storage) })
        expect(after).toMatchObject({ value: { fileId: before.fileId, size: 14 } })
        expect(storage.append(bytes('four\n'), statOf(storage), 'disk').ok).toBe(true)
        expect(contentOf(storage)).toBe('one\ntwo\nthree\nfour\n')
      })

      it('leaves a torn last line to itself', () => {
        const { storage, append } = create('one\n{"to')
        expect(storage.append(bytes('two\n'), statOf(storage), 'os').ok).toBe(true)
        append('{"again')
        expect(storage.append(bytes('three\n'), statOf(storage), 'os').ok).toBe(true)
        expect(contentOf(storage)).toBe('one\n{"to\ntwo\n{"again\nthree\n')
      })

      it('writes nothing when the bytes are not what the decision was made on', async () => {
        const { storage, append, replace, remove } = create(`${SLOT}one\n`)
        const before = statOf(storage)
        const refused = (code: string) => {
          const content = contentOf(storage)
          expect(storage.append(bytes('two\n'), before, 'os')).toMatchObject({ error: { code } })
          expect(storage.replace([bytes('two\n')], before)).toMatchObject({ error: { code } })
          expect(storage.writeSlot(NEW_SLOT, before, 'os')).toMatchObject({ error: { code } })
          expect(storage.remove(before)).toMatchObject({ error: { code } })
          expect(contentOf(storage)).toBe(content)
        }
        append('more\n')
        refused('changed-on-disk')
        replace(`${SLOT}one\n`)
        refused('changed-on-disk')
        remove()
        refused('not-found')
      })

      it('replaces the whole, under another identity, while what is open stays as it was', () => {
        const { storage } = create('first')
        const before = statOf(storage)
        const opened = storage.open()
        const after = storage.replace([bytes('sec'), bytes('ond')], before)
        expect(after).toEqual({ ok: true, value: statOf(storage) })
        expect(statOf(storage).fileId).not.toBe(before.fileId)
        expect(contentOf(storage)).toBe('second')
        if (!opened.ok) throw new Error(opened.error.message)
        expect(Buffer.from(readRange(opened.value.source, 0, 100)).toString()).toBe('first')
        opened.value.source.close()
      })

      it('keeps the old content when the new one cannot be made', () => {
        const { storage } = create('first')
        function* broken(): Generator<Uint8Array> {
          yield bytes('sec')
          throw new EngineError('io', 'The source cannot be read.')
        }
        expect(storage.replace(broken(), statOf(storage))).toMatchObject({ error: { code: 'io' } })
        expect(contentOf(storage)).toBe('first')
      })

      it('makes a session only where there is none', () => {
        const { storage, remove } = create('there')
        expect(storage.create([bytes('new')])).toMatchObject({ error: { code: 'conflict' } })
        expect(contentOf(storage)).toBe('there')
        remove()
        expect(storage.create([bytes('n'), bytes('ew')])).toEqual({ ok: true, value: statOf(storage) })
        expect(contentOf(storage)).toBe('new')
      })

      it('overwrites a slot in place, and only a slot', () => {
        const { storage } = create(`${SLOT}rest\n`)
        const before = statOf(storage)
        expect(storage.writeSlot(NEW_SLOT, before, 'disk')).toEqual({ ok: true, value: statOf(storage) })
        expect(statOf(storage)).toMatchObject({ fileId: before.fileId, size: before.size })
        expect(contentOf(storage)).toBe(`${NEW_SLOT.toString()}rest\n`)
        const blank = SLOT.slice(0, -4)
        for (const text of [
          '{"type":"session"}\n',
          '',
          `${blank}"}\nrest`,
          `\uFEFF${SLOT}`,
          SLOT.trimEnd(),
        ]) {
          const other = create(text).storage
          expect(other.writeSlot(NEW_SLOT, statOf(other), 'os')).toMatchObject({
            error: { code: 'conflict' },
          })
          expect(contentOf(other)).toBe(text)
        }
      })

      it('removes itself', () => {
        const { storage } = create('x')
        expect(storage.remove(statOf(storage))).toEqual({ ok: true, value: true })
        expect(contentOf(storage)).toBe('not-found')
      })

      it('lets one at a time work under the lock, also after one failed', async () => {
        const { storage } = create('')
        const order: string[] = []
        const work = (name: string) =>
          storage.locked(async () => {
            order.push(`${name} begins`)
            await Promise.resolve()
            order.push(`${name} ends`)
            if (name === 'b') throw new EngineError('io', 'b fails')
            return { ok: true, value: name } as const
          })
        const results = await Promise.allSettled([work('a'), work('b'), work('c')])
        expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
        expect(results[0]).toMatchObject({ value: { ok: true, value: 'a' } })
        expect(results[1]).toMatchObject({ value: { ok: false, error: { code: 'io' } } })
        expect(results[2]).toMatchObject({ value: { ok: true, value: 'c' } })
      })
    })
  })
}
