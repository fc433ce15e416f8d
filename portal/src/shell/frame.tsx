import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Button as AriaButton } from 'react-aria-components'
import { appsQuery } from '../api/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { PLATFORM_LINKS } from './brand.ts'
import { FrameShell } from './frame-shell.tsx'
import { AppSwitcher } from './menus.tsx'
import { MissingChunk } from './missing-chunk.tsx'
import { useAppId, useMode } from './place.ts'
import { GROUP_NAMES, navigationGroups } from './sections.ts'

const Palette = lazy(() =>
  import('./palette.tsx').then(({ Palette }) => ({ default: Palette })).catch(() => ({ default: MissingPalette })),
)

/** A page works without the strip. If the file of the strip is missing, the page is shown without it. */
const StepsStrip = lazy(() =>
  import('../overview/steps-strip.tsx')
    .then(({ StepsStrip }) => ({ default: StepsStrip }))
    .catch(() => ({ default: () => null })),
)

/** The frame around a page: navigation, choice of app and mode, palette. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const appId = useAppId()
  const mode = useMode()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  usePaletteKey(() => setPaletteOpen((open) => !open))
  return (
    <FrameShell
      mode={mode}
      bar={
        <>
          <AppSwitcher appId={appId} />
          {appId !== null && <ModeSwitch />}
          <span className="spring" />
          <AriaButton className="search-button" onPress={() => setPaletteOpen(true)}>
            <Icon name="search" />
            <span>Search</span>
            <kbd>Ctrl K</kbd>
          </AriaButton>
        </>
      }
      navigation={<Navigation appId={appId} />}
      overlay={
        isPaletteOpen && (
          <Suspense>
            <Palette appId={appId} onClose={() => setPaletteOpen(false)} />
          </Suspense>
        )
      }
    >
      {appId !== null && (
        <Suspense>
          <StepsStrip key={appId} appId={appId} mode={mode} />
        </Suspense>
      )}
      {children}
    </FrameShell>
  )
}

function MissingPalette({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="The search could not be loaded" isOpen onClose={onClose}>
      <MissingChunk />
    </Dialog>
  )
}

function Navigation({ appId }: { readonly appId: string | null }) {
  const { data: apps = [] } = useQuery(appsQuery)
  // On a page that belongs to no app, the navigation is that of the first app.
  const shownAppId = appId ?? apps[0]?.id ?? null
  return (
    <>
      {navigationGroups(shownAppId).map(({ group, entries }) => (
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

/** The switch consists of links, because the mode is part of the address. */
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
