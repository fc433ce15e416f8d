import { client, read, type Schemas } from '../api/client.ts'
import { usePages } from '../api/use-pages.ts'
import { given, useFilters } from '../shell/filters.ts'
import { StatusBadge } from '../ui/badge.tsx'
import type { Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { SelectFilter } from '../ui/filter-bar.tsx'
import { Time } from '../ui/time.tsx'
import { FactFilters, FactTabs } from './fact-pages.tsx'
import { inMode, useConsoleMode } from './operator.ts'
import { because, ReasonGate } from './reason.tsx'
import { modeSearch, StaffPage } from './staff-page.tsx'

type Listed = Schemas['RefusedFactListed']

const COLUMNS: readonly Column<Listed>[] = [
  { header: 'Fact', cell: ({ attributes }) => <code>{attributes.fact_id ?? 'without an id'}</code> },
  { header: 'Why', cell: ({ attributes: { error } }) => error.code ?? error.type },
  { header: 'Field', cell: ({ attributes }) => <code>{attributes.error.field ?? '–'}</code>, wide: true },
  { header: 'Type', cell: ({ attributes }) => attributes.type ?? 'None', wide: true },
  { header: 'Times', cell: ({ attributes }) => attributes.times, align: 'end', wide: true },
  { header: 'Last refused', cell: ({ attributes }) => <Time at={attributes.refused_at} />, wide: true },
  {
    header: 'Since then',
    cell: ({ attributes: { status } }) => (status === 'refused' ? '–' : <StatusBadge status={status} />),
    wide: true,
  },
]

/** Lists the facts of the last 30 days that the server did not apply, and why. */
export function RefusedFactsPage() {
  return (
    <StaffPage
      title="Refused facts"
      lead="Facts that were not applied, newest first. They are stored for 30 days. A subject is an id of a record or an email address that the fact names."
      least="support"
      what="refused facts"
      hasModes
    >
      <FactTabs current="refused" />
      <FactFilters>
        <DismissedFilter />
      </FactFilters>
      <ReasonGate title="Refused facts">{(reason) => <RefusedFacts reason={reason} />}</ReasonGate>
    </StaffPage>
  )
}

function DismissedFilter() {
  const [filters, change] = useFilters()
  return (
    <SelectFilter
      label="Show"
      value={filters['dismissed']}
      any="Open ones"
      options={[['true', 'Dismissed ones']]}
      onChange={(dismissed) => change({ dismissed })}
    />
  )
}

function RefusedFacts({ reason }: { readonly reason: string }) {
  const [filters] = useFilters()
  const { fact_id, subject, type, since, until } = filters
  const mode = useConsoleMode()
  const isDismissed = filters['dismissed'] === 'true'
  const query = given({ fact_id, subject, type, since, until, dismissed: isDismissed || undefined })
  const pages = usePages({
    queryKey: ['refused facts', mode, query],
    readPage: (page, signal) =>
      read(
        client.GET('/platform/refused_facts', {
          signal,
          headers: { ...because(reason), ...inMode(mode) },
          params: { query: { ...query, ...page } },
        }),
      ),
  })
  const leftOut = pages.meta?.left_out ?? 0
  return (
    <>
      {leftOut > 0 && (
        <p className="notice warning">
          {leftOut === 1
            ? '1 more fact was refused. It is not stored, because the limit of its day was reached.'
            : `${leftOut} more facts were refused. They are not stored, because the limit of their day was reached.`}
        </p>
      )}
      <EndlessTable
        label="Refused facts, newest first"
        pages={pages}
        rows={pages.rows}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/facts/refused/${id}`}
        rowSearch={() => modeSearch(mode)}
        empty={
          <EmptyState title={isDismissed ? 'No dismissed fact matches' : 'No refused fact matches'}>
            {Object.keys(query).length === 0
              ? `Every fact of the last 30 days was applied or dismissed in ${mode} mode.`
              : 'It may have been applied or dismissed, or it was refused more than 30 days ago.'}
          </EmptyState>
        }
      />
    </>
  )
}
