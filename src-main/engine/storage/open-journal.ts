/** The journal of a session by its name, however it lies on the disk: plain, or packed in omp's archive. */
import type { Environment } from '../environment'
import { isArchive } from '../layout/session-paths'
import { ArchivedSessionStorage, openArchive } from './archived-session-storage'
import { type ByteSource, openByteSource } from './byte-source'
import { FileSessionStorage } from './file-session-storage'
import type { FileSystem } from './file-system'
import type { SessionStorage } from './session-storage'

/** Where the bytes of the session in `file` are. */
export function journalStorage(env: Environment, file: string): SessionStorage {
  return isArchive(file) ? new ArchivedSessionStorage(env.fs, file) : new FileSessionStorage(env, file)
}

/** The bytes of a journal; close it. Throws as `openRegularFile` does, and `too-large`. */
export function openJournalSource(fs: FileSystem, file: string): ByteSource {
  return isArchive(file) ? openArchive(fs, file) : openByteSource(fs, file)
}
