/**
 * Calls of the window, bound to handlers: the sender checked, the input checked, the answer a `Result`,
 * cancel by id. The only place that touches `ipcMain`.
 */

import { BRIDGE, type CallInput, type CallName, type CallOutput, calls } from '@shared/ipc/contract'
import { err, type Result } from '@shared/ipc/result'
import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron'
import { failure } from '../engine/storage/errors'
import type { EventSender } from './event-sender'
import { checkPlainData } from './plain-data'
import { APP_ORIGIN } from './protocols'

export type CallContext = {
  signal: AbortSignal
  progress(done: number, total: number, text: string): void
}

export type Handler<N extends CallName> = (
  input: CallInput<N>,
  context: CallContext,
) => Promise<Result<CallOutput<N>>> | Result<CallOutput<N>>

export type Handlers = { [N in CallName]: Handler<N> }

type AnyHandler = (input: unknown, context: CallContext) => Promise<Result<unknown>> | Result<unknown>

export function bindIpc(
  handlers: Handlers,
  events: EventSender,
  contents: () => WebContents | null,
): { endAll(): void } {
  const running = new Map<string, AbortController>()

  ipcMain.handle(BRIDGE.call, async (event, name: unknown, input: unknown, callId: unknown) => {
    if (!isOurs(event, contents())) return err('permission', 'This page may not call Grove.')
    if (typeof callId !== 'string' || callId === '' || callId.length > 64)
      return err('invalid-argument', 'A call needs an id.')
    // Two calls under one id could not be cancelled each.
    if (running.has(callId)) return err('invalid-argument', 'A call with this id is still running.')
    if (!isCallName(name)) return err('invalid-argument', 'There is no such call.')
    const checked = checkInput(name, input)
    if (!checked.ok) return checked
    const controller = new AbortController()
    running.set(callId, controller)
    const context: CallContext = {
      signal: controller.signal,
      progress: (done, total, text) => events.send('progress', { callId, done, total, text }),
    }
    try {
      // `checkInput` parsed the input with the schema of this very call.
      return await (handlers[name] as AnyHandler)(checked.value, context)
    } catch (thrown) {
      return failure(thrown, name)
    } finally {
      running.delete(callId)
    }
  })

  ipcMain.on(BRIDGE.cancel, (event: IpcMainEvent, callId: unknown) => {
    if (isOurs(event, contents()) && typeof callId === 'string') running.get(callId)?.abort()
  })

  return {
    /** Cancels every call that runs; a window's calls end with the window. */
    endAll() {
      for (const controller of running.values()) controller.abort()
    },
  }
}

function isCallName(name: unknown): name is CallName {
  return typeof name === 'string' && Object.hasOwn(calls, name)
}

/** Only the main frame of our own window, showing our own page. */
function isOurs(event: IpcMainInvokeEvent | IpcMainEvent, contents: WebContents | null): boolean {
  const frame = event.senderFrame
  return (
    contents !== null &&
    event.sender === contents &&
    frame !== null &&
    frame === contents.mainFrame &&
    frame.url.startsWith(`${APP_ORIGIN}/`)
  )
}

function checkInput(name: CallName, input: unknown): Result<unknown> {
  const plain = checkPlainData(input, BRIDGE.maxInputBytes)
  if (plain === 'not-plain') return err('invalid-argument', `${name}: the input is not plain data.`)
  if (plain === 'too-large') return err('too-large', `${name}: the input is too large.`)
  let parsed: ReturnType<(typeof calls)[CallName]['input']['safeParse']>
  try {
    parsed = calls[name].input.safeParse(input)
  } catch {
    // A check of a length compares whatever an object calls its length, and that need not be a number.
    return err('invalid-argument', `${name}: the input is not as agreed.`)
  }
  if (parsed.success) return { ok: true, value: parsed.data }
  const issue = parsed.error.issues[0]
  return err(
    'invalid-argument',
    `${name}: ${issue?.path.join('.') || 'input'}: ${issue?.message ?? 'is wrong'}`,
  )
}
