// The app of a runtime that has none of its own: `electron [-r module] [--switch] folder [args]`
// runs the app in `folder`, as the full distribution does.
const { app } = require('electron')
const { createRequire } = require('node:module')
const path = require('node:path')

const args = process.argv.slice(1)
let folder
for (let at = 0; at < args.length && folder === undefined; at++) {
  if (args[at] === '-r' || args[at] === '--require') require(path.resolve(args[++at]))
  else if (!args[at].startsWith('-')) folder = path.resolve(args[at])
}
if (folder === undefined) {
  console.error('usage: electron [-r module] [--switch] folder [args]')
  app.exit(2)
} else {
  const manifest = require(path.join(folder, 'package.json'))
  app.setName(manifest.productName ?? manifest.name)
  if (manifest.version) app.setVersion(manifest.version)
  app.setAppPath(folder)
  if (!app.commandLine.hasSwitch('user-data-dir'))
    app.setPath('userData', path.join(app.getPath('appData'), app.getName()))
  createRequire(path.join(folder, 'package.json'))(path.join(folder, manifest.main ?? 'index.js'))
}
