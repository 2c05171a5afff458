/** Times that are wrong, missing, in other units, or out of order. */

export function addOddTimes(odd) {
  const add = (kind, timestamps, expect = {}, options = {}) => {
    const s = odd.writer(kind, { settings: false })
    const sane = s.iso()
    for (const [i, timestamp] of timestamps.entries()) {
      const value = timestamp === 'sane' ? s.wait(60).iso() : timestamp
      s.entry(
        'message',
        {
          message: {
            role: i % 2 ? 'assistant' : 'user',
            content: [{ type: 'text', text: `${kind}: entry ${i + 1}` }],
            ...(i % 2 ? { stopReason: 'stop' } : {}),
          },
        },
        { timestamp: value },
      )
    }
    odd.add('Meaning', kind, s, {
      expect: { lastSaneTime: timestamps.includes('sane') ? s.iso() : sane, ...expect },
      ...options,
    })
  }
  const start = odd.library.ago({ days: 60 })
  const plain = new Date(start).toISOString()
  add(
    'a time in the year 2099',
    ['sane', 'sane', '2099-01-01T00:00:00.000Z'],
    {},
    { note: 'clamped: must not be the newest session' },
  )
  add('not a date', ['sane', 'not a date'])
  add('epoch 0', ['sane', '1970-01-01T00:00:00.000Z', 0])
  add('seconds instead of milliseconds', ['sane', Math.floor(start / 1000)], { lastSaneTime: undefined })
  add('numbers as text', ['sane', String(start)], { lastSaneTime: undefined })
  add('no times at all', [undefined, undefined, null], { lastSaneTime: undefined })
  add(
    'times out of order',
    ['sane', '2026-09-01T00:00:00.000Z', 'sane', '2026-08-01T00:00:00.000Z'],
    { lastSaneTime: undefined },
    { note: 'order by the last entry in the file' },
  )
  add(
    'touched today',
    [plain, plain],
    { lastSaneTime: plain, mtimeIsNewer: true },
    { at: odd.library.now, note: 'mtime alone never decides' },
  )
}
