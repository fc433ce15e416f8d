import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { ApiFailure } from '../api/client.ts'
import { appQuery } from '../api/queries.ts'
import { useFilters } from '../shell/filters.ts'
import { appCrumbs, useAppId, useMode } from '../shell/place.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { Chart } from '../ui/chart.tsx'
import { CopyText } from '../ui/copy.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SelectFilter } from '../ui/filter-bar.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { type Company, codesQuery, peopleIn, rangeWords, type Week, weeksQuery } from './referral-queries.ts'

/** Shows one referral code: its new investors by week, and the new investors of one week by company. */
export function CodePage() {
  const appId = useAppId() ?? ''
  const mode = useMode()
  const { codeId = '' }: { codeId?: string } = useParams({ strict: false })
  const { data: app } = useSuspenseQuery(appQuery(appId))
  const { data: codes } = useSuspenseQuery(codesQuery(appId, mode))
  const { data: weeks } = useSuspenseQuery(weeksQuery(appId, codeId, mode))
  const code = codes.find(({ id }) => id === codeId)
  if (code === undefined)
    throw new ApiFailure(404, { type: 'not_found', message: 'This app has no such referral code.', request_id: '' })
  const { name, status, counts } = code.attributes
  return (
    <Page
      title={name}
      crumbs={[...appCrumbs(app), { label: 'Referrals', to: `/apps/${appId}/referrals` }]}
      status={<StatusBadge status={status} />}
    >
      <Panel title="Code">
        <dl className="facts">
          <div>
            <dt>Code</dt>
            <dd>
              <CopyText value={code.attributes.code} label="Copy the code" />
            </dd>
          </div>
          <div>
            <dt>In links</dt>
            <dd>
              <CopyText value={`?ref=${code.attributes.code}`} label="Copy the part of the link" />
            </dd>
          </div>
          <div>
            <dt>Investors</dt>
            <dd>
              {rangeWords(counts?.investors ?? null)}
              {counts !== null && <span className="hint"> until {counts.through_week}</span>}
            </dd>
          </div>
        </dl>
      </Panel>
      {weeks.length === 0 ? (
        <EmptyState title="No week is published yet">
          Each Monday the platform publishes the week before, for all apps at the same moment. This page will list the
          published weeks of this code.
        </EmptyState>
      ) : (
        <>
          <WeeksPanel weeks={weeks} />
          <WeekPanel weeks={weeks} />
        </>
      )}
    </Page>
  )
}

const WEEK_COLUMNS: readonly Column<Week>[] = [
  { header: 'Week', cell: ({ week }) => week },
  { header: 'New investors', cell: ({ companies }) => rangeWords(peopleIn(companies)), align: 'end' },
  { header: 'Companies', cell: ({ companies }) => companies.length, align: 'end' },
]

function WeeksPanel({ weeks }: { readonly weeks: readonly Week[] }) {
  // Without useMemo each render would draw the chart again.
  const chartData = useMemo(() => {
    const shown = weeks
      .toReversed()
      .map(({ published_at, companies }) => ({ published_at, people: peopleIn(companies) }))
    return {
      times: shown.map(({ published_at }) => Date.parse(published_at) / 1_000),
      series: [
        { label: 'At least', values: shown.map(({ people }) => people?.min ?? null) },
        { label: 'At most', values: shown.map(({ people }) => people?.max ?? null), tone: 'warning' },
      ] as const,
    }
  }, [weeks])
  return (
    <Panel
      title="New investors by week"
      hint="The lower line is the minimum, the upper line the maximum. For a week with a gap the platform publishes nothing, because its groups are too small. Their people count in a later week."
    >
      <Chart
        label="New investors by week, at least and at most. The table below has the same numbers."
        {...chartData}
      />
      <DataTable label="New investors by week" rows={weeks} columns={WEEK_COLUMNS} rowKey={({ week }) => week} />
    </Panel>
  )
}

const DETAILS: Readonly<Record<Company['detail'], string>> = {
  ranges: 'Ranges',
  anonymized: 'Rows without names',
  full: 'Rows with names',
}

const COMPANY_COLUMNS: readonly Column<Company>[] = [
  { header: 'Company', cell: ({ company }) => <CopyText value={company} label="Copy the company id" /> },
  { header: 'New investors', cell: (company) => rangeWords(peopleIn([company])), align: 'end' },
  { header: 'By status', cell: (company) => categoryWords(company, 'by_status'), wide: true },
  { header: 'By amount', cell: (company) => categoryWords(company, 'by_amount_tier'), wide: true },
  { header: 'By time', cell: (company) => categoryWords(company, 'by_time_to_invest'), wide: true },
  { header: 'Detail', cell: ({ detail }) => DETAILS[detail], wide: true },
]

type Category = 'by_status' | 'by_amount_tier' | 'by_time_to_invest'
const FIELDS = { by_status: 'status', by_amount_tier: 'amount_tier', by_time_to_invest: 'time_to_invest' } as const

/** For example "active 5 to 9, executed 5 to 9". Withheld counts are left out. "Withheld" if no count is left. */
function categoryWords(company: Company, category: Category): string {
  const words =
    company.detail === 'ranges'
      ? Object.entries(company.credited?.[category] ?? {}).flatMap(([name, range]) =>
          range === null ? [] : [`${name} ${rangeWords(range)}`],
        )
      : [...Map.groupBy(company.rows, (row) => row[FIELDS[category]])].map(([name, rows]) => `${name} ${rows.length}`)
  return words.length === 0 ? 'Withheld' : words.join(', ')
}

function WeekPanel({ weeks }: { readonly weeks: readonly Week[] }) {
  const [filters, change] = useFilters()
  const newest = weeks.find(({ companies }) => companies.length > 0) ?? weeks[0]
  const week = weeks.find(({ week: name }) => name === filters['week']) ?? newest
  if (week === undefined) return null
  return (
    <Panel
      title={`Companies in ${week.week}`}
      hint={`Groups of fewer than ${week.k} people are withheld.`}
      actions={
        <SelectFilter
          label="Week"
          value={filters['week']}
          any={`Newest: ${newest?.week}`}
          options={weeks.map(({ week: name }) => [name, name] as const)}
          onChange={(value) => change({ week: value })}
        />
      }
    >
      {week.companies.length === 0 ? (
        <p className="hint">Nothing is published for this week.</p>
      ) : (
        <DataTable
          label={`Companies in ${week.week}`}
          rows={week.companies}
          columns={COMPANY_COLUMNS}
          rowKey={({ company }) => company}
        />
      )}
    </Panel>
  )
}
