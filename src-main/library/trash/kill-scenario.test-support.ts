/**
 * For tests: a process that moves one session to the trash (or back) and is killed by itself, with SIGKILL, right
 * before the call of the file system whose number it is given. Run with the library's home as first argument.
 */
import process from 'node:process'
import { faultyFileSystem } from '../../engine/storage/faulty-file-system.test-support'
import { applyDelete } from './delete-apply'
import { planDelete } from './delete-plan'
import { restoreFromTrash } from './restore'
import { testContext, testLibrary, testProcesses, work } from './test-library.test-support'
import { listTrash } from './trash-list'

async function main([home, what, journal, at]: string[]): Promise<void> {
  if (home === undefined || journal === undefined) throw new Error('Missing arguments.')
  const library = testLibrary(home)
  let count = 0
  const system = faultyFileSystem({
    before: () => {
      if (count++ === Number(at)) process.kill(process.pid, 'SIGKILL')
    },
  })
  const plain = testContext(library, { pid: process.pid, processes: testProcesses() })
  const killed = testContext(library, { pid: process.pid, processes: testProcesses(), fs: system })
  if (what === 'delete') {
    const plan = await planDelete(plain, [library.target(journal)], {}, work)
    const done = plan.ok ? await applyDelete(killed, plan.value, { includeMaybe: false }, work) : plan
    const staying = done.ok ? done.value.report.staying : [{ reason: done.error.message }]
    for (const { reason } of staying) process.stderr.write(`${reason}\n`)
  } else {
    const listing = await listTrash(plain, [library], work)
    if (listing.ok) await restoreFromTrash(killed, listing.value.items, {}, work)
  }
  process.stdout.write(String(count))
}

void main(process.argv.slice(2))
