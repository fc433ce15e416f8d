import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'

type Crumb = { readonly label: string; readonly to: string; readonly search?: Readonly<Record<string, string>> }

type PageProps = {
  readonly title: string
  /** Links to the pages above this one. The highest page is first. */
  readonly crumbs?: readonly Crumb[]
  /** A short text below the title. */
  readonly lead?: ReactNode
  /** A badge next to the title. */
  readonly status?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

const platformTitle = document.title.split(' · ').at(-1) ?? ''

/** Every page uses this component. It shows breadcrumbs, title and actions, and sets the title of the tab. */
export function Page({ title, crumbs = [], lead, status, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${[title, ...crumbs.map(({ label }) => label).toReversed()].join(' · ')} · ${platformTitle}`
  }, [title, crumbs])
  return (
    <>
      {crumbs.length > 0 && (
        <nav className="crumbs" aria-label="Breadcrumbs">
          <ol>
            {crumbs.map(({ label, to, search = {} }) => (
              <li key={to}>
                <Link to={to} search={search}>
                  {label}
                </Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <header className="page-head">
        <div className="page-title">
          <h1>{title}</h1>
          {status}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      {lead !== undefined && <p className="lead">{lead}</p>}
      {children}
    </>
  )
}

type PanelProps = {
  readonly title: string
  readonly hint?: ReactNode
  readonly actions?: ReactNode
  /** True for a panel whose action deletes or ends something. */
  readonly danger?: boolean
  readonly children: ReactNode
}

/** A part of a page with a heading of its own. */
export function Panel({ title, hint, actions, danger = false, children }: PanelProps) {
  return (
    <section className={danger ? 'panel danger' : 'panel'}>
      <header className="panel-head">
        <h2>{title}</h2>
        {actions}
      </header>
      {hint !== undefined && <p className="hint">{hint}</p>}
      {children}
    </section>
  )
}
