import { queryOptions } from '@tanstack/react-query'
import { client, type Mode, read, readAll, type Schemas } from '../api/client.ts'

export type Endpoint = Schemas['AppWebhookEndpoint']
/** The props of each panel of an endpoint's page. */
export type EndpointProps = { readonly appId: string; readonly endpoint: Endpoint }

/** The beginning of the keys of all queries about an app's webhooks. After a change, all of them are read again. */
export const webhooksKey = (app_id: string) => ['apps', app_id, 'webhooks']

export const endpointsQuery = (app_id: string, mode: Mode) =>
  queryOptions({
    queryKey: [...webhooksKey(app_id), 'endpoints', mode],
    queryFn: ({ signal }) =>
      readAll((cursor) =>
        read(
          client.GET('/portal/api/apps/{app_id}/webhook_endpoints', {
            signal,
            params: { path: { app_id }, query: { mode, per_page: 100, ...(cursor && { cursor }) } },
          }),
        ),
      ),
  })

export const endpointQuery = (app_id: string, endpoint_id: string) =>
  queryOptions({
    queryKey: [...webhooksKey(app_id), 'endpoints', endpoint_id],
    queryFn: async ({ signal }) => {
      const params = { path: { app_id, endpoint_id } }
      return (await read(client.GET('/portal/api/apps/{app_id}/webhook_endpoints/{endpoint_id}', { signal, params })))
        .data
    },
    // A person who has repaired the endpoint waits on this page for the next success.
    refetchInterval: ({ state }) => (state.data?.attributes.failing_since ? READ_EVERY_MS : false),
  })

const READ_EVERY_MS = 3_000

type Health = 'enabled' | 'failing' | 'disabled'

export function healthOf({ enabled, failing_since }: Endpoint['attributes']): Health {
  if (!enabled) return 'disabled'
  return failing_since === null ? 'enabled' : 'failing'
}

/** Says in a sentence why an attempt failed. */
export function failureWords(code: number | null, error: string | null): string {
  switch (error) {
    case 'timeout':
      return 'Your endpoint did not answer in time.'
    case 'blocked_url':
      return 'The address is not allowed: it leads to a private network, or to a port of another service.'
    case 'tls_error':
      return 'The TLS connection failed. Check the certificate of your endpoint.'
    case 'connection_failed':
      return 'No connection could be made. Check that your endpoint is running and reachable.'
    case 'internal':
      return 'An error in our service prevented the attempt.'
    default:
      return code === null
        ? 'Your endpoint did not answer.'
        : `Your endpoint answered ${code}. Only 2xx counts as delivered.`
  }
}

/**
 * The share of deliveries that succeeded. While the endpoint fails, deliveries that wait for a retry count as failed, because "100 %"
 * next to "Failing" would be a contradiction.
 */
export function successOf({ failing_since, health }: Endpoint['attributes']) {
  const { delivered, recent, waiting } = health
  const total = failing_since === null ? recent : recent + waiting
  return { delivered, total, rate: total === 0 ? null : delivered / total }
}
