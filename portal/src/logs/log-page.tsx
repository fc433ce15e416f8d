import { useNavigate } from '@tanstack/react-router'
import { client, type Mode, read, type Schemas } from '../api/client.ts'
import { joinRows, type PageQuery, usePages } from '../api/use-pages.ts'
import { TAIL_WORDS, useTail } from '../api/use-tail.ts'
import { chosenOf, type Filters, given, useFilters } from '../shell/filters.ts'
import { useAppId, useMode } from '../shell/place.ts'
import { Badge } from '../ui/badge.tsx'
import type { Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { FilterBar, LiveSwitch, SelectFilter, TextFilter, TimeFilter } from '../ui/filter-bar.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { FirstRequest } from './first-request.tsx'
import { StatusCode } from './status-code.tsx'

type LoggedRequest = Schemas['LoggedRequest']

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const STATUSES = [
  ['error', 'Errors (400 and more)'],
  ['2xx', '2xx success'],
  ['4xx', '4xx rejected'],
  ['401', '401 not authenticated'],
  ['403', '403 not allowed'],
  ['404', '404 not found'],
  ['422', '422 invalid'],
  ['429', '429 too many requests'],
  ['5xx', '5xx server error'],
] as const

const COLUMNS: readonly Column<LoggedRequest>[] = [
  {
    header: 'Request',
    cell: ({ attributes: { method, route } }) => (
      <span className="mono">
        {method} {route}
      </span>
    ),
  },
  { header: 'Status', cell: ({ attributes: { status } }) => <StatusCode status={status} /> },
  { header: 'Error', cell: ({ attributes }) => <code>{attributes.error_type ?? ''}</code>, wide: true },
  {
    header: 'Duration',
    cell: ({ attributes }) => `${attributes.duration_ms.toLocaleString('en')} ms`,
    align: 'end',
    wide: true,
  },
  { header: 'Credential', cell: ({ attributes }) => <Credential of={attributes.credential} />, wide: true },
  { header: 'Time', cell: ({ attributes }) => <Time at={attributes.started_at} /> },
]

function Credential({ of: { kind } }: { readonly of: LoggedRequest['attributes']['credential'] }) {
  return <Badge>{kind.replaceAll('_', ' ')}</Badge>
}

const rowKey = ({ id }: LoggedRequest) => id

/** Lists the API requests with the app's credentials. */
export function LogPage() {
  const appId = useAppId() ?? ''
  const mode = useMode()
  const [filters, change] = useFilters()
  const { live, ...narrowing } = filters
  const query = queryOf(narrowing, mode)
  const pages = usePages({
    queryKey: ['apps', appId, 'requests', query],
    readPage: (page: PageQuery, signal) =>
      read(
        client.GET('/portal/api/apps/{app_id}/requests', {
          signal,
          params: { path: { app_id: appId }, query: { ...query, ...page } },
        }),
      ),
  })
  const address = `/portal/api/apps/${appId}/requests/stream?${new URLSearchParams(query)}`
  const tail = useTail<LoggedRequest>(live === undefined ? null : address, pages.refetch)
  const isFiltered = Object.keys(narrowing).length > 0
  return (
    <Page
      title="Logs"
      lead="Requests to the API with this app’s credentials, for 7 days. Bodies and secrets are never stored."
      actions={
        <LiveSwitch
          isOn={live !== undefined}
          onChange={(isOn) => change({ live: isOn ? 'on' : '' })}
          state={TAIL_WORDS[tail.state]}
        />
      }
    >
      <LogFilters filters={narrowing} change={change} appId={appId} />
      <EndlessTable
        label="API requests, newest first"
        pages={pages}
        rows={joinRows(tail.rows, pages.rows, rowKey)}
        columns={COLUMNS}
        rowKey={rowKey}
        rowTo={({ id }) => `/apps/${appId}/logs/${id}`}
        empty={
          isFiltered ? (
            <EmptyState title="No request matches">Change or clear the filters.</EmptyState>
          ) : (
            <EmptyState title={`No requests in ${mode} mode yet`} action={<FirstRequest appId={appId} mode={mode} />}>
              Paste this line into a terminal. With the live tail on, the request appears here a second later.
            </EmptyState>
          )
        }
      />
    </Page>
  )
}

function queryOf({ status, method, route, error_type, credential, since, until }: Filters, mode: Mode) {
  return given({ mode, status, method: chosenOf(METHODS, method), route, error_type, credential, since, until })
}

type LogFiltersProps = {
  readonly filters: Filters
  readonly change: (changed: Filters) => void
  readonly appId: string
}

function LogFilters({ filters, change, appId }: LogFiltersProps) {
  const navigate = useNavigate()
  const { status, method, route, error_type, credential, since, until } = filters
  const clear = () => change(Object.fromEntries(Object.keys(filters).map((name) => [name, ''])))
  return (
    <FilterBar onClear={Object.keys(filters).length === 0 ? undefined : clear}>
      <TextFilter
        label="Request id"
        value=""
        placeholder="req_…"
        onChange={(id) => void navigate({ to: `/apps/${appId}/logs/${encodeURIComponent(id)}` })}
      />
      <SelectFilter
        label="Status"
        value={status}
        any="Any status"
        options={STATUSES}
        onChange={(value) => change({ status: value })}
      />
      <SelectFilter
        label="Method"
        value={method}
        any="Any method"
        options={METHODS.map((each) => [each, each] as const)}
        onChange={(value) => change({ method: value })}
      />
      <TextFilter
        label="Route"
        value={route}
        placeholder="/investments/{id}"
        onChange={(value) => change({ route: value })}
      />
      <TextFilter
        label="Error"
        value={error_type}
        placeholder="not_found"
        onChange={(value) => change({ error_type: value })}
      />
      <TextFilter
        label="Key or installation"
        value={credential}
        placeholder="pk_… or inst_…"
        onChange={(value) => change({ credential: value })}
      />
      <TimeFilter label="From" value={since} onChange={(value) => change({ since: value })} />
      <TimeFilter label="Until" value={until} onChange={(value) => change({ until: value })} />
    </FilterBar>
  )
}
