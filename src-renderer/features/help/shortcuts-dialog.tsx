/** All shortcuts, read from the registry's list. */
import { COMMANDS, type CommandSpec, type MenuName } from '@shared/commands'
import { showKeys } from '../../commands/keys'
import { useStores } from '../../stores/stores-context'
import { Button, Kbd } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import './help.css'

const GROUPS: readonly { menu: MenuName; title: string }[] = [
  { menu: 'file', title: 'Library' },
  { menu: 'edit', title: 'Find and select' },
  { menu: 'view', title: 'Window' },
  { menu: 'go', title: 'Go' },
  { menu: 'session', title: 'Session' },
  { menu: 'help', title: 'Help' },
]

/** Keys of lists, which are no commands. */
const LIST_KEYS: readonly { keys: readonly string[]; title: string }[] = [
  { keys: ['↑', '↓'], title: 'Move' },
  { keys: ['Home', 'End'], title: 'First, last' },
  { keys: ['Page Up', 'Page Down'], title: 'A screen up, down' },
  { keys: ['Enter'], title: 'Open and go to it' },
  { keys: ['Shift ↑', 'Shift ↓'], title: 'Extend the selection' },
  { keys: ['Ctrl ↑', 'Ctrl ↓'], title: 'Move without selecting' },
  { keys: ['Space'], title: 'Select or unselect' },
  { keys: ['Shift F10'], title: 'Menu of the row' },
  { keys: ['a … z'], title: 'Go to a title by its first letters' },
]

/** Keys of the transcript; Ctrl+T and Ctrl+O are omp's own. */
const TRANSCRIPT_KEYS: readonly { keys: readonly string[]; title: string }[] = [
  { keys: ['j', 'k'], title: 'Next, previous row' },
  { keys: ['Shift J', 'Shift K'], title: 'Next, previous prompt' },
  { keys: ['Enter'], title: 'Fold or unfold' },
  { keys: ['c', 'Shift C'], title: 'Copy as text, as Markdown' },
  { keys: ['Ctrl T'], title: 'All thinking' },
  { keys: ['Ctrl O'], title: 'All tool output' },
]

function KeyGroup(props: { title: string; lines: readonly { keys: readonly string[]; title: string }[] }) {
  return (
    <section className="help-group">
      <h3 className="help-title">{props.title}</h3>
      <dl>
        {props.lines.map(({ keys, title }) => (
          <div key={title} className="help-line">
            <dt>{title}</dt>
            <dd>
              {keys.map(key => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function ShortcutsDialog({ mac, onFocusLost }: { mac: boolean; onFocusLost(): void }) {
  const stores = useStores()
  const close = () => stores.dialogs.getState().close()
  const specs: readonly CommandSpec[] = COMMANDS
  return (
    <Dialog
      title="Keyboard shortcuts"
      size="large"
      onClose={close}
      onFocusLost={onFocusLost}
      footer={
        <Button look="primary" onClick={close}>
          Close
        </Button>
      }
    >
      <div className="help-columns">
        {GROUPS.map(({ menu, title }) => {
          const lines = specs
            .filter(spec => spec.menu === menu && spec.keys.length > 0)
            .map(spec => ({ title: spec.title.replace('…', ''), keys: [showKeys(spec.keys[0] ?? '', mac)] }))
          return lines.length === 0 ? null : <KeyGroup key={menu} title={title} lines={lines} />
        })}
        <KeyGroup title="In lists" lines={LIST_KEYS} />
        <KeyGroup title="In the transcript" lines={TRANSCRIPT_KEYS} />
      </div>
    </Dialog>
  )
}
