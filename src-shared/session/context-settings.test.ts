import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pathOf, said, settingEntry } from './context.test-support'
import { contextSettings } from './context-settings'
import type { JsonObject } from './json'

const text = (value: unknown) => (typeof value === 'string' ? value : null)

/** The rules read one by one, each from the whole path. */
function settingsByRule(path: readonly JsonObject[]) {
  const last = (type: string) => path.filter(record => record.type === type).pop()
  const thinking = last('thinking_level_change')
  const mode = last('mode_change')
  const changes = path.filter(({ type, model }) => type === 'model_change' && text(model))
  const isDefault = (record: JsonObject) => (text(record.role) ?? 'default') === 'default'
  const firstDefault = path.indexOf(changes.find(isDefault) ?? {})
  const answers = (firstDefault === -1 ? path : path.slice(0, firstDefault))
    .filter(({ type }) => type === 'message')
    .map(({ message }): [string, unknown] => ['default', `y/${String(Object(message).model)}`])
  const told = changes.map(({ role, model }): [string, unknown] => [text(role) ?? 'default', model])
  const rules = path
    .filter(({ type }) => type === 'ttsr_injection')
    .flatMap(({ injectedRules }) => (Array.isArray(injectedRules) ? injectedRules : []))
  const data = mode?.data
  return {
    thinkingLevel: text(thinking?.thinkingLevel) ?? 'off',
    configuredThinkingLevel: text(thinking?.configured) ?? text(thinking?.thinkingLevel),
    mode: mode?.mode ?? 'none',
    modeData: data !== undefined && !Array.isArray(data) && typeof data === 'object' ? data : null,
    models: Object.fromEntries([...answers, ...told]),
    injectedTtsrRules: [...new Set(rules.filter(text))],
    serviceTier: last('service_tier_change')?.serviceTier === 'flex' ? { openai: 'flex' } : null,
  }
}

const tierOf = (serviceTier: unknown) =>
  contextSettings(pathOf({ type: 'service_tier_change', serviceTier })).serviceTier

describe('contextSettings', () => {
  it('equals the rules read one by one', () => {
    fc.assert(
      fc.property(fc.array(settingEntry, { maxLength: 20 }), entries => {
        const path = pathOf(...entries)
        expect(contextSettings(path)).toEqual(settingsByRule(path))
      }),
      { numRuns: 500 },
    )
  })

  it('has defaults for a path that says nothing', () => {
    expect(contextSettings([])).toEqual({
      thinkingLevel: 'off',
      configuredThinkingLevel: null,
      serviceTier: null,
      models: {},
      injectedTtsrRules: [],
      mode: 'none',
      modeData: null,
    })
  })

  it('takes the default model from an answer only until it was chosen', () => {
    const path = pathOf(
      said('assistant', { provider: 'a', model: 'early' }),
      { type: 'model_change', model: 'a/small', role: 'smol' },
      said('assistant', { provider: 'a', model: 'later' }),
    )
    expect(contextSettings(path).models).toEqual({ default: 'a/later', smol: 'a/small' })
    const chosen = pathOf(...path, { type: 'model_change', model: 'a/chosen' }, ...path)
    expect(contextSettings(chosen).models).toEqual({ default: 'a/chosen', smol: 'a/small' })
  })

  it('names no model that an answer does not tell', () => {
    expect(contextSettings(pathOf(said('assistant', { model: 'x' }))).models).toEqual({})
  })

  it('keeps a role that is called like a part of every object', () => {
    const { models } = contextSettings(pathOf({ type: 'model_change', model: 'a/b', role: '__proto__' }))
    expect(Object.entries(models)).toEqual([['__proto__', 'a/b']])
  })

  it('reads the tiers of today, without what is no family and no tier', () => {
    expect(tierOf({ openai: 'flex', google: 'fast', azure: 'flex' })).toEqual({ openai: 'flex' })
    expect(tierOf({ google: 'fast' })).toBeNull()
    expect(tierOf(null)).toBeNull()
    expect(tierOf(['flex'])).toBeNull()
  })

  it('reads the single word of older sessions', () => {
    expect(tierOf('priority')).toEqual({ openai: 'priority', anthropic: 'priority', google: 'priority' })
    expect(tierOf('openai-only')).toEqual({ openai: 'priority' })
    expect(tierOf('claude-only')).toEqual({ anthropic: 'priority' })
    for (const word of ['auto', 'default', 'flex', 'scale']) expect(tierOf(word)).toEqual({ openai: word })
    for (const word of ['', 'fast', 'toString', '__proto__']) expect(tierOf(word)).toBeNull()
  })

  it('gives each path tiers of its own', () => {
    const tiers = tierOf('priority')
    if (tiers !== null) tiers.openai = 'flex'
    expect(tierOf('priority')).toMatchObject({ openai: 'priority' })
  })
})
