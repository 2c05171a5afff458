/** The details tab: what this session is, what is in its file, and whether the file is well. */
import { TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { errorHeading } from '../../commands/error-text'
import { detailsStoreOf } from '../../stores/session-views-stores'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Bone, ErrorState } from '../../ui/states'
import { Family } from './family'
import { Files } from './files'
import { Health } from './health'
import { Identity } from './identity'
import { Counts, TypeSizes, Usage } from './numbers'
import './details.css'

/** Needs no props: the stores say which session. */
export function DetailsView() {
  const { client, session } = useStores()
  const store = detailsStoreOf(client)
  const ref = useStore(session, state => state.ref)
  const data = useStore(store, state => state.data)
  const loaded = useStore(store, state => state.session)
  useEffect(() => {
    if (ref !== null) store.getState().show(ref)
  }, [store, ref])
  if (ref === null) return null
  if (loaded !== ref || data.state === 'loading') {
    return (
      <div className="de-loading" aria-busy="true">
        <p className="u-hidden">Loading the details</p>
        {[36, 58, 44, 62, 50].map(width => (
          <Bone key={width} width={`${width}%`} height={12} />
        ))}
      </div>
    )
  }
  if (data.state === 'error') {
    return (
      <ErrorState
        icon={<TriangleAlert aria-hidden />}
        title={errorHeading(data.error.code)}
        text={data.error.message}
        actions={<Button onClick={() => store.getState().reload()}>Try again</Button>}
      />
    )
  }
  const details = data.value
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="de-view" aria-label="Details" tabIndex={0}>
      <div className="de-col">
        <Health session={ref} details={details} />
        <Identity details={details} />
        <Family session={ref} />
        <Files session={ref} />
        <Counts details={details} />
        <Usage details={details} />
        <TypeSizes details={details} />
      </div>
    </section>
  )
}
