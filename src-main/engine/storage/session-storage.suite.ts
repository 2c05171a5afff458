/** The conformance suite of `SessionStorage`: every storage passes it, so that the engine need not know which it has. */
import { describe, expect, it } from 'vitest'
import { readRange } from './byte-source'
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
  })
}
