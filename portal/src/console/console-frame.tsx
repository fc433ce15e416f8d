import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { meQuery } from '../api/queries.ts'
import { FrameShell } from '../shell/frame-shell.tsx'
import { Badge } from '../ui/badge.tsx'
import { ErrorPage } from '../ui/error-state.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { mayAct, operatorQuery, type StaffRole, staffStop, useConsoleMode } from './operator.ts'

type Entry = readonly [label: string, to: string, icon: IconName, least: StaffRole]

/** The entries of the navigation. The navigation leaves out pages that the person's role may not open. */
const SECTIONS: readonly (readonly [group: string, entries: readonly Entry[]])[] = [
  [
    'Partners',
    [
      ['Requests', '/requests', 'check', 'viewer'],
      ['Partners', '/partners', 'apps', 'viewer'],
      ['Installations', '/installations', 'plug', 'viewer'],
      ['Removal duties', '/removal-duties', 'history', 'viewer'],
      ['Conditions', '/conditions', 'list', 'viewer'],
      ['Webhooks', '/webhooks', 'webhook', 'viewer'],
    ],
  ],
  [
    'People',
    [
      ['Accounts', '/accounts', 'team', 'support'],
      ['Audit', '/audit', 'shield', 'compliance'],
    ],
  ],
  [
    'The feed',
    [
      ['Facts', '/facts', 'activity', 'support'],
      ['Sandbox clock', '/sandbox-clock', 'flask', 'viewer'],
    ],
  ],
  [
    'Operations',
    [
      ['Figures', '/figures', 'bolt', 'viewer'],
      ['Jobs', '/jobs', 'gauge', 'viewer'],
    ],
  ],
]

/** The frame around a page of the console. A person without a role, a second factor or a staff session sees what to do instead. */
export function ConsoleFrame({ children }: { readonly children: ReactNode }) {
  // The response has the CSRF token that every change needs.
  useQuery(meQuery)
  const { data: operator, error, refetch } = useQuery(operatorQuery)
  const mode = useConsoleMode()
  const role = operator?.attributes.role ?? null
  return (
    <FrameShell
      mode={mode}
      bar={
        <>
          <strong>Console</strong>
          <span className="spring" />
          {role !== null && <Badge>{role}</Badge>}
        </>
      }
      navigation={<Navigation role={role} />}
    >
      {role === null ? <Entrance error={error} onRetry={() => void refetch()} /> : children}
    </FrameShell>
  )
}

function Navigation({ role }: { readonly role: StaffRole | null }) {
  const shown = SECTIONS.map(
    ([group, entries]) => [group, entries.filter(([, , , least]) => role !== null && mayAct(role, least))] as const,
  )
  return (
    <>
      {shown.map(
        ([group, entries]) =>
          entries.length > 0 && (
            <div key={group} className="side-group">
              <h2>{group}</h2>
              <ul>
                {entries.map(([label, to, icon]) => (
                  <li key={to}>
                    <Link to={to} activeOptions={{ includeSearch: false }}>
                      <Icon name={icon} />
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ),
      )}
      <div className="side-foot">
        <a href="/docs/guides/staff">What each role may do</a>
        <a href="/docs/guides/partners">How to look after partners</a>
        <a href="/status">Status</a>
      </div>
    </>
  )
}

/** Shown until the server has accepted the person as a member of the staff. */
function Entrance({ error, onRetry }: { readonly error: Error | null; readonly onRetry: () => void }) {
  if (error === null) return <Skeleton lines={8} />
  const stop = staffStop(error)
  if (stop === null) return <ErrorPage error={error} onRetry={onRetry} />
  if (stop.reason === 'no_staff_role') {
    return (
      <Page title="You have no role here">
        <p>Your account’s role on the platform’s staff has ended. Ask an administrator for a role.</p>
      </Page>
    )
  }
  const isFactorMissing = stop.reason === 'second_factor_required'
  const here = location.pathname + location.search
  const url =
    isFactorMissing || stop.url === null ? '/settings/security' : `${stop.url}?return_to=${encodeURIComponent(here)}`
  return (
    <Page title={isFactorMissing ? 'Set up a second factor' : 'Confirm with your second factor'}>
      <p>
        {isFactorMissing
          ? 'The platform’s staff need a second factor: an authenticator app or a passkey. Set one up, sign in with it, and come back.'
          : 'A staff session begins with your authenticator app or passkey, and ends after a while without use. Confirm, and you come back to this page.'}
      </p>
      <p>
        <a className="button primary" href={url}>
          {isFactorMissing ? 'Open your security settings' : 'Confirm'}
        </a>
      </p>
    </Page>
  )
}
