// `npm run pictures`: draws every screen and dialog of the app on the sample library, in both themes and two sizes.
//
//   npm run pictures                 into .cache/pictures
//   npm run pictures -- DIR [NAME]   into DIR; only the scenes whose name contains NAME (or one of several: A,B)
//   npm run pictures -- --readme     the two pictures of the README, into docs/pictures
//
// Real Electron on a private X server; nothing of this user's is shown or touched.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { electronEnv, resolveElectron } from './electron-runtime.mjs'
import { emptyScenes, oddScenes, sampleScenes } from './pictures/scenes.mjs'
import { Stage } from './pictures/stage.mjs'
import { ensureBuild } from './setup/build.mjs'
import { withXvfb } from './setup/display.mjs'
import { runMain } from './setup/failure.mjs'
import { ensurePackages } from './setup/packages.mjs'
import { CACHE, inRoot } from './setup/project.mjs'
import { say } from './setup/run.mjs'
import { ensureSystemPackages } from './setup/system-packages.mjs'

const SIZES = [
  { width: 1440, height: 900 },
  { width: 800, height: 600 },
]
const THEMES = ['light', 'dark']

/** The scenes that stand in the README, with the theme of each. */
const README = { transcript: 'light', branches: 'dark' }

/** Every theme and size of every scene: a scene is set, drawn in four ways, and left. `again` sets it in another size. */
async function drawAll(stage, scenes, directory, only) {
  for (const { name, set, leave, again } of scenes) {
    if (only !== undefined && !only.split(',').some(part => name.includes(part))) continue
    await set(stage)
    for (const size of SIZES) {
      await stage.resize(size)
      // Another size closes what floats.
      if (size !== SIZES[0]) await again?.(stage)
      for (const theme of THEMES) {
        await stage.theme(theme)
        await stage.draw(join(directory, `${name}-${theme}-${size.width}.png`))
      }
    }
    await stage.resize(SIZES[0])
    await leave?.(stage)
    say(`drew ${name}`)
  }
}

async function drawReadme(stage, scenes) {
  const directory = inRoot('docs/pictures')
  mkdirSync(directory, { recursive: true })
  for (const { name, set } of scenes) {
    const theme = README[name]
    if (theme === undefined) continue
    await set(stage)
    await stage.theme(theme)
    await stage.draw(join(directory, `${name}-${theme}.png`))
  }
}

async function withStage(machine, options, work) {
  const folder = mkdtempSync(join(tmpdir(), 'grove-pictures-'))
  const stage = new Stage(folder)
  try {
    await stage.open(machine, options)
    return await work(stage)
  } finally {
    await stage.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function pictures(args) {
  const readme = args.includes('--readme')
  const [place, only] = args.filter(arg => !arg.startsWith('--'))
  const directory = resolve(process.env.INIT_CWD ?? process.cwd(), place ?? join(CACHE, 'pictures'))
  await ensurePackages()
  const runtime = await resolveElectron()
  ensureSystemPackages(runtime.executable, { xvfb: true })
  await ensureBuild()
  await withXvfb(async display => {
    const { WAYLAND_DISPLAY: _, ...env } = { ...electronEnv(runtime), DISPLAY: display }
    const machine = { env, executable: runtime.executable }
    if (readme) return await withStage(machine, { samples: true }, stage => drawReadme(stage, sampleScenes))
    mkdirSync(directory, { recursive: true })
    await withStage(machine, { samples: false }, stage => drawAll(stage, emptyScenes, directory, only))
    await withStage(machine, { samples: true }, stage => drawAll(stage, sampleScenes, directory, only))
    return await withStage(machine, { samples: true, odd: true }, stage =>
      drawAll(stage, oddScenes, directory, only),
    )
  })
  say(`The pictures are in ${readme ? inRoot('docs/pictures') : directory}.`)
}

await runMain(pictures)
