import type { ReactNode } from 'react'

type EmptyStateProps = {
  readonly title: string
  /** Says what the page will show, and what to do first. */
  readonly children: ReactNode
  /** The button for this first step. */
  readonly action?: ReactNode
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action !== undefined && <div className="empty-action">{action}</div>}
    </div>
  )
}
