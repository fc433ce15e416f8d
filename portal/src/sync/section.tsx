import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { filtersOf } from '../shell/filters.ts'
import { appRoute } from '../shell/routes.ts'
import type { Section } from '../shell/sections.ts'
import { Icon } from '../ui/icon.tsx'

const syncRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'sync',
  validateSearch: filtersOf('installation', 'cursor'),
  component: lazyRouteComponent(() => import('./sync-page.tsx'), 'SyncPage'),
})

export const section: Section = {
  navigation: [{ label: 'Sync', to: '/apps/$appId/sync', group: 'observe', order: 40, icon: <Icon name="sync" /> }],
  appRoutes: [syncRoute],
}
