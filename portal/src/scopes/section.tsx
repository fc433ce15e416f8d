import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { appRoute } from '../shell/routes.ts'
import type { Section } from '../shell/sections.ts'
import { Icon } from '../ui/icon.tsx'
import type { ScopesSearch } from './scopes-page.tsx'

const namesIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

const scopesRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'scopes',
  validateSearch: (search: Record<string, unknown>): ScopesSearch => {
    const add = namesIn(search['add'])
    const remove = namesIn(search['remove'])
    return { ...(add.length > 0 && { add }), ...(remove.length > 0 && { remove }) }
  },
  component: lazyRouteComponent(() => import('./scopes-page.tsx'), 'ScopesPage'),
})

export const section: Section = {
  navigation: [{ label: 'Scopes', to: '/apps/$appId/scopes', group: 'build', order: 20, icon: <Icon name="shield" /> }],
  appRoutes: [scopesRoute],
}
