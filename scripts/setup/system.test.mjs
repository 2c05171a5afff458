import { describe, expect, it } from 'vitest'
import { hasDisplay } from './display.mjs'
import { isSupportedNode, requireSupportedNode } from './node-version.mjs'
import { sandboxFix } from './sandbox.mjs'
import { lastLine, parseStartArguments } from './start-arguments.mjs'
import { debianPackages, installCommand, parseOsRelease } from './system-packages.mjs'

const BOOKWORM = parseOsRelease('PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n')
const NOBLE = parseOsRelease('ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n')
const SID = parseOsRelease('ID=debian\n')
const FEDORA = parseOsRelease('ID=fedora\nVERSION_ID=43\n')

describe('Node.js version', () => {
  it.each([
    ['20.19.0', true],
    ['20.20.2', true],
    ['22.0.0', true],
    ['20.18.9', false],
    ['18.20.0', false],
  ])('%s: %s', (version, expected) => {
    expect(isSupportedNode(version)).toBe(expected)
  })

  it('is named when it is too old', () => {
    expect(() => requireSupportedNode('18.1.0')).toThrow(
      'Grove needs Node.js 20.19 or later; this is 18.1.0.',
    )
  })
})

describe('display', () => {
  it('is needed on Linux only, as X or Wayland', () => {
    expect(hasDisplay({}, 'linux')).toBe(false)
    expect(hasDisplay({ DISPLAY: '' }, 'linux')).toBe(false)
    expect(hasDisplay({ DISPLAY: ':0' }, 'linux')).toBe(true)
    expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' }, 'linux')).toBe(true)
    expect(hasDisplay({}, 'darwin')).toBe(true)
  })
})

describe('system packages', () => {
  it('are named as this release of Debian names them', () => {
    const libraries = ['libgtk-3.so.0', 'libasound.so.2', 'libnss3.so', 'libsmime3.so', 'libX11.so.6']
    expect(debianPackages(libraries, BOOKWORM)).toEqual({
      names: ['libasound2', 'libgtk-3-0', 'libnss3', 'libx11-6'],
      unknown: [],
    })
    expect(debianPackages(['libgtk-3.so.0', 'libgbm.so.1'], NOBLE).names).toEqual([
      'libgbm1',
      'libgtk-3-0t64',
    ])
    expect(debianPackages(['libasound.so.2'], SID).names).toEqual(['libasound2t64'])
  })

  it.each(['libatk-1.0.so.0', 'libatk-bridge-2.0.so.0', 'libatspi.so.0', 'libcups.so.2', 'libdrm.so.2'])(
    'are known for %s',
    library => {
      expect(debianPackages([library], BOOKWORM).unknown).toEqual([])
    },
  )

  it('are asked for with one command', () => {
    expect(installCommand({ libraries: ['libgbm.so.1'], xvfb: true }, BOOKWORM)).toBe(
      'apt-get update && apt-get install -y --no-install-recommends libgbm1 xauth xvfb',
    )
    expect(installCommand({ libraries: [], xvfb: true }, FEDORA)).toBe('dnf install -y xorg-x11-server-Xvfb')
    expect(installCommand({ libraries: ['libfoo.so.1'], xvfb: false }, BOOKWORM)).toBeUndefined()
    expect(installCommand({ libraries: ['libgbm.so.1'], xvfb: false }, { ids: [] })).toBeUndefined()
  })
})

describe('sandbox', () => {
  it('is mended by what the kernel says is off, else by Chromium’s own helper', () => {
    const helper = '/x/chrome-sandbox'
    expect(sandboxFix({ clone: '0', limit: '100', helper })).toContain('unprivileged_userns_clone=1')
    expect(sandboxFix({ clone: '1', limit: '0', helper })).toContain('max_user_namespaces')
    expect(sandboxFix({ clone: undefined, limit: '100', helper })).toContain('chmod 4755 "/x/chrome-sandbox"')
  })
})

describe('arguments of npm start', () => {
  it('go to the app, except for --samples', () => {
    expect(parseStartArguments(['--samples', '--x', 'y'], '/home')).toEqual({
      samples: true,
      appArgs: ['--x', 'y'],
    })
    expect(parseStartArguments([], '/home')).toEqual({ samples: false, appArgs: [] })
  })

  it('name an agent directory from where the caller stands', () => {
    expect(parseStartArguments(['--agent-dir', 'a'], '/home').appArgs).toEqual(['--agent-dir', '/home/a'])
    expect(parseStartArguments(['--agent-dir=../a'], '/home/u').appArgs).toEqual(['--agent-dir=/home/a'])
    expect(parseStartArguments(['a.jsonl', '/b.jsonl'], '/home').appArgs).toEqual([
      '/home/a.jsonl',
      '/b.jsonl',
    ])
  })

  it('take the agent directory of the samples from their last line', () => {
    expect(lastLine('made 40 sessions\n/tmp/x/.omp/agent\n')).toBe('/tmp/x/.omp/agent')
    expect(lastLine('')).toBe('')
  })
})
