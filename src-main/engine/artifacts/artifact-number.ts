/** Numbers and names of the outputs of tools. Pure. Rule: docs/format.md, Artifact directory. */

/** Characters of a tool's name that a file's name keeps. */
const TOOL_CHARS = 64

/** What omp leaves for a moment while it writes an artifact, or puts in its place. */
const HALF_WRITTEN = /\.tmp-[0-9a-f-]{36}$|\.\d+\.[0-9a-f-]{36}\.bak$/

/** The file name for output number `number` of `tool`, a name from anywhere. */
export function artifactName(number: number, tool: string): string {
  const plain = tool
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .slice(0, TOOL_CHARS)
    .replace(/^_+|_+$/g, '')
  return `${number}.${plain === '' ? 'tool' : plain}.log`
}

/**
 * The next number in a directory of these names: after the highest output, `from` at least, and one that begins no
 * other name either, since a number names every file that begins with it.
 */
export function nextArtifactNumber(names: readonly string[], from: number): number {
  let next = from
  const begun = new Set<string>()
  for (const name of names) {
    const digits = /^(\d+)\./.exec(name)?.[1]
    if (digits === undefined) continue
    begun.add(digits)
    const number = Number(digits)
    // A number beyond those that can be counted up is nobody's output.
    if (name.endsWith('.log') && /^\d+\..*\.log$/.test(name) && Number.isSafeInteger(number + 1))
      next = Math.max(next, number + 1)
  }
  while (begun.has(String(next))) next++
  return next
}

/** Whether a file of this name answers to the artifact's number `id`. */
export function isArtifactOf(name: string, id: string): boolean {
  return name.startsWith(`${id}.`) && !HALF_WRITTEN.test(name)
}
