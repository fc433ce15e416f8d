import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ApiFailure, client, type Mode, read, type Schemas } from '../api/client.ts'
import { type PageQuery, usePages } from '../api/use-pages.ts'
import { type Filters, given, useFilters } from '../shell/filters.ts'
import { Button } from '../ui/button.tsx'
import { CopyText } from '../ui/copy.tsx'
import type { Column } from '../ui/data-table.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { FilterBar, TextFilter, TimeFilter } from '../ui/filter-bar.tsx'
import { Json } from '../ui/json.tsx'
import { Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { WorldTime, WorldTimeHint, worldNowMs } from './clock-page.tsx'
import { inMode, useConsoleMode } from './operator.ts'
import { because, ReasonGate } from './reason.tsx'
import { modeSearch, RecordId, StaffPage } from './staff-page.tsx'

type Fact = Schemas['ListedFact']

const COLUMNS: readonly Column<Fact>[] = [
  { header: 'Fact', cell: ({ id }) => <code>{id}</code> },
  { header: 'Type', cell: ({ attributes }) => attributes.type },
  { header: 'Applied', cell: ({ attributes }) => <WorldTime at={attributes.applied_at} />, wide: true },
  { header: 'Events', cell: ({ attributes }) => attributes.events, align: 'end', wide: true },
]

/** Lists the facts that the platform reported and the server applied, newest first. */
export function FactsPage() {
  return (
    <StaffPage
      title="Facts"
      lead="Facts that the platform reported and that were applied, newest first. A search by subject takes the id of a record, and finds the facts of at most 31 days that caused an event about this record."
      least="support"
      what="facts"
      hasModes
    >
      <FactTabs current="applied" />
      <FactFilters />
      <WorldTimeHint />
      <ReasonGate title="Facts">{(reason) => <AppliedFacts reason={reason} />}</ReasonGate>
    </StaffPage>
  )
}

/** Links to the applied and to the refused facts. They keep the filters. */
export function FactTabs({ current }: { readonly current: 'applied' | 'refused' }) {
  const [filters] = useFilters()
  const mode = useConsoleMode()
  const search = { ...filters, ...modeSearch(mode) }
  return (
    <nav className="tabs" aria-label="Kinds of facts">
      <Link
        to="/facts"
        search={search}
        activeOptions={{ exact: true }}
        {...(current === 'applied' ? { 'aria-current': 'page' } : {})}
      >
        Applied
      </Link>
      <Link to="/facts/refused" search={search} {...(current === 'refused' ? { 'aria-current': 'page' } : {})}>
        Refused
      </Link>
    </nav>
  )
}

const FILTERS = ['fact_id', 'subject', 'type', 'since', 'until', 'dismissed'] as const

/**
 * The filters of the lists of applied and of refused facts. `children` is a filter that only one of the two lists has.
 */
export function FactFilters({ children }: { readonly children?: ReactNode }) {
  const [filters, change] = useFilters()
  const isSet = FILTERS.some((name) => filters[name] !== undefined)
  const clear = () => change(Object.fromEntries(FILTERS.map((name) => [name, ''])))
  return (
    <FilterBar onClear={isSet ? clear : undefined}>
      <TextFilter label="Fact id" value={filters['fact_id']} onChange={(fact_id) => change({ fact_id })} />
      <TextFilter
        label="Subject"
        value={filters['subject']}
        placeholder="inv_…, usr_…"
        onChange={(subject) => change({ subject })}
      />
      <TextFilter
        label="Type"
        value={filters['type']}
        placeholder="investment.created"
        onChange={(type) => change({ type })}
      />
      <TimeFilter label="From" value={filters['since']} onChange={(since) => change({ since })} />
      <TimeFilter label="Before" value={filters['until']} onChange={(until) => change({ until })} />
      {children}
    </FilterBar>
  )
}

function AppliedFacts({ reason }: { readonly reason: string }) {
  const [filters] = useFilters()
  const mode = useConsoleMode()
  const headers = { ...because(reason), ...inMode(mode) }
  const pages = usePages<Fact>({
    queryKey: ['facts', mode, filters],
    readPage: (page, signal) => readFacts(filters, { page, mode, headers, signal }),
  })
  const { fact_id, subject, type, since, until } = filters
  const isIdOnly = fact_id !== undefined && [subject, type, since, until].every((filter) => filter === undefined)
  return (
    <EndlessTable
      label="Applied facts, newest first"
      pages={pages}
      rows={pages.rows}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowTo={({ id }) => `/facts/applied/${encodeURIComponent(id)}`}
      rowSearch={() => modeSearch(mode)}
      empty={
        <EmptyState title={isIdOnly ? 'No fact with this id was applied' : 'No fact matches'}>
          The platform may not have sent the fact, or the fact was refused.{' '}
          <Link to="/facts/refused" search={{ ...filters, ...modeSearch(mode) }}>
            Look among the refused facts
          </Link>
        </EmptyState>
      }
    />
  )
}

type Reading = {
  readonly page: PageQuery
  readonly mode: Mode
  readonly headers: Record<string, string>
  readonly signal: AbortSignal
}

async function readFacts(filters: Filters, { page, mode, headers, signal }: Reading) {
  const { fact_id, subject, type, since, until } = filters
  const isSpanLimited = subject !== undefined && fact_id === undefined
  const from = isSpanLimited ? await sinceFor(filters, mode) : since
  const query = { ...given({ fact_id, subject, type, since: from, until }), ...page }
  return read(client.GET('/platform/facts', { signal, headers, params: { query } }))
}

/** The server allows 31 days. One hour less is requested, because the server's clock can differ from the browser's. */
const SUBJECT_SPAN_MS = 31 * 86_400_000 - 3_600_000

/** The beginning of a search for a subject. The server limits the time span of such a search, because it reads all facts of the span. */
async function sinceFor({ since, until }: Filters, mode: Mode): Promise<string> {
  const earliest = (until === undefined ? await worldNowMs(mode) : Date.parse(until)) - SUBJECT_SPAN_MS
  return new Date(Math.max(earliest, Date.parse(since ?? '') || 0)).toISOString()
}

/** Shows one applied fact and the events that it caused. */
export function FactPage() {
  const { factId = '' }: { factId?: string } = useParams({ strict: false })
  const mode = useConsoleMode()
  return (
    <StaffPage
      title={factId}
      crumbs={[{ label: 'Facts', to: '/facts', search: modeSearch(mode) }]}
      least="support"
      what="facts"
      hasModes
    >
      <ReasonGate title="The fact">{(reason) => <Applied id={factId} mode={mode} reason={reason} />}</ReasonGate>
    </StaffPage>
  )
}

type AppliedProps = { readonly id: string; readonly mode: Mode; readonly reason: string }

function Applied({ id, mode, reason }: AppliedProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['fact', mode, id],
    queryFn: ({ signal }) =>
      read(
        client.GET('/platform/facts/{id}', {
          signal,
          headers: { ...because(reason), ...inMode(mode) },
          params: { path: { id } },
        }),
      ),
  })
  if (error instanceof ApiFailure && error.status === 404) {
    return (
      <EmptyState title={`No fact with this id was applied in ${mode} mode`}>
        <Link to="/facts/refused" search={{ fact_id: id, ...modeSearch(mode) }}>
          Look among the refused facts
        </Link>{' '}
        or choose the other mode.
      </EmptyState>
    )
  }
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={6} />
  const { type, occurred_at, applied_at, events } = data.data
  return (
    <>
      <Panel title="The fact" hint="The content of an applied fact is not stored. Its events show the changes.">
        <dl className="facts">
          <div>
            <dt>Fact id</dt>
            <dd>
              <CopyText value={id} label="Copy the fact id" />
            </dd>
          </div>
          <div>
            <dt>Type</dt>
            <dd>
              <Link to="/facts" search={{ type, ...modeSearch(mode) }}>
                {type}
              </Link>
            </dd>
          </div>
          <div>
            <dt>Happened</dt>
            <dd>
              <WorldTime at={occurred_at} />
            </dd>
          </div>
          <div>
            <dt>Applied</dt>
            <dd>
              <WorldTime at={applied_at} />
            </dd>
          </div>
        </dl>
      </Panel>
      <EventsPanel events={events} mode={mode} />
    </>
  )
}

type CausedEvent = Schemas['AppliedFact']['events'][number]

function EventsPanel({ events, mode }: { readonly events: readonly CausedEvent[]; readonly mode: Mode }) {
  const [openId, setOpenId] = useState<string | null>(null)
  const opened = events.find(({ id }) => id === openId)
  return (
    <Panel title="Events that it caused" hint="As receivers see them, without the installation.">
      {events.length === 0 ? (
        <p>None: partners see the effect in the records.</p>
      ) : (
        <ul className="rows" aria-label="Events that it caused">
          {events.map((event) => (
            <li key={event.id} id={event.id}>
              <div>
                <p>
                  <strong>{event.event}</strong> <WorldTime at={event.created_at} />
                </p>
                <RecordId id={event.id} label="the event id" mode={mode} />
                {subjectsOf(event.data).map((subject) => (
                  <RecordId key={subject} id={subject} label={`the id ${subject}`} mode={mode} />
                ))}
              </div>
              <Button variant="quiet" onPress={() => setOpenId(event.id)}>
                Data<span className="unseen"> of {event.event}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {opened !== undefined && (
        <Dialog title={opened.event} isOpen onClose={() => setOpenId(null)}>
          <Json value={opened} label="The event" />
        </Dialog>
      )}
    </Panel>
  )
}

const ID = /^(?:co|ofr|inv|usr|syn|mem|js|is|inst)_[0-9A-Za-z]{24}$/

/** The ids of records in the data of an event. */
function subjectsOf(data: unknown): readonly string[] {
  if (typeof data === 'string') return ID.test(data) ? [data] : []
  if (typeof data !== 'object' || data === null) return []
  return [...new Set(Object.values(data).flatMap(subjectsOf))]
}
