/** Trees that are no trees: duplicate ids, cycles, holes; and very long, wide and branched ones. */
import { bash } from '../tool-calls.mjs'

const message = (id, parentId, text, s) => ({
  type: 'message',
  id,
  parentId,
  timestamp: s.wait(5).iso(),
  message: { role: 'user', content: [{ type: 'text', text }], timestamp: s.clock },
})

/** A writer with only the given `[id, parentId]` pairs, no settings. */
function pairs(odd, kind, list) {
  const s = odd.writer(kind, { settings: false })
  for (const [id, parentId] of list) s.push(message(id, parentId, `${kind}: ${id}`, s))
  return s
}

function broken(odd) {
  const add = (kind, list, expect, note) => odd.add('Trees', kind, pairs(odd, kind, list), { expect, note })
  add(
    'duplicate id, the second with another parent',
    [
      ['a', null],
      ['b', 'a'],
      ['c', 'b'],
      ['b', 'c'],
      ['d', 'b'],
    ],
    { leafId: 'd', problems: ['duplicate-id'] },
    'every entry exactly once',
  )
  add(
    'duplicate id, one a root, one a descendant',
    [
      ['a', null],
      ['b', 'a'],
      ['a', 'b'],
      ['c', 'a'],
    ],
    { leafId: 'c', problems: ['duplicate-id'] },
    'building the tree must end',
  )
  add(
    'self-parent',
    [
      ['a', null],
      ['b', 'a'],
      ['s', 's'],
      ['t', 's'],
    ],
    { roots: ['a', 's'], leafId: 't', problems: ['self-parent'] },
  )
  add(
    'cycle of two',
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
    { roots: [], leafId: 'b', problems: ['cycle'] },
  )
  add(
    'cycle of three',
    [
      ['a', 'c'],
      ['b', 'a'],
      ['c', 'b'],
    ],
    { roots: [], leafId: 'c', problems: ['cycle'] },
  )
  add(
    'a cycle that no root reaches',
    [
      ['a', null],
      ['b', 'a'],
      ['x', 'z'],
      ['y', 'x'],
      ['z', 'y'],
      ['w', 'z'],
    ],
    { roots: ['a'], tips: ['b', 'w'], leafId: 'w', problems: ['cycle'] },
  )
  add(
    'missing parent',
    [
      ['a', null],
      ['b', 'a'],
      ['c', 'gone'],
    ],
    { roots: ['a', 'c'], tips: ['b', 'c'], problems: ['missing-parent'] },
  )
  add(
    'a hole in the middle of a chain',
    [
      ['a', null],
      ['b', 'a'],
      ['d', 'c'],
      ['e', 'd'],
      ['f', 'e'],
    ],
    { roots: ['a', 'd'], tips: ['b', 'f'], path: ['d', 'e', 'f'], problems: ['missing-parent'] },
    'the tail is a segment of its own',
  )
  add(
    'several roots',
    [
      ['a', null],
      ['b', 'a'],
      ['c', null],
      ['d', 'c'],
      ['e', null],
    ],
    { roots: ['a', 'c', 'e'], branchPoints: { null: ['a', 'c', 'e'] }, tips: ['b', 'd', 'e'] },
  )
  const twice = odd.talk('every line written twice')
  const once = twice.build()
  const doubled = once.bytes.toString().replace(/[^\n]*\n/g, '$&$&')
  odd.add('Trees', 'every line written twice', doubled, {
    expect: { title: once.title, entryCount: 4, damagedLines: 0, problems: ['repeated-record'] },
  })
}

function large(odd) {
  const chain = odd.size(2_000, 20_000)
  const wide = { 'a long chain': chain, ...(odd.fullSize ? { 'a very long chain': 100_000 } : {}) }
  for (const [kind, length] of Object.entries(wide)) {
    odd.add(
      'Trees',
      kind,
      pairs(
        odd,
        kind,
        Array.from({ length }, (_, i) => [`n${i}`, i ? `n${i - 1}` : null]),
      ),
      {
        expect: { tipCount: 1, pathLength: length },
        note: odd.fullSize ? null : '--full-size: 20,000 and 100,000 entries',
      },
    )
  }
  const branches = 500
  const list = [['trunk', null]]
  for (let i = 0; i < branches; i++) list.push([`p${i}`, i ? `p${i - 1}` : 'trunk'], [`tip${i}`, `p${i}`])
  odd.add('Trees', '500 branches', pairs(odd, '500 branches', list), { expect: { tipCount: branches } })
  const children = Array.from({ length: 60 }, (_, i) => [`c${i}`, 'a'])
  odd.add(
    'Trees',
    '60 children of one entry',
    pairs(odd, '60 children of one entry', [['a', null], ...children]),
    { expect: { tipCount: 60, branchPoints: { a: children.map(([id]) => id) } } },
  )
}

function deadEnds(odd) {
  for (const [kind, end] of [
    ['last line is an exit marker far from the tip', s => s.exit()],
    ['last line is a late label', (s, id) => s.label(id, 'late')],
  ]) {
    const s = odd.talk(kind)
    const early = s.leaf
    s.user('The real conversation goes on here.')
    const newest = s.say('And ends here: this is the newest tip with messages.')
    s.from(early)
    end(s, early)
    odd.add('Trees', kind, s, {
      expect: { leafId: s.leaf, newestMessageTip: newest, tips: [newest, s.leaf] },
    })
  }
  const hidden = odd.talk('inner nodes that filters hide')
  for (let i = 0; i < 4; i++) {
    hidden.step({ calls: [bash(`echo ${i}`, String(i))] })
    if (i % 2 === 0) hidden.label(hidden.leaf, `mark ${i}`)
  }
  const fork = hidden.leaf
  hidden.say('One way.')
  hidden.from(fork)
  for (let i = 0; i < 3; i++) hidden.custom('noise', { i })
  hidden.say('The other way, behind three hidden entries.')
  odd.add('Trees', 'inner nodes that filters hide', hidden, {
    note: 'visible nodes hang off their nearest visible ancestor',
  })
}

export function addOddTrees(odd) {
  broken(odd)
  large(odd)
  deadEnds(odd)
}
