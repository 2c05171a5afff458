/** Sessions of older and of a later version: v1, v2, header first without slot, v4. */
import { bash } from '../tool-calls.mjs'
import { addShort } from './short-session.mjs'

/** Version 1: no ids, no version in the header, compaction by index (the header is index 0). */
function versionOne(library) {
  addShort(
    library,
    'notes-cli',
    'v1',
    {
      title: '',
      days: 150,
      version: 1,
      kind: 'v1',
      tags: ['v1', 'untitled'],
      header: { provider: 'anthropic', modelId: 'claude-sonnet-4', thinkingLevel: 'off' },
    },
    [
      { you: 'Write a small program that keeps notes in one text file.' },
      {
        calls: [
          bash('cargo new notes', '     Created binary (application) `notes` package', { seconds: 0.6 }),
        ],
      },
      { agent: 'It has three commands: `add`, `list`, `find`.' },
      s => s.entry('thinking_level_change', { thinkingLevel: 'low' }),
      { you: 'Sort the list by date' },
      s =>
        s.entry('compaction', {
          summary: 'A program with three commands keeps notes in one file.',
          firstKeptEntryIndex: 5,
          tokensBefore: 41_000,
        }),
      { agent: 'Sorted, newest first. `--oldest` turns it round.' },
    ],
  )
}

/** Version 2: ids, but hook messages still have their old role, and some prompts are plain text. */
function versionTwo(library) {
  addShort(
    library,
    'notes-cli',
    'v2',
    { title: '', days: 110, version: 2, kind: 'v2', tags: ['v2', 'untitled'] },
    [
      s => s.message({ role: 'user', content: 'Add tags to the notes: words that begin with #' }),
      s =>
        s.message({
          role: 'hookMessage',
          customType: 'git-status',
          content: 'On branch main, clean',
          display: true,
        }),
      { calls: [bash('cargo test', 'test result: ok. 9 passed; 0 failed', { seconds: 5.4 })] },
      { agent: 'Tags are words that begin with `#`; `notes find #work` shows the notes that have one.' },
    ],
  )
}

/** Version 3 as it was before the title slot: the header is the first line and holds the title. */
function headerFirst(library) {
  addShort(
    library,
    'notes-cli',
    'header-first',
    {
      title: 'Sync the notes over SSH',
      titleSource: 'user',
      days: 80,
      slot: false,
      kind: 'header-first',
      tags: ['no-slot'],
    },
    [
      { you: 'I want the same notes on two machines.' },
      { agent: '`notes sync host` runs `rsync` in both directions; of two changed lines both are kept.' },
    ],
  )
  addShort(
    library,
    'notes-cli',
    'header-first-untitled',
    { title: '', days: 79, slot: false, kind: 'header-first', tags: ['no-slot', 'untitled'] },
    [
      { you: 'What does `notes find` do when nothing is found?' },
      { agent: 'It prints nothing and ends with 1, like `grep`.' },
    ],
  )
}

/** A version that does not exist yet: readable, never written. */
function laterVersion(library) {
  addShort(
    library,
    'notes-cli',
    'v4',
    {
      title: 'Written by a later version',
      days: 1,
      hours: 5,
      version: 4,
      kind: 'v4',
      tags: ['v4'],
      problems: [{ kind: 'future-version' }],
    },
    [
      { you: 'Which version of the format is this?' },
      s => s.entry('workspace_snapshot', { tree: '9f2c11', files: 12 }),
      { agent: 'Version 4. Earlier programs can read it, but must not write it.' },
    ],
  )
}

export function addOlderFormats(library) {
  versionOne(library)
  versionTwo(library)
  headerFirst(library)
  laterVersion(library)
}
