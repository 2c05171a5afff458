/** What a reader has to know about this file: not omp's branch, lines that could not be read. */
import type { SessionView } from '@shared/ipc/models/session-models'
import { GitBranch, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { useCommands } from '../../commands/context'
import { useStores } from '../../stores/stores-context'
import { countOf } from '../../ui/format'
import { plainWords } from '../../ui/plain-words'

function Banner(props: { tone: 'info' | 'warn'; icon: ReactNode; text: ReactNode; action?: ReactNode }) {
  return (
    <div className={`tr-banner tr-banner-${props.tone}`} role="status">
      {props.icon}
      <span className="u-grow u-text tr-banner-text">{props.text}</span>
      {props.action}
    </div>
  )
}

/** All banners of an open session. */
export function Banners({ view }: { view: SessionView }) {
  const { session, transcript } = useStores()
  const shownTip = useStore(transcript, state => state.shownTip)
  const { leaf } = view
  const commands = useCommands()
  const target = { kind: 'entry' as const, session: view.row.ref, ordinal: shownTip ?? 0 }
  const other = shownTip !== null && leaf !== null && shownTip !== leaf
  const leafTip = view.tips.find(tip => tip.isLeaf)
  return (
    <>
      {other && (
        <Banner
          tone="info"
          icon={<GitBranch aria-hidden size={16} />}
          text={
            // An archived session is resumed nowhere.
            view.row.archived ? (
              'You are reading another branch.'
            ) : (
              <>
                You are reading another branch. omp would resume{' '}
                {leafTip === undefined || leafTip.text === '' ? (
                  'its own'
                ) : (
                  <b>“{plainWords(leafTip.text)}”</b>
                )}
                .
              </>
            )
          }
          action={
            <>
              {commands.enabled('entry.continue', target) ? (
                <button
                  type="button"
                  className="tr-smallbtn"
                  title="omp then resumes the branch that you are reading"
                  onClick={() => commands.run('entry.continue', target)}
                >
                  Continue this branch
                </button>
              ) : null}
              <button type="button" className="tr-smallbtn" onClick={() => session.getState().showTip(leaf)}>
                Show omp’s branch
              </button>
            </>
          }
        />
      )}
      <ProblemBanner view={view} />
      {view.damagedLines > 0 && (
        <Banner
          tone="warn"
          icon={<TriangleAlert aria-hidden size={16} />}
          text={`${countOf(view.damagedLines, 'line')} could not be read. Nothing was changed in the file.`}
          action={
            <button
              type="button"
              className="tr-smallbtn"
              onClick={() => session.getState().setTab('details')}
            >
              Details
            </button>
          }
        />
      )}
    </>
  )
}

/**
 * Something else that is wrong with the file. Lines that could not be read have a banner that leads to the same place; a file
 * that is being written may end in half a line at any time.
 */
function ProblemBanner({ view }: { view: SessionView }) {
  const { session } = useStores()
  const [first] = view.problems
  if (first === undefined || view.damagedLines > 0 || view.row.use === 'in-use') return null
  const more = view.problems.length - 1
  return (
    <Banner
      tone="info"
      icon={<Info aria-hidden size={16} />}
      text={more === 0 ? first : `${first} ${countOf(more, 'more problem')}.`}
      action={
        <button type="button" className="tr-smallbtn" onClick={() => session.getState().setTab('details')}>
          Details
        </button>
      }
    />
  )
}
