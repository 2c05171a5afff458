/** Menus: one list of items, shown below a button or at the pointer. */
import { Check } from 'lucide-react'
import { ContextMenu as RadixContext, DropdownMenu as RadixDropdown } from 'radix-ui'
import type { ReactNode } from 'react'
import { useLayer } from './layer'
import './menu.css'

export type MenuItem =
  | { kind: 'line'; key: string }
  | {
      kind: 'item'
      key: string
      text: string
      keys?: string | null
      icon?: ReactNode
      danger?: boolean
      disabled?: boolean
      onSelect(): void
    }
  | { kind: 'heading'; key: string; text: string }
  | { kind: 'choice'; key: string; text: string; checked: boolean; onSelect(): void }

type Parts = Pick<typeof RadixDropdown, 'Item' | 'Separator' | 'CheckboxItem' | 'ItemIndicator' | 'Label'>

function renderItems(parts: Parts, items: readonly MenuItem[]) {
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
            onSelect={item.onSelect}
          >
            <span className="menu-mark">
              <parts.ItemIndicator>
                <Check />
              </parts.ItemIndicator>
            </span>
            {item.text}
          </parts.CheckboxItem>
        )
      case 'item':
        return (
          <parts.Item
            key={item.key}
            className={item.danger ? 'menu-item menu-danger' : 'menu-item'}
            disabled={item.disabled ?? false}
            onSelect={item.onSelect}
          >
            {item.icon ? <span className="menu-mark">{item.icon}</span> : null}
            <span className="menu-text">{item.text}</span>
            {item.keys ? <span className="menu-keys">{item.keys}</span> : null}
          </parts.Item>
        )
      default:
        return item satisfies never
    }
  })
}

/** A menu below its button. `children` is the button. */
export function DropdownMenu(props: {
  items: readonly MenuItem[]
  align?: 'start' | 'end'
  label?: string
  children: ReactNode
}) {
  const layer = useLayer()
  return (
    <RadixDropdown.Root modal={false}>
      <RadixDropdown.Trigger asChild>{props.children}</RadixDropdown.Trigger>
      <RadixDropdown.Portal container={layer}>
        <RadixDropdown.Content
          className="menu"
          align={props.align ?? 'end'}
          sideOffset={4}
          collisionPadding={8}
          {...(props.label === undefined ? {} : { 'aria-label': props.label })}
        >
          {renderItems(RadixDropdown, props.items)}
        </RadixDropdown.Content>
      </RadixDropdown.Portal>
    </RadixDropdown.Root>
  )
}

/** A menu at the pointer over `children`; an empty list shows none. */
export function ContextMenu({ items, children }: { items: readonly MenuItem[]; children: ReactNode }) {
  const layer = useLayer()
  return (
    <RadixContext.Root modal={false}>
      <RadixContext.Trigger asChild disabled={items.length === 0}>
        {children}
      </RadixContext.Trigger>
      <RadixContext.Portal container={layer}>
        <RadixContext.Content className="menu" collisionPadding={8}>
          {renderItems(RadixContext, items)}
        </RadixContext.Content>
      </RadixContext.Portal>
    </RadixContext.Root>
  )
}
