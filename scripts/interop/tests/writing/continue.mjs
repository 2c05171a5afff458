/** What a terminal goes on with: whoever left the breadcrumb, both make the same choice. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { append, turn, user } from '../../messages.mjs'
import { age, artifactsOf } from '../../world.mjs'

const HOUR_S = 3600

/**
 * A case: what the terminal had (`begin`, steps of the program that leaves the breadcrumb), what happened to the files since, and
 * what must come: the session that is named so, `new`, or `moved` (the session of the terminal, at the place of the
 * folder). `older` is a session of the folder that is not the terminal's, written before it, `newer` one after it.
 */
const CASES = {
  'its own session, though another is newer': { others: ['newer'], chooses: 'own' },
  'its own session, opened and not written': { others: ['newer'], reopened: true, chooses: 'own' },
  'a session begun and never written': { others: ['older'], unwritten: true, chooses: 'new' },
  'a session begun and never written, of another folder': {
    others: ['older'],
    unwritten: true,
    elsewhere: true,
    chooses: 'new',
  },
  'a session that was deleted since': {
    others: ['older'],
    since: ({ own }) => rmSync(own),
    chooses: 'older',
  },
  'the only session, deleted since': { since: ({ own }) => rmSync(own), chooses: 'new' },
  'a session of another folder that is still there': { others: ['older'], elsewhere: true, chooses: 'own' },
  'a session of another folder, where there is none here': {
    elsewhere: true,
    since: ({ own }) => rmSync(own),
    chooses: 'new',
  },
  'the folder was renamed': {
    since: ({ cwd, there }) => renameSync(cwd, there),
    chooses: 'moved',
  },
  'the folder was renamed, and there are sessions where it is now': {
    othersThere: ['older'],
    since: ({ cwd, there }) => {
      rmdirSync(there)
      renameSync(cwd, there)
    },
    chooses: 'older',
  },
  'the folder was deleted, and another one made': {
    since: ({ cwd, there }) => {
      mkdirSync(there)
      rmdirSync(cwd)
    },
    chooses: 'new there',
  },
  'the folder was deleted and made again': {
    since: ({ cwd }) => {
      mkdirSync(`${cwd} 2`)
      rmdirSync(cwd)
      renameSync(`${cwd} 2`, cwd)
    },
    chooses: 'own',
  },
  'a subagent': { subagent: ['Painter.jsonl'], others: ['newer'], chooses: 'own' },
  'a subagent of a subagent': {
    subagent: ['Painter.jsonl', 'Painter/Painter.Brush.jsonl'],
    others: ['newer'],
    chooses: 'own',
  },
  'a subagent whose session is gone': {
    subagent: ['Painter.jsonl'],
    others: ['older'],
    since: ({ own }) => rmSync(own),
    chooses: 'subagent',
  },
}

const SIDES = ['theirs', 'ours']

/** Every case for each that leaves the breadcrumb and each that chooses, in folders and terminals of their own. */
function situationsOf(world) {
  return Object.entries(CASES).flatMap(([name, spec], at) =>
    SIDES.flatMap(leaver =>
      SIDES.map(chooser => {
        const place = `case-${at}-${leaver}-${chooser}`
        const cwd = world.folder(`${place}/project`)
        const there = join(dirname(cwd), 'moved')
        if (spec.othersThere !== undefined) mkdirSync(there)
        return { name, spec, leaver, chooser, cwd, there, terminal: `%${place}` }
      }),
    ),
  )
}

/** Sessions that are there beside the terminal's own, made by omp without a terminal. */
async function makeOthers(theirs, situations) {
  for (const { spec, cwd, there, sessions } of situations) {
    for (const [names, folder] of [
      [spec.others ?? [], cwd],
      [spec.othersThere ?? [], there],
    ]) {
      for (const name of names) {
        const made = await theirs.ask({ do: 'create', cwd: folder, calls: turn(`${name}?`, 'Yes.') })
        sessions[name] = made.file
      }
    }
  }
}

function beginning({ spec, cwd, terminal }) {
  const calls = spec.unwritten ? [append(user('Are you there?'))] : turn('Mine?', 'Yes.')
  return { do: 'create', cwd, terminal, calls }
}

/** The last thing that the terminal did: something elsewhere, a look at a session, a subagent's session. */
async function goOn(program, world, situation) {
  const { spec, terminal, sessions } = situation
  if (spec.reopened) await program.ask({ do: 'open', file: sessions.own, terminal })
  if (spec.elsewhere) {
    const cwd = world.folder(`${situation.terminal.slice(1)}/elsewhere`)
    await program.ask(beginning({ ...situation, cwd }))
  }
  for (const name of spec.subagent ?? []) {
    const file = join(artifactsOf(sessions.own), name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
    age([file])
    await program.ask({ do: 'open', file, cwd: situation.cwd, terminal, calls: turn('Paint.', 'Done.') })
    sessions.subagent = file
  }
}

function setTimes({ sessions }) {
  const there = name => (sessions[name] !== undefined && existsSync(sessions[name]) ? [sessions[name]] : [])
  age(there('newer'), HOUR_S)
  age(there('own'), 2 * HOUR_S)
  age(there('older'), 3 * HOUR_S)
  age(there('subagent'), 2 * HOUR_S)
}

/** The choice in words. */
function choiceOf(chosen, { sessions, there }) {
  const name = Object.keys(sessions).find(key => sessions[key] === chosen.file)
  if (name !== undefined) return name
  if (chosen.id === sessions.ownId) return chosen.recordedCwd === there ? 'moved' : 'moved elsewhere'
  return chosen.entryIds.length === 0 ? 'new' : 'another'
}

async function sameChoice({ world, both }) {
  const programs = await both()
  const situations = situationsOf(world).map(situation => ({ ...situation, sessions: {} }))
  await makeOthers(programs.theirs, situations)
  for (const situation of situations) {
    const { leaver, sessions } = situation
    const own = await programs[leaver].ask(beginning(situation))
    sessions.own = own.file
    sessions.ownId = own.id
    await goOn(programs[leaver], world, situation)
    setTimes(situation)
    situation.spec.since?.({ own: sessions.own, cwd: situation.cwd, there: situation.there })
  }
  const choices = {}
  for (const situation of situations) {
    const { name, leaver, chooser, terminal, there, cwd, spec } = situation
    const folder = existsSync(cwd) ? cwd : there
    const chosen = await programs[chooser].ask({ do: 'continue', cwd: folder, terminal })
    choices[name] ??= {}
    choices[name][`left by ${leaver}, chosen by ${chooser}`] = choiceOf(chosen, situation)
    assert.equal(chosen.recordedCwd === folder || spec.subagent !== undefined, true, `${name}: its folder`)
  }
  const wanted = Object.entries(CASES).map(([name, { chooses }]) => {
    const choice = chooses === 'new there' ? 'new' : chooses
    return [
      name,
      Object.fromEntries(
        SIDES.flatMap(left => SIDES.map(by => [`left by ${left}, chosen by ${by}`, choice])),
      ),
    ]
  })
  assert.deepEqual(choices, Object.fromEntries(wanted))
}

/** In a directory that was asked for, only what lies there counts: whatever the terminal had elsewhere. */
async function inOneDirectory({ world, both }) {
  const programs = await both()
  const chosen = {}
  const sides = SIDES.flatMap(leaver => SIDES.map(chooser => ({ leaver, chooser })))
  for (const [at, { leaver, chooser }] of sides.entries()) {
    const directory = world.folder(`kept-${at}`)
    const step = { cwd: world.folder(`project-${at}`), terminal: `%directory-${at}` }
    const begin = more => ({ ...step, ...more, do: 'create', calls: turn('Go?', 'Yes.') })
    const typed = more => ({ ...begin(more), calls: [append(user('There?'))] })
    const there = await programs.theirs.ask(begin({ directory }))
    age([there.file], HOUR_S)
    const inWords = ({ id, entryIds }) =>
      id === there.id ? 'there' : entryIds.length === 0 ? 'new' : 'elsewhere'
    const found = {}
    chosen[`left by ${leaver}, chosen by ${chooser}`] = found
    const cases = { elsewhere: begin({}), 'begun elsewhere': typed({}), 'begun there': typed({ directory }) }
    for (const [name, left] of Object.entries(cases)) {
      await programs[leaver].ask(left)
      found[name] = inWords(await programs[chooser].ask({ ...step, do: 'continue', directory }))
      age([there.file], HOUR_S)
    }
  }
  const wanted = { elsewhere: 'there', 'begun elsewhere': 'there', 'begun there': 'new' }
  for (const [name, found] of Object.entries(chosen)) assert.deepEqual(found, wanted, name)
  assert.equal(Object.keys(chosen).length, 4)
}

/** The breadcrumb itself, byte for byte, after each thing that a terminal does. */
async function sameBreadcrumbs({ world, both }) {
  const programs = await both()
  const noted = {}
  for (const side of SIDES) {
    const program = programs[side]
    const [cwd, there] = ['from', 'to'].map(name => world.folder(`${side}/${name}`))
    const terminal = `%${side}`
    const crumb = () => {
      const text = readFileSync(join(world.agentDir, 'terminal-sessions', `tmux-${terminal}`), 'utf8')
      const session = text.split('\n')[1]
      const inode = /cwdstat \d+ (\d+)/.exec(text)?.[1]
      return text
        .replaceAll(session, 'SESSION')
        .replaceAll(inode, 'INODE')
        .replaceAll(world.folder(side), 'HERE')
    }
    const step = { cwd, terminal }
    const told = {}
    noted[side] = told
    await program.ask({ ...step, do: 'create', hold: side, calls: [append(user('There?'))] })
    told.begun = crumb()
    const { file } = await program.ask({ ...step, do: 'held', name: side, calls: turn('Now?', 'Yes.') })
    told.written = crumb()
    age([file])
    await program.ask({ do: 'create', cwd: there, terminal })
    told['begun elsewhere'] = crumb()
    await program.ask({ do: 'open', file, terminal })
    told.opened = crumb()
    await program.ask({ do: 'open', file, terminal, calls: [{ call: 'moveTo', args: [there] }] })
    told.moved = crumb()
    await program.ask({ do: 'continue', cwd, terminal })
    told.continued = crumb()
  }
  assert.deepEqual(noted.ours, noted.theirs)
  assert.match(noted.ours.begun, /^HERE\/from\nSESSION\nfresh\ncwdstat \d+ INODE\n$/)
}

export const continueTests = [
  { name: 'continue: the same choice, whoever left the breadcrumb', run: sameChoice },
  { name: 'continue: in a directory that was asked for', run: inOneDirectory },
  { name: 'continue: the same breadcrumbs, byte for byte', run: sameBreadcrumbs },
]
