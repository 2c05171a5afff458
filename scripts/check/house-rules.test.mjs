import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkFile, checkTree } from './house-rules.mjs'

// Put together, so that this file does not break the rule itself.
const HOST = ['registry', 'npmjs', 'org'].join('.')

/** Messages for a file, without their lines. */
const messages = (path, text, bridge) => checkFile(path, text, bridge).map(({ message }) => message)

const VIOLATIONS = [
  ['a long file', 'src-main/a.ts', 'const a = 1\n'.repeat(501), 'more than 500 lines'],
  ['a long style sheet', 'src-renderer/a.css', 'a {}\n'.repeat(501), 'more than 500 lines'],
  ['a default function', 'src-main/a.ts', 'export default function a() {}', 'default export'],
  ['a default value', 'scripts/a.mjs', 'export default 1', 'default export'],
  ['a default by name', 'src-main/a.ts', 'const a = 1\nexport { a as default }', 'default export'],
  ['a barrel', 'src-main/a.ts', "export { b } from './b'\nexport * from './c'", 'barrel'],
  ['a barrel in two steps', 'src-main/a.ts', "import { b } from './b'\nexport { b }", 'barrel'],
  ['a skipped test', 'src-main/a.test.ts', "it.skip('x', () => {})", 'skipped without'],
  ['a test skipped always', 'e2e/specs/a.spec.ts', "test.skip(true, 'broken')", 'skipped without'],
  ['a bare skip', 'src-main/a.test.ts', "it('x', ctx => ctx.skip())", 'skipped without'],
  ['a single test', 'src-main/a.test.ts', "it.only('x', () => {})", 'marked .only'],
  ['a single group', 'e2e/specs/a.spec.ts', "test.describe.only('x', () => {})", 'marked .only'],
  ['a skip that gives no reason', 'src-main/a.test.ts', "it.skipIf(true)('x', () => {})", 'marked .skipIf'],
  ['a test to come', 'src-main/a.test.ts', "it.todo('x')", 'marked .todo'],
  ['a fixed wait', 'e2e/specs/a.spec.ts', 'await page.waitForTimeout(100)', 'waits for a time'],
  ['an unfinished line', 'src-main/a.ts', '// TODO mend this\nconst a = 1', 'unfinished'],
  ['a silenced compiler', 'src-main/a.ts', '// @ts-ignore it works\nconst a = 1', 'silences'],
  ['a file in camel case', 'src-main/fileName.ts', 'const a = 1', 'kebab-case'],
  ['a folder in capitals', 'src-main/Engine/a.ts', 'const a = 1', 'kebab-case'],
  ['a registry', 'docs/a.md', `see https://${HOST}/x`, 'host of a package registry'],
  [
    'a lock file with addresses',
    'package-lock.json',
    '"resolved": "https://example.test/x"',
    'host of a package',
  ],
  ['a bare cast', 'src-main/a.ts', 'const a = b\nconst c = a as string', 'cast'],
  ['a bare cast in markup', 'src-renderer/ui/a.tsx', 'const A = () => <b>{a as string}</b>', 'cast'],
]

const CLEAN = [
  ['500 lines', 'src-main/a.ts', 'const a = 1\n'.repeat(500)],
  ['a tool configuration', 'vitest.config.ts', 'export default {}'],
  ['a module that re-exports and does more', 'src-main/a.ts', "export { b } from './b'\nexport const c = 1"],
  ['a module of types', 'src-main/a.ts', 'export type A = string'],
  ['a skip with condition and reason', 'e2e/specs/a.spec.ts', "test.skip(!isLinux, 'needs /proc')"],
  ['a skip with a note', 'src-main/a.test.ts', "it('x', ctx => ctx.skip('no such device'))"],
  ['a word in a text', 'src-main/a.ts', "const a = 'TODO'\nconst b = `FIXME`"],
  ['a command registry', 'src-renderer/commands/a.ts', 'const a = registry.commands.find(b)'],
  ['as const', 'src-main/a.ts', 'const a = [1] as const'],
  ['an import by another name', 'src-main/a.ts', "import { a as b } from './a'\nb()"],
  ['a cast explained on its line', 'src-main/a.ts', 'const a = b as string // checked above'],
  ['a cast explained before', 'src-main/a.ts', '// checked above\nconst a = b as string'],
  [
    'a cast explained before its statement',
    'src-main/a.ts',
    '// checked above\nconst a = f(\n  1,\n  b as string,\n)',
  ],
  ['a style sheet', 'src-renderer/ui/a.module.css', 'a { color: var(--b) }'],
]

describe('house rules', () => {
  it.each(VIOLATIONS)('report %s', (_, path, text, said) => {
    const found = messages(path, text)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(said)
  })

  it.each(CLEAN)('accept %s', (_, path, text) => {
    expect(messages(path, text)).toEqual([])
  })

  it('name the line', () => {
    expect(checkFile('src-main/a.ts', '\nconst c = a as string')).toEqual([
      { line: 2, message: expect.stringContaining('cast') },
    ])
  })

  it('keep the bridge to src-renderer/api', () => {
    const text = 'const a = window.grove.call'
    expect(messages('src-renderer/stores/a.ts', text, 'grove')).toEqual([
      'only src-renderer/api may mention the bridge',
    ])
    expect(messages('src-renderer/app/a.ts', "globalThis?.['grove']", 'grove')).toHaveLength(1)
    expect(messages('src-renderer/api/a.ts', text, 'grove')).toEqual([])
    expect(messages('src-renderer/stores/a.ts', 'const a = window.groveX', 'grove')).toEqual([])
  })

  it('read the name of the bridge from the preload script, and skip what is not ours', () => {
    const root = mkdtempSync(join(tmpdir(), 'grove-house-'))
    const write = (file, text) => {
      mkdirSync(join(root, file, '..'), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    try {
      write('src-main/preload/preload.ts', "contextBridge.exposeInMainWorld('bridge', {})")
      write('src-renderer/app/a.ts', 'window.bridge.call()')
      write('node_modules/x/index.js', 'export default 1')
      const { violations, files } = checkTree(root)
      expect(violations).toEqual(['src-renderer/app/a.ts:1: only src-renderer/api may mention the bridge'])
      expect(files).toBe(2)
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })
})
