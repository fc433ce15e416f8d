import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { client, type Mode, read, type Schemas } from '../api/client.ts'
import { usePages } from '../api/use-pages.ts'
import { usePolling } from '../api/use-polling.ts'
import { chosenOf, given, useFilters } from '../shell/filters.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { CopyText } from '../ui/copy.tsx'
import type { Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { FilterBar, SelectFilter } from '../ui/filter-bar.tsx'
import { Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { inMode, useConsoleMode } from './operator.ts'
import { modeSearch, RecordId, StaffPage } from './staff-page.tsx'

type Endpoint = Schemas['PartnerEndpointHealth']
type EndpointId = Endpoint['id']
type Delivery = Schemas['PartnerDelivery']
type Attributes = Delivery['attributes']

/** One webhook endpoint of a partner, and what was sent to it. */
export function EndpointPage() {
  const { endpointId = '' }: { endpointId?: string } = useParams({ strict: false })
  const mode = useConsoleMode()
  const id = endpointId as EndpointId
  return (
    <StaffPage
      title="Webhook endpoint"
      crumbs={[{ label: 'Webhooks', to: '/webhooks', search: modeSearch(mode) }]}
      least="viewer"
      what="webhooks"
      hasModes
    >
      <Loaded key={`${mode} ${id}`} id={id} mode={mode} />
    </StaffPage>
  )
}

type LoadedProps = { readonly id: EndpointId; readonly mode: Mode }

function Loaded({ id, mode }: LoadedProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['webhook health', mode, 'one', id],
    queryFn: async ({ signal }) => {
      const params = { query: { endpoint_id: id } }
      const { data: found } = await read(
        client.GET('/platform/webhook_endpoints', { signal, headers: inMode(mode), params }),
      )
      return found[0] ?? null
    },
  })
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={6} />
  if (data === null) {
    return (
      <EmptyState title={`No such endpoint in ${mode} mode`}>
        Its team may have removed it. Or choose the other mode.
      </EmptyState>
    )
  }
  return (
    <>
      <EndpointPanel endpoint={data} mode={mode} />
      <Deliveries id={id} mode={mode} />
    </>
  )
}

function EndpointPanel({ endpoint: { id, attributes }, mode }: { readonly endpoint: Endpoint; readonly mode: Mode }) {
  const { app, organization, host, state, disabled_reason, failing_since, waiting } = attributes
  const facts: readonly (readonly [label: string, value: React.ReactNode])[] = [
    ['Endpoint id', <CopyText key="id" value={id} label="Copy the endpoint id" />],
    [
      'App',
      <Link key="app" to={`/apps/${app.id}`}>
        {app.name}
      </Link>,
    ],
    [
      'Organization',
      <Link key="organization" to={`/organizations/${organization.id}`}>
        {organization.name}
      </Link>,
    ],
    ['Host', <code key="host">{host}</code>],
    ...(disabled_reason === null ? [] : [['Disabled because', disabled_reason.replaceAll('_', ' ')] as const]),
    ...(failing_since === null ? [] : [['Fails since', <Time key="failing" at={failing_since} />] as const]),
    ['Waiting', waiting.toLocaleString('en')],
  ]
  return (
    <Panel
      title={host}
      actions={
        <span className="links">
          <StatusBadge status={state} />
          <Link to="/webhooks" search={{ app: app.id, ...modeSearch(mode) }}>
            All endpoints of the app
          </Link>
        </span>
      }
    >
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

/** The status to show. A pending delivery whose last attempt failed is `retrying`. */
const statusOf = ({ status, attempt_count }: Attributes) =>
  status === 'pending' && attempt_count > 0 ? 'retrying' : status

/** Why the delivery or its last attempt failed; a dash if nothing failed. */
function errorOf({ last_attempt, reason }: Attributes): string {
  if (reason !== null) return reason.replaceAll('_', ' ')
  if (last_attempt === null) return '–'
  const { error, response_code } = last_attempt
  if (error !== null) return error.replaceAll('_', ' ')
  return response_code !== null && response_code < 300 ? '–' : `Status ${response_code}`
}

const columnsIn = (mode: Mode): readonly Column<Delivery>[] => [
  { header: 'Event', cell: ({ attributes }) => attributes.event ?? 'Deleted event' },
  { header: 'Status', cell: ({ attributes }) => <StatusBadge status={statusOf(attributes)} /> },
  { header: 'Attempts', cell: ({ attributes }) => attributes.attempt_count, align: 'end' },
  { header: 'Last error', cell: ({ attributes }) => errorOf(attributes) },
  { header: 'Created', cell: ({ attributes }) => <Time at={attributes.created_at} />, wide: true },
  {
    header: 'Event id',
    cell: ({ attributes }) => <RecordId id={attributes.event_id} label="the event id" mode={mode} />,
    wide: true,
  },
]

const STATUSES = ['pending', 'delivered', 'exhausted', 'canceled'] as const
const READ_EVERY_MS = 30_000

/** Lists the deliveries without their bodies. The API does not return bodies to staff, because bodies may name people. */
function Deliveries({ id, mode }: LoadedProps) {
  const [{ status: chosen }, change] = useFilters()
  const status = chosenOf(STATUSES, chosen)
  const polling = usePolling(READ_EVERY_MS)
  const pages = usePages<Delivery>({
    queryKey: ['endpoint deliveries', mode, id, status ?? 'all'],
    readPage: (page, signal) =>
      read(
        client.GET('/platform/webhook_endpoints/{id}/deliveries', {
          signal,
          headers: inMode(mode),
          params: { path: { id }, query: { ...given({ status }), ...page } },
        }),
      ),
    readAgain: () => polling,
  })
  return (
    <Panel title="Deliveries" hint="What waits, and what ended in the last 30 days. Staff see no bodies.">
      <FilterBar onClear={status === undefined ? undefined : () => change({ status: '' })}>
        <SelectFilter
          label="Status"
          value={status}
          any="Any status"
          options={[
            ['pending', 'Pending or retrying'],
            ['delivered', 'Delivered'],
            ['exhausted', 'Exhausted: all attempts failed'],
            ['canceled', 'Canceled'],
          ]}
          onChange={(value) => change({ status: value })}
        />
      </FilterBar>
      <EndlessTable
        label="Deliveries to the endpoint, newest first"
        pages={pages}
        rows={pages.rows}
        columns={columnsIn(mode)}
        rowKey={(delivery) => delivery.id}
        empty={
          <EmptyState title="No deliveries">
            Nothing was sent to this endpoint in the last 30 days, or no delivery has the chosen status.
          </EmptyState>
        }
      />
    </Panel>
  )
}
