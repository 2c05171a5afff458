/** Trees that are no trees, as a user sees them: every entry once, in the graph and on a path, and told what is wrong. */
import { type Look, type Looks, walkSection } from '../fixtures/odd-walk'
import { expect, test } from '../fixtures/test'
import type { OddSession } from '../pages/odd-session'

test.use({ libraryKind: 'odd' })

/** How many rows of the graph there are, on screen or not. */
async function graphCount(seen: OddSession, count: number): Promise<void> {
  await expect(seen.grove.branches.graph).toHaveAttribute('aria-rowcount', String(count))
}

/** All entries of the graph, newest first, each once; of a file of prompts `<kind>: <id>`. */
async function graph(seen: OddSession, ids: readonly string[]): Promise<void> {
  const { branches, session } = seen.grove
  await session.show('Branches')
  await branches.mode('All')
  await graphCount(seen, ids.length)
  for (const [at, id] of ids.entries())
    await expect(branches.rows.nth(at)).toContainText(new RegExp(`: ${id}(omp resumes here|tip|gap|\\d|$)`))
}

type Shape = {
  /** Ids from the root to the tip that is opened. */
  path: string[]
  /** Ids of the graph, newest first. */
  graph: string[]
  /** Ids of the tips, newest first; the first is where omp goes on. */
  tips: string[]
  problems?: string[]
  /** What stands above the path. */
  gap?: string
}

/** The shape of a tree of prompts, in list, transcript, graph, tips and health. */
function shape({ path, graph: ids, tips, problems = [], gap }: Shape): Look {
  return async seen => {
    const { grove, odd } = seen
    await seen.rowSays(odd.kind, 'odd ', 'no answer yet')
    if (tips.length > 1) await seen.rowSays(`${tips.length} branches`)
    await expect(grove.session.heading(odd.kind)).toBeVisible()
    const above = gap === undefined ? [] : [`The entry before this one (${gap}) is not in the file.`]
    await seen.transcript([...above, ...path.map(id => new RegExp(`: ${id}$`))])
    for (const problem of problems.slice(0, 1))
      await expect(grove.transcript.region.getByRole('status').filter({ hasText: problem })).toBeVisible()
    await graph(seen, ids)
    await expect(grove.branches.tips).toHaveText(tips.map(id => new RegExp(`: ${id}\\d+ own, \\d+ on path`)))
    await expect(grove.branches.tips.filter({ hasText: 'omp resumes here' })).toHaveText(
      new RegExp(`: ${tips[0] ?? ''}\\d`),
    )
    await expect(grove.branches.rows.getByText('gap', { exact: true })).toHaveCount(gap === undefined ? 0 : 1)
    await seen.health(problems)
  }
}

const GAP = '1 entry follows one that is not in the file (a gap).'
const DUPLICATE = '1 entry has an id that stood in the file before.'
const CIRCLE = '1 group of entries leads in a circle.'

const broken: Looks = {
  'duplicate id, the second with another parent': shape({
    path: ['a', 'b', 'c', 'b', 'd'],
    graph: ['d', 'b', 'c', 'b', 'a'],
    tips: ['d'],
    problems: [DUPLICATE],
  }),
  'duplicate id, one a root, one a descendant': shape({
    path: ['a', 'b', 'a', 'c'],
    graph: ['c', 'a', 'b', 'a'],
    tips: ['c'],
    problems: [DUPLICATE],
  }),
  'self-parent': shape({
    path: ['s', 't'],
    graph: ['t', 's', 'b', 'a'],
    tips: ['t', 'b'],
    problems: ['1 entry names itself as its parent.'],
  }),
  'cycle of two': shape({ path: ['a', 'b'], graph: ['b', 'a'], tips: ['b'], problems: [CIRCLE] }),
  'cycle of three': shape({
    path: ['a', 'b', 'c'],
    graph: ['c', 'b', 'a'],
    tips: ['c'],
    problems: [CIRCLE],
  }),
  'a cycle that no root reaches': shape({
    path: ['x', 'y', 'z', 'w'],
    graph: ['w', 'z', 'y', 'x', 'b', 'a'],
    tips: ['w', 'b'],
    problems: [CIRCLE],
  }),
  'missing parent': shape({
    path: ['c'],
    graph: ['c', 'b', 'a'],
    tips: ['c', 'b'],
    problems: [GAP],
    gap: 'gone',
  }),
  'a hole in the middle of a chain': async seen => {
    const { grove } = seen
    await shape({
      path: ['d', 'e', 'f'],
      graph: ['f', 'e', 'd', 'b', 'a'],
      tips: ['f', 'b'],
      problems: [GAP],
      gap: 'c',
    })(seen)
    // What lies before the hole can be read as well.
    await grove.session.show('Branches')
    await grove.branches.tips.nth(1).press('Enter')
    await grove.branches.tips.nth(1).press('Enter')
    await seen.transcript([/: a$/, /: b$/])
  },
  'several roots': async seen => {
    await shape({ path: ['e'], graph: ['e', 'd', 'c', 'b', 'a'], tips: ['e', 'd', 'b'] })(seen)
    await seen.grove.session.show('Transcript')
    await expect(seen.grove.transcript.fork()).toHaveAccessibleName('3 of 3 continuations')
  },
  'every line written twice': async seen => {
    await seen.rowSays(seen.odd.kind, '2 messages', 'complete')
    await seen.transcript([`An odd file: ${seen.odd.kind}.`, 'It is read like any other'])
    await seen.grove.session.show('Branches')
    await seen.grove.branches.mode('All')
    await graphCount(seen, 4)
    await seen.health([
      'The header does not stand first; omp refuses to open such a file.',
      '6 records stand in the file twice and are shown once.',
    ])
  },
}

const large: Looks = {
  'a long chain': async seen => {
    const length = Number(seen.odd.expect.pathLength)
    const { grove } = seen
    await grove.session.show('Transcript')
    const last = grove.transcript.row(`a long chain: n${length - 1}`)
    await expect(last).toHaveAttribute('aria-setsize', String(length))
    await expect(last).toHaveAttribute('aria-posinset', String(length))
    await grove.session.show('Branches')
    await grove.branches.mode('All')
    await graphCount(seen, length)
    await expect(grove.branches.tips).toHaveCount(1)
    await expect(grove.branches.tips).toContainText('2,000 own, 2,000 on path')
    await seen.health([])
  },
  '500 branches': async seen => {
    const { grove } = seen
    await seen.rowSays('500 branches', '1,001 messages')
    await grove.session.show('Branches')
    await grove.branches.mode('All')
    await graphCount(seen, 1001)
    await expect(grove.branches.region.getByRole('heading', { name: '500 branches' })).toBeVisible()
    await expect(grove.branches.tips).toHaveCount(500)
    await expect(grove.branches.tips.first()).toContainText('tip4992 own, 502 on path')
    await expect(grove.branches.tips.last()).toContainText('tip01 own, 3 on path')
  },
  '60 children of one entry': async seen => {
    const { grove } = seen
    await seen.transcript([/: a$/, /: c59$/])
    await expect(grove.transcript.fork()).toHaveAccessibleName('60 of 60 continuations')
    await grove.session.show('Branches')
    await grove.branches.mode('All')
    await graphCount(seen, 61)
    await expect(grove.branches.tips).toHaveCount(60)
  },
}

/** omp goes on at the last line, and that is told; reading starts where the conversation is. */
function deadEnd(text: string): Look {
  return async seen => {
    const { grove } = seen
    await seen.transcript([
      `An odd file: ${seen.odd.kind}.`,
      'It is read like any other',
      'The real conversation goes on here.',
      'And ends here: this is the newest tip with messages.',
    ])
    const banner = grove.transcript.region.getByRole('status').filter({ hasText: 'another branch' })
    await expect(banner).toContainText(`omp would resume “${text}”`)
    await grove.session.show('Branches')
    await expect(grove.branches.tips).toHaveText([
      new RegExp(`^${text}1 own, 5 on path.*no messages.*omp resumes here`),
      /^And ends here.*2 own, 6 on path.*shown$/,
    ])
    // The entry that omp goes on from is told, though the filter hides its row.
    await expect(grove.branches.chosen).toContainText(text)
    await grove.branches.mode('All')
    await expect(grove.branches.current).toContainText(text)
    await expect(grove.branches.current).toContainText('omp resumes here')
    await seen.health([])
    await grove.session.show('Transcript')
    await banner.getByRole('button', { name: 'Show omp’s branch' }).press('Enter')
    await expect(grove.transcript.row('The real conversation goes on here.')).toHaveCount(0)
    await expect(banner).toHaveCount(0)
  }
}

const shown: Looks = {
  'last line is an exit marker far from the tip': deadEnd('omp ended'),
  'last line is a late label': deadEnd('late'),
  'inner nodes that filters hide': async seen => {
    const { grove } = seen
    await grove.session.show('Branches')
    // Each visible row is named with its lane, whatever stands between: two ways part, and none is lost.
    for (const [mode, prompts] of [
      ['Prompts', 1],
      ['No tools', 1],
      ['Labelled', 0],
    ] as const) {
      await grove.branches.mode(mode)
      await expect(grove.branches.rows.first()).toBeVisible()
      await expect(grove.branches.rows.filter({ hasText: /^Branch \d+You/ })).toHaveCount(prompts)
    }
    await expect(grove.branches.rows).toHaveText([/mark 2/, /mark 0/])
    await grove.branches.mode('No tools')
    await expect(grove.branches.rows.filter({ hasText: 'The other way' })).toContainText('Branch 1')
    await grove.branches.mode('All')
    await grove.branches.region.getByRole('button', { name: 'Unfold all' }).press('Enter')
    await graphCount(seen, Number(seen.odd.expect.entryCount))
    await grove.branches.region.getByRole('button', { name: 'Fold', exact: true }).press('Enter')
  },
}

const PARENT = 'parent of the forks'

/** A fork with its parent, or with what it names in its place. */
function fork(words: string | null): Look {
  return async seen => {
    const { grove, odd } = seen
    await seen.rowSays(odd.kind, 'odd-tree', 'no answer yet')
    await seen.transcript(['An odd file', 'It is read like any other', 'Something only the fork has.'])
    await grove.session.show('Details')
    if (words === null) {
      const line = grove.details.relatives.filter({ hasText: 'parent not found' })
      await expect(line).toHaveCount(1)
      await expect(line.getByRole('button')).toHaveCount(0)
      await expect(seen.row.getByTitle(/not in the library/)).toBeVisible()
    } else {
      await expect(grove.session.origin(`${words} ${PARENT}`)).toBeVisible()
      await expect(grove.details.relative('Parent', PARENT)).toBeVisible()
    }
  }
}

const forks: Looks = {
  'a parent with forks': async seen => {
    await expect(seen.grove.session.heading(PARENT)).toBeVisible()
    await seen.health([])
    await expect(seen.grove.details.relatives).toHaveCount(Number(seen.odd.expect.forks))
    await expect(seen.grove.details.part('Identity')).toContainText('Was at')
  },
  'fork by id': fork('Forked from'),
  'fork by path': fork('Branched from'),
  'fork by a path through a symlink': fork('Branched from'),
  'fork by a path before the parent moved': fork('Branched from'),
  'fork of a deleted parent': fork(null),
  'fork of a deleted file': fork(null),
}

walkSection('Trees', { ...broken, ...large, ...shown, ...forks })
