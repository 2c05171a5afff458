/** The lines of a session as omp writes them: slot, header, prompts, thinking, answers, calls, results. Pure but for its `Prose`. */
import type { Prose } from './prose'

const START = Date.parse('2023-01-01T00:00:00.000Z')
const SLOT_BYTES = 256
const MODEL = { api: 'anthropic-messages', provider: 'anthropic', model: 'claude-bench-5' }

/** Mean characters of the texts of a session. */
export type TextSizes = { prompt: number; answer: number; thinking: number; result: number }

/** What a session of some 200 KB holds: tool results are most of it. */
export const USUAL_SIZES: TextSizes = { prompt: 300, answer: 500, thinking: 400, result: 2_600 }

export class JournalLines {
  readonly lines: string[] = []
  /** Characters of all lines, which are plain ASCII. */
  bytes = 0
  /** Characters of what was said and thought: what the search index covers. */
  textBytes = 0
  entries = 0
  /** Unix ms of the last entry. */
  time: number
  private readonly prose: Prose
  private readonly sizes: TextSizes
  private parent: string | null = null
  private call: string | null = null

  constructor(prose: Prose, sizes: TextSizes, minutes: number) {
    this.prose = prose
    this.sizes = sizes
    this.time = START + minutes * 60_000
  }

  /** Slot and header. `title` null: it never got one. */
  begin(id: string, cwd: string, title: string | null): void {
    const timestamp = new Date(this.time).toISOString()
    const slot = { type: 'title', v: 1, title: title ?? '', source: 'auto', updatedAt: timestamp, pad: '' }
    slot.pad = ' '.repeat(SLOT_BYTES - 1 - JSON.stringify(slot).length)
    this.write(JSON.stringify(slot))
    this.write(JSON.stringify({ type: 'session', version: 3, id, timestamp, cwd }))
    this.entry({ type: 'model_change', model: `${MODEL.provider}/${MODEL.model}`, role: 'default' })
    this.entry({ type: 'thinking_level_change', thinkingLevel: 'high', configured: 'high' })
  }

  /** One more message; a prompt now and then, else an answer or what its call brought. `extra` stands in a prompt. */
  next(extra = ''): void {
    if (this.call !== null) this.result(this.call)
    else if (extra !== '' || this.entries < 3 || this.prose.chance() < 0.18) this.prompt(extra)
    else this.answer()
  }

  /** The id of the last entry, to come back to. */
  get place(): string | null {
    return this.parent
  }

  /** Goes on behind another entry: what follows is a branch of its own. */
  goBack(place: string): void {
    this.parent = place
    this.call = null
  }

  private prompt(extra: string): void {
    const text = `${this.said(this.sizes.prompt)} ${extra}`.trim()
    this.message({ role: 'user', content: [{ type: 'text', text }], timestamp: this.time })
  }

  private answer(): void {
    const content: object[] = []
    if (this.prose.chance() < 0.7)
      content.push({ type: 'thinking', thinking: this.said(this.sizes.thinking), thinkingSignature: '' })
    content.push({ type: 'text', text: this.said(this.sizes.answer) })
    if (this.prose.chance() < 0.8) {
      this.call = `toolu_${this.entries}`
      content.push(this.toolCall(this.call))
    }
    this.message({
      role: 'assistant',
      content,
      ...MODEL,
      usage: {
        input: 1200,
        output: 180,
        cacheRead: 24_000,
        cacheWrite: 900,
        totalTokens: 26_280,
        cost: { input: 0.0036, output: 0.0027, cacheRead: 0.0072, cacheWrite: 0.0034, total: 0.0169 },
      },
      stopReason: this.call === null ? 'stop' : 'toolUse',
      timestamp: this.time,
    })
  }

  private toolCall(id: string): object {
    const file = `src/${this.prose.text(4).split(' ')[0]}.ts`
    if (this.prose.chance() < 0.7)
      return { type: 'toolCall', id, name: 'bash', arguments: { command: `grep -n ${this.prose.text(12)}` } }
    return {
      type: 'toolCall',
      id,
      name: 'write',
      arguments: { path: file, content: this.prose.text(this.sizes.result / 4) },
    }
  }

  private result(toolCallId: string): void {
    this.call = null
    // One in ten is long.
    const chars = this.sizes.result * (this.prose.chance() < 0.1 ? 5 : 0.55)
    const content = [{ type: 'text', text: this.prose.output(chars) }]
    const more = { toolName: 'bash', content, isError: false, timestamp: this.time }
    this.message({ role: 'toolResult', toolCallId, ...more })
  }

  private said(mean: number): string {
    const text = this.prose.text(Math.ceil(mean * (0.3 + 1.4 * this.prose.chance())))
    this.textBytes += text.length
    return text
  }

  private message(message: object): void {
    this.entry({ type: 'message', message })
  }

  private entry({ type, ...more }: { type: string; [key: string]: unknown }): void {
    this.time += 7_000 + this.prose.below(20_000)
    const id = this.entries.toString(16).padStart(8, '0')
    const timestamp = new Date(this.time).toISOString()
    this.write(JSON.stringify({ type, id, parentId: this.parent, timestamp, ...more }))
    this.parent = id
    this.entries++
  }

  private write(line: string): void {
    this.lines.push(line)
    this.bytes += line.length + 1
  }

  /** The lines since this was asked last. */
  take(): string {
    const text = `${this.lines.join('\n')}\n`
    this.lines.length = 0
    return text
  }
}
