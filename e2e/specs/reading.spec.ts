import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { artifactDirectory } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'

const BRANCHED = 'Fix the flaky upload test'
const LEAF = 'is done only when the file has its final name; the same for downloads.'

test('a branched session opens at its newest end and is switched at a fork of the transcript', async ({
  grove,
}) => {
  await grove.list.open(BRANCHED)
  await expect(grove.session.heading(BRANCHED)).toBeVisible()
  await expect(grove.transcript.row(LEAF).last()).toBeInViewport()

  await grove.transcript.prompt(/^The upload test still fails/).click()
  const thinking = grove.transcript.row('Five tries would only hide it')
  const switcher = thinking.getByRole('group', { name: '2 of 2 continuations' })
  await switcher.getByRole('button', { name: 'Previous continuation' }).click()
  await expect(grove.transcript.row('Passes here with five tries.')).toBeVisible()
  await expect(grove.transcript.row('Eleven of a hundred. Now the change.')).toHaveCount(0)
  await expect(grove.transcript.region).toContainText('You are reading another branch.')

  await grove.transcript.region.getByRole('button', { name: 'Show omp’s branch' }).click()
  await expect(grove.transcript.region).not.toContainText('You are reading another branch.')
  await expect(grove.transcript.prompt('Write the changelog')).toBeVisible()
})

test('a path is chosen in the graph with the keyboard and read in the transcript', async ({
  grove,
  library,
}) => {
  await grove.list.open(BRANCHED)
  await grove.session.show('Branches')
  await expect(grove.branches.tips).toHaveCount(library.session('flaky-upload').tips?.length ?? 0)
  await expect(grove.branches.rows.filter({ hasText: 'omp resumes here' })).toContainText(LEAF)

  // Up and down the graph to another tip, told by its row.
  await grove.branches.graph.focus()
  const tip = grove.branches.rows.filter({ hasText: 'Gave up: cannot reproduce it' })
  await grove.branches.graph.press('/')
  await grove.branches.find.fill('Gave up: cannot reproduce it')
  await grove.branches.find.press('Enter')
  await expect(tip).toHaveAttribute('aria-selected', 'true')
  await expect(grove.branches.chosen).toContainText('The slowed rename is the better tool.')
  await grove.branches.find.press('ArrowDown')
  await expect(grove.branches.graph).toBeFocused()
  await grove.branches.graph.press('Enter')

  await expect(grove.session.tab('Transcript')).toHaveAttribute('aria-selected', 'true')
  await expect(grove.transcript.row('Gave up: cannot reproduce it').last()).toBeInViewport()
  await expect(grove.transcript.region).toContainText('You are reading another branch.')
  await expect(grove.transcript.prompt('Write the changelog')).toHaveCount(0)
})

test('runs of the graph unfold, and Labelled shows labels only', async ({ grove }) => {
  await grove.list.open(BRANCHED)
  await grove.session.show('Branches')
  await expect(grove.branches.rows.first()).toBeVisible()
  const folded = await grove.branches.rows.filter({ hasText: /\d+ entries/ }).count()
  expect(folded).toBeGreaterThan(3)
  await grove.branches.region.getByRole('button', { name: 'Unfold all' }).click()
  await expect(grove.branches.rows.filter({ hasText: /\d+ entries/ })).toHaveCount(0)
  await grove.branches.mode('Labelled')
  await expect(grove.branches.rows).toHaveCount(2)
  await expect(grove.branches.rows.filter({ hasText: 'before the rewrite' })).toHaveCount(1)
})

test('an image is shown and decoded, in the transcript and among the pictures', async ({ grove }) => {
  await grove.list.open(BRANCHED)
  await grove.transcript.prompt(/^The upload test fails one run in ten/).click()
  const picture = grove.transcript.feed.getByRole('img', { name: /^Attached, image\/png/ })
  await expect(picture).toBeInViewport()
  await expect
    .poll(() => picture.evaluate(element => (element instanceof HTMLImageElement ? element.naturalWidth : 0)))
    .toBeGreaterThan(0)

  await grove.session.show('Artifacts')
  await grove.artifacts.part('Pictures')
  await grove.artifacts.pictures.getByRole('button', { name: 'Picture, image/png' }).click()
  const large = grove.artifacts.region.getByRole('img', { name: 'image/png of this session' })
  await expect
    .poll(() => large.evaluate(element => (element instanceof HTMLImageElement ? element.naturalWidth : 0)))
    .toBeGreaterThan(0)
})

test('a picture that the blob store lacks is said to be missing', async ({ grove }) => {
  await grove.list.open('Sketch of the response cache')
  await grove.session.show('Artifacts')
  await grove.artifacts.part('Pictures')
  await grove.artifacts.pictures.getByRole('button', { name: 'Picture, missing' }).click()
  await expect(grove.artifacts.region).toContainText('the blob store does not hold it')
})

test('artifacts are previewed by what they are, and lead to the entry that made them', async ({ grove }) => {
  await grove.list.open(BRANCHED)
  await grove.session.show('Artifacts')
  await grove.artifacts.file('local/plan.md').click()
  const plan = grove.artifacts.preview('local/plan.md')
  await expect(plan.getByRole('region', { name: 'Content' })).not.toBeEmpty()
  await grove.artifacts.file('Scout.json').click()
  await expect(grove.artifacts.preview('Scout.json')).toContainText('"')
  await grove.artifacts.file('0.bash.log').click()
  await expect(grove.artifacts.preview('0.bash.log')).toContainText('FAIL')
  await grove.artifacts
    .file('0.bash.log')
    .getByRole('button', { name: /^Entry \d+$/ })
    .click()
  await expect(grove.transcript.row('for i in $(seq 100)').first()).toBeInViewport()
})

test('a nested subagent opens as a session, and the way back leads to where one was', async ({
  grove,
  library,
}) => {
  const nested = library.session('flaky-upload').subagents?.find(agent => agent.parent !== null)
  await grove.list.open(BRANCHED)
  await grove.session.show('Artifacts')
  await grove.artifacts.part('Subagents')
  await grove.artifacts.subagent(nested?.agentId ?? '').click()
  await grove.artifacts.region.getByRole('button', { name: 'Open session' }).click()
  await expect(grove.session.back(BRANCHED)).toBeVisible()
  await expect(grove.transcript.rows.first()).toBeVisible()
  await grove.session.back(BRANCHED).click()
  await expect(grove.session.heading(BRANCHED)).toBeVisible()
  await expect(grove.session.tab('Artifacts')).toHaveAttribute('aria-selected', 'true')
})

test('damaged lines are told with their numbers, and their bytes can be seen', async ({ grove, library }) => {
  const damaged = library.session('broken-middle').damagedLines ?? []
  const [line] = damaged
  if (!line) throw new Error('The sample has no damaged line.')
  await grove.list.open(library.title('broken-middle'))
  await expect(grove.transcript.region).toContainText('1 line could not be read.')
  // The lines around it are read all the same.
  await expect(grove.transcript.row('The backup runs at three').last()).toBeVisible()
  await grove.transcript.region.getByRole('button', { name: 'Details', exact: true }).click()
  const item = grove.details.damagedLine(line.line)
  await expect(item).toContainText(`at byte ${line.offset.toLocaleString('en')}, ${line.bytes} B`)
  await item.getByRole('button', { name: 'View raw' }).click()
  await expect(grove.details.rawBytes(line.line)).not.toBeEmpty()
})

test('a file of no bytes and one without header are listed and say what is wrong', async ({ grove }) => {
  await grove.list.filterBy('No header')
  await grove.list.row('No header').click()
  await grove.session.show('Details')
  await expect(grove.details.health).toContainText(/header/i)
})

test('text of a session is only text: markup and links do nothing', async ({ launch, library }) => {
  const journal = library.journal('locks')
  const directory = artifactDirectory(journal)
  mkdirSync(directory, { recursive: true })
  writeFileSync(
    path.join(directory, 'hostile.md'),
    '# <img src=x onerror="document.title=\'owned\'">\n\n<script>document.title="owned"</script>\n\n[run](javascript:document.title=1)\n',
  )
  const grove = await launch()
  await grove.waitUntilRead(library.sessionCount)
  await grove.list.open(library.title('locks'))
  await grove.session.show('Artifacts')
  await grove.artifacts.file('hostile.md').click()
  const preview = grove.artifacts.preview('hostile.md')
  await expect(preview).toContainText('<script>')
  await expect(preview.getByRole('link')).toHaveCount(0)
  await expect(preview.getByRole('img')).toHaveCount(0)
  expect(await grove.page.title()).toBe('Grove')
})
