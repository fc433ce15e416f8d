import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { filtersOf } from '../shell/filters.ts'
import { appRoute } from '../shell/routes.ts'
import type { Section } from '../shell/sections.ts'
import { Icon } from '../ui/icon.tsx'

const limitsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'limits',
  validateSearch: filtersOf('range'),
  component: lazyRouteComponent(() => import('./limits-page.tsx'), 'LimitsPage'),
})

export const section: Section = {
  navigation: [
    { label: 'Limits', to: '/apps/$appId/limits', group: 'observe', order: 40, icon: <Icon name="gauge" /> },
  ],
  appRoutes: [limitsRoute],
}
