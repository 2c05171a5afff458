/** What was said: the user's prompts and the agent's texts. */
import type { AgentRow, PromptRow } from '@shared/ipc/models/transcript-models'
import { CircleAlert } from 'lucide-react'
import { countOf, formatCount } from '../../../ui/format'
import { CopyMenu } from '../parts/copy-menu'
import { Images } from '../parts/images'
import { PlainText, RichText } from '../parts/rich-text'
import { WholeText } from '../parts/whole-text'
import { AgentHead, RowHead } from './row-head'

/** A prompt: a card of its own. Text that the program put in front is folded. */
export function PromptCard({ row, index }: { row: PromptRow; index: number }) {
  return (
    <div className={row.synthetic ? 'tr-you tr-synthetic' : 'tr-you'}>
      <RowHead
        row={row}
        index={index}
        who={row.synthetic ? 'Program' : 'You'}
        actions={<CopyMenu row={row} />}
      />
      {row.injected !== null && (
        <details className="tr-injected">
          <summary>Put in front by the program, {countOf(row.injected.lines, 'line')}</summary>
          <WholeText ordinal={row.ordinal} text={row.injected}>
            {text => <PlainText text={text} />}
          </WholeText>
        </details>
      )}
      <WholeText ordinal={row.ordinal} text={row.text}>
        {text => (text === '' ? null : <RichText text={text} />)}
      </WholeText>
      <Images images={row.images} />
    </div>
  )
}

const STOPS: Readonly<Record<string, string>> = {
  error: 'The model answered with an error.',
  aborted: 'Stopped by the user.',
  length: 'Cut off: the longest answer the model may give.',
}

/** A row of which nothing would be seen. */
function saysNothing({ text, images, stop }: AgentRow): boolean {
  return text.text === '' && images.length === 0 && stop === null
}

/** A text of the agent, with how it ended when it did not end well. */
export function AgentText({ row, index }: { row: AgentRow; index: number }) {
  return (
    <div className="tr-agent">
      <AgentHead
        row={row}
        index={index}
        extra={
          row.tokens === null ? null : (
            <span className="tr-faintfact" title="Output tokens of this message">
              {formatCount(row.tokens)} tok
            </span>
          )
        }
      />
      <div className="tr-agent-body">
        {saysNothing(row) && <p className="u-faint">A message without text.</p>}
        <WholeText ordinal={row.ordinal} text={row.text}>
          {text => (text === '' ? null : <RichText text={text} />)}
        </WholeText>
        <Images images={row.images} />
        {row.stop !== null && (
          <p className={row.stop === 'aborted' ? 'tr-stop' : 'tr-stop tr-bad'}>
            <CircleAlert aria-hidden size={14} />
            <span className="u-text">
              {STOPS[row.stop] ?? `Ended with “${row.stop}”.`}
              {row.errorText !== null && ` ${row.errorText}`}
            </span>
          </p>
        )}
      </div>
      <span className="tr-corner">
        <CopyMenu row={row} />
      </span>
    </div>
  )
}
