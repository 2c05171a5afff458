/** Wide lists of few things (trash, changes): their look, and their skeleton. */
import { Bone } from './states'
import './plain-list.css'

export function PlainBones({ label }: { label: string }) {
  return (
    <div className="plain-rows" role="status" aria-label={label}>
      {[34, 46, 28].map(width => (
        <div key={width} className="plain-row">
          <div className="plain-main">
            <Bone width={`${width}%`} height={11} />
            <Bone width={`${width + 18}%`} />
          </div>
        </div>
      ))}
    </div>
  )
}
