import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../shell/routes.ts'
import type { Section } from '../shell/sections.ts'
import { Icon } from '../ui/icon.tsx'
import type { HistorySearch } from './history-page.tsx'

const historyRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'history',
  validateSearch: ({ entry }: Record<string, unknown>): HistorySearch => (typeof entry === 'string' ? { entry } : {}),
  component: lazyRouteComponent(() => import('./history-page.tsx'), 'HistoryPage'),
})

export const section: Section = {
  navigation: [
    { label: 'History', to: '/apps/$appId/history', group: 'observe', order: 90, icon: <Icon name="history" /> },
  ],
  appRoutes: [historyRoute],
}
