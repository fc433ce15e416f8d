import './webhooks.css'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useAppId, useMode } from '../shell/place.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { type Endpoint, endpointsQuery, healthOf, successOf } from './endpoint-queries.ts'
import { WebhookTabs } from './webhook-tabs.tsx'

const COLUMNS: readonly Column<Endpoint>[] = [
  { header: 'URL', cell: ({ attributes }) => <span className="endpoint-url">{attributes.url}</span> },
  { header: 'Status', cell: ({ attributes }) => <StatusBadge status={healthOf(attributes)} /> },
  { header: 'Events', cell: ({ attributes }) => eventsInWords(attributes.events), wide: true },
  {
    header: 'Success',
    cell: ({ attributes }) => percent(successOf(attributes).rate),
    align: 'end',
    wide: true,
  },
  {
    header: 'Waiting',
    cell: ({ attributes }) => attributes.health.waiting.toLocaleString('en'),
    align: 'end',
    wide: true,
  },
  {
    header: 'Last delivery',
    cell: ({ attributes }) =>
      attributes.last_delivery_at === null ? 'None' : <Time at={attributes.last_delivery_at} />,
    wide: true,
  },
]

export const percent = (rate: number | null) =>
  rate === null ? '–' : rate.toLocaleString('en', { style: 'percent', maximumFractionDigits: 1 })

function eventsInWords(events: readonly string[]): string {
  const [first = '', ...others] = events
  if (first === '*') return 'All events'
  return others.length === 0 ? first : `${first} and ${others.length} more`
}

export function EndpointListPage() {
  const appId = useAppId() ?? ''
  const mode = useMode()
  const { data: endpoints } = useSuspenseQuery(endpointsQuery(appId, mode))
  const add = (
    <LinkButton to={`/apps/${appId}/webhooks/new`} variant="primary">
      Add an endpoint
    </LinkButton>
  )
  return (
    <Page title="Webhooks" actions={endpoints.length > 0 && add}>
      <WebhookTabs appId={appId} />
      {endpoints.length === 0 ? (
        <EmptyState title={`No endpoint in ${mode} mode yet`} action={add}>
          An endpoint is a URL of your server that receives signed events as they happen. We send an event again until
          your server answers 2xx.
        </EmptyState>
      ) : (
        <DataTable
          label={`Webhook endpoints in ${mode} mode`}
          rows={endpoints}
          columns={COLUMNS}
          rowKey={({ id }) => id}
          rowTo={({ id }) => `/apps/${appId}/webhooks/${id}`}
        />
      )}
    </Page>
  )
}
