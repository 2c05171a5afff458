/** Text that is not what it seems: injected blocks, long and foreign scripts, controls, markup. */

function prompts(odd) {
  const add = (kind, fill, firstPrompt, note) => {
    const s = odd.writer(kind, { title: '' })
    fill(s)
    odd.add('Meaning', kind, s, { expect: { title: null, firstPrompt }, note })
  }
  const reminder = '<system-reminder>\nThe working directory is clean.\n</system-reminder>'
  const environment = '<environment_details>\nOS: Linux\nShell: bash\n</environment_details>'
  add(
    'first text is an injected block, then the prompt',
    s => s.user(`${reminder}\n\nWhy is the build red?`),
    'Why is the build red?',
  )
  add(
    'injected block in a message of its own',
    s => {
      s.user(reminder)
      s.user('Why is the build red today?')
    },
    'Why is the build red today?',
  )
  add(
    'an environment dump, then the prompt',
    s =>
      s.user([
        { type: 'text', text: environment },
        { type: 'text', text: 'Tidy the Makefile' },
      ]),
    'Tidy the Makefile',
  )
  add(
    'a real prompt that begins with <div>',
    s => s.user('<div> in the header is not closed, find it'),
    '<div> in the header is not closed, find it',
  )
  add(
    'only developer entries',
    s => s.message({ role: 'developer', content: [{ type: 'text', text: reminder }] }),
    null,
    'shown as Untitled with its date',
  )
  add(
    'only system entries',
    s => s.message({ role: 'system', content: 'You are a careful engineer.' }),
    null,
    'shown as Untitled with its date',
  )
  add('only injected blocks', s => s.user(reminder), null, 'shown as Untitled with its date')
  const long = `Please read this log:\n\n${'2026-11-19T03:00:01Z runner: still alive\n'.repeat(5_000)}`
  add(
    'a first prompt of 200 KB',
    s => s.user(long),
    undefined,
    'one line in lists; begins with "Please read this log:"',
  )
  odd.library.odd.at(-1).expect.firstPromptStartsWith = 'Please read this log:'
}

function scripts(odd) {
  const add = (kind, title, text, expect = {}, note) => {
    const s = odd.writer(kind, { title })
    s.user(text)
    s.say('Seen.')
    odd.add('Meaning', kind, s, { expect, note })
  }
  const family = '👩‍👩‍👧‍👦'
  add(
    'emoji sequences and flags',
    `${'x'.repeat(140)}${family}🇯🇵`,
    `${'a'.repeat(199)}${family}🏳️‍🌈🇯🇵👍🏽 and on`,
    { title: undefined },
    'cuts fall between graphemes; the title is longer than the slot',
  )
  add('combining marks at a cut', 'combining marks', `${'b'.repeat(199)}e\u0301\u0302\u0303 ñ n\u0303`, {
    title: 'combining marks',
  })
  add('right-to-left text', 'مرحبا بالعالم', 'לא ברור למה הבדיקה נכשלת (test-upload) בכל פעם', {
    title: 'مرحبا بالعالم',
  })
  const hidden = 'pay\u202egnp.exe\u202c \u2066bidi\u2069 \u200bzero\u0007bell\u001b[31mred'
  add(
    'control and bidi characters in a title',
    hidden,
    'The title has control and bidi characters.',
    { title: hidden },
    'made visible, never obeyed',
  )
  const lone = odd.writer('lone surrogates')
  lone.raw(
    JSON.stringify({
      type: 'message',
      id: 'eeee0001',
      parentId: lone.leaf,
      timestamp: lone.iso(),
      message: {
        role: 'user',
        content: [{ type: 'text', text: 'half SURROGATE here' }],
        timestamp: lone.clock,
      },
    }).replace('SURROGATE', '\\ud83d'),
    {
      entries: [
        { type: 'message', id: 'eeee0001', parentId: lone.leaf, message: { role: 'user', content: 'half' } },
      ],
    },
  )
  odd.add('Meaning', 'lone surrogates', lone, { note: 'replaced on screen only, never written back' })
  const cut = odd.talk('lone surrogates in a title', { slot: false, title: 'half a \ud83d title' })
  odd.add('Meaning', 'lone surrogates in a title', cut, { note: 'as programs leave it that cut at 16 bits' })
}

function markup(odd) {
  const script = '<img src=x onerror=alert(1)><script>alert(2)</script>'
  const s = odd.writer('markup everywhere', { title: `<b>bold</b> ${script}` })
  const ask = s.user(
    `${script}\n\n[click](javascript:alert(3)) <a href="javascript:alert(4)">me</a> ![x](file:///etc/passwd)`,
  )
  s.assistant(
    [
      {
        type: 'text',
        text: `# ${script}\n\n[link](javascript:alert(5)) [data](data:text/html,<script>alert(6)</script>) <iframe src="https://example.org"></iframe>`,
      },
      {
        type: 'toolCall',
        id: `call"><script>`,
        name: script,
        arguments: { path: `${script}/../..`, command: script },
      },
    ],
    { stop: 'toolUse', model: script, provider: '<i>p</i>' },
  )
  s.result({
    id: `call"><script>`,
    name: script,
    content: [{ type: 'text', text: script }],
    details: { diff: `+1 ${script}` },
  })
  s.label(ask, script)
  s.custom(script, { [script]: script })
  odd.add('Meaning', 'markup and scripts everywhere', s, {
    expect: { title: `<b>bold</b> ${script}` },
    artifacts: {
      '0.<b>bash<b>.log': script,
      'local/note.html': script,
      'local/pic.svg': `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(7)"/>`,
    },
    note: 'text, always',
  })

  const hidden = '\u202eexe.txt\u202c\u0007'
  const names = odd.writer('control and bidi characters in every name')
  const start = names.user('Look at the names.')
  names.assistant(
    [{ type: 'toolCall', id: hidden, name: `bash${hidden}`, arguments: { command: `cat ${hidden}` } }],
    { stop: 'toolUse', model: `model${hidden}` },
  )
  names.result({ id: hidden, name: `bash${hidden}`, content: [{ type: 'text', text: 'ok' }] })
  names.label(start, `label${hidden}`)
  names.entry('mode_change', { mode: `mode${hidden}` })
  names.rename(`renamed${hidden}`)
  odd.add('Meaning', 'control and bidi characters in every name', names, {
    expect: { title: `renamed${hidden}` },
    note: 'made visible, never obeyed',
  })

  const escapes = odd.talk('terminal escapes')
  escapes.message({
    role: 'bashExecution',
    command: 'printf …',
    output:
      '\u001b]0;owned title\u0007\u001b]8;;https://evil.example/\u0007link text\u001b]8;;\u0007 \u001b[2J\u001b[H\u001b[31mred\u001b[0m \u001b]52;c;aGFja2Vk\u0007 \u009b31mC1',
    exitCode: 0,
    cancelled: false,
    truncated: false,
  })
  odd.add('Meaning', 'terminal escapes', escapes, {
    expect: { status: 'unknown' },
    note: 'colours are shown, all other sequences are dropped',
  })
}

export function addOddTexts(odd) {
  prompts(odd)
  scripts(odd)
  markup(odd)
}
