import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { Frame } from './frame.tsx'
import { NotFound } from './not-found.tsx'
import { ReturnedPage } from './returned.tsx'
import { appRoute, rootRoute } from './routes.ts'
import { navigationGroups, sections } from './sections.ts'
import { ROUTER_DEFAULTS } from './start.tsx'

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/apps' })
  },
})

/** The address of an app without a section opens the first entry of the navigation. */
const appStartRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  beforeLoad: ({ params }) => {
    const [first] = navigationGroups(params.appId)
    throw redirect({ to: first?.entries[0]?.to ?? '/apps', replace: true })
  },
})

/** The last page of a confirmation in a new tab. It closes the tab. */
const returnedRoute = createRoute({ getParentRoute: () => rootRoute, path: 'returned', component: ReturnedPage })

const appRoutes = sections.flatMap((section) => section.appRoutes ?? [])
const otherRoutes = sections.flatMap((section) => section.routes ?? [])

export const router = createRouter({
  ...ROUTER_DEFAULTS,
  routeTree: rootRoute.addChildren([
    startRoute,
    returnedRoute,
    ...otherRoutes,
    appRoute.addChildren([appStartRoute, ...appRoutes]),
  ]),
  basepath: '/developers',
  InnerWrap: Frame,
  defaultNotFoundComponent: () => <NotFound to="/apps" label="Go to your apps" />,
})
