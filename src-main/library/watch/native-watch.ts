/**
 * Watching by means of the system: `@parcel/watcher` for whole trees, Node.js for single folders.
 *
 * In main, and only there: a worker thread that ends with a subscription takes the whole process with it. What a
 * subscription needs of the disk runs in threads of its own.
 */
import { type FSWatcher, watch } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { attemptAsync, errnoOf } from '../../engine/storage/errors'
import type { FolderIdentity, Subscription, Told, WatchPorts, WatchReach } from './watch-ports'

/** Watching as this system can. `platform`: on Linux each folder is watched by itself, elsewhere the tree as a whole. */
export function nativeWatch(platform: NodeJS.Platform): WatchPorts {
  return {
    identify: folder => attemptAsync('look at the folder', folder, () => identityOf(folder)),
    subscribe: (real, reach, told) =>
      reach.deep ? subscribeTree(real, reach.except, told) : subscribeFolder(real, reach, told),
    isOutOfReach: created => (platform === 'linux' ? holdsFolders(created) : Promise.resolve(false)),
  }
}

async function identityOf(folder: string): Promise<FolderIdentity | null> {
  try {
    const real = await realpath(folder)
    const found = await stat(real, { bigint: true })
    return found.isDirectory() ? { real, key: `${real}\0${found.dev}:${found.ino}` } : null
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT' || errnoOf(thrown) === 'ENOTDIR') return null
    throw thrown
  }
}

async function subscribeTree(
  real: string,
  except: string[],
  told: (told: Told) => void,
): Promise<Subscription> {
  // Loaded when it is needed: where there is no build of it for this system, Grove runs without.
  const watcher = await import('@parcel/watcher')
  const subscription = await watcher.subscribe(
    real,
    (error, events) => {
      if (error !== null) told({ kind: 'ended', reason: error.message })
      else
        told({
          kind: 'changed',
          created: events.filter(({ type }) => type === 'create').map(({ path }) => path),
          deleted: events.filter(({ type }) => type === 'delete').map(({ path }) => path),
        })
    },
    { ignore: except },
  )
  return { end: () => subscription.unsubscribe() }
}

function subscribeFolder(
  real: string,
  { names }: WatchReach & { deep: false },
  told: (told: Told) => void,
): Promise<Subscription> {
  return new Promise((resolve, reject) => {
    let watcher: FSWatcher
    try {
      watcher = watch(real, { persistent: false })
    } catch (thrown) {
      reject(thrown instanceof Error ? thrown : new Error(String(thrown)))
      return
    }
    watcher.on('change', (_kind, name) => {
      // Without a name it may be any.
      const known = typeof name === 'string' ? name : null
      if (names === null || known === null || names.includes(known))
        told({ kind: 'changed', created: [], deleted: [] })
    })
    watcher.on('error', error => told({ kind: 'ended', reason: error.message }))
    resolve({
      end: () => {
        watcher.close()
        return Promise.resolve()
      },
    })
  })
}

async function holdsFolders(created: string): Promise<boolean> {
  try {
    return (await readdir(created, { withFileTypes: true })).some(entry => entry.isDirectory())
  } catch {
    // A file, or gone again.
    return false
  }
}
