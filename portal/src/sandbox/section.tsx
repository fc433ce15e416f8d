import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { filtersOf } from '../shell/filters.ts'
import { appRoute } from '../shell/routes.ts'
import type { Section } from '../shell/sections.ts'
import { Icon } from '../ui/icon.tsx'

const sandboxRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'sandbox',
  validateSearch: filtersOf('moves'),
  component: lazyRouteComponent(() => import('./sandbox-page.tsx'), 'SandboxPage'),
})

export const section: Section = {
  navigation: [
    { label: 'Sandbox', to: '/apps/$appId/sandbox', group: 'build', order: 50, icon: <Icon name="flask" /> },
  ],
  appRoutes: [sandboxRoute],
}
