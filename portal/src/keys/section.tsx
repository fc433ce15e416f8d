import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { filtersOf } from '../shell/filters.ts'
import { appRoute } from '../shell/routes.ts'
import type { Section } from '../shell/sections.ts'
import { Icon } from '../ui/icon.tsx'

const listRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'keys',
  validateSearch: filtersOf('create'),
  component: lazyRouteComponent(() => import('./key-list.tsx'), 'KeyListPage'),
})

const keyRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'keys/$keyId',
  component: lazyRouteComponent(() => import('./key-page.tsx'), 'KeyPage'),
})

export const section: Section = {
  navigation: [{ label: 'Keys', to: '/apps/$appId/keys', group: 'build', order: 10, icon: <Icon name="key" /> }],
  appRoutes: [listRoute, keyRoute],
  commands: ({ app }) =>
    app === null
      ? []
      : [{ label: 'Rotate a secret', hint: 'Action', to: `/apps/${app.id}/keys`, words: 'key client credentials' }],
}
