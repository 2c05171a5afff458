/** Journals of one's choice, and what the tests of differences do with them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { append, assistant, user } from '../../messages.mjs'
import { age } from '../../world.mjs'

export const open = file => ({ do: 'open', file })
export const says = (message = user('Grove here.')) => append(message)
export const title = text => ({ call: 'setSessionName', args: [text, 'user'] })
export const linesOf = file => readFileSync(file, 'utf8').split('\n')

/** Where omp and Grove keep the sessions of a folder below the home folder. */
export const directoryOf = (world, cwd) =>
  join(world.sessionsDir, `-${relative(world.home, cwd).replaceAll('/', '-')}`)

/** A journal of these lines behind a header, old enough that nobody is writing it. */
export function journal(world, name, lines, { version = 3, slot = '', end = '\n' } = {}) {
  const cwd = world.folder(`odd/${name}`)
  const file = join(directoryOf(world, cwd), `2026-01-02T03-04-05-006Z_odd-${name}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  const header = { type: 'session', version, id: `odd-${name}`, timestamp: '2026-01-02T03:04:05.006Z', cwd }
  const all = [
    JSON.stringify(header),
    ...lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))),
  ]
  writeFileSync(file, `${slot}${all.join('\n')}${end}`)
  age([file])
  return { file, cwd }
}

export const said = (id, parentId, message = user(id)) => ({
  type: 'message',
  id,
  parentId,
  timestamp: '2026-01-02T03:04:06.007Z',
  message,
})
export const A = said('a', null)
export const B = said('b', 'a', assistant('b'))
