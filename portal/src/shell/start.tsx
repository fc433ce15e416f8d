import { QueryClientProvider } from '@tanstack/react-query'
import { type AnyRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { RouterProvider as AriaRouter } from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import { queryClient } from '../api/queries.ts'
import { ErrorPage } from '../ui/error-state.tsx'
import { Page } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { isMissingChunk, MissingChunk, markMissingChunks } from './missing-chunk.tsx'

const asError = (thrown: unknown) => (thrown instanceof Error ? thrown : new Error(String(thrown)))

type Failed = { readonly error: unknown; readonly reset: () => void }

/** The options that the routers of the portal and of the console share. */
export const ROUTER_DEFAULTS = {
  defaultPreload: 'intent' as const,
  defaultPendingMs: 150,
  scrollRestoration: true,
  defaultPendingComponent: () => <Skeleton lines={8} />,
  defaultErrorComponent: ({ error, reset }: Failed) =>
    isMissingChunk(error) ? (
      <Page title="This page could not be loaded">
        <MissingChunk />
      </Page>
    ) : (
      <ErrorPage error={asError(error)} onRetry={reset} />
    ),
}

/** Renders the portal or the console into the page from the server. */
export function start(router: AnyRouter): void {
  markMissingChunks()
  const root = document.getElementById('root')
  if (root === null) throw new Error('the page has no element with the id root')
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <AriaRouter navigate={(to) => void router.navigate({ to })}>
          <RouterProvider router={router} />
        </AriaRouter>
      </QueryClientProvider>
    </StrictMode>,
  )
}
