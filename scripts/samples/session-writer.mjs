/**
 * Sessions as a developer thinks of them: prompts, answers, steps with tool calls, labels, compactions.
 * The small API that samples, unit tests and e2e fixtures share; see README.md for an example.
 */
import { JournalWriter } from './journal-writer.mjs'
import { MODELS, noUsage, usageOf } from './usage.mjs'

/** Start a session; options as in `JournalWriter`, plus `model` (a key of MODELS) and `thinking` level. */
export function buildSession(options = {}) {
  return new SessionWriter(options)
}

export class SessionWriter extends JournalWriter {
  constructor(options) {
    super(options)
    this.model = MODELS[options.model ?? 'sonnet']
    this.context = 14_200
    this.calls = 0
    if (this.version >= 2 && options.settings !== false) {
      this.modelChange(options.model ?? 'sonnet', { role: null })
      this.thinkingLevel(options.thinking ?? 'high')
    }
  }

  /** A `message` entry with any message object; its `timestamp` is the session's clock. */
  message(message, fixed) {
    return this.entry(
      'message',
      { message: { ...message, timestamp: message.timestamp ?? this.clock } },
      fixed,
    )
  }

  /** A prompt: text, or text and image blocks. */
  user(content, { seconds = 40, ...more } = {}) {
    this.wait(seconds)
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    this.context += 60 + Math.floor(JSON.stringify(content).length / 4)
    return this.message({ role: 'user', content: blocks, attribution: 'user', ...more })
  }

  /** An assistant message; `stop` is the stop reason, `more` any further keys (undefined removes one). */
  assistant(blocks, { stop = 'stop', seconds = 9, ...more } = {}) {
    this.wait(seconds)
    const output = 30 + Math.floor(JSON.stringify(blocks).length / 3.4)
    const usage = stop === 'error' ? noUsage() : usageOf(this.model, this.context, output)
    this.context += output
    const message = {
      role: 'assistant',
      content: blocks,
      api: this.model.api,
      provider: this.model.provider,
      model: this.model.id,
      usage,
      stopReason: stop,
      timestamp: this.clock - Math.round(seconds * 1000),
      responseId: `msg_${this.random.hex(20)}`,
      duration: seconds * 1000 - 113,
      ttft: 640 + this.random.int(900),
      completedAt: this.clock,
      ...more,
    }
    return this.message(Object.fromEntries(Object.entries(message).filter(([, v]) => v !== undefined)))
  }

  /** A final answer: text, with thinking before it if given. */
  say(text, { think, ...more } = {}) {
    return this.assistant([...this.thinkingBlocks(think), { type: 'text', text }], more)
  }

  /**
   * One round of work: thinking, a sentence, tool calls, then their results (see tool-calls.mjs).
   * `results`: 'all' (default), 'none', or 'reversed' order. Returns the id of the assistant message.
   */
  step({ think, text, calls, results = 'all', seconds }) {
    const numbered = calls.map((call, i) => ({ ...call, id: `call_${this.calls}_${i}` }))
    this.calls++
    const blocks = this.thinkingBlocks(think)
    if (text) blocks.push({ type: 'text', text })
    for (const { id, name, args, intent } of numbered) {
      blocks.push({ type: 'toolCall', id, name, arguments: args, ...(intent ? { intent } : {}) })
    }
    const answer = this.assistant(blocks, { stop: 'toolUse', ...(seconds ? { seconds } : {}) })
    if (this.version >= 2) {
      for (const { id, name, started, intent } of numbered) {
        const data = { toolCallId: id, toolName: name, startedAt: this.iso() }
        if (started) data.args = started
        if (intent) data.intent = intent
        this.custom('tool_execution_start', data)
      }
    }
    if (results === 'none') return answer
    for (const call of results === 'reversed' ? numbered.reverse() : numbered) this.result(call)
    return answer
  }

  /** The result of a call, `{ id, name, content, details, isError }`. */
  result({ id, name, content, details = {}, isError = false }) {
    this.wait((details.wallTimeMs ?? 300) / 1000)
    this.context += Math.floor(JSON.stringify(content).length / 4)
    return this.message({ role: 'toolResult', toolCallId: id, toolName: name, content, details, isError })
  }

  thinkingBlocks(thinking) {
    if (!thinking) return []
    const thinkingSignature = Buffer.from(this.random.hex(96)).toString('base64')
    return [{ type: 'thinking', thinking, thinkingSignature }]
  }

  /** Switch the model (a key of MODELS). */
  modelChange(key, { role = 'default' } = {}) {
    this.model = MODELS[key]
    const model = `${this.model.provider}/${this.model.id}`
    return this.entry('model_change', { model, ...(role ? { role } : {}), resolvedModelIsFallback: false })
  }

  thinkingLevel(level, configured = null) {
    return this.entry('thinking_level_change', { thinkingLevel: level, configured })
  }

  custom(customType, data) {
    return this.entry('custom', { customType, data })
  }

  /** A label on an entry; no text clears it. */
  label(targetId, label) {
    return this.entry('label', { targetId, ...(label ? { label } : {}) })
  }

  /** A compaction: everything before `firstKeptEntryId` is replaced by the summary. */
  compaction(summary, { shortSummary, firstKeptEntryId, tokensBefore, tokensAfter = 9_000, ...more }) {
    const before = tokensBefore ?? this.context
    this.context = tokensAfter
    const kept = { firstKeptEntryId, tokensBefore: before, tokensAfter, method: 'soft' }
    return this.entry('compaction', { summary, ...(shortSummary ? { shortSummary } : {}), ...kept, ...more })
  }

  /** Go back to `id` and note what the abandoned branch found; an empty summary is a pure marker. */
  branchFrom(id, summary) {
    this.from(id)
    if (summary === undefined) return id
    return this.entry('branch_summary', { fromId: id ?? 'root', summary, fromExtension: false })
  }

  /** A title given later: the audit entry; the slot gets the title as well. */
  rename(title, source = 'user', trigger) {
    const previous = this.title ? { previousTitle: this.title } : {}
    this.title = title
    this.titleSource = source
    this.slotTime = this.iso()
    return this.entry('title_change', { title, ...previous, source, ...(trigger ? { trigger } : {}) })
  }

  /** The process ended. */
  exit(reason = 'dispose', kind = 'normal') {
    this.wait(3)
    return this.custom('session_exit', { reason, kind, recordedAt: this.iso() })
  }
}
