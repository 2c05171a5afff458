/** Blobs are written whole, checked, once; torn ones are repaired; whichever call fails, nothing else is left. */
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { everyFault } from '../every-fault.test-support'
import { faultyFileSystem, systemError } from '../storage/faulty-file-system.test-support'
import { hashOfBytes } from '../storage/verified-write'
import { type TestEnvironment, testEnvironment } from '../test-environment.test-support'
import { blobExtensionOf } from './blob-extension'
import { BlobStore } from './blob-store'
import { BlobWriter } from './blob-writer'

const PICTURE = Buffer.from('a picture, at least to us')
const HASH = hashOfBytes(PICTURE)

let env: TestEnvironment
let directory: string
beforeEach(() => {
  env = testEnvironment()
  directory = path.join(env.home, 'agent', 'blobs')
})
afterEach(() => env.remove())

const names = () => (fs.existsSync(directory) ? fs.readdirSync(directory).sort() : [])
const content = (name = HASH) => fs.readFileSync(path.join(directory, name))
const store = () => new BlobStore(env.fs, directory)

describe('put', () => {
  it('makes the directory and one file named by its hash', () => {
    expect(new BlobWriter(env, directory).put(PICTURE)).toEqual({ ok: true, value: HASH })
    expect(names()).toEqual([HASH])
    expect(content()).toEqual(PICTURE)
    expect(store().verify(HASH)).toEqual({ ok: true, value: 'present' })
  })

  it('stores no bytes as well', () => {
    const hash = hashOfBytes(new Uint8Array())
    expect(new BlobWriter(env, directory).put(new Uint8Array())).toEqual({ ok: true, value: hash })
    expect(store().verify(hash)).toEqual({ ok: true, value: 'present' })
  })

  it('adds a second name that is the same file, and leaves one that is there', () => {
    const writer = new BlobWriter(env, directory)
    writer.put(PICTURE, { extension: '.PNG' })
    writer.put(PICTURE, { extension: 'jpg' })
    writer.put(PICTURE, { extension: '../x' })
    expect(names()).toEqual([HASH, `${HASH}.jpg`, `${HASH}.png`])
    expect(fs.statSync(path.join(directory, HASH)).nlink).toBe(3)
    new BlobWriter(env, directory).put(PICTURE, { extension: 'png' })
    expect(fs.statSync(path.join(directory, HASH)).nlink).toBe(3)
  })

  it('copies where there are no links', () => {
    const system = faultyFileSystem({
      before: call => {
        if (call.name === 'link' && String(call.args[1]).endsWith('.png')) throw systemError('EPERM', 'link')
      },
    })
    expect(new BlobWriter({ ...env, fs: system }, directory).put(PICTURE, { extension: 'png' }).ok).toBe(true)
    expect(content(`${HASH}.png`)).toEqual(PICTURE)
    expect(fs.statSync(path.join(directory, HASH)).nlink).toBe(1)
  })

  it('never writes into a file that is there', () => {
    env.put(`agent/blobs/${HASH}`, PICTURE)
    const before = fs.statSync(path.join(directory, HASH), { bigint: true })
    expect(new BlobWriter(env, directory).put(PICTURE).ok).toBe(true)
    const after = fs.statSync(path.join(directory, HASH), { bigint: true })
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs])
  })

  it('costs one stat when the picture was put before, and looks again when the file changed', () => {
    const system = faultyFileSystem()
    const writer = new BlobWriter({ ...env, fs: system }, directory)
    writer.put(PICTURE, { extension: 'png' })
    system.calls.length = 0
    writer.put(PICTURE, { extension: 'png' })
    expect(system.calls.map(({ name }) => name)).toEqual(['lstat'])
    fs.writeFileSync(path.join(directory, HASH), 'torn by an overwriting that was cut')
    expect(writer.put(PICTURE, { extension: 'png' }).ok).toBe(true)
    expect(content()).toEqual(PICTURE)
    expect(content(`${HASH}.png`)).toEqual(PICTURE)
  })

  it.each([
    ['cut', PICTURE.subarray(0, 5)],
    ['empty', Buffer.alloc(0)],
    ['of the same length', Buffer.from(PICTURE.toString().toUpperCase())],
  ])('repairs one that is %s, by another file', (_what, bytes) => {
    env.put(`agent/blobs/${HASH}`, bytes)
    expect(store().verify(HASH)).toEqual({ ok: true, value: 'torn' })
    const reader = fs.openSync(path.join(directory, HASH), 'r')
    expect(new BlobWriter(env, directory).put(PICTURE).ok).toBe(true)
    expect(content()).toEqual(PICTURE)
    expect(names()).toEqual([HASH])
    // Whoever has the old file open reads on in it.
    expect(fs.fstatSync(reader).size).toBe(bytes.length)
    fs.closeSync(reader)
  })

  it('puts a file in the place of a link, and leaves what the link led to', () => {
    const secret = env.put('secret', 'secret')
    fs.mkdirSync(directory, { recursive: true })
    fs.symlinkSync(secret, path.join(directory, HASH))
    expect(new BlobWriter(env, directory).put(PICTURE).ok).toBe(true)
    expect(fs.lstatSync(path.join(directory, HASH)).isFile()).toBe(true)
    expect(fs.readFileSync(secret, 'utf8')).toBe('secret')
  })

  it('is content with the same blob made by another in that moment', () => {
    const other = path.join(directory, HASH)
    const system = faultyFileSystem({
      before: call => {
        if (call.name === 'link' && !fs.existsSync(other)) fs.writeFileSync(other, PICTURE)
      },
    })
    expect(new BlobWriter({ ...env, fs: system }, directory).put(PICTURE).ok).toBe(true)
    expect(names()).toEqual([HASH])
  })

  it('does not name what does not read back as it was written', () => {
    const system = faultyFileSystem({
      before: call => {
        const file = String(call.args[0])
        if (call.name === 'open' && call.args[1] === 'r' && file.endsWith('.tmp'))
          fs.writeFileSync(file, 'not what was written')
      },
    })
    expect(new BlobWriter({ ...env, fs: system }, directory).put(PICTURE)).toMatchObject({
      error: { code: 'io' },
    })
    expect(names()).toEqual([])
  })
})

describe('verify', () => {
  it('tells missing, torn and present apart, and refuses to guess', () => {
    expect(store().verify(HASH)).toEqual({ ok: true, value: 'missing' })
    expect(store().verify('../secret')).toEqual({ ok: true, value: 'missing' })
    expect(store().has(HASH)).toBe(false)
    env.put(`agent/blobs/${HASH}`, 'torn')
    expect(store().has(HASH)).toBe(true)
    expect(store().verify(HASH)).toEqual({ ok: true, value: 'torn' })
    const system = faultyFileSystem({ fault: { at: 0, errno: 'EACCES', lasting: 'onwards' } })
    expect(new BlobStore(system, directory).verify(HASH)).toMatchObject({ error: { code: 'permission' } })
  })
})

it.each(['missing', 'torn', 'present'])('a %s blob, whichever call fails', async state => {
  const scenes = await everyFault(() => {
    fs.rmSync(path.join(env.home, 'agent'), { recursive: true, force: true })
    if (state !== 'missing') env.put(`agent/blobs/${HASH}`, state === 'torn' ? 'torn' : PICTURE)
    let answered = false
    return {
      run: system => {
        answered = new BlobWriter({ ...env, fs: system }, directory).put(PICTURE, { extension: 'png' }).ok
      },
      check: (where, { lasting }) => {
        const there = names()
        if (answered || state === 'present') expect(content(), where).toEqual(PICTURE)
        else if (there.includes(HASH)) expect([PICTURE.toString(), 'torn'], where).toContain(`${content()}`)
        else expect(state, where).toBe('missing')
        if (there.includes(`${HASH}.png`)) expect(content(`${HASH}.png`), where).toEqual(PICTURE)
        const expected = [HASH, `${HASH}.png`]
        if (lasting === 'once')
          expect(
            there.filter(name => !expected.includes(name)),
            where,
          ).toEqual([])
        expect(new BlobWriter(env, directory).put(PICTURE, { extension: 'png' }).ok, where).toBe(true)
        expect(content(), where).toEqual(PICTURE)
        expect(content(`${HASH}.png`), where).toEqual(PICTURE)
      },
    }
  })
  expect(scenes).toBeGreaterThan(15)
})

it.each([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['IMAGE/JPG', 'jpg'],
  ['image/svg+xml', 'svg'],
  ['image/x-icon', 'x-icon'],
  ['image/heic;q=1', 'heic'],
  ['image/foo+bar', 'foo'],
  ['image/', null],
  ['image/../../x', null],
  [`image/${'x'.repeat(33)}`, null],
  ['text/plain', null],
  ['constructor', null],
  [undefined, null],
])('the extension for %s is %s', (type, extension) => expect(blobExtensionOf(type)).toBe(extension))
