/**
 * For tests: a process that takes a number of artifacts of one session, and prints their numbers. After the first it waits
 * for the first of another tool, so that two of these are at it at the same time.
 */
import fs from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { nodeEnvironment } from '../node-environment'
import { ArtifactStore } from './artifact-store'

async function main([journal, tool, count]: string[]): Promise<void> {
  if (journal === undefined || tool === undefined) throw new Error('Missing arguments.')
  const store = new ArtifactStore(nodeEnvironment(), journal)
  const directory = journal.replace(/\.jsonl$/, '')
  const ids: string[] = []
  while (ids.length < Number(count)) {
    const saves = ids.length % 4 === 0
    const taken = saves ? await store.save(tool, Buffer.from(tool)) : await store.allocate(tool)
    if (taken.ok) ids.push(taken.value.id)
    // A lock that was busy for its whole time is an answer; anything else is none.
    else if (taken.error.code !== 'in-use') throw new Error(taken.error.message)
    while (ids.length === 1 && fs.readdirSync(directory).every(name => name.endsWith(`.${tool}.log`)))
      await setTimeout(1)
  }
  process.stdout.write(JSON.stringify(ids))
}

void main(process.argv.slice(2))
