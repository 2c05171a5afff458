import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LAYERS } from './layer-table.mjs'
import { checkLayers } from './layers.mjs'

/** A tree that keeps to every row: each layer uses what its row allows. */
const CLEAN = {
  'src-shared/limits.ts': `import { z } from 'zod'\nexport const LIMIT = z.number()`,
  'src-main/node-globals.ts': `import 'node:crypto'`,
  'src-main/engine/store.ts': `import 'node:fs'\nimport { v7 } from 'uuid'\nimport { LIMIT } from '@shared/limits'\nexport const store = [v7, LIMIT]`,
  'src-main/engine/store.test.ts': `import fc from 'fast-check'\nimport { it } from 'vitest'\nimport 'node:os'\nimport { store } from './store'\nit('', () => [fc, store])`,
  'src-main/library/catalog.ts': `import '@parcel/watcher'\nimport '@photostructure/sqlite'\nimport { store } from '../engine/store'\nexport const catalog = store`,
  'src-main/workers/worker-entry.ts': `import '../node-globals'\nimport 'node:worker_threads'\nimport { catalog } from '../library/catalog'\nexport const worker = catalog`,
  'src-main/shell/main.ts': `import { app } from 'electron'\nimport 'node:path'\nimport { worker } from '../workers/worker-entry'\nexport const shell = [app, worker]`,
  'src-main/cli/cli-entry.ts': `import 'node:process'\nimport { catalog } from '../library/catalog'\nexport const cli = catalog`,
  'src-main/preload/preload.ts': `import { ipcRenderer } from 'electron'\nexport const bridge = ipcRenderer`,
  'src-renderer/api/client.ts': `import { LIMIT } from '@shared/limits'\nexport type Client = typeof LIMIT\nexport const client = LIMIT`,
  'src-renderer/stores/list-store.ts': `import { createStore } from 'zustand'\nimport type { Client } from '../api/client'\nexport const makeList = (client: Client) => [createStore, client]`,
  'src-renderer/stores/stores-context.tsx': `import { createContext } from 'react'\nimport { makeTree } from './tree-store'\nexport const StoresContext = [createContext, makeTree]`,
  'src-renderer/stores/tree-store.ts': `export const makeTree = 1`,
  'src-renderer/commands/registry.ts': `import { makeList } from '../stores/list-store'\nimport type { Client } from '../api/client'\nexport const registry = (c: Client) => makeList(c)`,
  'src-renderer/ui/button.tsx': `import { useId } from 'react'\nimport { Dialog } from 'radix-ui'\nimport { X } from 'lucide-react'\nexport const Button = [useId, Dialog, X]`,
  'src-renderer/features/trash/trash-view.tsx': `import Markdown from 'react-markdown'\nimport { Button } from '../../ui/button'\nimport { registry } from '../../commands/registry'\nimport type { Client } from '../../api/client'\nexport const Trash = (c: Client) => [Button, registry, Markdown, c]`,
  'src-renderer/features/search/search-view.tsx': `export const Search = 1`,
  'src-renderer/app/app.tsx': `import { createRoot } from 'react-dom/client'\nimport '@fontsource-variable/inter'\nimport { client } from '../api/client'\nimport { Trash } from '../features/trash/trash-view'\nexport const App = [createRoot, client, Trash]`,
  'e2e/specs/open.spec.ts': `import { test } from 'playwright/test'\nimport 'node:os'\nimport { LIMIT } from '../../src-shared/limits'\nexport const open = [test, LIMIT]`,
  'bench/scan.ts': `import 'node:fs'\nimport { thing } from '../scripts/thing.mjs'\nexport const scan = thing`,
  'scripts/thing.mjs': `import 'node:fs'\nexport const thing = 1`,
  'scripts/interop/driver.ts': `import 'node:fs'\nimport { LIMIT } from '@shared/limits'\nimport { SessionManager } from '../../src-main/engine/session/session-manager'\nexport const driver = [LIMIT, SessionManager]`,
  'src-main/engine/session/session-manager.ts': `export const SessionManager = 1`,
  'scripts/electron-default-app/main.js': `const { app } = require('electron')\nmodule.exports = app`,
}

/** A violation or more for each row: layer, file of the layer, import, and what is said of it. */
const VIOLATIONS = [
  ['shared', 'src-shared/bad.ts', `import 'node:fs'`, "shared may not use Node.js's modules"],
  ['shared', 'src-shared/bad.ts', `import { app } from 'electron'`, 'electron belongs to'],
  ['shared', 'src-shared/bad.ts', `import 'react'`, 'shared may not use react'],
  [
    'shared',
    'src-shared/bad.ts',
    `import type { store } from '../src-main/engine/store'`,
    'may not import engine',
  ],
  ['engine', 'src-main/engine/bad.ts', `import { app } from 'electron'`, 'electron belongs to'],
  ['engine', 'src-main/engine/bad.ts', `import { z } from 'zod'`, 'engine may not use zod'],
  [
    'engine',
    'src-main/engine/bad.ts',
    `import type { catalog } from '../library/catalog'`,
    'may not import library',
  ],
  ['engine', 'src-main/engine/bad.ts', `import 'vitest'`, 'engine may not use vitest'],
  ['engine', 'src-main/engine/bad.ts', `import './store.test'`, 'only tests may import a test file'],
  ['library', 'src-main/library/bad.ts', `export { shell } from '../shell/main'`, 'may not import shell'],
  ['library', 'src-main/library/bad.ts', `import 'uuid'`, 'library may not use uuid'],
  ['workers', 'src-main/workers/bad.ts', `const e = await import('electron')`, 'electron belongs to'],
  ['shell', 'src-main/shell/bad.ts', `import { cli } from '../cli/cli-entry'`, 'shell may not import cli'],
  ['shell', 'src-main/shell/bad.ts', `import 'zod'`, 'shell may not use zod'],
  ['cli', 'src-main/cli/bad.ts', `import type { App } from 'electron'`, 'electron belongs to'],
  ['cli', 'src-main/cli/bad.ts', `import { shell } from '../shell/main'`, 'cli may not import shell'],
  [
    'preload',
    'src-main/preload/bad.ts',
    `import type { LIMIT } from '@shared/limits'`,
    'preload may not import shared',
  ],
  ['preload', 'src-main/preload/bad.ts', `import 'node:fs'`, "preload may not use Node.js's modules"],
  ['globals', 'src-main/bad.ts', `import { store } from './engine/store'`, 'globals may not import engine'],
  [
    'api',
    'src-renderer/api/bad.ts',
    `import { makeTree } from '../stores/tree-store'`,
    'api may not import stores',
  ],
  ['api', 'src-renderer/api/bad.ts', `import 'react'`, 'api may not use react'],
  [
    'contexts',
    'src-renderer/stores/stores-context.tsx',
    `import { Dialog } from 'radix-ui'`,
    'contexts may not use radix-ui',
  ],
  ['stores', 'src-renderer/stores/bad.ts', `import { client } from '../api/client'`, 'only types from api'],
  ['stores', 'src-renderer/stores/bad-store.ts', `import { makeTree } from './tree-store'`, 'another store'],
  ['stores', 'src-renderer/stores/bad.ts', `import { useState } from 'react'`, 'stores may not use react'],
  ['commands', 'src-renderer/commands/bad.ts', `import { Button } from '../ui/button'`, 'may not import ui'],
  [
    'commands',
    'src-renderer/commands/bad.ts',
    `import { client } from '../api/client'`,
    'only types from api',
  ],
  ['ui', 'src-renderer/ui/bad.ts', `import { LIMIT } from '@shared/limits'`, 'ui may not import shared'],
  ['ui', 'src-renderer/ui/bad.ts', `import 'zustand'`, 'ui may not use zustand'],
  [
    'features',
    'src-renderer/features/search/bad.ts',
    `import type { Trash } from '../trash/trash-view'`,
    'another',
  ],
  [
    'features',
    'src-renderer/features/search/bad.ts',
    `import { client } from '../../api/client'`,
    'only types from api',
  ],
  [
    'features',
    'src-renderer/features/search/bad.ts',
    `import { App } from '../../app/app'`,
    'may not import app',
  ],
  [
    'features',
    'src-renderer/features/search/bad.ts',
    `import 'node:fs'`,
    "features may not use Node.js's modules",
  ],
  ['app', 'src-renderer/app/bad.ts', `import { app } from 'electron'`, 'electron belongs to'],
  [
    'app',
    'src-renderer/app/bad.ts',
    `import type { store } from '../../src-main/engine/store'`,
    'may not import engine',
  ],
  [
    'e2e',
    'e2e/specs/bad.ts',
    `import { catalog } from '../../src-main/library/catalog'`,
    'may not import library',
  ],
  ['e2e', 'e2e/specs/bad.ts', `import { App } from '../../src-renderer/app/app'`, 'e2e may not import app'],
  [
    'bench',
    'bench/bad.ts',
    `import { worker } from '../src-main/workers/worker-entry'`,
    'may not import workers',
  ],
  [
    'scripts',
    'scripts/bad.mjs',
    `import { LIMIT } from '../src-shared/limits'`,
    'scripts may not import shared',
  ],
  ['scripts', 'scripts/bad.mjs', `import 'electron'`, 'electron belongs to'],
  [
    'interop',
    'scripts/interop/bad.ts',
    `import { store } from '../../src-main/engine/store'`,
    'interop may not import engine',
  ],
  ['interop', 'scripts/interop/bad.ts', `import { thing } from '../thing.mjs'`, 'may not import scripts'],
  [
    'loader',
    'scripts/electron-default-app/bad.js',
    `require('../thing.mjs')`,
    'loader may not import scripts',
  ],
  ['(none)', 'src-main/other/bad.ts', `import 'node:fs'`, 'belongs to no layer'],
]

const root = mkdtempSync(join(tmpdir(), 'grove-layers-'))

function write(file, text) {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), `${text}\n`)
}

beforeAll(() => {
  for (const [file, text] of Object.entries(CLEAN)) write(file, text)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe('layers', () => {
  it('finds nothing in a tree that keeps to the table', async () => {
    const { violations, modules, imports } = await checkLayers(root)
    expect(violations).toEqual([])
    expect(modules).toBe(Object.keys(CLEAN).length)
    expect(imports).toBeGreaterThan(modules)
  })

  it.each(VIOLATIONS)('%s: %s with %s', async (_, file, text, said) => {
    write(file, text)
    try {
      const { violations } = await checkLayers(root)
      expect(violations.length).toBeGreaterThan(0)
      for (const violation of violations) {
        expect(violation.startsWith(`${file}: `)).toBe(true)
        expect(violation).toContain(said)
      }
    } finally {
      rmSync(join(root, file))
    }
  })

  it('has a violation for every row', () => {
    const rows = new Set(VIOLATIONS.map(([layer]) => layer))
    expect(LAYERS.map(({ name }) => name).filter(name => !rows.has(name))).toEqual([])
  })

  it('refuses to pass a tree without sources', async () => {
    await expect(checkLayers(root, ['no-such-folder'])).rejects.toThrow('found no source file')
  })
})
