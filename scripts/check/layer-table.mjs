/**
 * Who may import whom: the table of docs/architecture.md, row by row. The first layer whose `path` fits a file is
 * the file's layer; a file that fits none is reported. What a row does not allow is forbidden.
 *
 * @typedef {object} Layer
 * @property {string} name
 * @property {RegExp} path the files of this layer, from the project's root
 * @property {string[]} own layers it may import (itself included where its files may import each other)
 * @property {string[]} [types] further layers of which it may import types only
 * @property {(string | RegExp)[]} packages npm packages it may import
 * @property {boolean} node whether it may use Node.js's built-in modules
 * @property {boolean} [isolated] its folders (features/X) may not import each other
 * @property {RegExp} [solitary] files of it that may not import another such file (one store another store)
 * @property {RegExp[]} [publicOnly] outside of `own`, just these files: what counts as a public entry point
 */

const WATCHERS = ['@parcel/watcher', 'chokidar']
const SQLITE = ['@photostructure/sqlite', 'libsql', 'node-sqlite3-wasm', 'sqlite']
const ARGUMENT_PARSERS = ['commander', 'cac', 'citty', 'mri', 'sade', 'yargs-parser']
const REACT = ['react', 'react-dom']
const FEATURE_PACKAGES = [
  ...REACT,
  '@tanstack/react-virtual',
  'anser',
  'cmdk',
  'diff',
  'highlight.js',
  'lucide-react',
  'react-markdown',
  'react-resizable-panels',
  'remark-gfm',
  'zustand',
]
const TYPE_REFERENCES = ['vite']

/**
 * The entry points that tests and benchmarks may import from the sources; everything else goes through out/. Of the engine, what
 * docs/engine.md offers to other programs; of the library, what a program that changes sessions is composed of.
 */
const PUBLIC_ENTRY_POINTS = [
  /^out\//,
  /^package\.json$/,
  /^src-main\/engine\/(node-environment|layout\/agent-directories|session\/session-manager)\.ts$/,
  /^src-main\/engine\/environment\.ts$/,
  /^src-main\/engine\/session\/(manager-(options|settings)|session-context)\.ts$/,
  /^src-main\/engine\/(blobs\/(blob-store|resolve-blobs)|breadcrumbs\/terminal-id)\.ts$/,
  /^src-main\/engine\/storage\/(session|file-session|memory-session)-storage\.ts$/,
  /^src-main\/library\/(library|working-session|changes\/change-context)\.ts$/,
  // What the app's workers do, and what main makes of it: benchmarks measure these.
  /^src-main\/workers\/((scan|sieve|reading|serve)-jobs|worker-client)\.ts$/,
  /^src-main\/(library\/catalog\/(catalog|packed-summary)|shell\/library-scanner)\.ts$/,
  /^src-main\/library\/search\/quick-search\.ts$/,
  /^src-main\/engine\/storage\/counting-file-system\.ts$/,
  // Search as a program without a window uses it.
  /^src-main\/library\/(roots|search\/(head-targets|index-(file|update|reader)|search-target|text-search))\.ts$/,
]

/** @type {Layer[]} */
export const LAYERS = [
  { name: 'shared', path: /^src-shared\//, own: ['shared'], packages: ['zod'], node: false },
  {
    name: 'engine',
    path: /^src-main\/engine\//,
    own: ['engine', 'shared', 'globals'],
    packages: ['uuid'],
    node: true,
  },
  {
    name: 'library',
    path: /^src-main\/library\//,
    own: ['library', 'workers', 'engine', 'shared', 'globals'],
    packages: [...WATCHERS, ...SQLITE],
    node: true,
  },
  {
    name: 'workers',
    path: /^src-main\/workers\//,
    own: ['workers', 'library', 'engine', 'shared', 'globals'],
    packages: [...WATCHERS, ...SQLITE],
    node: true,
  },
  {
    name: 'shell',
    path: /^src-main\/shell\//,
    own: ['shell', 'engine', 'library', 'workers', 'shared', 'globals'],
    packages: ['electron'],
    node: true,
  },
  {
    name: 'cli',
    path: /^src-main\/cli\//,
    own: ['cli', 'engine', 'library', 'workers', 'shared', 'globals'],
    packages: ARGUMENT_PARSERS,
    node: true,
  },
  { name: 'preload', path: /^src-main\/preload\//, own: [], packages: ['electron'], node: false },
  // Files at the top of src-main: what every Node.js entry needs first, such as the crypto polyfill.
  { name: 'globals', path: /^src-main\/[^/]+$/, own: ['globals'], packages: [], node: true },
  { name: 'api', path: /^src-renderer\/api\//, own: ['api', 'shared'], packages: ['zustand'], node: false },
  {
    // The two React contexts through which components reach stores and commands (docs/decisions/0005).
    name: 'contexts',
    path: /^src-renderer\/(stores\/stores-context|commands\/context)\.tsx?$/,
    own: ['contexts', 'stores', 'commands', 'shared'],
    types: ['api'],
    packages: ['react', 'zustand'],
    node: false,
  },
  {
    name: 'stores',
    path: /^src-renderer\/stores\//,
    own: ['stores', 'shared'],
    types: ['api'],
    packages: ['zustand'],
    node: false,
    solitary: /-store\.ts$/,
  },
  {
    name: 'commands',
    path: /^src-renderer\/commands\//,
    own: ['commands', 'contexts', 'stores', 'shared'],
    types: ['api'],
    packages: [],
    node: false,
  },
  {
    name: 'ui',
    path: /^src-renderer\/ui\//,
    own: ['ui'],
    packages: [...REACT, 'radix-ui', 'lucide-react'],
    node: false,
  },
  {
    name: 'features',
    path: /^src-renderer\/features\//,
    own: ['features', 'contexts', 'stores', 'commands', 'ui', 'shared'],
    types: ['api'],
    packages: FEATURE_PACKAGES,
    node: false,
    isolated: true,
  },
  {
    // The composition: it makes the client, gives it to the stores and puts the features on the screen.
    name: 'app',
    path: /^src-renderer\/(app\/|[^/]+$)/,
    own: ['app', 'features', 'contexts', 'stores', 'commands', 'ui', 'api', 'shared'],
    packages: [...FEATURE_PACKAGES, /^@fontsource/, ...TYPE_REFERENCES],
    node: false,
  },
  {
    name: 'e2e',
    path: /^e2e\//,
    own: ['e2e', 'scripts', 'shared'],
    packages: ['playwright', '@axe-core/playwright'],
    node: true,
    publicOnly: PUBLIC_ENTRY_POINTS,
  },
  {
    name: 'bench',
    path: /^bench\//,
    own: ['bench', 'scripts', 'shared'],
    packages: ['playwright'],
    node: true,
    publicOnly: PUBLIC_ENTRY_POINTS,
  },
  {
    // Grove's engine as the interop tests drive it, beside omp.
    name: 'interop',
    path: /^scripts\/interop\/[^/]+\.ts$/,
    own: ['interop', 'shared'],
    packages: [],
    node: true,
    publicOnly: PUBLIC_ENTRY_POINTS,
  },
  // What the fallback runtime loads in place of Electron's default app: a part of Electron, not of ours.
  { name: 'loader', path: /^scripts\/electron-default-app\//, own: [], packages: ['electron'], node: true },
  {
    name: 'scripts',
    path: /^scripts\//,
    own: ['scripts', 'interop'],
    packages: ['playwright', 'typescript', 'dependency-cruiser', 'vite', 'vitest'],
    node: true,
    publicOnly: PUBLIC_ENTRY_POINTS,
  },
]

/** Test files, and the suites and helpers that only tests import. */
export const TEST_FILE = /\.(test|suite|test-support)\.(ts|tsx|mjs)$/

/** What a test file may import beyond its layer's row. */
export const TEST_EXTRAS = { own: ['scripts'], packages: ['vitest', 'fast-check'], node: true }

/** The layer a file belongs to, or undefined. */
export function layerOf(file) {
  return LAYERS.find(({ path }) => path.test(file))
}
