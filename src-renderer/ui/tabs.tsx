/** Tabs: one panel at a time, arrow keys between the tabs. */
import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import './tabs.css'

export type Tab<Name extends string> = {
  name: Name
  title: string
  /** Shown behind the title, as a count. */
  count?: string | undefined
  /** A dot behind the title, with its meaning in words. */
  mark?: string | undefined
  panel(): ReactNode
}

/** `children` stands between the tabs and the open panel; `head` above the tabs. */
export function Tabs<Name extends string>(props: {
  tabs: readonly Tab<Name>[]
  open: Name
  label: string
  head: ReactNode
  children?: ReactNode
  onOpen(name: Name): void
}) {
  const { tabs, open, label, head, children, onOpen } = props
  const choose = (value: string) => {
    const tab = tabs.find(({ name }) => name === value)
    if (tab) onOpen(tab.name)
  }
  return (
    <Radix.Root className="tabs-root" value={open} onValueChange={choose}>
      <header className="tabs-head">
        {head}
        <Radix.List className="tabs" aria-label={label}>
          {tabs.map(({ name, title, count, mark }) => (
            <Radix.Trigger key={name} value={name} className="tab">
              {title}
              {count ? <span className="tab-count u-num">{count}</span> : null}
              {mark ? <span className="tab-dot" role="img" aria-label={mark} /> : null}
            </Radix.Trigger>
          ))}
        </Radix.List>
      </header>
      {children}
      {tabs.map(({ name, panel }) => (
        <Radix.Content key={name} value={name} className="tab-panel">
          {name === open ? panel() : null}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
