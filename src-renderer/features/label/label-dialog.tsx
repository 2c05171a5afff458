/** Names an entry, or takes its name away. */
import { Bookmark } from 'lucide-react'
import { useId, useState } from 'react'
import { labelEntry } from '../../commands/flows/manage-flows'
import { useStores } from '../../stores/stores-context'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import './label.css'

/** As long as a label may be. */
const MOST = 200

export function LabelDialog(props: {
  session: string
  /** Id of the entry. */
  entry: string
  label: string | null
  onFocusLost(): void
}) {
  const { session, entry, label, onFocusLost } = props
  const stores = useStores()
  const id = useId()
  const [text, setText] = useState(label ?? '')
  const close = () => stores.dialogs.getState().close()
  const name = text.trim()
  const save = (next: string | null) => {
    // Closed first: the change may ask a question of its own.
    close()
    if (next !== label) void labelEntry(stores, session, entry, next)
  }
  return (
    <Dialog
      title={label === null ? 'Label this entry' : 'Change the label'}
      size="small"
      onClose={close}
      onFocusLost={onFocusLost}
      onSubmit={() => {
        if (name !== '') save(name)
      }}
      footer={
        <>
          {label === null ? null : <Button onClick={() => save(null)}>Clear label</Button>}
          <span className="u-grow" />
          <Button onClick={close}>Cancel</Button>
          <button type="submit" className="btn btn-primary" disabled={name === ''}>
            Set label
          </button>
        </>
      }
    >
      <label className="label-name" htmlFor={id}>
        Label
      </label>
      <div className="label-field">
        <Bookmark aria-hidden />
        <input
          id={id}
          type="text"
          maxLength={MOST}
          spellCheck={false}
          value={text}
          onFocus={event => event.target.select()}
          onChange={event => setText(event.target.value)}
        />
      </div>
      <p className="u-muted">
        Labelled entries stay visible in the graph. omp shows the label in its session tree.
      </p>
    </Dialog>
  )
}
