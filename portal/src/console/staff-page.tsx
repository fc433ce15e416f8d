import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Mode } from '../api/client.ts'
import { CopyText } from '../ui/copy.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { MODES, mayAct, type StaffRole, useConsoleMode, useRole } from './operator.ts'

type StaffPageProps = Omit<React.ComponentProps<typeof Page>, 'children'> & {
  readonly least: StaffRole
  /** What a lower role may not read, as a noun such as "facts". */
  readonly what: string
  /** Whether the page has a switch between the two modes. */
  readonly hasModes?: boolean
  readonly children: ReactNode
}

/** Shows a page to people with the role `least` or a higher one. Other people see which role may open it, and no request is sent. */
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

/** The switch consists of links, because the mode is part of the address. */
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

/** The search parameters of a link that keeps the mode. The mode live, the default, is left out. */
export const modeSearch = (mode: Mode): Readonly<Record<string, string>> => (mode === 'test' ? { mode } : {})

/** The page of a record, by the prefix of its id. */
const PAGES: Readonly<Record<string, string>> = { app_: '/apps/', org_: '/organizations/', acct_: '/accounts/' }
const SUBJECT = /^(?:co|ofr|inv|usr|syn|mem|js|is|inst)_/

type RecordIdProps = { readonly id: string; readonly label: string; readonly mode: Mode }

/**
 * Shows an id to copy, with a link to the record, to the apps that received the event, or to the facts about the
 * record.
 */
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
      {prefix === 'evt_' && (
        <Link to="/partners" search={{ query: id }}>
          Apps that got <span className="unseen">{id}</span>
          <span aria-hidden="true">it</span>
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
