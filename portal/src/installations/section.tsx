import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../shell/routes.ts'
import type { Section } from '../shell/sections.ts'
import { Icon } from '../ui/icon.tsx'

const listRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'installations',
  component: lazyRouteComponent(() => import('./installation-list.tsx'), 'InstallationListPage'),
})

const installationRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'installations/$installationId',
  component: lazyRouteComponent(() => import('./installation-page.tsx'), 'InstallationPage'),
})

export const section: Section = {
  navigation: [
    { label: 'Installations', to: '/apps/$appId/installations', group: 'build', order: 30, icon: <Icon name="plug" /> },
  ],
  appRoutes: [listRoute, installationRoute],
}
