import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../shell/routes.ts'
import type { Section } from '../shell/sections.ts'
import { Icon } from '../ui/icon.tsx'
import type { TeamSearch } from './team-page.tsx'

const teamRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'team',
  validateSearch: ({ organization }: Record<string, unknown>): TeamSearch =>
    typeof organization === 'string' ? { organization } : {},
  component: lazyRouteComponent(() => import('./team-page.tsx'), 'TeamPage'),
})

export const section: Section = {
  navigation: [{ label: 'Team', to: '/team', group: 'account', order: 20, icon: <Icon name="team" /> }],
  routes: [teamRoute],
  commands: () => [{ label: 'Invite a person', hint: 'Action', to: '/team', words: 'member colleague organization' }],
}
