/**
 * Tool calls together with their results, in the shapes omp records.
 * Each function returns `{ name, args, started, content, details, isError, intent }` for `SessionWriter.step`.
 */

const text = value => [{ type: 'text', text: value }]

/** A shell command; `exit` other than 0 makes the result an error, as omp does. */
export function bash(command, output, { exit = 0, seconds = 0.4, intent, artifact } = {}) {
  const tail = [
    `Wall time: ${seconds.toFixed(2)} seconds`,
    ...(exit ? [`Command exited with code ${exit}`] : []),
  ]
  const notice = artifact ? `\n\n[${artifact.notice}. Read artifact://${artifact.id} for full output]` : ''
  const truncation = artifact && {
    direction: 'middle',
    truncatedBy: 'middle',
    totalLines: artifact.lines,
    totalBytes: artifact.bytes,
    artifactId: String(artifact.id),
  }
  return {
    name: 'bash',
    args: { command },
    intent,
    started: { command },
    content: text(`${output}\n\n\n${tail.join('\n\n')}${notice}`),
    details: {
      timeoutSeconds: 300,
      wallTimeMs: seconds * 1000,
      ...(exit ? { exitCode: exit } : {}),
      ...(truncation ? { meta: { truncation } } : {}),
    },
    isError: exit !== 0,
  }
}

/** Read a file: the text with line numbers, as the model sees it. */
export function read(path, source, { from = 1, intent } = {}) {
  const lines = source.replace(/\n$/, '').split('\n')
  return {
    name: 'read',
    args: { path, ...(from > 1 ? { offset: from, limit: lines.length } : {}) },
    intent,
    started: { path },
    content: text(`[${path}]\n${lines.map((line, i) => `${from + i}:${line}`).join('\n')}`),
    details: {
      totalLines: lines.length,
      displayContent: { text: lines.join('\n'), startLine: from, lineNumbers: lines.map((_, i) => from + i) },
      fileSize: Buffer.byteLength(source),
    },
    isError: false,
  }
}

/** Read a picture: a text block and an image block (`data` base64 or a blob reference). */
export function readImage(path, data, { bytes, mimeType = 'image/png' } = {}) {
  return {
    name: 'read',
    args: { path },
    started: { path },
    content: [...text(`Read image file [${mimeType}]`), { type: 'image', data, mimeType }],
    details: { fileSize: bytes ?? 0 },
    isError: false,
  }
}

/** An edit, from diff rows such as `' 41 kept'`, `'-42 old'`, `'+42 new'`. */
export function edit(path, rows, { intent } = {}) {
  const code = row => row.replace(/^[ +-]\d+ ?/, '')
  const side = marks =>
    rows
      .filter(row => marks.includes(row[0]))
      .map(code)
      .join('\n')
  const first = rows.find(row => row[0] !== ' ')
  return {
    name: 'edit',
    args: { path, oldText: side(' -'), newText: side(' +') },
    intent,
    started: { path },
    content: text(`Successfully replaced text in ${path}.`),
    details: { diff: rows.join('\n'), firstChangedLine: Number(/\d+/.exec(first ?? '0')?.[0] ?? 0) },
    isError: false,
  }
}

/** An edit that was refused. */
export function editRejected(path, reason) {
  const args = { path, oldText: 'const retries = 2', newText: 'const retries = 3' }
  return { name: 'edit', args, started: { path }, content: text(reason), details: {}, isError: true }
}

/** A whole file written. */
export function write(path, source, { intent } = {}) {
  const done = `Successfully wrote ${Buffer.byteLength(source)} bytes to ${path}`
  return {
    name: 'write',
    args: { path, content: source },
    intent,
    started: { path },
    content: text(done),
    details: {},
    isError: false,
  }
}

/** A search; `hits` maps a path to its matching lines `[number, text]`. */
export function grep(pattern, where, hits) {
  const files = Object.keys(hits)
  const count = files.reduce((sum, file) => sum + hits[file].length, 0)
  const body = files.map(file => `## ${file}\n${hits[file].map(([n, line]) => `*${n}:${line}`).join('\n')}`)
  return {
    name: 'grep',
    args: { pattern, path: where },
    started: { path: where },
    content: text(count ? body.join('\n') : 'No matches found'),
    details: {
      scopePath: where,
      matchCount: count,
      fileCount: files.length,
      files,
      fileMatches: files.map(file => ({ path: file, count: hits[file].length })),
      truncated: false,
    },
    isError: false,
  }
}

/** Files by pattern. */
export function glob(pattern, files) {
  const details = { scopePath: '.', fileCount: files.length, files, truncated: false }
  return {
    name: 'glob',
    args: { pattern },
    content: text(files.join('\n') || 'No files found'),
    details,
    isError: false,
  }
}

const MARK = { completed: 'x', in_progress: '/', pending: ' ' }

/** The plan: `phase` and tasks as `[content, status]`. */
export function todo(phase, tasks) {
  const open = tasks.filter(([, status]) => status !== 'completed').length
  const list = tasks.map(([content, status]) => `    - [${MARK[status]}] ${content}`)
  const overall = `Overall: ${tasks.length - open}/${tasks.length} done, ${open} open.\n  ${phase}:\n${list.join('\n')}`
  return {
    name: 'todo',
    args: { op: 'init', list: [{ phase, items: tasks.map(([content]) => content) }] },
    content: text(overall),
    details: {
      op: 'init',
      phases: [{ name: phase, tasks: tasks.map(([content, status]) => ({ content, status })) }],
      storage: 'session',
    },
    isError: false,
  }
}

/** Subagents started: `agents` as `{ id, agent, prompt, output, usage }`. */
export function task(agents) {
  const results = agents.map((a, index) => ({
    index,
    id: a.id,
    agent: a.agent,
    agentSource: 'bundled',
    task: a.prompt,
    exitCode: 0,
    output: a.output,
    durationMs: a.durationMs ?? 41_000,
    tokens: a.usage?.totalTokens ?? 0,
  }))
  const usage = agents.length === 1 ? agents[0].usage : undefined
  return {
    name: 'task',
    args: {
      agent: agents[0].agent,
      tasks: agents.map(a => ({ id: a.id, description: a.id, prompt: a.prompt })),
    },
    content: text(agents.map(a => `## ${a.id}\n${a.output}\n\nFull output: agent://${a.id}`).join('\n\n')),
    details: { projectAgentsDir: null, results, totalDurationMs: 52_000, ...(usage ? { usage } : {}) },
    isError: false,
  }
}

/** Any other tool, an MCP one for example. */
export function otherTool(name, args, output, details = {}) {
  return { name, args, content: text(output), details, isError: false }
}
