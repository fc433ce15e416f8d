import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { client, type Mode, read, type Schemas } from '../api/client.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { type Line, RANGES, type Range, Timeline, total } from '../ui/timeline.tsx'

type Place = { readonly appId: string; readonly mode: Mode; readonly range: Range }
type Requests = Schemas['AppUsage']['attributes']['series'][number]
type Attempts = Schemas['AppDeliveryUsage']['attributes']['series'][number]

const READ_EVERY_MS = 30_000

const requestsQuery = ({ appId: app_id, mode, range }: Place) =>
  queryOptions({
    queryKey: ['apps', app_id, 'usage', mode, RANGES[range].unit],
    queryFn: async ({ signal }) => {
      const params = { path: { app_id }, query: { mode, unit: RANGES[range].unit } }
      return (await read(client.GET('/portal/api/apps/{app_id}/usage', { signal, params }))).data.attributes.series
    },
    refetchInterval: READ_EVERY_MS,
  })

const attemptsQuery = ({ appId: app_id, mode, range }: Place) =>
  queryOptions({
    queryKey: ['apps', app_id, 'webhooks', 'usage', mode, RANGES[range].unit],
    queryFn: async ({ signal }) => {
      const params = { path: { app_id }, query: { mode, unit: RANGES[range].unit } }
      return (await read(client.GET('/portal/api/apps/{app_id}/webhook_deliveries/usage', { signal, params }))).data
        .attributes.series
    },
    refetchInterval: READ_EVERY_MS,
  })

const errorsOf = ({ client_errors, server_errors }: Requests) => client_errors + server_errors

const REQUEST_LINES: readonly Line<Requests>[] = [
  { label: 'Requests', of: (point) => point?.requests ?? 0 },
  { label: 'Errors', of: (point) => (point === undefined ? 0 : errorsOf(point)), tone: 'danger' },
]
const ATTEMPT_LINES: readonly Line<Attempts>[] = [
  { label: 'Delivered', of: (point) => point?.delivered ?? 0 },
  { label: 'Failed attempts', of: (point) => point?.failed ?? 0, tone: 'danger' },
]
const LAG_LINES: readonly Line<Attempts>[] = [
  {
    label: 'Seconds',
    of: (point) => (point?.mean_lag_ms === undefined || point.mean_lag_ms === null ? null : point.mean_lag_ms / 1_000),
  },
]

const seconds = (value: number) => `${value.toLocaleString('en', { maximumFractionDigits: 2 })} s`
const countWords = (count: number, one: string, more: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`

/** Shows requests, deliveries and the lag of deliveries over time. */
export function ActivityCharts(place: Place) {
  const { appId, range } = place
  const requests = useQuery(requestsQuery(place))
  const attempts = useQuery(attemptsQuery(place))
  return (
    <div className="charts">
      <ChartPanel
        title="API requests"
        query={requests}
        link={<Link to={`/apps/${appId}/logs`}>Logs</Link>}
        summary={(points) =>
          `${countWords(
            total(points, range, ({ requests: count }) => count),
            'request',
            'requests',
          )}, ${countWords(total(points, range, errorsOf), 'error', 'errors')}`
        }
      >
        {(points) => <Timeline label="API requests" range={range} points={points} lines={REQUEST_LINES} />}
      </ChartPanel>
      <ChartPanel
        title="Webhook deliveries"
        query={attempts}
        link={<Link to={`/apps/${appId}/webhooks/deliveries`}>Deliveries</Link>}
        summary={(points) =>
          `${total(points, range, ({ delivered }) => delivered).toLocaleString('en')} delivered, ${countWords(
            total(points, range, ({ failed }) => failed),
            'failed attempt',
            'failed attempts',
          )}`
        }
      >
        {(points) => <Timeline label="Webhook deliveries" range={range} points={points} lines={ATTEMPT_LINES} />}
      </ChartPanel>
      <ChartPanel
        title="Webhook lag"
        query={attempts}
        link={<Link to={`/apps/${appId}/webhooks`}>Endpoints</Link>}
        summary={() => 'How long a delivery waits for its first attempt, on average'}
      >
        {(points) => <Timeline label="Webhook lag" range={range} points={points} lines={LAG_LINES} words={seconds} />}
      </ChartPanel>
    </div>
  )
}

type ChartPanelProps<P> = {
  readonly title: string
  readonly query: {
    readonly data: readonly P[] | undefined
    readonly error: Error | null
    readonly refetch: () => unknown
  }
  readonly link: ReactNode
  readonly summary: (points: readonly P[]) => string
  readonly children: (points: readonly P[]) => ReactNode
}

function ChartPanel<P>({ title, query: { data, error, refetch }, link, summary, children }: ChartPanelProps<P>) {
  return (
    <Panel title={title} actions={link} hint={data === undefined ? ' ' : summary(data)}>
      {data !== undefined && children(data)}
      {data === undefined && error === null && <Skeleton lines={4} />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
    </Panel>
  )
}
