import { resolve } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

const root = import.meta.dirname ?? process.cwd()

const TESTS = ['src-*/**/*.test.{ts,tsx}', 'bench/**/*.test.ts', 'scripts/**/*.test.mjs']
/** Start programs named omp, which the commands of other tests would see and be careful of: they run after those. */
const STARTING_OMP = ['src-main/engine/in-use/in-use.test.ts']

export default defineConfig({
  resolve: { alias: { '@shared': resolve(root, 'src-shared') } },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'usual', include: TESTS, exclude: [...configDefaults.exclude, ...STARTING_OMP] },
      },
      { extends: true, test: { name: 'omp', include: STARTING_OMP, sequence: { groupOrder: 1 } } },
    ],
    environment: 'node',
    // Style sheets are empty for tests, but not for the one that reads them as text.
    css: { include: [/\?raw$/] },
    testTimeout: 60_000,
    allowOnly: false,
    retry: 0,
  },
})
