/** One line of the sidebar: a place to go to, with a count. */
import type { ComponentProps, ReactNode } from 'react'
import { formatCount } from '../../ui/format'

type NavItemProps = Omit<ComponentProps<'button'>, 'type' | 'children'> & {
  /** Of a project: what is dropped here is meant for it. */
  'data-project'?: string
  icon: ReactNode
  text: string
  detail?: string | undefined
  count?: number | undefined
  current: boolean
  /** Whether Tab reaches this one of the column. */
  first: boolean
  badge?: ReactNode
}

export function NavItem(props: NavItemProps) {
  const { icon, text, detail, count, current, first, badge, className, ...rest } = props
  return (
    <button
      type="button"
      className={`nav${className ? ` ${className}` : ''}`}
      aria-current={current ? 'page' : undefined}
      data-roving={text}
      tabIndex={first ? 0 : -1}
      {...rest}
    >
      {icon}
      <span className="u-cut u-grow">
        {text}
        {detail ? <span className="nav-detail">{detail}</span> : null}
      </span>
      {badge}
      {count === undefined ? null : <span className="nav-count u-num">{formatCount(count)}</span>}
    </button>
  )
}
