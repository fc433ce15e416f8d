import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Mode } from '../api/client.ts'
import { CopyText } from '../ui/copy.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { MODES, mayAct, type StaffRole, useConsoleMode, useRole } from './operator.ts'

type StaffPageProps = Omit<React.ComponentProps<typeof Page>, 'children'> & {
  readonly least: StaffRole
  /** What a lower role may not read, in a sentence: "facts". */
  readonly what: string
  /** Whether the page is about one of the two worlds. */
  readonly hasModes?: boolean
  readonly children: ReactNode
}

/** A page for a role and those above it; to another role it says which role may open it, and asks the server for nothing. */
export function StaffPage({ least, what, hasModes = false, actions, children, ...page }: StaffPageProps) {
  const role = useRole()
  if (!mayAct(role, least)) {
    return (
      <Page title={page.title}>
        <EmptyState title={`Your role does not show ${what}`}>
          You have the role {role}. The role {least} may read {what}, and so may every role above it. Ask an
          administrator.
        </EmptyState>
      </Page>
    )
  }
  const shown = hasModes ? (
    <>
      {actions}
      <ModeSwitch />
    </>
  ) : (
    actions
  )
  return (
    <Page {...page} actions={shown}>
      {children}
    </Page>
  )
}

/** Links, because the mode is part of the address. */
function ModeSwitch() {
  const current = useConsoleMode()
  return (
    <nav className="mode-switch" aria-label="Mode">
      {MODES.map((mode) => (
        <Link
          key={mode}
          to="."
          search={(before: Record<string, unknown>) => withMode(before, mode)}
          className={mode}
          activeOptions={{ exact: true }}
          {...(mode === current ? { 'aria-current': 'page' } : {})}
        >
          {mode === 'test' ? 'Test' : 'Live'}
        </Link>
      ))}
    </nav>
  )
}

const withMode = ({ mode: _, ...others }: Record<string, unknown>, mode: Mode) => ({ ...others, ...modeSearch(mode) })

/** Of an address in the console: live is left out. */
export const modeSearch = (mode: Mode): Readonly<Record<string, string>> => (mode === 'test' ? { mode } : {})

/** Of an id: the page that shows the record. */
const PAGES: Readonly<Record<string, string>> = { app_: '/apps/', org_: '/organizations/', acct_: '/accounts/' }
const SUBJECT = /^(?:co|ofr|inv|usr|syn|mem|js|is|inst)_/

type RecordIdProps = { readonly id: string; readonly label: string; readonly mode: Mode }

/** An id to copy, with the way to what the console has about it. */
export function RecordId({ id, label, mode }: RecordIdProps) {
  const role = useRole()
  const [prefix = ''] = /^[a-z]+_/.exec(id) ?? []
  const page = PAGES[prefix]
  return (
    <span className="record-id">
      <CopyText value={id} label={`Copy ${label}`} />
      {page !== undefined && (
        <Link to={page + id}>
          Open<span className="unseen"> {id}</span>
        </Link>
      )}
      {SUBJECT.test(id) && mayAct(role, 'support') && (
        <Link to="/facts" search={{ subject: id, ...modeSearch(mode) }}>
          Facts about <span className="unseen">{id}</span>
          <span aria-hidden="true">it</span>
        </Link>
      )}
    </span>
  )
}
