/** For tests: the same work again and again, with another call of the file system failing each time. */
import {
  type Fault,
  type FaultyFileSystem,
  faultyFileSystem,
} from './storage/faulty-file-system.test-support'

const ERRORS = ['EIO', 'ENOSPC', 'EACCES'] as const
const LASTING = ['once', 'onwards'] as const

export type FaultScene = {
  /** Does the work on the file system that fails. */
  run(system: FaultyFileSystem): unknown
  /** Looks at what is left; `where` says which call failed. */
  check(where: string, fault: Fault): unknown
}

/** Runs a fresh scene for every call that can fail, once and from then on; answers the number of scenes. */
export async function everyFault(
  prepare: () => FaultScene | Promise<FaultScene>,
  only?: Fault['lasting'],
): Promise<number> {
  let scenes = 0
  for (const lasting of LASTING.filter(one => only === undefined || one === only)) {
    for (let at = 0; ; at++) {
      // Which error it is matters little to the code that meets it: they take turns.
      const fault: Fault = { at, lasting, errno: ERRORS[at % ERRORS.length] ?? 'EIO' }
      const system = faultyFileSystem({ fault })
      const scene = await prepare()
      await scene.run(system)
      const failed = system.calls[at]
      await scene.check(`${fault.errno} ${lasting} at call ${at}: ${failed?.name} ${failed?.args[0]}`, fault)
      if (failed === undefined) break
      scenes++
    }
  }
  return scenes
}
