import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { demandSignIn } from '../shell/session.tsx'
import { ApiFailure, client, read, readAll, setCsrf } from './client.ts'

/** What more than one section reads. A query that one section reads lives in that section. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) => {
    const { data, meta } = await read(client.GET('/portal/api/me', { signal }))
    setCsrf(meta.csrf)
    return data
  },
  staleTime: 60_000,
  // Signing in again in another tab brings another CSRF token.
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

/** Only a server that cannot answer right now is asked again: every other error would be the same the second time. */
const isPassing = (error: Error) => error instanceof ApiFailure && (error.status === 0 || error.status >= 502)

function noticeEndedSession(error: Error): void {
  if (error instanceof ApiFailure && error.status === 401) demandSignIn()
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeEndedSession }),
  mutationCache: new MutationCache({ onError: noticeEndedSession }),
  defaultOptions: {
    queries: { staleTime: 10_000, retry: (count, error) => count < ATTEMPTS_MAX && isPassing(error) },
    // A change fails at once while the person is offline. By default it would wait and happen later, unseen.
    mutations: { retry: false, networkMode: 'always' },
  },
})
