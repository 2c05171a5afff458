/**
 * A session with draft, artifacts and pictures, on the real operations of the library, against a small model: whatever is asked
 * of it, and whatever others do to its files meanwhile, every line, every artifact and every picture is where it belongs.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { apply, command } from './session-commands.test-support'
import { LibraryWorld, START_NAMES } from './session-world.test-support'

/** Deterministic unless a seed is given: a failure is told with its seed, and can be run again with it. */
const seed = Number(process.env.GROVE_SEED ?? 20_261_130)
const runs = Number(process.env.GROVE_RUNS ?? 25)

const modes = (['refuse', 'join'] as const).flatMap(sharing =>
  [false, true].map(asks => ({ sharing, asks, who: asks ? 'asks who has it' : 'asks nobody' })),
)

describe.each(modes)('a session in a library, with others: $sharing, $who', ({ sharing, asks }) => {
  it.each(START_NAMES)('works on %s as the model does', { timeout: 300_000 }, async start => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 25 }), async commands => {
        const world = new LibraryWorld({ start, sharing, asks })
        try {
          world.check('at the start')
          for (const [at, one] of commands.entries()) {
            await apply(world, one)
            world.check(`after ${at}: ${JSON.stringify(one).slice(0, 200)}`)
          }
        } finally {
          world.env.remove()
        }
      }),
      // The three starts share them.
      { seed, numRuns: Math.max(1, Math.ceil(runs / 3)) },
    )
  })
})

describe('what another program adds before a move', () => {
  it.each(modes)('comes along, once nobody can be at work: $sharing, $who', async ({ sharing, asks }) => {
    const world = new LibraryWorld({ start: 'a file of another program', sharing, asks })
    try {
      const command = { do: 'outside line', what: 'record', at: 1, ends: true } as const
      await apply(world, { do: 'session', command })
      const layout = world.far
      // Where it is asked before each change, the model's clock is past that moment already.
      const early = asks ? null : await world.manager.moveTo(world.folders[1] ?? '', { layout })
      if (early !== null) expect(early).toMatchObject({ ok: false, error: { code: 'in-use' } })
      world.check('before the move')
      await apply(world, { do: 'move', folder: 1, root: 'far', after: null })
      world.check('after the move')
      expect(world.model.lines).toHaveLength(7)
    } finally {
      world.env.remove()
    }
  })
})
