import { Link } from '@tanstack/react-router'
import { client, read, type Schemas } from '../api/client.ts'
import { usePages } from '../api/use-pages.ts'
import { usePolling } from '../api/use-polling.ts'
import { chosenOf, given, useFilters } from '../shell/filters.ts'
import { StatusBadge } from '../ui/badge.tsx'
import type { Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { FilterBar, SelectFilter, TextFilter } from '../ui/filter-bar.tsx'
import { Time } from '../ui/time.tsx'
import { inMode, useConsoleMode } from './operator.ts'
import { modeSearch, StaffPage } from './staff-page.tsx'

type Endpoint = Schemas['PartnerEndpointHealth']

const countWords = (value: number) => value.toLocaleString('en')
/** The API counts at most this many waiting deliveries. */
const WAITING_MAX = 10_000
const waitingWords = (waiting: number) =>
  waiting >= WAITING_MAX ? `${countWords(WAITING_MAX)} or more` : countWords(waiting)

const COLUMNS: readonly Column<Endpoint>[] = [
  { header: 'App', cell: ({ attributes }) => attributes.app.name },
  { header: 'State', cell: ({ attributes }) => <StatusBadge status={attributes.state} /> },
  { header: 'Host', cell: ({ attributes }) => <code>{attributes.host}</code>, wide: true },
  { header: 'Waiting', cell: ({ attributes }) => waitingWords(attributes.waiting), align: 'end' },
  { header: 'Failed, 24 h', cell: ({ attributes }) => countWords(attributes.last_24_hours.failed), align: 'end' },
  {
    header: 'Delivered, 24 h',
    cell: ({ attributes }) => countWords(attributes.last_24_hours.delivered),
    align: 'end',
    wide: true,
  },
  { header: 'Since', cell: (endpoint) => <Since of={endpoint} />, wide: true },
]

function Since({ of: { attributes } }: { readonly of: Endpoint }) {
  const { state, failing_since, disabled_reason, last_delivery_at } = attributes
  if (state === 'disabled') return disabled_reason ?? 'Disabled'
  if (failing_since !== null) {
    return (
      <>
        Fails since <Time at={failing_since} />
      </>
    )
  }
  if (last_delivery_at === null) return 'Nothing sent yet'
  return (
    <>
      Last delivery <Time at={last_delivery_at} />
    </>
  )
}

const STATES = ['failing', 'disabled', 'enabled'] as const
const READ_EVERY_MS = 30_000

/** Lists the webhook endpoints of all partners, the failing ones first. A row leads to the endpoint and its deliveries. */
export function WebhooksPage() {
  const [{ state: chosen, app = '' }, change] = useFilters()
  const mode = useConsoleMode()
  const state = chosenOf(STATES, chosen)
  const query = given({ state, app_id: app })
  const polling = usePolling(READ_EVERY_MS)
  const pages = usePages({
    queryKey: ['webhook health', mode, query],
    readPage: (page, signal) =>
      read(
        client.GET('/platform/webhook_endpoints', {
          signal,
          headers: inMode(mode),
          params: { query: { ...query, ...page } },
        }),
      ),
    readAgain: () => polling,
  })
  const totals = pages.meta?.totals
  const isSet = state !== undefined || app !== ''
  return (
    <StaffPage
      title="Webhooks"
      lead="The endpoints of all partners. Failing endpoints come first, those that have failed longest at the top."
      least="viewer"
      what="webhooks"
      hasModes
    >
      {totals !== undefined && (
        <p className="hint">
          {countWords(totals.enabled)} enabled, {countWords(totals.failing)} failing, {countWords(totals.disabled)}{' '}
          disabled. In the last 24 hours {countWords(totals.delivered)} attempts delivered and{' '}
          {countWords(totals.failed)} failed.
        </p>
      )}
      <FilterBar onClear={isSet ? () => change({ state: '', app: '' }) : undefined}>
        <SelectFilter
          label="State"
          value={state}
          any="Any state"
          options={[
            ['failing', 'Failing'],
            ['disabled', 'Disabled'],
            ['enabled', 'Enabled'],
          ]}
          onChange={(value) => change({ state: value })}
        />
        <TextFilter label="App id" value={app} placeholder="app_…" onChange={(value) => change({ app: value })} />
      </FilterBar>
      <EndlessTable
        label="Webhook endpoints of all partners"
        pages={pages}
        rows={pages.rows}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/webhooks/${id}`}
        rowSearch={() => modeSearch(mode)}
        empty={
          isSet ? (
            <EmptyState title="No endpoint matches">
              <Link to="/webhooks" search={mode === 'test' ? { mode } : {}}>
                Show all endpoints
              </Link>
            </EmptyState>
          ) : (
            <EmptyState title={`No endpoints in ${mode} mode`}>
              An endpoint is listed here as soon as a partner creates it, in the portal or by the API.
            </EmptyState>
          )
        }
      />
    </StaffPage>
  )
}
