/** Every section of docs/format.md that the code names is there. */
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../..')

it('names only sections that exist', () => {
  const text = fs.readFileSync(path.join(ROOT, 'docs/format.md'), 'utf8')
  const sections = new Set([...text.matchAll(/^## (.+)$/gm)].map(match => match[1]))
  const named: string[] = []
  for (const folder of ['src-shared', 'src-main', 'src-renderer']) {
    for (const name of fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(name) || name.endsWith('format-citations.test.ts')) continue
      const source = fs.readFileSync(path.join(ROOT, folder, name), 'utf8')
      // "docs/format.md, Session files and Artifact directory." names two.
      for (const [, sections = ''] of source.matchAll(/docs\/format\.md, ([A-Z][A-Za-z ]+)/g))
        named.push(...sections.split(' and ').map(section => section.trim()))
    }
  }
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(section => !sections.has(section))).toEqual([])
})
