import { withLock } from './lock.mjs'
import { inRoot, ROOT } from './project.mjs'

/**
 * Bundles a TypeScript file of the checkout as one module for Node.js, with everything in it but Node.js's own modules.
 *
 * @param entry from the root: `bench/append.ts`
 * @param output folder for the module, outside of out/: what lies there belongs to the application's build and is compared with
 *   its sources
 * @returns the module's path
 */
export async function bundleForNode(entry, output) {
  const { build } = await import('vite')
  const name = entry.replace(/^.*\/|\.ts$/g, '')
  await withLock(`bundle-${name}`, () =>
    build({
      configFile: false,
      root: ROOT,
      logLevel: 'warn',
      resolve: { alias: { '@shared': inRoot('src-shared') } },
      // Native code is loaded from its package.
      ssr: { noExternal: true, external: ['@photostructure/sqlite'] },
      build: {
        ssr: inRoot(entry),
        outDir: output,
        emptyOutDir: false,
        copyPublicDir: false,
        target: 'node20',
        rollupOptions: { output: { format: 'es', entryFileNames: `${name}.mjs`, codeSplitting: false } },
      },
    }),
  )
  return `${output}/${name}.mjs`
}
