import '../overview/overview.css'
import { useQuery } from '@tanstack/react-query'
import { client, read, type Schemas } from '../api/client.ts'
import { usePolling } from '../api/use-polling.ts'
import { given, useFilters } from '../shell/filters.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { FilterBar, TextFilter } from '../ui/filter-bar.tsx'
import { Panel } from '../ui/page.tsx'
import { RangeFilter, useRange } from '../ui/range-filter.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { type Line, RANGES, type Range, Timeline, total } from '../ui/timeline.tsx'
import { DownloadButton } from './download-button.tsx'
import { inMode, useConsoleMode } from './operator.ts'
import { StaffPage } from './staff-page.tsx'

type Point = Schemas['PlatformSeriesPoint']

const errorsOf = ({ client_errors, server_errors }: Point) => client_errors + server_errors

const REQUESTS: readonly Line<Point>[] = [
  { label: 'Requests', of: (point) => point?.requests ?? 0 },
  { label: 'Errors', of: (point) => (point === undefined ? 0 : errorsOf(point)), tone: 'danger' },
]
const SUCCESS: readonly Line<Point>[] = [
  { label: 'Percent', of: (point) => successOf(point?.delivered, point?.failed) },
]
const DELIVERIES: readonly Line<Point>[] = [
  { label: 'Delivered', of: (point) => point?.delivered ?? 0 },
  { label: 'Failed attempts', of: (point) => point?.failed ?? 0, tone: 'danger' },
]
const SIGN_UPS: readonly Line<Point>[] = [{ label: 'Sign-ups', of: (point) => point?.sign_ups ?? null }]
const WAITING: readonly Line<Point>[] = [
  { label: 'Approvals', of: (point) => point?.approvals_waiting ?? null },
  { label: 'Investor PII', of: (point) => point?.pii_waiting ?? null, tone: 'warning' },
  { label: 'Programs', of: (point) => point?.programs_waiting ?? null, tone: 'danger' },
]

/** The share of successful attempts in percent. Null if there was no attempt. */
function successOf(delivered = 0, failed = 0): number | null {
  return delivered + failed === 0 ? null : (100 * delivered) / (delivered + failed)
}

const percent = (value: number) => `${value.toLocaleString('en', { maximumFractionDigits: 1 })} %`
const countWords = (count: number, one: string, more: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`

/** Shows requests, errors, deliveries, sign-ups and waiting requests over time, for all partners or for one app. */
export function FiguresPage() {
  const [filters, change] = useFilters()
  const [range, setRange] = useRange()
  const mode = useConsoleMode()
  const app = filters['app']
  const { unit } = RANGES[range]
  const query = { unit, app_id: app as Schemas['App']['id'] | undefined }
  const { data, error, refetch } = useQuery({
    queryKey: ['figures', mode, query],
    queryFn: async ({ signal }) =>
      (await read(client.GET('/platform/series', { signal, headers: inMode(mode), params: { query: given(query) } })))
        .data.attributes.points,
    refetchInterval: usePolling(60_000),
  })
  return (
    <StaffPage
      least="viewer"
      what="figures"
      hasModes
      title="Figures"
      lead={app === undefined ? 'All partners together.' : `The app ${app} alone.`}
      actions={
        <>
          <RangeFilter value={range} onChange={setRange} />
          <DownloadButton list="series" mode={mode} query={query} />
          <DownloadButton list="partners" label="Partners as CSV" />
        </>
      }
    >
      <FilterBar {...(app === undefined ? {} : { onClear: () => change({ app: '' }) })}>
        <TextFilter label="App" placeholder="app_…" value={app} onChange={(chosen) => change({ app: chosen })} />
      </FilterBar>
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton lines={10} />}
      {data !== undefined && <Charts points={data} range={range} isOfAll={app === undefined} />}
    </StaffPage>
  )
}

type ChartsProps = { readonly points: readonly Point[]; readonly range: Range; readonly isOfAll: boolean }

function Charts({ points, range, isOfAll }: ChartsProps) {
  const sum = (of: (point: Point) => number) => total(points, range, of)
  const [delivered, failed] = [sum((point) => point.delivered), sum((point) => point.failed)]
  const success = successOf(delivered, failed)
  const waiting = points.at(-1)?.approvals_waiting ?? null
  return (
    <div className="charts">
      <Panel
        title="API requests"
        hint={`${countWords(
          sum(({ requests }) => requests),
          'request',
          'requests',
        )}, ${countWords(sum(errorsOf), 'error', 'errors')}`}
      >
        <Timeline label="API requests" range={range} points={points} lines={REQUESTS} />
      </Panel>
      <Panel title="Webhook deliveries" hint={countWords(delivered + failed, 'attempt', 'attempts')}>
        <Timeline label="Webhook deliveries" range={range} points={points} lines={DELIVERIES} />
      </Panel>
      <Panel title="Delivery success" hint={success === null ? 'No attempts' : `${percent(success)} of attempts`}>
        <Timeline label="Delivery success" range={range} points={points} lines={SUCCESS} words={percent} />
      </Panel>
      {isOfAll && (
        <>
          <Panel
            title="Sign-ups"
            hint={countWords(
              sum(({ sign_ups }) => sign_ups ?? 0),
              'account',
              'accounts',
            )}
          >
            <Timeline label="Sign-ups" range={range} points={points} lines={SIGN_UPS} />
          </Panel>
          <Panel
            title="Waiting requests"
            hint={
              waiting === null ? 'Not counted yet' : `${countWords(waiting, 'approval waits', 'approvals wait')} now`
            }
          >
            <Timeline label="Waiting requests" range={range} points={points} lines={WAITING} />
          </Panel>
        </>
      )}
    </div>
  )
}
