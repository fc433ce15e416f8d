import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { filtersOf } from '../shell/filters.ts'
import { appRoute } from '../shell/routes.ts'
import type { Section } from '../shell/sections.ts'
import { Icon } from '../ui/icon.tsx'

const listRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'events',
  validateSearch: filtersOf('event', 'installation', 'subject', 'since', 'until', 'live'),
  component: lazyRouteComponent(() => import('./event-list.tsx'), 'EventListPage'),
})

const eventRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'events/$eventId',
  validateSearch: filtersOf('installation'),
  component: lazyRouteComponent(() => import('./event-page.tsx'), 'EventPage'),
})

export const section: Section = {
  navigation: [{ label: 'Events', to: '/apps/$appId/events', group: 'observe', order: 20, icon: <Icon name="bolt" /> }],
  appRoutes: [listRoute, eventRoute],
  records: [{ prefix: 'evt', label: 'Event', to: '/apps/$appId/events/$id' }],
}
