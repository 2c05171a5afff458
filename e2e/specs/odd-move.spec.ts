/** Sessions that are hard to move, delete or write to, as a user sees them before and while anything happens to them. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Look, type Looks, oddFile, waitUntilAllRead, walkSection } from '../fixtures/odd-walk'
import { artifactDirectory } from '../fixtures/sample-library'
import { expect, test } from '../fixtures/test'
import { snapshotDifferences, takeSnapshot } from '../fixtures/tree-snapshot'
import { OddSession } from '../pages/odd-session'

test.use({ libraryKind: 'odd' })

const ANSWER = 'It is read like any other'

/** Whole, whatever is odd around it. */
async function whole(seen: OddSession): Promise<void> {
  const title = String(seen.odd.expect.title)
  await seen.rowSays(title, 'complete', '2 messages')
  await expect(seen.grove.session.heading(title)).toBeVisible()
  await seen.transcript([`An odd file: ${title}`, ANSWER])
  await seen.health([])
}

/** The folder of a project: the word in the sidebar, the badge of the session, the reason above the list. */
function folder(state: string, badge: string, reason: string | RegExp, name?: string): Look {
  return async seen => {
    const { grove, odd } = seen
    await whole(seen)
    await expect(grove.page.getByRole('main').getByText(badge, { exact: true })).toBeVisible()
    await grove.list.clearFilter()
    await grove.sidebar.project(name ?? odd.project, state).click()
    await expect(grove.list.rows).toHaveCount(1)
    await expect(grove.list.region).toContainText(reason)
    await expect(grove.list.region.getByRole('button', { name: 'Re-root…' })).toBeEnabled()
    await grove.sidebar.go('All sessions')
  }
}

const GONE = 'folder missing'

const folders: Looks = {
  'project folder deleted': folder('missing', GONE, /The folder ~\/code\/odd-gone is gone\./),
  'project on an unmounted volume': folder(
    'unreachable',
    'folder unreachable',
    'The volume /media/kim/odd-stick is not mounted.',
  ),
  'a same-named folder elsewhere': async seen => {
    const { grove, odd } = seen
    await folder('missing', GONE, /The folder .* is gone\./)(seen)
    // A suggestion with what speaks for it, and nothing before it is confirmed.
    await grove.sidebar.projectMenu(odd.project, 'Re-root')
    await expect(grove.reroot.candidates).toHaveCount(1)
    await expect(grove.reroot.dialog).toContainText('archive/odd-same-name')
    await expect(grove.reroot.dialog).toContainText(/same name/i)
    await grove.page.keyboard.press('Escape')
    await expect(grove.reroot.dialog).toHaveCount(0)
  },
  'a Windows folder seen on Linux': folder(
    'other system',
    'folder of another system',
    'is a path of Windows; it cannot be looked at here.',
  ),
  'a file where the folder was': folder('missing', GONE, 'is a file now.', 'deep'),
}

const goes: Look = async seen => {
  await whole(seen)
  await expect(seen.grove.page.getByRole('main').getByText(GONE)).toBeVisible()
}

const moves: Looks = {
  'a session to move': goes,
  'target holds a same-named file': goes,
  'the same-named file in the target': async seen => {
    await whole(seen)
    await seen.rowSays('odd-moved')
  },
  'target holds a same-named artifact': async seen => {
    await goes(seen)
    await seen.rowSays('2 artifacts')
  },
  'a symlink among the artifacts': async seen => {
    const { grove } = seen
    await goes(seen)
    await seen.rowSays('3 artifacts')
    await grove.session.show('Artifacts')
    // Listed as what they are, and never followed out of the directory.
    await grove.artifacts.file('1.bash.log').click()
    await expect(grove.artifacts.preview('1.bash.log')).toContainText('leads out of the artifact directory')
    await grove.artifacts.file('0.bash.log').click()
    await expect(grove.artifacts.preview('0.bash.log')).not.toContainText('leads out')
  },
  'an omp that has the session open and is silent': goes,
  'another process appends while it is changed': goes,
  'removed from outside, then recreated': goes,
  'a read-only directory': whole,
}

const deletes: Looks = {
  'a parent with subagents and forks': async seen => {
    const { grove, odd } = seen
    await whole(seen)
    await seen.rowSays(`${String(odd.expect.subagents)} subagents`)
    await expect(grove.details.relative('Fork', 'fork of the parent with subagents')).toBeVisible()
    await expect(grove.details.relative('Subagent', 'Worker').first()).toBeVisible()
    await expect(grove.details.relative('Subagent', 'Worker.Helper')).toBeVisible()
  },
  'a fork whose parent will be deleted': async seen => {
    const { grove } = seen
    await expect(grove.session.origin('Forked from a parent with subagents and forks')).toBeVisible()
    await seen.transcript(['An odd file', ANSWER, 'The fork stays when its parent is deleted.'])
  },
}

/** The tab of a draft: its text, or that there is none. */
const draft =
  (text: string | null): Look =>
  async seen => {
    const { grove } = seen
    await grove.session.show('Draft')
    if (text === null) await expect(grove.draft.write).toBeVisible()
    else await expect(grove.draft.text).toHaveValue(text)
  }

const drafts: Looks = {
  'draft equal to the last prompt': async seen => {
    const { grove, odd } = seen
    await seen.rowSays('draft')
    await draft('Is the certificate still valid?')(seen)
    await expect(grove.draft.region.getByText('already sent')).toBeVisible()
    await grove.sidebar.go('Drafts')
    await expect(grove.drafts.row(odd.kind)).toContainText('already sent')
    await grove.sidebar.go('All sessions')
  },
  'an empty draft': async seen => {
    await whole(seen)
    await expect(seen.row.getByTitle('An unsent draft is kept with it')).toHaveCount(0)
    await draft(null)(seen)
  },
  'a very large draft': async seen => {
    const size = Number(seen.odd.expect.draftBytes)
    const text = 'A very long draft, pasted from a log. '.repeat(Math.ceil(size / 38)).slice(0, size)
    await seen.rowSays('draft')
    await seen.grove.session.show('Draft')
    // Shown in part, and never written from there.
    const { beginning, region } = seen.grove.draft
    await expect(beginning).toHaveValue(text.slice(0, 20_000))
    await expect(beginning).toHaveAttribute('readonly')
    await expect(region).toContainText(`${size.toLocaleString('en')} characters`)
  },
  'a draft that omp changes while it is open': async seen => {
    await whole(seen)
    await draft('The first version of the draft')(seen)
    await expect(seen.grove.draft.region.getByText('already sent')).toHaveCount(0)
  },
  'a draft without its session': async seen => {
    const { grove } = seen
    await grove.sidebar.go('Drafts')
    const orphan = grove.drafts.rows.filter({ hasText: 'A draft whose session is gone' })
    await expect(orphan).toContainText('its session is gone')
    await expect(grove.drafts.rows.filter({ hasText: 'an empty draft' })).toHaveCount(0)
    await grove.sidebar.go('All sessions')
  },
}

walkSection('Move', { ...folders, ...moves, ...deletes, ...drafts })

test('what other programs do to odd sessions while they are shown is shown', async ({
  launch,
  library,
  programs,
}) => {
  test.setTimeout(5 * 60_000)
  const grove = await launch()
  await waitUntilAllRead(grove, library)
  const open = async (kind: string) => {
    const seen = new OddSession(grove, library, oddFile(library, kind))
    await seen.open()
    return seen
  }

  await test.step('a draft that omp changes', async () => {
    const seen = await open('a draft that omp changes while it is open')
    await draft('The first version of the draft')(seen)
    writeFileSync(path.join(artifactDirectory(seen.file), 'draft.txt'), 'The second version')
    await draft('The second version')(seen)
  })

  await test.step('a line is appended', async () => {
    const seen = await open('another process appends while it is changed')
    await seen.transcript(['An odd file', ANSWER])
    const said = { role: 'user', content: 'And one more' }
    const entry = { type: 'message', id: 'late0001', parentId: null, message: said }
    appendFileSync(seen.file, `${JSON.stringify(entry)}\n`)
    await seen.rowSays('2 branches', 'no answer yet')
  })

  await test.step('a session is removed, and made anew', async () => {
    const seen = await open('removed from outside, then recreated')
    const before = readFileSync(seen.file)
    await seen.transcript(['An odd file', ANSWER])
    rmSync(seen.file)
    await expect(grove.page.getByRole('main')).toContainText('is gone from the disk')
    await expect(seen.row).toHaveCount(0)
    await expect(seen.said).toHaveCount(2)
    writeFileSync(seen.file, before)
    await expect(seen.row).toHaveCount(1)
    await seen.open()
    await expect(grove.page.getByRole('main')).not.toContainText('is gone from the disk')
    await whole(seen)
  })

  await test.step('a silent omp takes a session', async () => {
    const seen = await open('an omp that has the session open and is silent')
    const { cwd } = library.project('odd')
    programs.breadcrumb('tmux-%78', cwd, seen.file)
    const omp = await programs.omp({ cwd, tmuxPane: '%78' })
    const before = takeSnapshot(library.agentDir)
    await expect(grove.session.use).toContainText(`omp (process ${omp.pid})`)
    await grove.list.pressDelete()
    await expect(grove.deleteDialog.dialog).toHaveAccessibleName('Nothing can be deleted now')
    await expect(grove.deleteDialog.dialog).toContainText(`omp (process ${omp.pid})`)
    await grove.deleteDialog.close.click()
    expect(snapshotDifferences(before, takeSnapshot(library.agentDir))).toEqual([])
  })
})
