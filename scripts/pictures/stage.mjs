/** The app on a made-up library, as the scenes of the pictures use it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { _electron } from 'playwright'
import { makeSamples } from '../samples/make-samples.mjs'
import { ROOT } from '../setup/project.mjs'

/** The samples' last activity lies this long before now (ms), so that the list shows today and yesterday. */
const BEFORE_NOW = 20 * 60_000

/** Variables that would lead the app or omp's rules elsewhere than to the library. */
const NOT_PASSED_ON = /^(XDG_|OMP_|PI_|GROVE_|TMUX|NODE_OPTIONS$)/

export class Stage {
  constructor(folder) {
    this.folder = folder
    this.home = join(folder, 'home')
    this.programs = []
    this.factor = 1
  }

  async open({ env, executable }, { samples, odd = false }) {
    mkdirSync(this.home, { recursive: true })
    this.manifest = samples ? makeSamples(this.folder, { now: Date.now() - BEFORE_NOW, odd }).manifest : null
    const passed = Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_PASSED_ON.test(name)))
    this.app = await _electron.launch({
      executablePath: executable,
      args: [ROOT, `--user-data-dir=${join(this.folder, 'electron-data')}`],
      env: {
        ...passed,
        HOME: this.home,
        GROVE_DATA_DIR: join(this.folder, 'grove-data'),
        LANG: 'C.UTF-8',
        TZ: 'UTC',
      },
    })
    this.page = await this.app.firstWindow()
    await this.page.emulateMedia({ reducedMotion: 'reduce' })
    await this.resize({ width: 1440, height: 900 })
    const read = samples ? new RegExp(`^${this.count()} sessions in`) : /^0 sessions in/
    await this.page.getByRole('contentinfo').first().getByText(read).waitFor()
  }

  /** How many sessions the window finds: of the odd files every one that is named like a session. */
  count() {
    const { sessions, odd } = this.manifest
    return sessions.length + odd.filter(({ file }) => file.endsWith('.jsonl')).length
  }

  async close() {
    for (const program of this.programs) program.kill('SIGTERM')
    await this.app?.close()
  }

  async resize({ width, height }) {
    await this.app.evaluate(
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
      { width, height },
    )
    const shown = { width: width / this.factor, height: height / this.factor }
    await this.page.waitForFunction(
      size => Math.abs(innerWidth - size.width) <= 1 && Math.abs(innerHeight - size.height) <= 1,
      shown,
    )
  }

  /** Magnifies everything, as View, Zoom in does. */
  async zoom(factor) {
    this.factor = factor
    await this.app.evaluate(
      ({ BrowserWindow }, wanted) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(wanted),
      factor,
    )
    await this.resize({ width: 1440, height: 900 })
  }

  async theme(colorScheme) {
    await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await this.page.waitForFunction(theme => document.documentElement.dataset.theme === theme, colorScheme)
  }

  /** Draws the window when nothing in it is on its way any more. */
  async draw(file) {
    await this.page.waitForFunction(async () => {
      await document.fonts.ready
      const busy = document.querySelector('[aria-busy="true"], [role="status"][aria-label^="Loading"]')
      const images = [...document.images].every(image => image.complete)
      return busy === null && images
    })
    await this.page.evaluate(
      () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))),
    )
    if (this.factor === 1) return void (await this.page.screenshot({ path: file }))
    // A screenshot of the page would be cut to its size before it was magnified.
    const drawn = await this.app.evaluate(async ({ BrowserWindow }) => {
      const picture = await BrowserWindow.getAllWindows()[0]?.webContents.capturePage()
      return picture?.toPNG().toString('base64') ?? ''
    })
    writeFileSync(file, drawn, 'base64')
  }

  session(key) {
    return this.manifest.sessions.find(session => session.key === key)
  }

  journal(key) {
    return join(this.folder, this.session(key).file)
  }

  /** Chooses an item of the native menu. */
  async menu(label) {
    await this.app.evaluate(({ Menu }, wanted) => {
      const items = Menu.getApplicationMenu()?.items.flatMap(item => item.submenu?.items ?? []) ?? []
      items.find(item => item.label === wanted)?.click()
    }, label)
  }

  /** Native folder dialogs answer with this folder from now on. */
  async answerFolderDialog(folder) {
    await this.app.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] })
    }, folder)
  }

  /** Holds a file of the disk over a place of the window, as a user drags it. */
  async drag(file, target) {
    const session = await this.page.context().newCDPSession(this.page)
    const { result } = await session.send('Runtime.evaluate', {
      expression: `globalThis.dragged = Object.assign(document.createElement('input'), { type: 'file' })`,
    })
    await session.send('DOM.setFileInputFiles', { files: [file], objectId: result.objectId })
    await session.detach()
    await this.sendDrag(target, 'dragover')
  }

  /** Lets go of what is dragged. */
  async drop(target) {
    await this.sendDrag(target, 'drop')
  }

  async sendDrag(target, type) {
    await target.evaluate((element, name) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(globalThis.dragged.files[0])
      element.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer }))
    }, type)
  }

  /** A process that keeps a file open. */
  async hold(file) {
    const script =
      'require("fs").openSync(process.argv[1], "r+"); console.log("ready"); setInterval(() => {}, 60000)'
    await this.start(process.execPath, ['-e', script, file])
  }

  /** A silent omp that runs in a folder. */
  async omp(cwd) {
    const script = join(this.folder, 'omp.js')
    const program = join(this.folder, 'omp')
    writeFileSync(script, 'console.log("ready"); setInterval(() => {}, 60000)\n')
    symlinkSync(process.execPath, program)
    await this.start(program, [script], cwd)
  }

  async start(program, args, cwd) {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], cwd, env: { HOME: this.home } })
    this.programs.push(child)
    await once(child.stdout, 'data')
  }
}
