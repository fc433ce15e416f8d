import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { filtersOf } from '../shell/filters.ts'
import { NotFound } from '../shell/not-found.tsx'
import { ROUTER_DEFAULTS } from '../shell/start.tsx'
import { ConsoleFrame } from './console-frame.tsx'

const rootRoute = createRootRoute()

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/requests' })
  },
})

const requestsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'requests',
  validateSearch: filtersOf('kind'),
  component: lazyRouteComponent(() => import('./request-queue.tsx'), 'RequestQueuePage'),
})

const partnersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'partners',
  validateSearch: filtersOf('query'),
  component: lazyRouteComponent(() => import('./partner-search.tsx'), 'PartnerSearchPage'),
})

const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'apps/$appId',
  component: lazyRouteComponent(() => import('./app-page.tsx'), 'AppPage'),
})

const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'organizations/$organizationId',
  component: lazyRouteComponent(() => import('./organization-page.tsx'), 'OrganizationPage'),
})

const factsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'facts',
  validateSearch: filtersOf('mode', 'fact_id', 'subject', 'type', 'since', 'until'),
  component: lazyRouteComponent(() => import('./fact-pages.tsx'), 'FactsPage'),
})

const factRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'facts/applied/$factId',
  validateSearch: filtersOf('mode'),
  component: lazyRouteComponent(() => import('./fact-pages.tsx'), 'FactPage'),
})

const refusedFactsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'facts/refused',
  validateSearch: filtersOf('mode', 'fact_id', 'subject', 'type', 'since', 'until', 'dismissed'),
  component: lazyRouteComponent(() => import('./refused-facts-page.tsx'), 'RefusedFactsPage'),
})

const refusedFactRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'facts/refused/$refusedId',
  validateSearch: filtersOf('mode'),
  component: lazyRouteComponent(() => import('./refused-fact-page.tsx'), 'RefusedFactPage'),
})

const accountsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'accounts',
  validateSearch: filtersOf('query', 'only'),
  component: lazyRouteComponent(() => import('./accounts-page.tsx'), 'AccountsPage'),
})

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'accounts/$accountId',
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
})

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'audit',
  validateSearch: filtersOf('entry', 'subject', 'actor', 'action', 'by', 'since', 'until', 'reads'),
  component: lazyRouteComponent(() => import('./audit-page.tsx'), 'AuditPage'),
})

const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'webhooks',
  validateSearch: filtersOf('mode', 'state', 'app'),
  component: lazyRouteComponent(() => import('./webhooks-page.tsx'), 'WebhooksPage'),
})

const endpointRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'webhooks/$endpointId',
  validateSearch: filtersOf('mode', 'status'),
  component: lazyRouteComponent(() => import('./endpoint-page.tsx'), 'EndpointPage'),
})

const clockRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sandbox-clock',
  component: lazyRouteComponent(() => import('./clock-page.tsx'), 'ClockPage'),
})

const installationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'installations',
  validateSearch: filtersOf('mode', 'app', 'target', 'status'),
  component: lazyRouteComponent(() => import('./installations-page.tsx'), 'InstallationsPage'),
})

const dutiesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'removal-duties',
  validateSearch: filtersOf('mode', 'state'),
  component: lazyRouteComponent(() => import('./duties-page.tsx'), 'DutiesPage'),
})

const conditionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'conditions',
  validateSearch: filtersOf('version', 'outdated', 'app', 'organization', 'account'),
  component: lazyRouteComponent(() => import('./conditions-page.tsx'), 'ConditionsPage'),
})

const figuresRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'figures',
  validateSearch: filtersOf('mode', 'range', 'app'),
  component: lazyRouteComponent(() => import('./figures-page.tsx'), 'FiguresPage'),
})

const jobsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'jobs',
  validateSearch: filtersOf('mode'),
  component: lazyRouteComponent(() => import('./jobs-page.tsx'), 'JobsPage'),
})

export const router = createRouter({
  ...ROUTER_DEFAULTS,
  routeTree: rootRoute.addChildren([
    startRoute,
    requestsRoute,
    partnersRoute,
    appRoute,
    organizationRoute,
    factsRoute,
    factRoute,
    refusedFactsRoute,
    refusedFactRoute,
    accountsRoute,
    accountRoute,
    auditRoute,
    webhooksRoute,
    endpointRoute,
    clockRoute,
    installationsRoute,
    dutiesRoute,
    conditionsRoute,
    figuresRoute,
    jobsRoute,
  ]),
  basepath: '/console',
  InnerWrap: ConsoleFrame,
  defaultNotFoundComponent: () => <NotFound to="/requests" label="Go to the requests" />,
})
