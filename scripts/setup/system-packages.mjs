import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Failure } from './failure.mjs'
import { runLogged, say } from './run.mjs'

// What Electron links against: the start of a library's name, and Debian's package. A star marks the packages that
// are called `...t64` since Debian 13 and Ubuntu 24.04.
const DEBIAN_PACKAGES = {
  'libgtk-3': 'libgtk-3-0*',
  'libgdk-3': 'libgtk-3-0*',
  'libgdk_pixbuf-2.0': 'libgdk-pixbuf-2.0-0',
  libnss3: 'libnss3',
  libnssutil3: 'libnss3',
  libsmime3: 'libnss3',
  libssl3: 'libnss3',
  libnspr4: 'libnspr4',
  libplc4: 'libnspr4',
  libplds4: 'libnspr4',
  libgbm: 'libgbm1',
  libdrm: 'libdrm2',
  libasound: 'libasound2*',
  'libatk-bridge-2.0': 'libatk-bridge2.0-0*',
  'libatk-1.0': 'libatk1.0-0*',
  libatspi: 'libatspi2.0-0*',
  libcups: 'libcups2*',
  'libglib-2.0': 'libglib2.0-0*',
  'libgobject-2.0': 'libglib2.0-0*',
  'libgio-2.0': 'libglib2.0-0*',
  'libpango-1.0': 'libpango-1.0-0',
  'libpangocairo-1.0': 'libpangocairo-1.0-0',
  libcairo: 'libcairo2',
  'libdbus-1': 'libdbus-1-3',
  libexpat: 'libexpat1',
  libudev: 'libudev1',
  libxkbcommon: 'libxkbcommon0',
  libX11: 'libx11-6',
  libxcb: 'libxcb1',
  libXcomposite: 'libxcomposite1',
  libXcursor: 'libxcursor1',
  libXdamage: 'libxdamage1',
  libXext: 'libxext6',
  libXfixes: 'libxfixes3',
  libXi: 'libxi6',
  libXrandr: 'libxrandr2',
  libXrender: 'libxrender1',
  libXss: 'libxss1',
  libXtst: 'libxtst6',
}
const ELSEWHERE = {
  fedora: {
    command: 'dnf install -y',
    libraries: 'gtk3 nss mesa-libgbm alsa-lib',
    xvfb: 'xorg-x11-server-Xvfb',
  },
  arch: {
    command: 'pacman -S --needed --noconfirm',
    libraries: 'gtk3 nss mesa alsa-lib',
    xvfb: 'xorg-server-xvfb',
  },
}

/** The fields of /etc/os-release that tell systems apart. */
export function parseOsRelease(text) {
  const fields = Object.fromEntries(
    text.split('\n').flatMap(line => {
      const [, key, value] = /^([A-Z_]+)="?([^"]*)"?$/.exec(line) ?? []
      return key ? [[key, value]] : []
    }),
  )
  return {
    ids: [fields.ID, ...(fields.ID_LIKE ?? '').split(' ')].filter(Boolean),
    version: fields.VERSION_ID,
  }
}

/** Debian's packages for missing libraries; `unknown` holds the libraries that none is known for. */
export function debianPackages(libraries, system) {
  const version = Number.parseFloat(system.version ?? '')
  const is64 = system.ids[0] === 'ubuntu' ? version >= 24.04 : system.ids[0] === 'debian' && !(version < 13)
  const found = libraries.map(library => DEBIAN_PACKAGES[library.replace(/\.so.*$/, '')])
  const names = found.filter(Boolean).map(name => name.replace('*', is64 ? 't64' : ''))
  return { names: [...new Set(names)].sort(), unknown: libraries.filter((_, at) => !found[at]) }
}

/** The one command that mends what is missing on this system, or undefined where none is known. */
export function installCommand({ libraries, xvfb }, system) {
  if (system.ids.includes('debian')) {
    const names = [...debianPackages(libraries, system).names, ...(xvfb ? ['xauth', 'xvfb'] : [])]
    if (names.length === 0) return undefined
    return `apt-get update && apt-get install -y --no-install-recommends ${names.join(' ')}`
  }
  const known = Object.keys(ELSEWHERE).find(id => system.ids.includes(id))
  if (known === undefined) return undefined
  const { command, libraries: all, xvfb: server } = ELSEWHERE[known]
  return [command, libraries.length > 0 ? all : '', xvfb ? server : ''].filter(Boolean).join(' ')
}

/** Libraries that the executable needs and the system lacks, from `ldd`; none where there is no ldd. */
function missingLibraries(executable) {
  const { stdout } = spawnSync('ldd', [executable], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  })
  return [...(stdout ?? '').matchAll(/^\s*(\S+) => not found$/gm)].map(([, library]) => library)
}

function isOnPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some(folder => existsSync(join(folder, program)))
}

function missing(executable, needsXvfb) {
  return { libraries: missingLibraries(executable), xvfb: needsXvfb && !isOnPath('Xvfb') }
}

const isComplete = ({ libraries, xvfb }) => libraries.length === 0 && !xvfb
const describe = ({ libraries, xvfb }) => [...libraries, ...(xvfb ? ['Xvfb'] : [])].join(', ')

function systemHere() {
  return existsSync('/etc/os-release') ? parseOsRelease(readFileSync('/etc/os-release', 'utf8')) : { ids: [] }
}

function aptInstall(command) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  say(`Installing system packages: ${command}`)
  const quiet = command.replaceAll('apt-get', 'apt-get -qq -o DPkg::Lock::Timeout=300')
  return runLogged(['sh', '-c', quiet], { env })
}

/**
 * Sees to what the Electron executable needs from a Linux system (and, for tests, Xvfb): as root on Debian and its
 * relatives it installs what is missing, elsewhere it prints the one command and stops.
 */
export function ensureSystemPackages(executable, { xvfb = false } = {}) {
  if (process.platform !== 'linux') return
  const lacks = missing(executable, xvfb)
  if (isComplete(lacks)) return
  const system = systemHere()
  const command = installCommand(lacks, system)
  const isRoot = process.getuid?.() === 0
  if (command === undefined)
    throw new Failure(`This system lacks ${describe(lacks)}. Install it and run again.`)
  if (!isRoot || !system.ids.includes('debian')) {
    throw new Failure(
      `This system lacks ${describe(lacks)}. Run this once:\n  ${isRoot ? command : `sudo sh -c '${command}'`}`,
    )
  }
  const code = aptInstall(command)
  const still = missing(executable, xvfb)
  if (!isComplete(still))
    throw new Failure(`After apt-get (exit ${code}) this system still lacks ${describe(still)}.`)
}
