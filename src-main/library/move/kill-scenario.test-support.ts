/**
 * For tests: a process that forks or moves one session and is killed by itself, with SIGKILL, right before the call of
 * the file system whose number it is given. Arguments: the library's home, what to do (`fork-path`: the path to the entry `a`), the journal, the other root's
 * sessions directory, the folder, the number.
 */
import path from 'node:path'
import process from 'node:process'
import { faultyFileSystem } from '../../engine/storage/faulty-file-system.test-support'
import { sessionOperations } from '../session-operations'
import { testContext, testLibrary, testProcesses } from '../trash/test-library.test-support'

async function main([home, what, journal, sessionsDir, folder, at]: string[]): Promise<void> {
  if (home === undefined || journal === undefined || sessionsDir === undefined || folder === undefined)
    throw new Error('Missing arguments.')
  let count = 0
  const fs = faultyFileSystem({
    before: () => {
      if (count++ === Number(at)) process.kill(process.pid, 'SIGKILL')
    },
  })
  const context = testContext(testLibrary(home), { pid: process.pid, processes: testProcesses(), fs })
  const operations = sessionOperations(context)
  const done =
    what === 'fork' || what === 'fork-path'
      ? await operations.fork({
          source: journal,
          cwd: folder,
          directory: path.join(sessionsDir, 'new'),
          withArtifacts: true,
          leafId: what === 'fork-path' ? 'a' : null,
        })
      : await operations.move({
          journal,
          newCwd: folder,
          ...(what === 're-root' ? {} : { sessionsDir }),
        })
  if (!done.ok) process.stderr.write(done.error.message)
  process.stdout.write(String(count))
}

void main(process.argv.slice(2))
