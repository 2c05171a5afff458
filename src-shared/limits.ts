/** Every number that is a limit, with its unit and reason. */
export const limits = {
  /** Bytes of a title slot including its line feed (docs/format.md, Title slot). */
  slotBytes: 256,
  /** Newest session version this program may write (docs/format.md, Versions). */
  sessionVersion: 3,
  /** Characters of a text in a transcript row; the rest is fetched on demand, so that a page stays small. */
  previewChars: 12_000,
  /** Characters of a text handed to the window at all; more than a person reads and a renderer lays out. */
  textChars: 5_000_000,
  /** Characters of a first prompt in lists: two lines on a wide screen. */
  firstPromptChars: 300,
  /** Characters of a session that are copied at once: some thousand pages, three times which a call still carries. */
  copyChars: 15_000_000,
  /** Bytes of entries that are read at once while a path is copied. */
  copyBatchBytes: 4 * 1024 * 1024,
  /** Characters of one-line previews. */
  lineChars: 200,
  /** Tips listed with a session; a list longer than this is not read by people. */
  tips: 500,
  /** Lines of a diff in a transcript row. */
  diffLines: 400,
  /** Characters of one line of a diff in a transcript row. */
  diffLineChars: 4_000,
  /** Bytes of one journal line that is parsed at all; beyond it is shown as too large. */
  lineBytes: 256 * 1024 * 1024,
  /** Bytes of an archived session, unpacked: it is held in memory whole. */
  archiveBytes: 256 * 1024 * 1024,
  /** Folders below the archive that are looked into for sessions: omp uses one. */
  archiveDepth: 8,
  /** Bytes in which slot and header must stand, each, to be found without a scan: far more than omp writes. */
  headBytes: 4 * 1024 * 1024,
  /** Bytes of a file that names other files (stars, registry of sessions kept elsewhere): thousands of names. */
  namesBytes: 4 * 1024 * 1024,
  /** Paths of one session whose rows are kept planned: those a person switches between. */
  plannedPaths: 6,
  /** Bytes of a journal up to which it is read whole at once when it is shown; of a larger one the heads of its lines first. */
  wholeBytes: 4 * 1024 * 1024,
  /** Bytes read at once while scanning a journal. */
  chunkBytes: 4 * 1024 * 1024,
  /** Bytes read from the start and from the end of a session for its first row: what most need for it. */
  quickHeadBytes: 4 * 1024,
  quickTailBytes: 8 * 1024,
  /** Bytes read from each end at most, where these do not hold what a row says; beyond it the row waits to be counted. */
  quickMostBytes: 256 * 1024,
  /** Bytes of a session that is counted at once: its start would be all of it. */
  quickWholeBytes: 4 * 1024,
  /** New sessions that are counted before anything else, as long as there are few: a row is whole when it appears. */
  countedAtOnce: 24,
  /** Bytes of all those together. */
  countedAtOnceBytes: 16 * 1024 * 1024,
  /** Rows handed to the window's process at once: a few ms of its time. */
  rowsAtOnce: 500,
  /** Bytes of sessions that are read before what was read is handed over. */
  readAtOnceBytes: 4 * 1024 * 1024,
  /** Sessions that are read before the catalog cache is written. */
  cacheRows: 500,
  /** Milliseconds between two writings of the catalog cache while sessions only grow. */
  cacheMs: 30_000,
  /** Bytes of a draft that are read: far more than a person types. */
  draftBytes: 32 * 1024 * 1024,
  /** Characters of an artifact preview. */
  artifactPreviewChars: 400_000,
  /** Bytes of an image served to the window; larger ones are only revealed in the file manager. */
  imageBytes: 64 * 1024 * 1024,
  /** Milliseconds in which a grown file counts as being written (architecture of in-use detection). */
  recentGrowthMs: 10_000,
  /** Milliseconds for which a look at who uses sessions is believed; a look at all processes costs some ten. */
  claimMs: 2_000,
  /** Milliseconds to wait for a session's lock, as omp does (docs/format.md, Locks). */
  lockWaitMs: 500,
  /** Milliseconds between two looks at a busy lock, as omp does. */
  lockPollMs: 2,
  /** Age in ms at which a lock without a readable owner may be taken over, as omp does. */
  lockOrphanMs: 500,
  /** Steps a breadcrumb is followed from a subagent's file up to its root session, as omp does. */
  breadcrumbClimb: 8,
  /** Damaged lines that are listed; a file that is no session at all can have any number. */
  damagedShown: 1_000,
  /** Bytes of a damaged line that are shown. */
  rawLineBytes: 64 * 1024,
  /** Sessions kept indexed at once; the index of a session is a few per cent of its size. */
  openDocuments: 12,
  /** Folders below an artifact directory that are looked into: far deeper than omp nests, yet bounded. */
  artifactDepth: 24,
  /** Depth of nested subagents that is looked for. */
  subagentDepth: 8,
  /** More sessions than this are deleted only after a question. */
  deleteWithoutAsking: 20,
  /** Sessions of which it is kept where reading was left, from start to start. */
  lastRead: 500,
  /** Bytes of the file that keeps it: far more than so many places take. */
  lastReadBytes: 2 * 1024 * 1024,
  /** Milliseconds between two looks at all roots, where changes are not told. */
  pollMs: 5_000,
  /** Milliseconds between two looks at all roots, where changes are told: the net below the watch. */
  watchedPollMs: 30_000,
} as const
