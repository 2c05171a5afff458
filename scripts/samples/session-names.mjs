/** Ids and file names of sessions (format.md 1.4). */

/** A UUID version 7 for `ms`, its random part taken from `random`. */
export function sessionId(random, ms) {
  const time = ms.toString(16).padStart(12, '0')
  const variant = '89ab'[random.int(4)]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.hex(3)}-${variant}${random.hex(3)}-${random.hex(12)}`
}

/** `<timestamp with : and . as -> _ <id> .jsonl` */
export function sessionFileName(isoTimestamp, id) {
  return `${isoTimestamp.replace(/[:.]/g, '-')}_${id}.jsonl`
}

/** The artifact directory of a session file: its path without `.jsonl`. */
export function artifactDirectory(file) {
  return file.replace(/\.jsonl$/, '')
}
