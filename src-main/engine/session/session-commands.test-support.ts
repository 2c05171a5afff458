/** For tests: each command, done to the session manager (or behind its back) and to the model. */
import fs from 'node:fs'
import path from 'node:path'
import type { Result } from '@shared/ipc/result'
import { entryRecord, type NewEntry } from '@shared/session/new-entry'
import { encodeTitleSlot } from '@shared/session/title-slot'
import { expect } from 'vitest'
import { message } from '../storage/journal.test-support'
import { cutTitle, latin } from './session-model.test-support'
import type { Command } from './session-starts.test-support'
import { expectRecord, type SessionWorld, value } from './session-world.test-support'

export async function apply(world: SessionWorld, command: Command): Promise<void> {
  const { model, manager } = world
  switch (command.do) {
    case 'append':
      return append(world, command)
    case 'label': {
      const targetId = pick(world, command.at)
      if (targetId === null) return
      const label = command.label === null || command.label === '' ? undefined : command.label
      const entry: NewEntry = { type: 'label', targetId, label }
      return added(world, await manager.setLabel(targetId, command.label), entry, [targetId], null, null)
    }
    case 'branch': {
      const id = pick(world, command.at)
      if (id === null) return
      expect(manager.branch(id)).toEqual({ ok: true, value: true })
      model.leaf = id
      return
    }
    case 'reset':
      manager.resetLeaf()
      model.leaf = null
      return
    case 'summary': {
      const id = command.at % 5 === 0 ? null : pick(world, command.at)
      const entry: NewEntry = {
        type: 'branch_summary',
        fromId: id ?? 'root',
        summary: 'left',
        details: { n: 1 },
      }
      const answer = await manager.branchWithSummary(id, 'left', { n: 1 })
      return added(world, answer, entry, id === null ? [] : [id], { parentId: id }, true)
    }
    case 'continue':
      return continueBranch(world, command.at)
    case 'undo':
      return undo(world)
    case 'branched':
      return branched(world, command.at)
    case 'title':
      return rename(world, command.title, command.source)
    case 'publish': {
      expect(await manager.ensureOnDisk()).toEqual({ ok: true, value: true })
      published(world)
      return
    }
    case 'refresh':
      expect(await manager.refresh()).toEqual({ ok: true, value: true })
      model.untold = false
      return
    case 'reopen':
      if (model.isOnDisk) world.reopen()
      return
    default:
      if (model.isOnDisk) outside(world, command)
  }
}

/** An entry that the manager knows. */
function pick({ manager }: SessionWorld, at: number): string | null {
  const { index } = manager.document
  return index.count === 0 ? null : index.id(at % index.count)
}

async function append(world: SessionWorld, command: Extract<Command, { do: 'append' }>): Promise<void> {
  const { entry, leaf } = command
  const parent = command.under === 'entry' ? pick(world, command.at) : null
  const given = command.under === 'leaf' || (command.under === 'entry' && parent === null)
  const options = { ...(given ? {} : { parentId: parent }), ...(leaf === null ? {} : { leaf }) }
  const follows = leaf === null ? null : leaf === 'follow'
  const answer = await world.manager.append(entry, options)
  return added(
    world,
    answer,
    entry,
    given || parent === null ? [] : [parent],
    given ? null : { parentId: parent },
    follows,
  )
}

/**
 * An answer to something that adds one entry. `needs` must be there for it; `place` null is the leaf, for a name the last
 * entry; `follows` null: the leaf moves when the entry hangs under it.
 */
async function added(
  world: SessionWorld,
  answer: Result<string>,
  entry: NewEntry,
  needs: readonly string[],
  place: { parentId: string | null } | null,
  follows: boolean | null,
): Promise<void> {
  const { model } = world
  const refused = world.refusal() ?? (needs.every(id => model.has(id)) ? null : 'not-found')
  if (refused !== null) {
    expect(answer).toMatchObject({ ok: false, error: { code: refused } })
    return
  }
  const before = model.leafNow
  const usual = entry.type === 'label' || entry.type === 'title_change' ? model.lastId : before
  const parentId = place === null ? usual : place.parentId
  const id = value(answer)
  const opens = entry.type === 'message' && entry.message.role === 'assistant'
  if (!model.isOnDisk && (opens || world.settings.gate === 'open')) published(world, false)
  if (model.version < 3) model.rewrite()
  model.add(world.lastLine())
  expectRecord(world.lastLine(), entryRecord({ id, parentId, timestamp: '2026-02-01T00:00:00.000Z' }, entry))
  if (follows ?? parentId === before) model.leaf = id
}

/** The gate is open: what waited in memory is in the file now, the entries as they were (`all`: nothing else). */
function published(world: SessionWorld, all = true): void {
  const { model } = world
  if (model.isOnDisk) return
  model.isOnDisk = true
  const lines = world.bodyOnDisk().split('\n').slice(0, -1)
  const waiting = model.entries.map(({ record }) => record)
  expect(lines).toHaveLength(waiting.length + (all ? 0 : 1))
  for (const [at, record] of waiting.entries()) expectRecord(lines[at] ?? '', record)
  model.lines = []
  for (const line of lines.slice(0, waiting.length)) model.add(line)
}

async function continueBranch(world: SessionWorld, at: number): Promise<void> {
  const { model, manager } = world
  const id = pick(world, at)
  if (id === null) return
  const answer = await manager.continueBranch(id)
  if (!model.has(id)) {
    expect(answer).toMatchObject({ error: { code: 'not-found' } })
    return
  }
  if (model.lastId === id) {
    expect(answer).toEqual({ ok: true, value: null })
    model.leaf = id
    return
  }
  const details = { kind: 'continue-branch' }
  const entry: NewEntry = { type: 'branch_summary', fromId: id, summary: '', details }
  const id2 = answer.ok ? answer.value : null
  const told: Result<string> = answer.ok ? { ok: true, value: id2 ?? '' } : answer
  return added(world, told, entry, [id], { parentId: id }, true)
}

async function undo(world: SessionWorld): Promise<void> {
  const { model, manager } = world
  const markers = model.entries.filter(
    ({ record }) => record.type === 'branch_summary' && record.summary === '',
  )
  const marker = markers[markers.length - 1]?.id ?? 'none'
  const answer = await manager.undoContinueBranch(marker)
  const last = model.lines[model.lines.length - 1]
  const isLast = model.tail.length === 0 && last?.length === 1 && last[0]?.record?.id === marker
  const refused = world.refusal() ?? (marker === 'none' ? 'not-found' : isLast ? null : 'conflict')
  if (refused !== null) {
    expect(answer).toMatchObject({ ok: false, error: { code: refused } })
    return
  }
  expect(answer).toEqual({ ok: true, value: true })
  model.removeLast()
  if (model.leaf === marker) model.leaf = model.lastId
}

async function rename(world: SessionWorld, text: string, source: 'auto' | 'user'): Promise<void> {
  const { model, manager } = world
  const answer = await manager.setSessionName(text, source, { trigger: 'test' })
  const title = text
    .replace(/\p{Cc}/gu, ' ')
    .replace(/ +/g, ' ')
    .trim()
  if (title === '') {
    expect(answer).toMatchObject({ error: { code: 'invalid-argument' } })
    return
  }
  if (world.settings.gate === 'open') published(world, false)
  if (world.refusal() !== null) {
    expect(answer).toMatchObject({ error: { code: 'changed-on-disk' } })
    return
  }
  const changed = source === 'user' || model.title.source !== 'user'
  expect(answer).toEqual({ ok: true, value: { changed, slotOnly: false } })
  if (!changed) return
  const previousTitle = model.title.title ?? undefined
  const before = model.leafNow
  const parentId = model.lastId
  if (!model.exactSlot) model.rewrite()
  const line = world.lastLine()
  model.add(line)
  const id = model.lastId ?? ''
  const change: NewEntry = { type: 'title_change', title, previousTitle, source, trigger: 'test' }
  expectRecord(line, entryRecord({ id, parentId, timestamp: '2026-02-01T00:00:00.000Z' }, change))
  model.rename(title, source)
  if (parentId === before) model.leaf = id
}

async function branched(world: SessionWorld, at: number): Promise<void> {
  const { model, manager, env } = world
  const id = pick(world, at)
  if (id === null) return
  const answer = await manager.createBranchedSession(id)
  if (!model.has(id)) {
    expect(answer).toMatchObject({ error: { code: 'not-found' } })
    return
  }
  published(world)
  const { document } = value(answer)
  const labels = new Set(model.entries.filter(({ record }) => record.type === 'label').map(entry => entry.id))
  const kept = model.path(id).filter(one => !labels.has(one))
  const named = [...model.labels].filter(([target]) => kept.includes(target))
  const ids = document.index.path(document.index.leaf).map(ordinal => document.index.id(ordinal))
  expect(ids.slice(0, kept.length)).toEqual(kept)
  expect(ids).toHaveLength(kept.length + named.length)
  expect(document.index.count).toBe(ids.length)
  expect(new Map(document.facts.labels)).toEqual(new Map(named))
  expect(document.problems.filter(({ kind }) => kind !== 'missing-parent')).toEqual([])
  expect(path.dirname(document.path)).toBe(path.dirname(manager.file))
  expect(document.header).toMatchObject({ parentSession: manager.file, version: 3 })
  env.fs.unlink(document.path)
}

function outside(world: SessionWorld, command: Command): void {
  const { model } = world
  if (command.do === 'outside line') {
    const text = latin(command.what === 'record' ? foreignRecord(world, command.at) : command.what)
    world.outside(file => fs.appendFileSync(file, `${text}${command.ends ? '\n' : ''}`, 'latin1'))
    // What it is must be known before its id can be.
    model.addFromOutside(text, command.ends)
    world.learn()
    return
  }
  if (command.do === 'outside cut') {
    const count = Math.min(command.bytes, model.body.length)
    if (count === 0) return
    world.outside(file => fs.truncateSync(file, fs.statSync(file).size - count))
    model.cut(count)
    return
  }
  if (command.do === 'outside title' && model.exactSlot) {
    const title = cutTitle(command.title)
    const { source } = command
    const slot = encodeTitleSlot({ title, source, updatedAt: '2026-01-09T00:00:00.000Z' })
    world.outside(file => {
      const fd = fs.openSync(file, 'r+')
      fs.writeSync(fd, slot, 0)
      fs.closeSync(fd)
    })
    model.slot = { title, source: title === '' ? null : source }
  }
}

let foreigners = 0

function foreignRecord(world: SessionWorld, at: number): string {
  const id = `f${++foreigners}`
  if (world.model.version > 1) return JSON.stringify(message(id, pick(world, at), '来自外面'))
  const { id: _, parentId, ...rest } = message(id, null, '来自外面')
  return JSON.stringify(rest)
}
