import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = import.meta.dirname ?? process.cwd()

export default defineConfig({
  resolve: { alias: { '@shared': resolve(root, 'src-shared') } },
  test: {
    include: ['src-*/**/*.test.{ts,tsx}', 'bench/**/*.test.ts', 'scripts/**/*.test.mjs'],
    environment: 'node',
    // Style sheets are empty for tests, but not for the one that reads them as text.
    css: { include: [/\?raw$/] },
    testTimeout: 60_000,
    allowOnly: false,
    retry: 0,
  },
})
