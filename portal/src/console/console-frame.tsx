import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { Button as AriaButton, Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { meQuery } from '../api/queries.ts'
import { BRAND } from '../shell/brand.ts'
import { AccountMenu } from '../shell/menus.tsx'
import { OfflineBanner } from '../shell/offline.tsx'
import { SessionDialogs } from '../shell/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { ErrorPage } from '../ui/error-state.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Toasts } from '../ui/toast.tsx'
import { operatorQuery, staffStop } from './operator.ts'

const SECTIONS: readonly (readonly [label: string, to: string, icon: IconName])[] = [
  ['Requests', '/requests', 'check'],
  ['Partners', '/partners', 'apps'],
]

/** Everything around a page of the console. Without a role, a second factor or a staff session it shows what to do instead. */
export function ConsoleFrame({ children }: { readonly children: ReactNode }) {
  // Brings the CSRF token that every change needs.
  useQuery(meQuery)
  const { data: operator, error, refetch } = useQuery(operatorQuery)
  const { pathname } = useLocation()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the address changes
  useEffect(() => setDrawerOpen(false), [pathname])
  return (
    <div className="frame live">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className="top">
        <AriaButton
          className="icon-button menu-button"
          aria-label="Open the navigation"
          onPress={() => setDrawerOpen(true)}
        >
          <Icon name="menu" />
        </AriaButton>
        <a className="brand" href="/">
          {BRAND.logo === null ? BRAND.name : <img src={BRAND.logo} alt={BRAND.name} />}
        </a>
        <strong>Console</strong>
        <span className="spring" />
        {operator !== undefined && <Badge>{operator.attributes.role}</Badge>}
        <AccountMenu />
      </header>
      <OfflineBanner />
      <nav className="side" aria-label="Sections">
        <Navigation />
      </nav>
      <main id="main" tabIndex={-1}>
        {operator === undefined ? <Entrance error={error} onRetry={() => void refetch()} /> : children}
      </main>
      <ModalOverlay className="overlay drawer-overlay" isOpen={isDrawerOpen} onOpenChange={setDrawerOpen} isDismissable>
        <Modal className="drawer">
          <Dialog aria-label="Sections">
            <AriaButton className="icon-button" aria-label="Close the navigation" onPress={() => setDrawerOpen(false)}>
              <Icon name="close" />
            </AriaButton>
            <Navigation />
          </Dialog>
        </Modal>
      </ModalOverlay>
      <Toasts />
      <SessionDialogs />
    </div>
  )
}

function Navigation() {
  return (
    <>
      <div className="side-group">
        <h2>Partners</h2>
        <ul>
          {SECTIONS.map(([label, to, icon]) => (
            <li key={to}>
              <Link to={to} activeOptions={{ includeSearch: false }}>
                <Icon name={icon} />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </div>
      <div className="side-foot">
        <a href="/docs/guides/partners">How to look after partners</a>
        <a href="/status">Status</a>
      </div>
    </>
  )
}

/** Until the server has accepted the person as staff. */
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
