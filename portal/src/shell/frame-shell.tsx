import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { Button as AriaButton, Dialog, Modal, ModalOverlay } from 'react-aria-components'
import type { Mode } from '../api/client.ts'
import { Icon } from '../ui/icon.tsx'
import { Toasts } from '../ui/toast.tsx'
import { BRAND } from './brand.ts'
import { AccountMenu } from './menus.tsx'
import { OfflineBanner } from './offline.tsx'
import { SessionDialogs } from './session.tsx'

type FrameShellProps = {
  /** The mode decides the colour of the upper edge. */
  readonly mode: Mode
  /** Shown at the top, between the brand and the account menu. */
  readonly bar: ReactNode
  /** Shown at the left, or on a phone in a drawer. */
  readonly navigation: ReactNode
  readonly children: ReactNode
  /** Shown over the page. */
  readonly overlay?: ReactNode
}

/** The frame around a page, which the portal and the console share. */
export function FrameShell({ mode, bar, navigation, children, overlay }: FrameShellProps) {
  const { pathname } = useLocation()
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawer has to close when the address changes
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
        {bar}
        <AccountMenu />
      </header>
      <OfflineBanner />
      <nav className="side" aria-label="Sections">
        {navigation}
      </nav>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <ModalOverlay className="overlay drawer-overlay" isOpen={isDrawerOpen} onOpenChange={setDrawerOpen} isDismissable>
        <Modal className="drawer">
          <Dialog aria-label="Sections">
            <AriaButton className="icon-button" aria-label="Close the navigation" onPress={() => setDrawerOpen(false)}>
              <Icon name="close" />
            </AriaButton>
            {navigation}
          </Dialog>
        </Modal>
      </ModalOverlay>
      {overlay}
      <Toasts />
      <SessionDialogs />
    </div>
  )
}
