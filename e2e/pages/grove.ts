/** The app as a test sees it: the running program and its parts, found by role and name. */
import type { Locator, Page } from 'playwright'
import { expect } from 'playwright/test'
import { DraggedFile } from '../fixtures/dragged-file'
import type { RunningApp } from '../fixtures/launch'
import { Artifacts } from './artifacts'
import { Branches } from './branches'
import { ChangesPage, DeleteDialog, RerootDialog, Toasts, TrashPage } from './changes'
import { Details } from './details'
import { DraftsPage, DraftTab } from './drafts'
import { ContextMenu, ForkDialog, LabelDialog, MaybeDialog, RenameField } from './manage'
import { MoveDialog } from './move'
import { FindBar, SearchBox, SearchPage } from './search'
import { SessionList } from './session-list'
import { SessionPane } from './session-pane'
import { Sidebar } from './sidebar'
import { Transcript } from './transcript'

export class Grove {
  readonly running: RunningApp
  readonly page: Page
  readonly sidebar: Sidebar
  readonly list: SessionList
  readonly session: SessionPane
  readonly transcript: Transcript
  readonly branches: Branches
  readonly artifacts: Artifacts
  readonly details: Details
  readonly draft: DraftTab
  readonly drafts: DraftsPage
  readonly reroot: RerootDialog
  readonly move: MoveDialog
  readonly deleteDialog: DeleteDialog
  readonly trash: TrashPage
  readonly changes: ChangesPage
  readonly toasts: Toasts
  readonly menu: ContextMenu
  readonly rename: RenameField
  readonly label: LabelDialog
  readonly fork: ForkDialog
  readonly maybe: MaybeDialog
  readonly search: SearchBox
  readonly searchPage: SearchPage
  readonly find: FindBar
  readonly statusBar: Locator

  constructor(running: RunningApp) {
    const { page } = running
    this.running = running
    this.page = page
    this.sidebar = new Sidebar(page)
    this.list = new SessionList(page)
    this.session = new SessionPane(page)
    this.transcript = new Transcript(page)
    this.branches = new Branches(page)
    this.artifacts = new Artifacts(page)
    this.details = new Details(page)
    this.draft = new DraftTab(page)
    this.drafts = new DraftsPage(page)
    this.reroot = new RerootDialog(page)
    this.move = new MoveDialog(page)
    this.deleteDialog = new DeleteDialog(page)
    this.trash = new TrashPage(page)
    this.changes = new ChangesPage(page)
    this.toasts = new Toasts(page)
    this.menu = new ContextMenu(page)
    this.rename = new RenameField(page)
    this.label = new LabelDialog(page)
    this.fork = new ForkDialog(page)
    this.maybe = new MaybeDialog(page)
    this.search = new SearchBox(page)
    this.searchPage = new SearchPage(page)
    this.find = new FindBar(page)
    // A dialog's foot is one as well, and comes after it.
    this.statusBar = page.getByRole('contentinfo').first()
  }

  /** Waits until every session of the library is read. */
  async waitUntilRead(sessions: number): Promise<void> {
    const count = sessions.toLocaleString('en')
    await expect(this.statusBar).toContainText(new RegExp(`^${count} sessions? in `), { timeout: 30_000 })
    await expect(this.page.getByRole('progressbar', { name: 'Reading sessions' })).toHaveCount(0, {
      timeout: 30_000,
    })
  }

  /** Chooses a theme as a user does. */
  async chooseTheme(name: 'As the system' | 'Light' | 'Dark'): Promise<void> {
    await this.page.getByRole('button', { name: 'Theme' }).click()
    await this.page.getByRole('menuitemcheckbox', { name }).click()
  }

  /** Chooses an item of the native menu. */
  async chooseMenu(label: string): Promise<void> {
    await this.running.app.evaluate(({ Menu }, wanted) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(item => item.submenu?.items ?? []) ?? []
      items.find(item => item.label === wanted)?.click()
    }, label)
  }

  /** Takes up a file or a folder of the disk, to drop it on the window. */
  dragFile(file: string): Promise<DraggedFile> {
    return DraggedFile.take(this.page, file)
  }

  /** Makes the next native folder dialogs answer with this folder (null: cancelled). */
  async answerFolderDialog(folder: string | null): Promise<void> {
    await this.running.app.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = async () => ({
        canceled: chosen === null,
        filePaths: chosen === null ? [] : [chosen],
      })
    }, folder)
  }
}
