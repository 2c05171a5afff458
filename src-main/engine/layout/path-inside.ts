/** Containment of paths by their parts, never by `startsWith`: `/w/a` does not hold `/w/ab`. Pure. */
import path from 'node:path'

/** True when `inner` is `directory` or lies below it. Both absolute, links resolved by the caller where it matters. */
export function isPathInside(directory: string, inner: string): boolean {
  const relative = path.relative(directory, inner)
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative)
}
