import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import { BlobStore } from './blob-store'
import { sniffImageType } from './image-type'

const hashOf = (content: string) => createHash('sha256').update(content).digest('hex')

let env: TestEnvironment
let store: BlobStore
beforeEach(() => {
  env = testEnvironment()
  store = new BlobStore(env.fs, path.join(env.home, 'blobs'))
})
afterEach(() => env.remove())

describe('BlobStore', () => {
  it('answers size and bytes of a blob, checked against its name', () => {
    const hash = hashOf('picture')
    env.put(`blobs/${hash}`, 'picture')
    expect(store.size(hash)).toBe(7)
    const got = store.get(hash, 100)
    expect(got.ok && Buffer.from(got.value).toString()).toBe('picture')
  })

  it('tells missing, torn and too large apart', () => {
    const hash = hashOf('picture')
    expect(store.size(hash)).toBeNull()
    expect(store.get(hash, 100)).toMatchObject({ error: { code: 'not-found' } })
    env.put(`blobs/${hash}`, 'pict')
    expect(store.get(hash, 100)).toMatchObject({ error: { code: 'damaged' } })
    env.put(`blobs/${hash}`, 'picture')
    expect(store.get(hash, 6)).toMatchObject({ error: { code: 'too-large' } })
  })

  it('names no file by anything but a hash, and follows no link', () => {
    env.put('secret', 'secret')
    for (const name of ['../secret', 'A'.repeat(64), `${'a'.repeat(63)}/`, '', `${hashOf('x')}.png`])
      expect(store.size(name)).toBeNull()
    const hash = hashOf('secret')
    env.put('blobs/other', '')
    fs.symlinkSync('../secret', path.join(env.home, 'blobs', hash))
    expect(store.size(hash)).toBeNull()
    expect(store.get(hash, 100)).toMatchObject({ error: { code: 'not-found' } })
  })
})

describe('sniffImageType', () => {
  it('goes by the first bytes and an allow-list', () => {
    const of = (...bytes: number[]) => sniffImageType(Uint8Array.from([...bytes, ...new Array(40).fill(0)]))
    expect(of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)).toBe('image/png')
    expect(of(0xff, 0xd8, 0xff)).toBe('image/jpeg')
    expect(of(0x47, 0x49, 0x46, 0x38)).toBe('image/gif')
    expect(sniffImageType(Buffer.from('RIFF\0\0\0\0WEBP'))).toBe('image/webp')
    expect(sniffImageType(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBeNull()
    expect(sniffImageType(Buffer.from('BMW and other words that begin like a bitmap'))).toBeNull()
    expect(
      sniffImageType(Buffer.concat([Buffer.from('BM'), Buffer.alloc(12), Buffer.from([40, 0, 0, 0])])),
    ).toBe('image/bmp')
    expect(sniffImageType(new Uint8Array())).toBeNull()
  })
})
