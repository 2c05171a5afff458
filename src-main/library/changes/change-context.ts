/** The context of changes for a process that runs them: app worker or CLI. */
import type { Environment } from '../../engine/environment'
import { createInUseCheck } from '../../engine/in-use/in-use-check'
import { linuxProcessTable } from '../../engine/in-use/linux-process-table'
import type { ProcessTable } from '../../engine/in-use/process-table'
import { unknownProcessTable } from '../../engine/in-use/unknown-process-table'
import { groveData } from '../grove-data'
import type { ChangeContext } from './change-handlers'
import { readOwnWrites } from './own-writes-file'

export function systemProcessTable(env: Environment): ProcessTable {
  return env.platform === 'linux' ? linuxProcessTable() : unknownProcessTable(env.platform)
}

/** `breadcrumbDirs`: where the terminals of the roots in question note their sessions; asked at each look. */
export function changeContext(env: Environment, breadcrumbDirs: () => readonly string[]): ChangeContext {
  const processes = systemProcessTable(env)
  const data = groveData(env)
  return {
    env,
    data,
    deps: {
      processes,
      instance: env.uuid(),
      inUse(work, options = {}) {
        const earlier = readOwnWrites(env, data)
        return createInUseCheck(env, processes, breadcrumbDirs(), work, {
          ...options,
          writtenByGrove: (journal, stat) =>
            earlier.has(journal, stat) || options.writtenByGrove?.(journal, stat) === true,
        })
      },
    },
  }
}
