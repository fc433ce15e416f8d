import type { ReactNode } from 'react'

type EmptyStateProps = {
  readonly title: string
  /** What would be here, and the first step to get it. */
  readonly children: ReactNode
  /** The button of the first step. */
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
