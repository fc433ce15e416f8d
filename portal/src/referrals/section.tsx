import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { filtersOf } from '../shell/filters.ts'
import { appRoute } from '../shell/routes.ts'
import type { Section } from '../shell/sections.ts'
import { Icon } from '../ui/icon.tsx'

const listRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'referrals',
  component: lazyRouteComponent(() => import('./code-list.tsx'), 'CodeListPage'),
})

const codeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'referrals/$codeId',
  validateSearch: filtersOf('week'),
  component: lazyRouteComponent(() => import('./code-page.tsx'), 'CodePage'),
})

export const section: Section = {
  navigation: [
    { label: 'Referrals', to: '/apps/$appId/referrals', group: 'observe', order: 50, icon: <Icon name="link" /> },
  ],
  appRoutes: [listRoute, codeRoute],
  records: [{ prefix: 'rc', label: 'Referral code', to: '/apps/$appId/referrals/$id' }],
}
