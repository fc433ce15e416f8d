import './webhooks.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client, type Mode, read } from '../api/client.ts'
import { EVENT_SUBSCRIPTIONS } from '../api/event-names.ts'
import { joinRows, type PageQuery, usePages } from '../api/use-pages.ts'
import { TAIL_WORDS, useTail } from '../api/use-tail.ts'
import { type Filters, given, useFilters } from '../shell/filters.ts'
import { useAppId, useMode } from '../shell/place.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { CopyText } from '../ui/copy.tsx'
import type { Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { FilterBar, LiveSwitch, SelectFilter, TextFilter, TimeFilter } from '../ui/filter-bar.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { type Delivery, deliveryQuery, statusOf } from './delivery-queries.ts'
import { endpointsQuery, webhooksKey } from './endpoint-queries.ts'
import { RedeliverMany } from './redeliver-many.tsx'
import { WebhookTabs } from './webhook-tabs.tsx'

const STATUS_WORDS: readonly (readonly [string, string])[] = [
  ['pending', 'Pending or retrying'],
  ['delivered', 'Delivered'],
  ['exhausted', 'Exhausted: all attempts failed'],
  ['canceled', 'Canceled'],
]
/** For how long the list is refreshed after the person redelivered deliveries, while a row is pending. */
const READ_AGAIN_FOR_MS = 30_000
const READ_AGAIN_EVERY_MS = 1_500

const rowKey = ({ id }: Delivery) => id

/** Lists the deliveries to all endpoints, with buttons that send several of them again. */
export function DeliveryListPage() {
  const appId = useAppId() ?? ''
  const mode = useMode()
  const [filters, change] = useFilters()
  const { live, ...narrowing } = filters
  const query = deliveryQuery(narrowing, mode)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const queryKey = [...webhooksKey(appId), 'deliveries', query]
  const readPage = (page: PageQuery, signal: AbortSignal) =>
    read(
      client.GET('/portal/api/apps/{app_id}/webhook_deliveries', {
        signal,
        params: { path: { app_id: appId }, query: { ...query, ...page } },
      }),
    )
  const [readAgainUntil, setReadAgainUntil] = useState(0)
  const readAgain = (read: readonly Delivery[]) =>
    Date.now() < readAgainUntil && read.some(({ attributes }) => attributes.status === 'pending')
      ? READ_AGAIN_EVERY_MS
      : false
  const pages = usePages({ queryKey, readPage, readAgain })
  const afterRedelivery = () => {
    setChosen(new Set())
    setReadAgainUntil(Date.now() + READ_AGAIN_FOR_MS)
  }
  const address = `/portal/api/apps/${appId}/webhook_deliveries/stream?${new URLSearchParams(given({ ...query, types: query.types?.join() }))}`
  const tail = useTail<Delivery>(live === undefined ? null : address, pages.refetch)
  const rows = withTail(pages.rows, tail)
  const isFiltered = Object.keys(narrowing).length > 0
  return (
    <Page
      title="Webhooks"
      actions={
        <LiveSwitch
          isOn={live !== undefined}
          onChange={(isOn) => change({ live: isOn ? 'on' : '' })}
          state={TAIL_WORDS[tail.state]}
        />
      }
    >
      <WebhookTabs appId={appId} />
      <DeliveryFilters appId={appId} mode={mode} filters={narrowing} change={change} />
      <RedeliverMany appId={appId} filter={query} chosen={chosen} onDone={afterRedelivery} />
      <EndlessTable
        label="Webhook deliveries, newest first"
        pages={pages}
        rows={rows}
        columns={columnsWith(chosen, setChosen)}
        rowKey={rowKey}
        rowTo={({ id }) => `/apps/${appId}/webhooks/deliveries/${id}`}
        empty={
          isFiltered ? (
            <EmptyState title="No delivery matches">Change or clear the filters.</EmptyState>
          ) : (
            <EmptyState title={`No deliveries in ${mode} mode yet`}>
              Once you have added an endpoint, each event of your installations is delivered, and its delivery is listed
              here.
            </EmptyState>
          )
        }
      />
    </Page>
  )
}

/**
 * Drops the read rows whose id is `since` or later, and adds the rows of the stream. The stream has sent every matching
 * delivery from `since` on, in its newest state.
 */
function withTail(
  read: readonly Delivery[],
  { rows, since }: { readonly rows: readonly Delivery[]; readonly since: string | null },
) {
  if (since === null) return read
  return joinRows(
    rows,
    read.filter(({ id }) => id < since),
    rowKey,
  ).toSorted((a, b) => (a.id < b.id ? 1 : -1))
}

type SetChosen = (chosen: ReadonlySet<string>) => void

function columnsWith(chosen: ReadonlySet<string>, setChosen: SetChosen): readonly Column<Delivery>[] {
  const toggle = (id: string) =>
    setChosen(new Set(chosen.has(id) ? [...chosen].filter((each) => each !== id) : [...chosen, id]))
  return [
    { header: 'Event', cell: ({ attributes }) => <span className="mono">{attributes.event ?? 'expired event'}</span> },
    { header: 'Status', cell: ({ attributes }) => <StatusBadge status={statusOf(attributes)} /> },
    {
      header: 'Last result',
      cell: ({ attributes: { last_attempt, reason } }) =>
        reason ?? (last_attempt === null ? '' : (last_attempt.response_code ?? last_attempt.error)),
      wide: true,
    },
    { header: 'Attempts', cell: ({ attributes }) => attributes.attempt_count, align: 'end', wide: true },
    { header: 'Delivery id', cell: ({ id }) => <CopyText value={id} label="Copy the delivery id" />, wide: true },
    { header: 'Created', cell: ({ attributes }) => <Time at={attributes.created_at} />, wide: true },
    {
      header: 'Select',
      cell: ({ id, attributes }) => (
        <input
          type="checkbox"
          className="row-check"
          aria-label={`Select ${attributes.event ?? ''} ${id}`}
          checked={chosen.has(id)}
          onChange={() => toggle(id)}
        />
      ),
    },
  ]
}

type DeliveryFiltersProps = {
  readonly appId: string
  readonly mode: Mode
  readonly filters: Filters
  readonly change: (changed: Filters) => void
}

function DeliveryFilters({ appId, mode, filters, change }: DeliveryFiltersProps) {
  const { data: endpoints = [] } = useQuery(endpointsQuery(appId, mode))
  const { status, event, endpoint, since, until, q } = filters
  const clear = () => change(Object.fromEntries(Object.keys(filters).map((name) => [name, ''])))
  return (
    <FilterBar onClear={Object.keys(filters).length === 0 ? undefined : clear}>
      <TextFilter label="Id" value={q} placeholder="dlv_…, evt_…, inst_…" onChange={(value) => change({ q: value })} />
      <SelectFilter
        label="Status"
        value={status}
        any="Any status"
        options={STATUS_WORDS}
        onChange={(value) => change({ status: value })}
      />
      <SelectFilter
        label="Event"
        value={event}
        any="Any event"
        options={EVENT_SUBSCRIPTIONS.map((name) => [name, name] as const)}
        onChange={(value) => change({ event: value })}
      />
      <SelectFilter
        label="Endpoint"
        value={endpoint}
        any="Any endpoint"
        options={endpoints.map(({ id, attributes }) => [id, attributes.url] as const)}
        onChange={(value) => change({ endpoint: value })}
      />
      <TimeFilter label="From" value={since} onChange={(value) => change({ since: value })} />
      <TimeFilter label="Until" value={until} onChange={(value) => change({ until: value })} />
    </FilterBar>
  )
}
