import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestEnvironment, testEnvironment } from '../engine/test-environment.test-support'
import { groveData } from '../library/grove-data'
import { readWindowState, type WindowState, writeWindowState } from './window-state'

const STATE: WindowState = {
  bounds: { x: -10, y: 20, width: 900, height: 700 },
  maximized: true,
  fullScreen: false,
  zoomFactor: 1.25,
}

let env: TestEnvironment
beforeEach(() => {
  env = testEnvironment()
})
afterEach(() => env.remove())

const inData = (name: string) => path.join(groveData(env).directory, name)
const stored = (content: string) => {
  fs.mkdirSync(groveData(env).directory, { recursive: true })
  fs.writeFileSync(inData('window.json'), content)
  return readWindowState(env, groveData(env))
}

it('reads back what was written', () => {
  expect(writeWindowState(env, groveData(env), STATE)).toEqual({ ok: true, value: undefined })
  expect(readWindowState(env, groveData(env))).toEqual(STATE)
  const later = { ...STATE, fullScreen: true }
  writeWindowState(env, groveData(env), later)
  expect(readWindowState(env, groveData(env))).toEqual(later)
  expect(fs.readdirSync(groveData(env).directory).sort()).toEqual(['operations', 'window.json'])
})

it('remembers nothing at first, and makes nothing by looking', () => {
  expect(readWindowState(env, groveData(env))).toBeNull()
  expect(fs.readdirSync(env.home)).toEqual([])
})

it.each([
  '',
  '{',
  'null',
  '[]',
  '{}',
  '{"bounds":{"x":0,"y":0,"width":900},"zoomFactor":1}',
  '{"bounds":{"x":0,"y":0,"width":"900","height":700},"zoomFactor":1}',
  '{"bounds":{"x":0,"y":0,"width":-900,"height":700},"zoomFactor":1}',
  '{"bounds":{"x":1e300,"y":0,"width":900,"height":700},"zoomFactor":1}',
  '{"bounds":{"x":0,"y":0,"width":900,"height":700}}',
  ' '.repeat(70_000),
])('ignores a damaged file and sets it aside: %.60j', content => {
  expect(stored(content)).toBeNull()
  expect(fs.existsSync(inData('window.json'))).toBe(false)
  expect(fs.readFileSync(inData('window.json.damaged'), 'utf8')).toBe(content)
  // And goes on as if there had been none.
  expect(writeWindowState(env, groveData(env), STATE).ok).toBe(true)
  expect(readWindowState(env, groveData(env))).toEqual(STATE)
})

it('takes what is there of a file whose lesser parts are odd', () => {
  const odd = { bounds: { x: 1.4, y: 2.6, width: 900, height: 700 }, maximized: 'yes', zoomFactor: 99 }
  expect(stored(JSON.stringify(odd))).toEqual({
    bounds: { x: 1, y: 3, width: 900, height: 700 },
    maximized: false,
    fullScreen: false,
    zoomFactor: 5,
  })
})

it('does not throw over a directory in the place of the file', () => {
  fs.mkdirSync(inData('window.json'), { recursive: true })
  expect(readWindowState(env, groveData(env))).toBeNull()
  expect(fs.statSync(inData('window.json.damaged')).isDirectory()).toBe(true)
})
