/** Source, diffs and terminal output that the session "Fix the flaky upload test" shows. */

export const UPLOAD_TS = `import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import path from 'node:path'

/** Store a request body under \`dir/name\`; calls \`done\` with the final path. */
export function upload(req, dir, name, done) {
  const partial = path.join(dir, \`.\${name}.part\`)
  const target = path.join(dir, name)
  const stream = createWriteStream(partial)
  req.pipe(stream)
  stream.on('end', () => done(target))
  void rename(partial, target)
}
`

export const UPLOAD_TEST = `test('a file is there after its upload', async () => {
  const res = await post('/upload/report.pdf', body(64 * 1024))
  assert.equal(res.status, 201)
  assert.ok(existsSync(path.join(dir, 'report.pdf')))
})
`

export const RACE_TEST = `import { setTimeout as sleep } from 'node:timers/promises'

test('done is called only when the file has its final name', async () => {
  const slowRename = async (from, to) => {
    await sleep(20)
    return rename(from, to)
  }
  const target = await new Promise(resolve => upload(body(10), dir, 'a.bin', resolve, { rename: slowRename }))
  assert.ok(existsSync(target), 'the upload said done before the file was there')
})
`

export const FIX_ROWS = [
  ' 41   const target = path.join(dir, name)',
  "-42   stream.on('end', () => done(target))",
  '-43   void rename(partial, target)',
  "+42   stream.on('end', async () => {",
  '+43     await rename(partial, target)',
  '+44     done(target)',
  '+45   })',
  ' 46 }',
]

export const DOWNLOAD_ROWS = [
  ' 18 export async function download(url, target) {',
  ' 19   const partial = target + ".part"',
  '-20   const out = createWriteStream(partial)',
  '-21   (await fetch(url)).body.pipe(out)',
  '-22   await rename(partial, target)',
  '+20   const response = await fetch(url)',
  '+21   await pipeline(response.body, createWriteStream(partial))',
  '+22   await rename(partial, target)',
  ' 23 }',
]

export const CHANGELOG_ROWS = [
  ' 8 ## Unreleased',
  ' 9 ',
  '+10 ### Fixed',
  '+11 ',
  '+12 - An upload is reported as done only when the file has its final name; the same for downloads.',
  '+13 ',
  ' 14 ## 2.4.0',
]

const green = text => `\u001b[32m${text}\u001b[39m`
const red = text => `\u001b[31m${text}\u001b[39m`
const dim = text => `\u001b[2m${text}\u001b[22m`

/** A test run in colour; `failing` tests are marked and explained. */
export function testRun(names, failing = []) {
  const rows = names.map((name, i) => {
    const ms = dim(`(${3 + ((i * 37) % 61)}ms)`)
    return failing.includes(name) ? `${red('✖')} ${name} ${ms}` : `${green('✔')} ${name} ${ms}`
  })
  const passed = names.length - failing.length
  const why = failing.map(
    name =>
      `\n${red(`✖ ${name}`)}\n  AssertionError: the file is not there\n      at test/upload.test.mjs:14:10`,
  )
  const counts = [`ℹ tests ${names.length}`, `ℹ pass ${passed}`, `ℹ fail ${failing.length}`]
  return [...rows, ...why, '', ...counts.map(dim)].join('\n')
}

export const TEST_NAMES = [
  'a file is there after its upload',
  'an empty body is refused with 411',
  'a name with a slash is refused',
  'two uploads of one name: the later wins',
  'a broken connection leaves no file',
]

/** The log of a hundred runs: which of them failed. */
export function hundredRuns(failures) {
  const lines = []
  for (let run = 1; run <= 100; run++) {
    lines.push(
      `run ${run}: ${failures.includes(run) ? red('FAIL a file is there after its upload') : green('ok')}`,
    )
    if (failures.includes(run)) {
      lines.push(`  AssertionError: ${dim('existsSync("/tmp/up/report.pdf") is false')}`)
      lines.push(`  rename finished ${1 + (run % 4)} ms after the response`)
    }
  }
  lines.push('', `${failures.length} of 100 failed`)
  return lines.join('\n')
}
