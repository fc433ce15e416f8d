import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useRef } from 'react'
import {
  Button as AriaButton,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
} from 'react-aria-components'
import { csrfToken } from '../api/client.ts'
import { appsQuery, meQuery } from '../api/queries.ts'
import { Icon } from '../ui/icon.tsx'

/** Switches to another app and stays in the same section. */
export function AppSwitcher({ appId }: { readonly appId: string | null }) {
  const { data: apps = [] } = useQuery(appsQuery)
  const router = useRouter()
  const current = apps.find(({ id }) => id === appId)
  const open = (id: string) => {
    const { pathname } = router.state.location
    const to = appId === null ? `/apps/${id}` : pathname.replace(appId, id).split('/').slice(0, 4).join('/')
    void router.navigate({ to })
  }
  return (
    <MenuTrigger>
      <AriaButton className="switcher">
        <span className="unseen">App: </span>
        <span className="switcher-name">{current?.attributes.name ?? 'Choose an app'}</span>
        <Icon name="chevron" />
      </AriaButton>
      <Popover className="popover" placement="bottom start">
        <Menu className="menu" aria-label="Apps">
          <MenuSection aria-label="Your apps">
            {apps.map(({ id, attributes }) => (
              <MenuItem key={id} onAction={() => open(id)} textValue={attributes.name}>
                <span className="menu-name">{attributes.name}</span>
                <span className="menu-hint">{attributes.organization.name}</span>
              </MenuItem>
            ))}
          </MenuSection>
          <Separator />
          <MenuItem onAction={() => void router.navigate({ to: '/apps' })}>All apps</MenuItem>
          <MenuItem onAction={() => void router.navigate({ to: '/apps/new' })}>Create an app</MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

export function AccountMenu() {
  const { data: me } = useQuery(meQuery)
  const signOut = useRef<HTMLFormElement>(null)
  const name = me?.attributes.name ?? ''
  return (
    <>
      <MenuTrigger>
        <AriaButton className="account-button">
          <span aria-hidden="true">{initialsOf(name)}</span>
          <span className="unseen">Account of {name}</span>
        </AriaButton>
        <Popover className="popover" placement="bottom end">
          <div className="menu-person">
            <strong>{name}</strong>
            <span>{me?.attributes.email}</span>
          </div>
          <Menu className="menu" aria-label="Account">
            <MenuItem onAction={() => location.assign('/settings')}>Your settings</MenuItem>
            <MenuItem onAction={() => location.assign('/')}>Front page</MenuItem>
            <MenuItem onAction={() => signOut.current?.requestSubmit()}>Sign out</MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      <form ref={signOut} method="post" action="/sign-out" hidden>
        <input type="hidden" name="csrf" value={csrfToken()} readOnly />
      </form>
    </>
  )
}

const initialsOf = (name: string) =>
  name
    .split(' ')
    .map((word) => word.charAt(0))
    .slice(0, 2)
    .join('')
    .toUpperCase()
