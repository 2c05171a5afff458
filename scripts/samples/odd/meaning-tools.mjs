/** Tool calls and results that do not match. */

const call = (id, name = 'bash') => ({ type: 'toolCall', id, name, arguments: { command: `echo ${id}` } })
const output = text => [{ type: 'text', text }]

export function addOddTools(odd) {
  const add = (kind, fill, expect = {}, note) => {
    const s = odd.writer(kind)
    s.user(`Tools: ${kind}.`)
    fill(s)
    odd.add('Meaning', kind, s, { expect, note })
  }
  add(
    'a result without its call',
    s => s.result({ id: 'nobody', name: 'bash', content: output('I answer nobody') }),
    { resultsWithoutCall: 1, pairedCalls: 0 },
  )
  add('a call without a result', s => s.assistant([call('unanswered')], { stop: 'toolUse' }), {
    callsWithoutResult: 1,
    pairedCalls: 0,
  })
  add(
    'two results for one call',
    s => {
      s.assistant([call('twice')], { stop: 'toolUse' })
      s.result({ id: 'twice', name: 'bash', content: output('first answer') })
      s.result({ id: 'twice', name: 'bash', content: output('second answer') })
    },
    { pairedCalls: 1, extraResults: 1 },
  )
  add('a result before its call', s => {
    s.result({ id: 'early', name: 'bash', content: output('too early') })
    s.assistant([call('early')], { stop: 'toolUse' })
    s.say('Done.')
  })
  add(
    'the same call id on two branches',
    s => {
      const fork = s.leaf
      s.assistant([call('shared')], { stop: 'toolUse' })
      s.result({ id: 'shared', name: 'bash', content: output('answer on the first branch') })
      s.from(fork)
      s.assistant([call('shared')], { stop: 'toolUse' })
      s.result({ id: 'shared', name: 'bash', content: output('answer on the second branch') })
    },
    { pairedCalls: 2, callsWithoutResult: 0 },
    'never paired across branches',
  )
  add(
    'a call on one branch, its result on another',
    s => {
      const fork = s.leaf
      s.assistant([call('apart')], { stop: 'toolUse' })
      s.from(fork).result({ id: 'apart', name: 'bash', content: output('on the other branch') })
    },
    { pairedCalls: 0, callsWithoutResult: 1, resultsWithoutCall: 1 },
  )
}
