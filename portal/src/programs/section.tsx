import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../shell/routes.ts'
import type { Section } from '../shell/sections.ts'
import { Icon } from '../ui/icon.tsx'

const programsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'programs',
  component: lazyRouteComponent(() => import('./programs-page.tsx'), 'ProgramsPage'),
})

export const section: Section = {
  navigation: [
    { label: 'Programs', to: '/apps/$appId/programs', group: 'build', order: 40, icon: <Icon name="link" /> },
  ],
  appRoutes: [programsRoute],
  commands: ({ app }) =>
    app === null
      ? []
      : [{ label: 'Request investor PII', hint: 'Action', to: `/apps/${app.id}/programs`, words: 'approval names' }],
}
