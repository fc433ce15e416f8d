import { createLink } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps, Link as AriaLink } from 'react-aria-components'

export type ButtonVariant = 'primary' | 'plain' | 'quiet' | 'danger'

type ButtonProps = Omit<AriaButtonProps, 'className' | 'style' | 'children'> & {
  readonly variant?: ButtonVariant
  readonly children: ReactNode
}

/** The primary variant is for the action for which most people open the page. */
export function Button({ variant = 'plain', children, ...rest }: ButtonProps) {
  return (
    <AriaButton {...rest} className={`button ${variant}`}>
      {children}
    </AriaButton>
  )
}

/** A link that looks like a button: `<LinkButton to="/apps/new" variant="primary">`. */
export const LinkButton = createLink(
  ({ variant = 'plain', ...rest }: React.ComponentProps<typeof AriaLink> & { readonly variant?: ButtonVariant }) => (
    <AriaLink {...rest} className={`button ${variant}`} />
  ),
)
