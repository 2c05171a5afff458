/**
 * The artifacts that entries name in links: numbered outputs as `artifact://N` or `artifactId`, subagents and their results as
 * `agent://Name`. What a text says about files in other words is not understood.
 */
import type { ArtifactFile } from '../../engine/artifacts/artifact-directory'

/** Keys of the artifacts that a record links to. */
export function* artifactsLinkedIn(text: string): Generator<string> {
  for (const match of text.matchAll(/artifact:\/\/(\d{1,9})|"artifactId":"?(\d{1,9})/g))
    yield `number ${Number(match[1] ?? match[2])}`
  // A dot or dash at the end is that of the sentence.
  for (const match of text.matchAll(/agent:\/\/(\w(?:[\w.-]{0,99}\w)?)/g)) yield `name ${match[1]}`
}

/** The keys under which an artifact can be linked to. */
export function linkKeysOf({ name, kind }: Pick<ArtifactFile, 'name' | 'kind'>): string[] {
  const base = name.slice(name.lastIndexOf('/') + 1)
  const number = kind === 'output' ? /^(\d{1,9})\./.exec(base)?.[1] : undefined
  return number === undefined ? [`name ${base.replace(/\.[^.]+$/, '')}`] : [`number ${Number(number)}`]
}
