/** The worker from both ends: jobs that are cancelled, fail or throw; a worker that dies. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ok, type Result } from '@shared/ipc/result'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { EngineError } from '../engine/storage/errors'
import { type AnyJob, createJobRunner } from './job-runner'
import type { FromWorker } from './protocol'
import type { ScanHandlers } from './scan-jobs'
import { WorkerClient } from './worker-client'

describe('job runner', () => {
  function runnerOf(jobs: Record<string, AnyJob>, post?: (message: FromWorker) => void) {
    const messages: FromWorker[] = []
    let waiting = () => {}
    let time = 0
    const runner = createJobRunner(
      jobs,
      message => {
        post?.(message)
        messages.push(message)
        if (message.kind === 'done') waiting()
      },
      () => (time += 50),
    )
    const done = async (id: number) => {
      for (;;) {
        const found = messages.find(message => message.kind === 'done' && message.id === id)
        if (found?.kind === 'done') return found.result
        await new Promise<void>(resolve => (waiting = resolve))
      }
    }
    return { runner, messages, done }
  }

  it('answers what a job answers, and an error for one that throws or is not there', async () => {
    const { runner, done } = runnerOf({
      good: input => ok(input),
      thrower: () => {
        throw new Error('broken')
      },
      refuser: () => Promise.reject(new EngineError('conflict', 'No.')),
    })
    for (const [id, job] of ['good', 'thrower', 'refuser', 'none'].entries())
      runner.take({ kind: 'run', id, job, input: 7 })
    expect(await done(0)).toEqual(ok(7))
    expect(await done(1)).toMatchObject({ ok: false, error: { code: 'internal' } })
    expect(await done(2)).toMatchObject({ ok: false, error: { code: 'conflict', message: 'No.' } })
    expect(await done(3)).toMatchObject({ ok: false, error: { code: 'internal' } })
  })

  it('ends a job that was cancelled where it breathes, and no other', async () => {
    const forever: AnyJob = async (_, work) => {
      for (;;) await work.breathe()
    }
    const { runner, done } = runnerOf({
      forever,
      good: async (_, work) => {
        await work.breathe()
        return ok('done')
      },
    })
    runner.take({ kind: 'run', id: 1, job: 'forever', input: null })
    runner.take({ kind: 'run', id: 2, job: 'good', input: null })
    runner.take({ kind: 'cancel', id: 1 })
    expect(await done(1)).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    expect(await done(2)).toEqual(ok('done'))
    // A cancel that comes late means nothing for a later job.
    runner.take({ kind: 'cancel', id: 2 })
    runner.take({ kind: 'run', id: 2, job: 'good', input: null })
    expect(await done(2)).toEqual(ok('done'))
  })

  it('thins out progress, but always tells the end', async () => {
    const { runner, messages, done } = runnerOf({
      steps: (_, work) => {
        for (let at = 1; at <= 10; at++) work.progress(at, 10, `${at}`)
        return ok(null)
      },
    })
    runner.take({ kind: 'run', id: 1, job: 'steps', input: null })
    await done(1)
    const told = messages.flatMap(message => (message.kind === 'progress' ? [message.done] : []))
    expect(told.length).toBeLessThan(10)
    expect(told[told.length - 1]).toBe(10)
  })

  it('answers an error when the answer cannot be handed over', async () => {
    let first = true
    const { runner, done } = runnerOf({ good: () => ok(() => 1) }, message => {
      if (message.kind === 'done' && first) {
        first = false
        throw new Error('could not be cloned')
      }
    })
    runner.take({ kind: 'run', id: 1, job: 'good', input: null })
    expect(await done(1)).toMatchObject({ ok: false, error: { code: 'internal' } })
  })
})

describe('worker client', () => {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'grove-worker-'))
  const script = path.join(directory, 'worker.cjs')
  // A worker as small as can be: what it is given as `files` tells what it does.
  fs.writeFileSync(
    script,
    `const { parentPort, threadId } = require('node:worker_threads')
parentPort.on('message', message => {
  if (message.kind === 'cancel') return answer(message.id, { ok: false, error: { code: 'cancelled', message: 'x' } })
  const [what] = message.input.files
  if (what === 'exit') process.exit(1)
  if (what === 'throw') throw new Error('fatal')
  if (what === 'progress') parentPort.postMessage({ kind: 'progress', id: message.id, done: 1, total: 2, text: 't' })
  if (what !== 'wait') answer(message.id, { ok: true, value: [what, String(threadId)] })
})
function answer(id, result) { parentPort.postMessage({ kind: 'done', id, result }) }
`,
  )
  let deaths = 0
  const startClient = () => new WorkerClient<ScanHandlers>(script, () => deaths++)
  let client = startClient()
  afterEach(async () => {
    await client.close(20)
    deaths = 0
    client = startClient()
  })
  afterAll(() => fs.rmSync(directory, { recursive: true }))
  const run = (what: string, options = {}) => client.run('pins', { files: [what] }, options)
  const value = (result: Result<string[]>) => (result.ok ? result.value : result.error.code)

  it('answers, with progress on the way', async () => {
    const told: number[] = []
    const onProgress = (done: number) => told.push(done)
    expect(value(await run('progress', { onProgress }))).toContain('progress')
    expect(told).toEqual([1])
  })

  it.each(['exit', 'throw'])(
    'answers an error for all that wait when the worker dies by %s, and starts another',
    async how => {
      const before = value(await run('hello'))
      const answers = await Promise.all([run('wait'), run(how), run('wait')])
      expect(answers.map(value)).toEqual(['internal', 'internal', 'internal'])
      expect(deaths).toBe(1)
      const after = value(await run('hello'))
      expect(after).toContain('hello')
      expect(after).not.toEqual(before)
    },
  )

  it('passes a cancel on, and does not start what is cancelled already', async () => {
    const controller = new AbortController()
    const waiting = run('wait', { signal: controller.signal })
    controller.abort()
    expect(value(await waiting)).toBe('cancelled')
    expect(value(await run('exit', { signal: controller.signal }))).toBe('cancelled')
  })

  it('answers an error for an input that cannot be handed over', async () => {
    // Not what the types allow: a fault that must not become a rejected promise.
    const files = [() => 1] as unknown as string[]
    expect(value(await client.run('pins', { files }))).toBe('internal')
  })

  it('ends what waits when it is closed, and takes nothing more', async () => {
    const waiting = run('wait')
    await client.close(20)
    expect(value(await waiting)).toBe('cancelled')
    expect(value(await run('hello'))).toBe('cancelled')
    expect(deaths).toBe(0)
  })
})
