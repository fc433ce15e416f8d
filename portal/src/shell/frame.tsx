import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Button as AriaButton, Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { appsQuery } from '../api/queries.ts'
import { Dialog as TitledDialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Toasts } from '../ui/toast.tsx'
import { BRAND, PLATFORM_LINKS } from './brand.ts'
import { AccountMenu, AppSwitcher } from './menus.tsx'
import { MissingChunk } from './missing-chunk.tsx'
import { OfflineBanner } from './offline.tsx'
import { useAppId, useMode } from './place.ts'
import { GROUP_NAMES, navigationGroups } from './sections.ts'
import { SessionDialogs } from './session.tsx'

const Palette = lazy(() =>
  import('./palette.tsx').then(({ Palette }) => ({ default: Palette })).catch(() => ({ default: MissingPalette })),
)

/** Not needed to use the page: if its file is missing, the page is shown without it. */
const StepsStrip = lazy(() =>
  import('../overview/steps-strip.tsx')
    .then(({ StepsStrip }) => ({ default: StepsStrip }))
    .catch(() => ({ default: () => null })),
)

/** Everything around a page: navigation, app, mode, palette. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const appId = useAppId()
  const mode = useMode()
  const { pathname } = useLocation()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  usePaletteKey(() => setPaletteOpen((open) => !open))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer closes when the address changes
  useEffect(() => setDrawerOpen(false), [pathname])
  return (
    <div className={`frame ${mode}`}>
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
        <AppSwitcher appId={appId} />
        {appId !== null && <ModeSwitch />}
        <span className="spring" />
        <AriaButton className="search-button" onPress={() => setPaletteOpen(true)}>
          <Icon name="search" />
          <span>Search</span>
          <kbd>Ctrl K</kbd>
        </AriaButton>
        <AccountMenu />
      </header>
      <OfflineBanner />
      <nav className="side" aria-label="Sections">
        <Navigation appId={appId} />
      </nav>
      <main id="main" tabIndex={-1}>
        {appId !== null && (
          <Suspense>
            <StepsStrip key={appId} appId={appId} mode={mode} />
          </Suspense>
        )}
        {children}
      </main>
      <ModalOverlay className="overlay drawer-overlay" isOpen={isDrawerOpen} onOpenChange={setDrawerOpen} isDismissable>
        <Modal className="drawer">
          <Dialog aria-label="Sections">
            <AriaButton className="icon-button" aria-label="Close the navigation" onPress={() => setDrawerOpen(false)}>
              <Icon name="close" />
            </AriaButton>
            <Navigation appId={appId} />
          </Dialog>
        </Modal>
      </ModalOverlay>
      {isPaletteOpen && (
        <Suspense>
          <Palette appId={appId} onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
      <Toasts />
      <SessionDialogs />
    </div>
  )
}

function MissingPalette({ onClose }: { readonly onClose: () => void }) {
  return (
    <TitledDialog title="The search could not be loaded" isOpen onClose={onClose}>
      <MissingChunk />
    </TitledDialog>
  )
}

function Navigation({ appId }: { readonly appId: string | null }) {
  const { data: apps = [] } = useQuery(appsQuery)
  // On a page without an app, the navigation is for the app that the switcher would open.
  const shown = appId ?? apps[0]?.id ?? null
  return (
    <>
      {navigationGroups(shown).map(({ group, entries }) => (
        <div key={group} className="side-group">
          <h2>{GROUP_NAMES[group]}</h2>
          <ul>
            {entries.map(({ label, to, icon }) => (
              <li key={to}>
                <Link to={to} activeOptions={{ exact: to === '/apps', includeSearch: false }}>
                  {icon}
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div className="side-foot">
        <a href="/docs">API reference</a>
        {PLATFORM_LINKS.map(([label, href]) => (
          <a key={href} href={href}>
            {label}
          </a>
        ))}
      </div>
    </>
  )
}

/** Links, because the mode is part of the address. */
function ModeSwitch() {
  return (
    <nav className="mode-switch" aria-label="Mode">
      {(['test', 'live'] as const).map((each) => (
        <Link
          key={each}
          to="."
          search={(before: Record<string, unknown>) => ({ ...before, mode: each })}
          className={each}
        >
          {each === 'test' ? 'Test' : 'Live'}
        </Link>
      ))}
    </nav>
  )
}

function usePaletteKey(toggle: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      toggle()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}
