import { createRootRoute, createRoute, retainSearchParams } from '@tanstack/react-router'
import type { Mode } from '../api/client.ts'
import { appQuery, meQuery, queryClient } from '../api/queries.ts'

/** Every address has the mode, so that a shared link shows the same world. */
export type ShellSearch = { readonly mode: Mode }

export const rootRoute = createRootRoute({
  validateSearch: ({ mode }: Record<string, unknown>): ShellSearch => ({ mode: mode === 'live' ? 'live' : 'test' }),
  search: { middlewares: [retainSearchParams(['mode'])] },
  loader: () => queryClient.ensureQueryData(meQuery),
})

/** The parent of every page about one app. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'apps/$appId',
  loader: ({ params }) => queryClient.ensureQueryData(appQuery(params.appId)),
})
