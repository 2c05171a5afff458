/** For tests: the command line bundled from its source, so that plain Node runs what is tested. */
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const ROOT = path.resolve(import.meta.dirname, '../..')

/** Bundles into `scratch`; answers the script's path. `entry`: another program of this folder. */
export async function bundledCli(scratch: string, entry = 'cli-entry'): Promise<string> {
  const config = path.join(scratch, 'vite.config.mjs')
  const build = { ssr: path.join(import.meta.dirname, `${entry}.ts`), outDir: path.join(scratch, 'out') }
  const alias = { '@shared': path.join(ROOT, 'src-shared') }
  const settings = {
    root: ROOT,
    build,
    resolve: { alias },
    ssr: { noExternal: true, external: ['@photostructure/sqlite', '@parcel/watcher'] },
    logLevel: 'error',
  }
  fs.writeFileSync(config, `export default ${JSON.stringify(settings)}`)
  await promisify(execFile)(
    process.execPath,
    [path.join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--config', config],
    { cwd: ROOT },
  )
  const cli = path.join(scratch, 'cli.mjs')
  const made =
    fs.readdirSync(path.join(scratch, 'out')).find(name => name.startsWith(entry) && /js$/.test(name)) ?? ''
  fs.copyFileSync(path.join(scratch, 'out', made), cli)
  return cli
}
