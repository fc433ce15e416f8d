import { client, type Mode, read, type Schemas } from '../api/client.ts'
import { EVENT_SUBSCRIPTIONS } from '../api/event-names.ts'
import { joinRows, type PageQuery, usePages } from '../api/use-pages.ts'
import { TAIL_WORDS, useTail } from '../api/use-tail.ts'
import { chosenOf, type Filters, given, useFilters } from '../shell/filters.ts'
import { useAppId, useMode } from '../shell/place.ts'
import { LinkButton } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import type { Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { FilterBar, LiveSwitch, SelectFilter, TextFilter, TimeFilter } from '../ui/filter-bar.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'

type AppEvent = Schemas['Event']

const COLUMNS: readonly Column<AppEvent>[] = [
  { header: 'Event', cell: ({ attributes }) => <span className="mono">{attributes.event}</span> },
  { header: 'Event id', cell: ({ id }) => <CopyText value={id} label="Copy the event id" />, wide: true },
  {
    header: 'Installation',
    cell: ({ attributes: { installation_id } }) =>
      installation_id === null ? (
        'The app itself'
      ) : (
        <CopyText value={installation_id} label="Copy the installation id" />
      ),
    wide: true,
  },
  { header: 'Recorded', cell: ({ attributes }) => <Time at={attributes.created_at} /> },
]

/** An event is listed once for each installation that it concerns. */
const rowKey = ({ id, attributes }: AppEvent) => `${id} ${attributes.installation_id}`

const installationOf = ({ attributes: { installation_id } }: AppEvent): Readonly<Record<string, string>> =>
  installation_id === null ? {} : { installation: installation_id }

export function EventListPage() {
  const appId = useAppId() ?? ''
  const mode = useMode()
  const [filters, change] = useFilters()
  const { live, ...narrowing } = filters
  const { event, installation, subject, since, until } = narrowing
  const query = eventsQuery(narrowing, mode)
  const pages = usePages({
    queryKey: ['apps', appId, 'events', query],
    readPage: (page: PageQuery, signal) =>
      read(
        client.GET('/portal/api/apps/{app_id}/events', {
          signal,
          params: { path: { app_id: appId }, query: { ...query, ...page } },
        }),
      ),
  })
  // The stream cannot filter by a subject or an end time, so it is off while the person has set one of them.
  const mayTail = subject === undefined && until === undefined
  const streamed = new URLSearchParams(given({ mode, types: event, installation_id: installation }))
  const address = `/portal/api/apps/${appId}/events/stream?${streamed}`
  const tail = useTail<AppEvent>(live !== undefined && mayTail ? address : null, pages.refetch)
  const clear = () => change(Object.fromEntries(Object.keys(narrowing).map((name) => [name, ''])))
  const isFiltered = Object.keys(narrowing).length > 0
  return (
    <Page
      title="Events"
      lead="What happened at the installations of this app, for 90 days, with the payload and its deliveries. Of a revoked installation, only its revocation is shown."
      actions={
        <LiveSwitch
          isOn={live !== undefined}
          onChange={(isOn) => change({ live: isOn ? 'on' : '' })}
          state={mayTail ? TAIL_WORDS[tail.state] : 'off while “About” or “Until” is set'}
        />
      }
    >
      <FilterBar onClear={isFiltered ? clear : undefined}>
        <SelectFilter
          label="Event"
          value={event}
          any="Any event"
          options={EVENT_SUBSCRIPTIONS.map((name) => [name, name] as const)}
          onChange={(value) => change({ event: value })}
        />
        <TextFilter
          label="About"
          value={subject}
          placeholder="id of an investment, offering, …"
          onChange={(value) => change({ subject: value })}
        />
        <TextFilter
          label="Installation"
          value={installation}
          placeholder="inst_…"
          onChange={(value) => change({ installation: value })}
        />
        <TimeFilter label="From" value={since} onChange={(value) => change({ since: value })} />
        <TimeFilter label="Until" value={until} onChange={(value) => change({ until: value })} />
      </FilterBar>
      <EndlessTable
        label="Events, newest first"
        pages={pages}
        rows={joinRows(tail.rows, pages.rows, rowKey)}
        columns={COLUMNS}
        rowKey={rowKey}
        rowTo={({ id }) => `/apps/${appId}/events/${id}`}
        rowSearch={installationOf}
        empty={
          isFiltered ? (
            <EmptyState title="No event matches">Change or clear the filters.</EmptyState>
          ) : (
            <EmptyState
              title={`No events in ${mode} mode yet`}
              action={<LinkButton to={`/apps/${appId}/webhooks`}>Set up webhooks</LinkButton>}
            >
              Events are recorded once the app declares the scope read:webhooks and is installed.
            </EmptyState>
          )
        }
      />
    </Page>
  )
}

function eventsQuery({ event, installation, subject, since, until }: Filters, mode: Mode) {
  const type = chosenOf(EVENT_SUBSCRIPTIONS, event)
  return given({
    ...{ mode, types: type === undefined ? undefined : [type] },
    ...{ installation_id: installation, subject_id: subject, since, until },
  })
}
