/** Sessions of home, the two notes projects, design tokens, and the project with a non-Latin name. */
import { sunset, swatches } from '../pictures.mjs'
import { bash, readImage, write } from '../tool-calls.mjs'
import { addShort } from './short-session.mjs'

function homeSessions(library) {
  addShort(
    library,
    'home',
    'dotfiles',
    { title: 'Put the dotfiles under version control', days: 30, tags: ['home'] },
    [
      { you: 'Put my dotfiles under version control without moving them.' },
      {
        calls: [
          bash('git init --bare ~/.dotfiles', 'Initialized empty Git repository in ~/.dotfiles/', {
            seconds: 0.1,
          }),
        ],
      },
      {
        agent:
          "A bare repository with your home as its work tree:\n\n```sh\nalias dots='git --git-dir=$HOME/.dotfiles --work-tree=$HOME'\ndots config status.showUntrackedFiles no\n```",
      },
    ],
  )
  addShort(library, 'home', 'shell', { title: '', days: 2, tags: ['home', 'untitled'] }, [
    { you: 'What was the command that shows who listens on port 8080?' },
    { agent: "`ss -ltnp 'sport = :8080'`" },
  ])
}

function notesSessions(library) {
  addShort(library, 'notes-cli', 'search', { title: 'Search without an index', days: 12, hours: 6 }, [
    { you: 'How far does plain scanning get us before we need an index?' },
    {
      calls: [bash('hyperfine "notes find tree"', '  Time (mean ± σ):   11.2 ms ±  0.4 ms', { seconds: 8 })],
    },
    { agent: 'For 40,000 notes, 11 ms. An index would pay from about a million.' },
  ])
  addShort(
    library,
    'notes/cli',
    'python',
    { title: 'The same in Python', days: 45, tags: ['shared-directory-name'] },
    [
      { you: 'Rewrite the first prototype in Python, just to compare.' },
      { agent: 'Forty lines, and 190 ms where the other takes 11.' },
    ],
  )
}

function designSessions(library) {
  const palette = library.blobs.put(swatches(), 'png')
  addShort(
    library,
    'design-tokens',
    'palette',
    {
      title: 'A palette with one accent',
      titleSource: 'user',
      days: 5,
      hours: 4,
      tags: ['images', 'starred'],
      starred: true,
    },
    [
      { you: 'One accent, a leaf green, and greys that go with it. Check the contrast.' },
      { calls: [readImage('out/palette.png', palette, { bytes: 9_000 })] },
      {
        agent:
          '| token | light | dark | contrast |\n|---|---|---|---|\n| `accent` | `#24805a` | `#6fc79f` | 4.9 / 8.1 |\n| `text` | `#1c211e` | `#e6e9e7` | 16.2 / 14.8 |\n| `quiet` | `#5c6660` | `#9aa49e` | 5.9 / 6.7 |\n\nAll reach AA; `quiet` on `accent` does not and must not be used.',
      },
      s =>
        s.user([
          { type: 'text', text: 'And for the empty state, something like this evening?' },
          library.blobs.image(sunset()),
        ]),
      {
        agent:
          'Its dusk tones fit: `#262f5c` to `#fab06e`. I would keep the hills and drop the sun behind the text.',
      },
      { calls: [write('tokens.json', '{ "leaf": "#24805a", "dusk": "#262f5c" }\n')] },
      { agent: 'Both are in `tokens.json`.' },
    ],
  )
  addShort(
    library,
    'design-tokens',
    'type-scale',
    {
      title: 'Type scale in four steps',
      days: 21,
      artifacts: {
        'local/scale.json': '{"steps":[12,14,16,20],"lineHeight":1.45}\n',
        '0.read.log': '12 14 16 20\n',
      },
    },
    [
      { you: 'We have eleven font sizes. Four should do.' },
      { agent: '12, 14, 16, 20. The other seven were within a pixel of one of these.' },
    ],
  )
}

function japaneseAndRussian(library) {
  addShort(library, 'проект 日本', 'cjk', { title: '上传失败的原因', days: 7, tags: ['cjk'] }, [
    { you: '请检查分支切换后的上下文是否正确' },
    {
      agent:
        '切换分支后，上下文只包含当前路径上的消息：\n\n1. 根消息到叶子的路径；\n2. 最后一次压缩之后的部分；\n3. 路径上的标签不计入上下文。',
    },
    { you: '那么上传为什么会失败？' },
    { agent: '服务器在文件改名**之前**就返回了 `201`。请等待 `rename` 完成。' },
  ])
  addShort(library, 'проект 日本', 'japanese', { title: 'セッション一覧が遅い', days: 9, tags: ['cjk'] }, [
    { you: 'セッションの一覧が遅いので原因を調べて' },
    { agent: '一覧のたびに全ファイルを読んでいます。先頭と末尾だけ読めば、1,000 件で 30 ミリ秒です。' },
  ])
  addShort(
    library,
    'проект 日本',
    'russian',
    { title: 'Дерево веток не обновляется', days: 10, tags: ['cyrillic'] },
    [
      { you: 'Проверь, почему дерево веток не обновляется' },
      {
        agent:
          'Оно обновляется, но только после перезапуска: наблюдатель следит за файлом, а не за папкой. При замене файла он остаётся у старого.',
      },
    ],
  )
}

export function addClientSessions(library) {
  homeSessions(library)
  notesSessions(library)
  designSessions(library)
  japaneseAndRussian(library)
}
