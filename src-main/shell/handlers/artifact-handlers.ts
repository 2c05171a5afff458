/** Calls about artifacts: listed, previewed, opened, saved elsewhere. */
import fs from 'node:fs/promises'
import path from 'node:path'
import { err, ok, type Result } from '@shared/ipc/result'
import { shell } from 'electron'
import { attempt, attemptAsync } from '../../engine/storage/errors'
import { artifactPath } from '../../library/reading/artifacts-view'
import { chooseSaveFile } from '../dialogs'
import type { HandlerDeps } from '../handler-deps'
import type { Handlers } from '../ipc-binding'

type ArtifactCalls =
  | 'session.artifacts'
  | 'artifact.preview'
  | 'artifact.open'
  | 'artifact.reveal'
  | 'artifact.saveAs'

/** Types that are opened by another program; anything else is only shown in the file manager. */
const OPENABLE: ReadonlySet<string> = new Set([
  '.log',
  '.txt',
  '.md',
  '.json',
  '.jsonl',
  '.patch',
  '.diff',
  '.png',
  '.jpg',
  '.jpeg',
  '.gif',
])

export function artifactHandlers({
  env,
  library,
  worker,
  window,
}: HandlerDeps): Pick<Handlers, ArtifactCalls> {
  function fileOf(ref: string): Result<string> {
    const artifact = library.artifact(ref)
    if (artifact === undefined) return err('not-found', 'That artifact is not there (any more).')
    return artifactPath(env, artifact.journal, artifact.name)
  }

  return {
    'session.artifacts': async ({ session }, { signal }) => {
      const place = library.place(session)
      if (place === undefined) return err('not-found', 'That session is not in the library (any more).')
      const view = await worker.run('artifacts', library.imagePlace(session, place), { signal })
      if (!view.ok) return view
      const { directory, files, ...rest } = view.value
      return ok({
        ...rest,
        directory,
        files: files.map(file => ({
          ref: library.issueArtifact(place.file, file.name),
          name: file.name,
          kind: file.kind,
          bytes: file.bytes,
          time: file.modified,
          madeBy: file.madeBy,
          session:
            directory !== null && (file.kind === 'subagent' || file.kind === 'advisor')
              ? library.catalog.refOf(path.join(directory, ...file.name.split('/')), place.root)
              : null,
          depth: file.depth,
          detail: null,
        })),
      })
    },

    'artifact.preview': ({ artifact }) => {
      const known = library.artifact(artifact)
      if (known === undefined) return err('not-found', 'That artifact is not there (any more).')
      return worker.run('artifactPreview', { ...known, url: `grove-data://artifact/${artifact}` })
    },

    'artifact.open': async ({ artifact }) => {
      const named = fileOf(artifact)
      if (!named.ok) return named
      // A link's own name says nothing of the type of what would be opened.
      const file = attempt('open the artifact', named.value, () => env.fs.realPath(named.value))
      if (!file.ok) return file
      if (!OPENABLE.has(path.extname(file.value).toLowerCase())) {
        shell.showItemInFolder(named.value)
        return ok({})
      }
      const failed = await shell.openPath(file.value)
      return failed === '' ? ok({}) : err('io', `Cannot open ${file.value}: ${failed}`, file.value)
    },

    'artifact.reveal': ({ artifact }) => {
      const file = fileOf(artifact)
      if (!file.ok) return file
      shell.showItemInFolder(file.value)
      return ok({})
    },

    'artifact.saveAs': async ({ artifact }) => {
      const file = fileOf(artifact)
      if (!file.ok) return file
      const saved = await chooseSaveFile(window, 'Save artifact', path.basename(file.value))
      if (saved === null) return ok({ saved })
      const copied = await attemptAsync('save to', saved, () => fs.copyFile(file.value, saved))
      return copied.ok ? ok({ saved }) : copied
    },
  }
}
