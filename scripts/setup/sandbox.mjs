import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from './failure.mjs'

const CLONE = '/proc/sys/kernel/unprivileged_userns_clone'
const LIMIT = '/proc/sys/user/max_user_namespaces'

const readSetting = file => (existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined)

/** Tells whether this user may make a user namespace, by making one. */
function canMakeNamespace() {
  const result = spawnSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore' })
  return result.error ? readSetting(CLONE) !== '0' && readSetting(LIMIT) !== '0' : result.status === 0
}

/** Tells whether Chromium's own helper is set up: owned by root, with the setuid bit. */
function hasSetuidHelper(helper) {
  const stat = statSync(helper, { throwIfNoEntry: false })
  return stat !== undefined && stat.uid === 0 && (stat.mode & 0o4000) !== 0
}

/** The one command that lets Chromium's sandbox work, from what the kernel's settings say. */
export function sandboxFix({ clone, limit, helper }) {
  if (clone === '0') return 'sudo sysctl -w kernel.unprivileged_userns_clone=1'
  if (limit === '0') return 'sudo sysctl -w user.max_user_namespaces=15000'
  return `sudo sh -c 'chown root:root "${helper}" && chmod 4755 "${helper}"'`
}

/** Stops with the one fix when a user who is not root cannot have Chromium's sandbox. It is never switched off. */
export function requireSandbox(dist) {
  const helper = join(dist, 'chrome-sandbox')
  if (process.platform !== 'linux' || process.getuid?.() === 0) return
  if (canMakeNamespace() || hasSetuidHelper(helper)) return
  const fix = sandboxFix({ clone: readSetting(CLONE), limit: readSetting(LIMIT), helper })
  throw new Failure(
    `Grove shows session text in a sandbox, and this system gives none to users. Run this once:\n  ${fix}`,
  )
}
