import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { filtersOf } from '../shell/filters.ts'
import { appRoute } from '../shell/routes.ts'
import type { Section } from '../shell/sections.ts'
import { Icon } from '../ui/icon.tsx'

const overviewRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'overview',
  validateSearch: filtersOf('range'),
  component: lazyRouteComponent(() => import('./overview-page.tsx'), 'OverviewPage'),
})

export const section: Section = {
  navigation: [{ label: 'Overview', to: '/apps/$appId/overview', group: 'app', order: 10, icon: <Icon name="home" /> }],
  appRoutes: [overviewRoute],
}
