/** Menus: one list of items, shown below a button or at the pointer. */
import { Check } from 'lucide-react'
import { ContextMenu as RadixContext, DropdownMenu as RadixDropdown } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { commandIcon } from './command-icons'
import { useLayer } from './layer'
import './menu.css'

export type MenuItem =
  | { kind: 'line'; key: string }
  | {
      kind: 'item'
      key: string
      text: string
      keys?: string | null
      /** Absent: the sign of the command that the key names. */
      icon?: ReactNode
      danger?: boolean
      disabled?: boolean
      onSelect(): void
    }
  | { kind: 'heading'; key: string; text: string }
  | { kind: 'choice'; key: string; text: string; checked: boolean; onSelect(): void }

/** Items, or how to make them when the menu opens. */
export type MenuItems = readonly MenuItem[] | (() => readonly MenuItem[])

type Parts = Pick<typeof RadixDropdown, 'Item' | 'Separator' | 'CheckboxItem' | 'ItemIndicator' | 'Label'>

/**
 * What was chosen is done once the menu is gone and has given the focus back: a dialog or a field that it opens then knows
 * where the focus belongs after it.
 */
function useChoice() {
  const chosen = useRef<(() => void) | null>(null)
  return {
    choose: (act: () => void) => {
      chosen.current = act
    },
    /** The focus is given back in the same task, after this. */
    onCloseAutoFocus: () => {
      const act = chosen.current
      chosen.current = null
      if (act) queueMicrotask(act)
    },
  }
}

function Items(props: { parts: Parts; items: MenuItems; choose(act: () => void): void }) {
  const { parts, choose } = props
  const items = typeof props.items === 'function' ? props.items() : props.items
  return items.map(item => {
    switch (item.kind) {
      case 'line':
        return <parts.Separator key={item.key} className="menu-line" />
      case 'heading':
        return (
          <parts.Label key={item.key} className="menu-heading">
            {item.text}
          </parts.Label>
        )
      case 'choice':
        return (
          <parts.CheckboxItem
            key={item.key}
            className="menu-item"
            checked={item.checked}
            onSelect={() => choose(item.onSelect)}
          >
            <span className="menu-mark">
              <parts.ItemIndicator>
                <Check />
              </parts.ItemIndicator>
            </span>
            {item.text}
          </parts.CheckboxItem>
        )
      case 'item': {
        const icon = item.icon ?? commandIcon(item.key)
        return (
          <parts.Item
            key={item.key}
            className={item.danger ? 'menu-item menu-danger' : 'menu-item'}
            disabled={item.disabled ?? false}
            onSelect={() => choose(item.onSelect)}
          >
            {icon ? <span className="menu-mark">{icon}</span> : null}
            <span className="menu-text">{item.text}</span>
            {item.keys ? <span className="menu-keys">{item.keys}</span> : null}
          </parts.Item>
        )
      }
      default:
        return item satisfies never
    }
  })
}

/** A menu below its button. `children` is the button. */
export function DropdownMenu(props: {
  items: MenuItems
  align?: 'start' | 'end'
  label?: string
  children: ReactNode
}) {
  const layer = useLayer()
  const { choose, onCloseAutoFocus } = useChoice()
  return (
    <RadixDropdown.Root modal={false}>
      <RadixDropdown.Trigger asChild>{props.children}</RadixDropdown.Trigger>
      <RadixDropdown.Portal container={layer}>
        <RadixDropdown.Content
          className="menu"
          align={props.align ?? 'end'}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={onCloseAutoFocus}
          {...(props.label === undefined ? {} : { 'aria-label': props.label })}
        >
          <Items parts={RadixDropdown} items={props.items} choose={choose} />
        </RadixDropdown.Content>
      </RadixDropdown.Portal>
    </RadixDropdown.Root>
  )
}

/** A menu at the pointer over `children`; an empty list shows none, as does a child that prevents its event. */
export function ContextMenu({ items, children }: { items: MenuItems; children: ReactNode }) {
  const layer = useLayer()
  const { choose, onCloseAutoFocus } = useChoice()
  return (
    <RadixContext.Root modal={false}>
      <RadixContext.Trigger asChild disabled={items.length === 0 && typeof items !== 'function'}>
        {children}
      </RadixContext.Trigger>
      <RadixContext.Portal container={layer}>
        <RadixContext.Content className="menu" collisionPadding={8} onCloseAutoFocus={onCloseAutoFocus}>
          <Items parts={RadixContext} items={items} choose={choose} />
        </RadixContext.Content>
      </RadixContext.Portal>
    </RadixContext.Root>
  )
}
