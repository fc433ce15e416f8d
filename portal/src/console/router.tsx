import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { filtersOf } from '../shell/filters.ts'
import { isChunkMissing, MissingChunk } from '../shell/missing-chunk.tsx'
import { NotFound } from '../shell/not-found.tsx'
import { ErrorPage } from '../ui/error-state.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
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

const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)))

export const router = createRouter({
  routeTree: rootRoute.addChildren([startRoute, requestsRoute, partnersRoute, appRoute, organizationRoute]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  scrollRestoration: true,
  InnerWrap: ConsoleFrame,
  defaultPendingComponent: () => <Skeleton lines={8} />,
  defaultErrorComponent: ({ error, reset }) =>
    isChunkMissing() ? (
      <Page title="This page could not be loaded">
        <MissingChunk />
      </Page>
    ) : (
      <ErrorPage error={asError(error)} onRetry={reset} />
    ),
  defaultNotFoundComponent: () => <NotFound to="/requests" label="Go to the requests" />,
})
