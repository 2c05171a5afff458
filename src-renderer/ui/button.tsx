/** Buttons. An icon button has a name and, on hover and focus, shows it with its key. */
import { Tooltip } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { useLayer } from './layer'
import './button.css'

type ButtonProps = Omit<ComponentProps<'button'>, 'type'> & {
  look?: 'plain' | 'primary' | 'danger' | 'quiet'
}

export function Button({ look = 'plain', className, ...rest }: ButtonProps) {
  return <button type="button" className={`btn btn-${look}${className ? ` ${className}` : ''}`} {...rest} />
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'type' | 'aria-label' | 'title'> & {
  label: string
  keys?: string | null
  children: ReactNode
}

export function IconButton({ label, keys, className, children, ...rest }: IconButtonProps) {
  const layer = useLayer()
  return (
    <Tooltip.Root>
      <Tooltip.Trigger asChild>
        <button
          type="button"
          className={`iconbtn${className ? ` ${className}` : ''}`}
          aria-label={label}
          {...rest}
        >
          {children}
        </button>
      </Tooltip.Trigger>
      <Tooltip.Portal container={layer}>
        <Tooltip.Content className="tip" sideOffset={6} collisionPadding={8}>
          {label}
          {keys ? <Kbd>{keys}</Kbd> : null}
        </Tooltip.Content>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}

/** Wraps the window once: tooltips wait before the first, not between neighbours. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={500} skipDelayDuration={200} disableHoverableContent>
      {children}
    </Tooltip.Provider>
  )
}

/** A key, as on a keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className="kbd">{children}</kbd>
}
