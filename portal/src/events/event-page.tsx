import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { client, read, type Schemas } from '../api/client.ts'
import { given, useFilters } from '../shell/filters.ts'
import { useAppId } from '../shell/place.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { CopyText } from '../ui/copy.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Json } from '../ui/json.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { statusOf } from '../webhooks/delivery-queries.ts'

const eventQuery = (app_id: string, event_id: string, installation_id: string | undefined) =>
  queryOptions({
    queryKey: ['apps', app_id, 'events', event_id, installation_id],
    queryFn: async ({ signal }) => {
      const params = { path: { app_id, event_id }, query: given({ installation_id }) }
      return (await read(client.GET('/portal/api/apps/{app_id}/events/{event_id}', { signal, params }))).data
    },
  })

const COLUMNS: readonly Column<Schemas['AppWebhookDelivery']>[] = [
  { header: 'Delivery', cell: ({ id }) => <span className="mono">{id}</span> },
  { header: 'Status', cell: ({ attributes }) => <StatusBadge status={statusOf(attributes)} /> },
  {
    header: 'Last result',
    cell: ({ attributes: { last_attempt, reason } }) =>
      reason ?? (last_attempt === null ? '' : (last_attempt.response_code ?? last_attempt.error)),
    wide: true,
  },
  { header: 'Attempts', cell: ({ attributes }) => attributes.attempt_count, align: 'end', wide: true },
  { header: 'Created', cell: ({ attributes }) => <Time at={attributes.created_at} />, wide: true },
]

/** Shows one event: its cause, its deliveries and its payload. */
export function EventPage() {
  const appId = useAppId() ?? ''
  const { eventId = '' }: { eventId?: string } = useParams({ strict: false })
  const [{ installation }] = useFilters()
  const { data: event } = useSuspenseQuery(eventQuery(appId, eventId, installation))
  const { event: name, mode, installation_id, created_at, request_id, deliveries, payload } = event.attributes
  return (
    <Page title={name} crumbs={[{ label: 'Events', to: `/apps/${appId}/events` }]}>
      <Panel title="Event">
        <dl className="facts">
          <div>
            <dt>Event id</dt>
            <dd>
              <CopyText value={event.id} label="Copy the event id" />
            </dd>
          </div>
          <div>
            <dt>Recorded</dt>
            <dd>
              <Time at={created_at} /> <span className="hint">{created_at}</span>
            </dd>
          </div>
          <div>
            <dt>Mode</dt>
            <dd>{mode === 'test' ? 'Test' : 'Live'}</dd>
          </div>
          <div>
            <dt>Installation</dt>
            <dd>
              {installation_id === null ? (
                'The app itself'
              ) : (
                <CopyText value={installation_id} label="Copy the installation id" />
              )}
            </dd>
          </div>
          <div>
            <dt>Caused by</dt>
            <dd>
              {request_id === null ? (
                'No API request of this app'
              ) : (
                <Link to={`/apps/${appId}/logs/${request_id}`}>{request_id}</Link>
              )}
            </dd>
          </div>
        </dl>
      </Panel>
      <Panel title="Deliveries">
        {deliveries.length === 0 ? (
          <p className="hint">No endpoint of this app was subscribed to this event.</p>
        ) : (
          <DataTable
            label="Deliveries of this event"
            rows={deliveries}
            columns={COLUMNS}
            rowKey={({ id }) => id}
            rowTo={({ id }) => `/apps/${appId}/webhooks/deliveries/${id}`}
          />
        )}
      </Panel>
      <Panel
        title="Payload"
        hint="The payload that a delivery would have now, with the rights that the installation has now."
      >
        <Json value={payload} label="Payload" />
      </Panel>
    </Page>
  )
}
