import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { client, read, readAll, type Schemas } from '../api/client.ts'
import { useAppId } from '../shell/place.ts'
import { Badge } from '../ui/badge.tsx'
import { CopyText } from '../ui/copy.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { StatusCode } from './status-code.tsx'

const requestQuery = (app_id: string, request_id: string) =>
  queryOptions({
    queryKey: ['apps', app_id, 'requests', request_id],
    queryFn: async ({ signal }) => {
      const params = { path: { app_id, request_id } }
      return (await read(client.GET('/portal/api/apps/{app_id}/requests/{request_id}', { signal, params }))).data
    },
  })

/** Shows one API request and the events that it caused. */
export function RequestPage() {
  const appId = useAppId() ?? ''
  const { requestId = '' }: { requestId?: string } = useParams({ strict: false })
  const { data: request } = useSuspenseQuery(requestQuery(appId, requestId))
  const { method, route, status, duration_ms, error_type, started_at, mode } = request.attributes
  const { kind, key_id, installation_id } = request.attributes.credential
  return (
    <Page
      title={`${method} ${route}`}
      crumbs={[{ label: 'Logs', to: `/apps/${appId}/logs` }]}
      status={<StatusCode status={status} />}
    >
      <Panel title="Request">
        <dl className="facts">
          <div>
            <dt>Request id</dt>
            <dd>
              <CopyText value={request.id} label="Copy the request id" />
            </dd>
          </div>
          <div>
            <dt>Error</dt>
            <dd>{error_type === null ? 'None' : <code>{error_type}</code>}</dd>
          </div>
          <div>
            <dt>Time</dt>
            <dd>
              <Time at={started_at} /> <span className="hint">{started_at}</span>
            </dd>
          </div>
          <div>
            <dt>Duration</dt>
            <dd>{duration_ms.toLocaleString('en')} ms</dd>
          </div>
          <div>
            <dt>Mode</dt>
            <dd>{mode === 'test' ? 'Test' : 'Live'}</dd>
          </div>
          <div>
            <dt>Credential</dt>
            <dd>
              <Badge>{kind.replaceAll('_', ' ')}</Badge>
            </dd>
          </div>
          <div>
            <dt>Key</dt>
            <dd>
              <CopyText value={key_id} label="Copy the key id" />
            </dd>
          </div>
          {installation_id !== null && (
            <div>
              <dt>Installation</dt>
              <dd>
                <CopyText value={installation_id} label="Copy the installation id" />
              </dd>
            </div>
          )}
        </dl>
        <p className="links">
          <Link to={`/apps/${appId}/logs`} search={{ route, method }}>
            Requests to this route
          </Link>
          <Link to={`/apps/${appId}/logs`} search={{ credential: installation_id ?? key_id }}>
            Requests with this credential
          </Link>
        </p>
      </Panel>
      <CausedEvents appId={appId} request={request} />
    </Page>
  )
}

type CausedEventsProps = { readonly appId: string; readonly request: Schemas['LoggedRequest'] }

function CausedEvents({ appId, request: { id, attributes } }: CausedEventsProps) {
  const { mode } = attributes
  const { data, error, refetch } = useQuery({
    queryKey: ['apps', appId, 'requests', id, 'events'],
    queryFn: ({ signal }) =>
      readAll((cursor) =>
        read(
          client.GET('/portal/api/apps/{app_id}/requests/{request_id}/events', {
            signal,
            params: {
              path: { app_id: appId, request_id: id },
              query: { mode, per_page: 100, ...(cursor && { cursor }) },
            },
          }),
        ),
      ),
  })
  return (
    <Panel title="Events it caused" hint="Open an event to see its payload and its webhook deliveries.">
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton />}
      {data?.length === 0 && (
        <p className="hint">
          This request caused no event. A request that only reads causes none. An event that a job or an approval causes
          later has no request id.
        </p>
      )}
      {data !== undefined && data.length > 0 && (
        <DataTable
          label="Events that this request caused"
          rows={data}
          columns={[
            { header: 'Event', cell: (event) => <code>{event.attributes.event}</code> },
            {
              header: 'Event id',
              cell: (event) => <CopyText value={event.id} label="Copy the event id" />,
              wide: true,
            },
            { header: 'Recorded', cell: (event) => <Time at={event.attributes.created_at} /> },
          ]}
          rowKey={(event) => event.id + event.attributes.installation_id}
          rowTo={(event) => `/apps/${appId}/events/${event.id}`}
          rowSearch={({ attributes: { installation_id } }): Readonly<Record<string, string>> =>
            installation_id === null ? {} : { installation: installation_id }
          }
        />
      )}
    </Panel>
  )
}
