import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { ErrorPage } from '../ui/error-state.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Frame } from './frame.tsx'
import { isChunkMissing, MissingChunk } from './missing-chunk.tsx'
import { NotFound } from './not-found.tsx'
import { ReturnedPage } from './returned.tsx'
import { appRoute, rootRoute } from './routes.ts'
import { navigationGroups, sections } from './sections.ts'

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/apps' })
  },
})

/** An app's address without a section leads to the first entry of the navigation. */
const appStartRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    const [first] = navigationGroups(params.appId)
    throw redirect({ to: first?.entries[0]?.to ?? '/apps', replace: true })
  },
})

/** Where the page of another tab leads back to: it closes that tab. */
const returnedRoute = createRoute({ getParentRoute: () => rootRoute, path: 'returned', component: ReturnedPage })

const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)))

const appRoutes = sections.flatMap((section) => section.appRoutes ?? [])
const otherRoutes = sections.flatMap((section) => section.routes ?? [])

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    startRoute,
    returnedRoute,
    ...otherRoutes,
    appRoute.addChildren([appStartRoute, ...appRoutes]),
  ]),
  basepath: '/developers',
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  scrollRestoration: true,
  InnerWrap: Frame,
  defaultPendingComponent: () => <Skeleton lines={8} />,
  defaultErrorComponent: ({ error, reset }) =>
    isChunkMissing() ? (
      <Page title="This page could not be loaded">
        <MissingChunk />
      </Page>
    ) : (
      <ErrorPage error={asError(error)} onRetry={reset} />
    ),
  defaultNotFoundComponent: () => <NotFound to="/apps" label="Go to your apps" />,
})
