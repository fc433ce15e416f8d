import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { filtersOf } from '../shell/filters.ts'
import { appRoute } from '../shell/routes.ts'
import type { Section } from '../shell/sections.ts'
import { Icon } from '../ui/icon.tsx'

const listRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'logs',
  validateSearch: filtersOf('status', 'method', 'route', 'error_type', 'credential', 'since', 'until', 'live'),
  component: lazyRouteComponent(() => import('./log-page.tsx'), 'LogPage'),
})

const requestRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'logs/$requestId',
  component: lazyRouteComponent(() => import('./request-page.tsx'), 'RequestPage'),
})

export const section: Section = {
  navigation: [{ label: 'Logs', to: '/apps/$appId/logs', group: 'observe', order: 10, icon: <Icon name="list" /> }],
  appRoutes: [listRoute, requestRoute],
  records: [{ prefix: 'req', label: 'API request', to: '/apps/$appId/logs/$id' }],
}
