// Builds Grove into out/, whether stale or not (`npm run build`).
import { build } from './setup/build.mjs'
import { runMain } from './setup/failure.mjs'
import { withLock } from './setup/lock.mjs'
import { requireSupportedNode } from './setup/node-version.mjs'
import { ensurePackages } from './setup/packages.mjs'

await runMain(async () => {
  requireSupportedNode()
  await ensurePackages()
  await withLock('build', build)
})
