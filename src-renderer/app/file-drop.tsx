/**
 * Files that are dragged onto the window: a session file is opened, a folder on a project whose folder is not there answers
 * where it is now. What can be done is said while one drags. Each has a way by keyboard as well.
 */
import type { ProjectView } from '@shared/ipc/models/library-models'
import { FileInput, FolderInput } from 'lucide-react'
import { useEffect, useState } from 'react'
import { takeDrop } from '../commands/flows/open-flows'
import { readyValue } from '../stores/async'
import { type Stores, useStores } from '../stores/stores-context'
import './file-drop.css'

/** A project's line carries its ref in this attribute; the one that would take a drop is marked with the other. */
const PROJECT = 'data-project'
const TARGET = 'data-drop-target'

type Drag = { project: ProjectView | null }

export function FileDrop() {
  const stores = useStores()
  const [drag, setDrag] = useState<Drag | null>(null)
  useEffect(() => listenToDrags(stores, setDrag), [stores])
  if (drag === null) return null
  return (
    <div className="drop" role="status">
      <p className="drop-text">
        {drag.project === null ? <FileInput aria-hidden /> : <FolderInput aria-hidden />}
        {drag.project === null
          ? 'Drop a session file to open it, or a folder on a missing project to re-root it'
          : `Drop the folder that ${drag.project.name} is in now`}
      </p>
    </div>
  )
}

/** Follows what is dragged over the page until the answer is called. */
function listenToDrags(stores: Stores, tell: (drag: Drag | null) => void): () => void {
  let marked: Element | null = null
  const mark = (element: Element | null) => {
    if (element === marked) return
    marked?.removeAttribute(TARGET)
    element?.setAttribute(TARGET, '')
    marked = element
  }
  const end = () => {
    mark(null)
    tell(null)
  }
  const onOver = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    // A dialog asks something else; nothing behind it takes a file.
    const closed = stores.dialogs.getState().open !== null
    if (event.dataTransfer) event.dataTransfer.dropEffect = closed ? 'none' : 'copy'
    if (closed) return
    const { element, project } = projectAt(stores, event)
    mark(element)
    tell({ project })
  }
  const onLeave = (event: DragEvent) => {
    // Between two elements of the page there is a next one; out of the window there is none.
    if (event.relatedTarget === null) end()
  }
  const onDrop = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    const { project } = projectAt(stores, event)
    end()
    if (stores.dialogs.getState().open !== null) return
    const files = [...(event.dataTransfer?.files ?? [])]
    const [first] = event.dataTransfer?.items ?? []
    const isFolder = first?.webkitGetAsEntry?.()?.isDirectory ?? null
    takeDrop(stores, { files, isFolder, project: project?.ref ?? null })
  }
  const listeners = [
    ['dragenter', onOver],
    ['dragover', onOver],
    ['dragleave', onLeave],
    ['drop', onDrop],
  ] as const
  for (const [name, listener] of listeners) window.addEventListener(name, listener)
  return () => {
    for (const [name, listener] of listeners) window.removeEventListener(name, listener)
    mark(null)
  }
}

/** Text that is dragged about within the page is none of ours. */
function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false
}

/** The project under the pointer that lacks its folder. */
function projectAt(
  stores: Stores,
  event: DragEvent,
): { element: Element | null; project: ProjectView | null } {
  const element = event.target instanceof Element ? event.target.closest(`[${PROJECT}]`) : null
  const ref = element?.getAttribute(PROJECT)
  const snapshot = readyValue(stores.library.getState().snapshot)
  const project = snapshot?.projects.find(candidate => candidate.ref === ref)
  const lacksFolder = project !== undefined && project.cwd !== null && project.state !== 'present'
  return lacksFolder ? { element, project } : { element: null, project: null }
}
