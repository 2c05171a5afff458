/** A tool call joined with its result: one line that says what matters, unfolding to all of it. */
import type { ToolRow } from '@shared/ipc/models/transcript-models'
import {
  Bot,
  ChevronRight,
  FilePen,
  FilePlus,
  FileText,
  FolderTree,
  Globe,
  ListTodo,
  type LucideIcon,
  Search,
  SquareCode,
  SquareTerminal,
  Users,
  Wrench,
} from 'lucide-react'
import { useStore } from 'zustand'
import { findStoreOf } from '../../../stores/find-store'
import { useStores } from '../../../stores/stores-context'
import { argumentText } from '../parts/argument-text'
import { CodeBlock } from '../parts/code-block'
import { CopyMenu } from '../parts/copy-menu'
import { DiffBlock } from '../parts/diff-block'
import { languageOf } from '../parts/highlight'
import { Images } from '../parts/images'
import { PlainText } from '../parts/rich-text'
import { TerminalOutput } from '../parts/terminal-output'
import { WholeText } from '../parts/whole-text'
import { canFold, toolFacts } from '../row-facts'
import { AgentHead } from './row-head'

const ICONS: readonly [RegExp, LucideIcon][] = [
  [/^(bash|shell|exec|ssh|terminal)/i, SquareTerminal],
  [/^(python|eval|js|notebook|node)/i, SquareCode],
  [/edit|patch|replace/i, FilePen],
  [/^write|create/i, FilePlus],
  [/^(read|view|cat|open)/i, FileText],
  [/^(ls|find|glob|tree)/i, FolderTree],
  [/grep|search/i, Search],
  [/^(task|agent|subagent)/i, Bot],
  [/todo/i, ListTodo],
  [/web|fetch|browser|http/i, Globe],
]

function toolIcon(name: string): LucideIcon {
  return ICONS.find(([pattern]) => pattern.test(name))?.[1] ?? Wrench
}

const TONES = { plain: '', good: 'tr-good', bad: 'tr-bad' } as const

/** One call. */
export function ToolCall(props: { row: ToolRow; index: number; unfolded: boolean; onToggle: () => void }) {
  const { row, index, unfolded, onToggle } = props
  const Icon = toolIcon(row.name)
  const foldable = canFold(row)
  // That the call is elsewhere is told among the facts.
  const summary = row.state === 'call-missing' ? '' : row.summary
  const bad = row.state === 'error' || row.state === 'none' || (row.exitCode !== null && row.exitCode !== 0)
  return (
    <div>
      <AgentHead row={row} index={index} />
      <div className={unfolded && foldable ? 'tr-tool tr-open' : 'tr-tool'}>
        <div className="tr-tool-head">
          <button
            type="button"
            className="tr-tool-btn"
            aria-expanded={foldable ? unfolded : undefined}
            disabled={!foldable}
            onClick={onToggle}
          >
            <Icon aria-hidden size={16} className={bad ? 'tr-bad' : 'tr-tool-icon'} />
            <span className="tr-tool-name" title={row.name}>
              {row.name}
            </span>
            <span className="tr-tool-sum u-mono u-cut" title={summary}>
              {summary}
            </span>
            <span className="tr-tool-facts">
              {toolFacts(row).map(fact => (
                <span key={fact.text} className={TONES[fact.tone]}>
                  {fact.text}
                </span>
              ))}
            </span>
            {foldable && <ChevronRight aria-hidden size={14} className="tr-chevron" />}
          </button>
          <CopyMenu row={row} />
        </div>
        {unfolded && foldable && <ToolBody row={row} />}
      </div>
      {row.subagents.length > 0 && <Subagents row={row} />}
    </div>
  )
}

function ToolBody({ row }: { row: ToolRow }) {
  const { client } = useStores()
  const { args, output, diff } = row
  // What is usually told by something else is shown where a match stands in it.
  const mark = useStore(findStoreOf(client), state => state.mark)
  const inArgs = mark !== null && mark.ordinal === row.ordinal && mark.part === args?.part
  const inOutput = mark !== null && mark.ordinal === row.resultOrdinal && mark.part === output?.part
  // The one line already shows an argument that is nothing but the summary; an edit is told by its diff.
  const showArgs =
    args !== null && args.text !== '' && (inArgs || (args.text !== row.summary && diff === null))
  const language = /^read/i.test(row.name) ? languageOf(row.summary) : null
  return (
    <div className="tr-tool-body">
      {row.intent !== null && <p className="tr-intent u-text">{row.intent}</p>}
      {showArgs && (
        <div role="group" className="tr-args" aria-label="Arguments">
          <WholeText ordinal={row.ordinal} text={args}>
            {text => <PlainText text={argumentText(text)} />}
          </WholeText>
        </div>
      )}
      {diff !== null && <DiffBlock lines={diff.lines} cut={diff.cut} />}
      {output !== null && output.text !== '' && (inOutput || diff === null || row.state !== 'ok') && (
        <WholeText ordinal={row.resultOrdinal ?? row.ordinal} text={output}>
          {text =>
            language !== null && row.state === 'ok' ? (
              <CodeBlock code={text} language={language} />
            ) : (
              <TerminalOutput text={text} error={row.state === 'error'} />
            )
          }
        </WholeText>
      )}
      {row.state === 'none' && <p className="tr-more">No result of this call is on this path.</p>}
      <Images images={row.images} />
    </div>
  )
}

function Subagents({ row }: { row: ToolRow }) {
  const { session } = useStores()
  return (
    <ul className="tr-subagents" aria-label="Subagents of this call">
      {row.subagents.map((agent, index) => {
        const ref = agent.session
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two subagents may bear one name, and never move
          <li key={index}>
            {ref === null ? (
              <span className="tr-chip tr-chip-off" title="Its session is not there">
                <Users aria-hidden size={13} /> {agent.name}
              </span>
            ) : (
              <button
                type="button"
                className="tr-chip"
                onClick={() => void session.getState().openFrom(ref)}
                title={`Open the session of ${agent.name}`}
              >
                <Users aria-hidden size={13} /> {agent.name}
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
