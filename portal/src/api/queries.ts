import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { demandSignIn } from '../shell/session.tsx'
import { ApiFailure, client, read, readAll, setCsrf } from './client.ts'

/** Queries that several sections use. A query of only one section is in the folder of that section. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    const { data, meta } = await read(client.GET('/portal/api/me', { signal }))
    setCsrf(meta.csrf)
    return data
  },
  staleTime: 60_000,
  // A sign-in in another tab changes the CSRF token.
  refetchOnWindowFocus: 'always',
})

export const appsQuery = queryOptions({
  queryKey: ['apps'],
  queryFn: ({ signal }) =>
    readAll((cursor) =>
      read(client.GET('/portal/api/apps', { signal, params: { query: { per_page: 100, ...(cursor && { cursor }) } } })),
    ),
})

export const appQuery = (app_id: string) =>
  queryOptions({
    queryKey: ['apps', app_id],
    queryFn: async ({ signal }) =>
      (await read(client.GET('/portal/api/apps/{app_id}', { signal, params: { path: { app_id } } }))).data,
  })

export const keysQuery = (app_id: string) =>
  queryOptions({
    queryKey: ['apps', app_id, 'keys'],
    queryFn: ({ signal }) =>
      readAll((cursor) =>
        read(
          client.GET('/portal/api/apps/{app_id}/keys', {
            signal,
            params: { path: { app_id }, query: { per_page: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

const ATTEMPTS_MAX = 3

/**
 * Whether the next attempt may succeed: the server could not be reached, or it answered 502 or above. Other errors are
 * shown at once.
 */
const isTemporary = (error: Error) => error instanceof ApiFailure && (error.status === 0 || error.status >= 502)

function noticeEndedSession(error: Error): void {
  if (error instanceof ApiFailure && error.status === 401) demandSignIn()
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEndedSession }),
  mutationCache: new MutationCache({ onError: noticeEndedSession }),
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (count, error) => count < ATTEMPTS_MAX && isTemporary(error) },
    // A change fails at once while the person is offline. By default the library would make it later, without the person noticing.
    mutations: { retry: false, networkMode: 'always' },
  },
})
