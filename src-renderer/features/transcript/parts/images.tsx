/** Pictures of a message. One that is missing or not shown says why. */
import type { ShownImage } from '@shared/ipc/models/transcript-models'
import { ImageOff } from 'lucide-react'
import { useState } from 'react'
import { formatBytes } from '../../../ui/format'

/** All pictures of a row. */
export function Images({ images }: { images: readonly ShownImage[] }) {
  if (images.length === 0) return null
  return (
    <div className="tr-images">
      {images.map((image, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: images of one entry never move
        <Picture key={index} image={image} />
      ))}
    </div>
  )
}

function Picture({ image }: { image: ShownImage }) {
  const [failed, setFailed] = useState(false)
  const facts = [image.mimeType, image.bytes === null ? null : formatBytes(image.bytes)]
    .filter(fact => fact !== null)
    .join(', ')
  if (image.url === null || failed) {
    return (
      <div className="tr-noimage">
        <ImageOff aria-hidden size={16} />
        <span className="tr-noimage-text">
          {image.problem ?? 'This picture could not be shown.'}
          <span className="u-faint">{facts}</span>
        </span>
      </div>
    )
  }
  return (
    <figure className="tr-image">
      <img src={image.url} alt={`Attached, ${facts}`} loading="lazy" onError={() => setFailed(true)} />
      <figcaption>{facts}</figcaption>
    </figure>
  )
}
