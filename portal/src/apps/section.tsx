import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute, rootRoute } from '../shell/routes.ts'
import type { Section } from '../shell/sections.ts'
import { Icon } from '../ui/icon.tsx'

const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'apps',
  component: lazyRouteComponent(() => import('./app-list.tsx'), 'AppListPage'),
})

const newRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'apps/new',
  component: lazyRouteComponent(() => import('./new-app.tsx'), 'NewAppPage'),
})

const settingsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'settings',
  component: lazyRouteComponent(() => import('./app-settings.tsx'), 'AppSettingsPage'),
})

export const section: Section = {
  navigation: [
    { label: 'Settings', to: '/apps/$appId/settings', group: 'app', order: 90, icon: <Icon name="settings" /> },
    { label: 'Apps', to: '/apps', group: 'account', order: 10, icon: <Icon name="apps" /> },
  ],
  routes: [listRoute, newRoute],
  appRoutes: [settingsRoute],
  commands: () => [{ label: 'Create an app', hint: 'Action', to: '/apps/new', words: 'new' }],
}
