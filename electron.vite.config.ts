import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const root = import.meta.dirname ?? process.cwd()
const alias = { '@shared': resolve(root, 'src-shared') }

// One build runs on every Electron from 25 (Chrome 114, Node 18.15) to 45. Targets are explicit,
// because electron-vite derives them from the installed `electron` package, not from the runtime used.
const NODE_TARGET = 'node18.15'
const CHROME_TARGET = 'chrome114'
const NATIVE = ['@parcel/watcher', '@photostructure/sqlite']

export default defineConfig({
  main: {
    resolve: { alias },
    build: {
      target: NODE_TARGET,
      outDir: 'out/main',
      // ESM-only dependencies are bundled: the oldest supported main process cannot require them.
      externalizeDeps: false,
      rollupOptions: {
        // Native code is loaded from its package.
        external: NATIVE,
        input: {
          index: resolve(root, 'src-main/shell/main.ts'),
          worker: resolve(root, 'src-main/workers/worker-entry.ts'),
          scan: resolve(root, 'src-main/workers/scan-entry.ts'),
          'index-worker': resolve(root, 'src-main/workers/index-entry.ts'),
          'search-worker': resolve(root, 'src-main/workers/search-entry.ts'),
          'sieve-worker': resolve(root, 'src-main/workers/sieve-entry.ts'),
          cli: resolve(root, 'src-main/cli/cli-entry.ts'),
        },
        output: { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'chunks/[name]-[hash].cjs' },
      },
    },
  },
  preload: {
    build: {
      target: NODE_TARGET,
      outDir: 'out/preload',
      externalizeDeps: false,
      rollupOptions: {
        input: { index: resolve(root, 'src-main/preload/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(root, 'src-renderer'),
    resolve: { alias },
    plugins: [react()],
    build: {
      target: CHROME_TARGET,
      cssTarget: CHROME_TARGET,
      outDir: resolve(root, 'out/renderer'),
      minify: true,
      // Fonts as files: the content security policy allows no data: addresses.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 5000, // kB: read from disk, not from a network
      rollupOptions: { input: { index: resolve(root, 'src-renderer/index.html') } },
    },
  },
})
