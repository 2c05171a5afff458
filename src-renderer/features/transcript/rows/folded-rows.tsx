/** Rows that are folded to one line: thinking, dividers and notes. */
import type { DividerRow, NoteRow, ThinkingRow } from '@shared/ipc/models/transcript-models'
import {
  Brain,
  ChevronRight,
  CircleHelp,
  FileStack,
  MessageSquareDashed,
  Puzzle,
  SquareTerminal,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { countOf } from '../../../ui/format'
import { CopyMenu } from '../parts/copy-menu'
import { Images } from '../parts/images'
import { PlainText, RichText } from '../parts/rich-text'
import { TerminalOutput } from '../parts/terminal-output'
import { WholeText } from '../parts/whole-text'
import { canFold, noteStart, thinkingSummary } from '../row-facts'
import { AgentHead, RowMarks, RowTime } from './row-head'

type Foldable<R> = { row: R; index: number; unfolded: boolean; onToggle: () => void }

/** Thinking: its first words, then all of it. */
export function Thinking({ row, index, unfolded, onToggle }: Foldable<ThinkingRow>) {
  const summary = thinkingSummary(row)
  return (
    <div>
      <AgentHead row={row} index={index} />
      <div className="tr-think">
        <button
          type="button"
          className="tr-think-head"
          aria-expanded={unfolded}
          disabled={!canFold(row)}
          onClick={onToggle}
        >
          <Brain aria-hidden size={14} />
          <span className="tr-think-word">Thinking</span>
          {!unfolded && <span className="u-cut u-grow">{summary}</span>}
          {unfolded && <span className="u-grow" />}
          {!row.redacted && <span className="tr-faintfact">{countOf(row.text.lines, 'line')}</span>}
          {canFold(row) && <ChevronRight aria-hidden size={14} className="tr-chevron" />}
        </button>
        {unfolded && (
          <div className="tr-think-body">
            <WholeText ordinal={row.ordinal} text={row.text}>
              {text => <RichText text={text} />}
            </WholeText>
          </div>
        )}
      </div>
    </div>
  )
}

/** A line across: compaction, branch summary, another model. */
export function Divider({ row, index, unfolded, onToggle }: Foldable<DividerRow>) {
  return (
    <div className={row.what === 'gap' ? 'tr-divider tr-gap' : 'tr-divider'}>
      <div className="tr-rule">
        {row.what === 'title' ? (
          <span className="tr-rule-text u-text u-cut" title={row.text}>
            {row.text}
          </span>
        ) : (
          <span className="tr-rule-text u-text">{row.text}</span>
        )}
        <RowTime row={row} />
        <RowMarks row={row} index={index} />
        {row.body !== null && (
          <button type="button" className="tr-smallbtn" aria-expanded={unfolded} onClick={onToggle}>
            {unfolded ? 'Hide' : 'Show'}
            <span className="u-hidden"> {row.text}</span>
          </button>
        )}
      </div>
      {unfolded && row.body !== null && (
        <div className="tr-rule-body">
          <WholeText ordinal={row.ordinal} text={row.body}>
            {text => <RichText text={text} />}
          </WholeText>
        </div>
      )}
    </div>
  )
}

function noteIcon(what: NoteRow['what']): ReactNode {
  switch (what) {
    case 'bash':
    case 'python':
      return <SquareTerminal aria-hidden size={16} />
    case 'files':
      return <FileStack aria-hidden size={16} />
    case 'developer':
      return <MessageSquareDashed aria-hidden size={16} />
    case 'custom':
      return <Puzzle aria-hidden size={16} />
    case 'unknown':
      return <CircleHelp aria-hidden size={16} />
  }
}

/** Something beside the conversation: a command of the user, files, an extension's entry, an unknown one. */
export function Note({ row, index, unfolded, onToggle }: Foldable<NoteRow>) {
  const { body } = row
  const terminal = row.what === 'bash' || row.what === 'python'
  return (
    <div className={unfolded ? 'tr-tool tr-open' : 'tr-tool'}>
      <div className="tr-tool-head">
        <button
          type="button"
          className="tr-tool-btn"
          aria-expanded={canFold(row) ? unfolded : undefined}
          disabled={!canFold(row)}
          onClick={onToggle}
        >
          {noteIcon(row.what)}
          <span className={terminal ? 'tr-tool-sum u-mono u-cut' : 'tr-tool-name u-cut'}>{row.title}</span>
          {!unfolded && body !== null && !terminal && (
            <span className="u-cut u-faint tr-note-first">{noteStart(row.what, body.text)}</span>
          )}
          <span className="tr-tool-facts">
            {row.exitCode !== null && (
              <span className={row.exitCode === 0 ? '' : 'tr-bad'}>exit {row.exitCode}</span>
            )}
            {body !== null && <span>{countOf(body.lines, 'line')}</span>}
          </span>
          {canFold(row) && <ChevronRight aria-hidden size={14} className="tr-chevron" />}
        </button>
        <RowMarks row={row} index={index} />
        <CopyMenu row={row} />
      </div>
      {unfolded && (
        <div className="tr-tool-body">
          {body !== null && (
            <WholeText ordinal={row.ordinal} text={body}>
              {text =>
                terminal ? (
                  <TerminalOutput text={text} error={false} />
                ) : row.what === 'unknown' ? (
                  <PlainText text={text} />
                ) : (
                  <div className="tr-note-text">
                    <RichText text={text} />
                  </div>
                )
              }
            </WholeText>
          )}
          <Images images={row.images} />
        </div>
      )}
    </div>
  )
}
