/** Times that are wrong, missing, in other units, or out of order. */

export function addOddTimes(odd) {
  const { library } = odd
  /** Entries with these timestamps; `true` stands for the time it is. `last`: the newest sane one, when that is certain. */
  const add = (kind, timestamps, { last, expect = {}, ...options } = {}) => {
    const s = odd.writer(kind, { settings: false })
    let sane
    for (const [i, timestamp] of timestamps.entries()) {
      const value = timestamp === true ? s.wait(60).iso() : timestamp
      if (timestamp === true) sane = value
      const content = [{ type: 'text', text: `${kind}: entry ${i + 1}` }]
      const message = i % 2 ? { role: 'assistant', content, stopReason: 'stop' } : { role: 'user', content }
      s.entry('message', { message }, { timestamp: value })
    }
    odd.add('Meaning', kind, s, { expect: { lastSaneTime: last ?? sane, ...expect }, ...options })
  }
  const then = library.ago({ days: 60 })
  const iso = days => new Date(library.ago({ days })).toISOString()
  const note = 'clamped: must not become the newest session'
  add('a time in the year 2099', [true, true, '2099-01-01T00:00:00.000Z'], { note })
  add('not a date', [true, 'not a date'])
  add('epoch 0', [true, '1970-01-01T00:00:00.000Z', 0])
  add('seconds instead of milliseconds', [true, Math.floor(then / 1000)], { last: iso(60) })
  add('numbers as text', [true, String(then)], { last: iso(60) })
  add('no times at all', [undefined, undefined, null])
  add('times out of order', [true, iso(80), true, iso(110)], {
    last: iso(110),
    note: 'ordered by the last entry in the file',
  })
  const touched = { mtimeIsNewer: true }
  add('touched today', [iso(60), iso(60)], {
    last: iso(60),
    expect: touched,
    at: library.now,
    note: 'mtime alone never decides',
  })
}
