/** For tests: the real file system, except that the k-th call fails, once or from then on. */
import type { FileSystem } from './file-system'
import { nodeFileSystem } from './node-file-system'

export type Fault = {
  /** Number of the call that fails, from 0. */
  at: number
  errno: 'EIO' | 'ENOSPC' | 'EACCES' | 'EMFILE' | 'EXDEV' | 'EPERM'
  /** `onwards`: every later call fails too, as when the process is as good as dead. */
  lasting: 'once' | 'onwards'
  /** A write that fails has written half of what it was asked to, as on a disk that fills up. */
  short?: boolean
}

export type CallLog = { name: keyof FileSystem; args: readonly unknown[] }

export type FaultyFileSystem = FileSystem & { readonly calls: CallLog[] }

export type FaultPlan = {
  fault?: Fault
  /** Only these calls are counted, and fail. Default: all but `close`, which releases the descriptor first. */
  only?: readonly (keyof FileSystem)[]
  /** Called before each call that is let through; may throw. */
  before?(call: CallLog): void
}

/** A thrown error as Node's own. */
export function systemError(errno: string, call: string, path = ''): Error {
  return Object.assign(new Error(`${errno}: injected, ${call} '${path}'`), {
    code: errno,
    path,
    syscall: call,
  })
}

/** The first half of the bytes reach the file although the call fails. */
function writeHalf(args: readonly unknown[]): void {
  const [fd, buffer, offset, length, position] = args
  if (typeof fd !== 'number' || !(buffer instanceof Uint8Array) || typeof offset !== 'number') return
  if (typeof length !== 'number' || length < 2) return
  nodeFileSystem.write(fd, buffer, offset, length >> 1, typeof position === 'number' ? position : null)
}

export function faultyFileSystem(plan: FaultPlan = {}): FaultyFileSystem {
  const calls: CallLog[] = []
  const wrapped = Object.fromEntries(
    Object.entries(nodeFileSystem).map(([name, original]) => [
      name,
      (...args: unknown[]) => {
        // The entries are the interface's own methods, so the name is one of its keys.
        const call: CallLog = { name: name as keyof FileSystem, args }
        if (plan.only === undefined ? name !== 'close' : plan.only.includes(call.name)) {
          const number = calls.push(call) - 1
          const { fault } = plan
          if (
            fault !== undefined &&
            (number === fault.at || (fault.lasting === 'onwards' && number > fault.at))
          ) {
            if (fault.short === true && name === 'write') writeHalf(args)
            throw systemError(fault.errno, name, String(args[0]))
          }
        }
        plan.before?.(call)
        // Arguments are passed on as they came.
        return (original as (...args: unknown[]) => unknown)(...args)
      },
    ]),
  )
  // Every method of the interface was wrapped above, with its own signature.
  return Object.assign(wrapped as unknown as FileSystem, { calls })
}
