import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client, type Mode, read, type Schemas } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { usePages } from '../api/use-pages.ts'
import { chosenOf, given, useFilters } from '../shell/filters.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import type { Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { Time } from '../ui/time.tsx'
import { DownloadButton } from './download-button.tsx'
import { inMode, mayAct, useConsoleMode, useRole } from './operator.ts'
import { because, type Decision, DecisionDialog } from './reason.tsx'
import { modeSearch, StaffPage } from './staff-page.tsx'

type Duty = Schemas['RemovalDuty']
type State = Duty['attributes']['state']

const STATES: readonly State[] = ['overdue', 'open', 'confirmed']
const TONES: Readonly<Record<State, Tone>> = { overdue: 'danger', open: 'warning', confirmed: 'good' }
const DATA_WORDS = { investor_pii: 'Investors’ data', user_data: 'The user’s data' } as const

const dataWords = ({ data }: Duty['attributes']) => data.map(({ kind }) => DATA_WORDS[kind]).join(', ')

const COLUMNS: readonly Column<Duty>[] = [
  { header: 'App', cell: ({ attributes }) => attributes.app.name },
  { header: 'To delete', cell: ({ attributes }) => dataWords(attributes), wide: true },
  {
    header: 'State',
    cell: ({ attributes: { state } }) => <Badge tone={TONES[state]}>{state}</Badge>,
  },
  { header: 'Organization', cell: ({ attributes }) => attributes.organization.name, wide: true },
  { header: 'Since', cell: ({ attributes }) => <Time at={attributes.since} />, wide: true },
  {
    header: 'Expected by',
    cell: ({ attributes: { confirmed_at, confirmed_as, due_by } }) =>
      confirmed_at === null ? (
        <Time at={due_by} />
      ) : (
        <>
          Confirmed by {confirmed_as === 'team' ? 'the team' : 'staff'} <Time at={confirmed_at} />
        </>
      ),
    wide: true,
  },
]

/** Lists what apps must delete after they lost access, the oldest duty first. */
export function DutiesPage() {
  const [filters] = useFilters()
  const role = useRole()
  const mode = useConsoleMode()
  const state = chosenOf(STATES, filters['state'])
  const readPage = (page: { readonly per_page: number; readonly cursor?: string }, signal?: AbortSignal) =>
    read(
      client.GET('/platform/removal_duties', {
        signal: signal ?? null,
        headers: inMode(mode),
        params: { query: { ...given({ state }), ...page } },
      }),
    )
  const pages = usePages<Duty>({ queryKey: ['removal duties', 'list', mode, state ?? 'all'], readPage })
  const { data: counts } = useQuery({
    queryKey: ['removal duties', 'counts', mode],
    queryFn: async ({ signal }) => (await readPage({ per_page: 1 }, signal)).meta.counts,
  })
  const columns = mayAct(role, 'compliance') ? [...COLUMNS, confirmColumn(mode)] : COLUMNS
  return (
    <StaffPage
      least="viewer"
      what="removal duties"
      hasModes
      title="Removal duties"
      lead="An app that lost access must delete what it read about people. The platform expects the confirmation within 30 days: from the app’s team, or from staff with a reason."
      actions={<DownloadButton list="removal_duties" mode={mode} />}
    >
      <nav className="tabs" aria-label="States">
        <StateTab mode={mode} label="All" isCurrent={state === undefined} count={sumOf(counts)} />
        {STATES.map((each) => (
          <StateTab
            key={each}
            mode={mode}
            state={each}
            label={each.charAt(0).toUpperCase() + each.slice(1)}
            isCurrent={state === each}
            count={counts?.[each]}
          />
        ))}
      </nav>
      <EndlessTable
        label="Removal duties"
        pages={pages}
        rows={pages.rows}
        columns={columns}
        rowKey={({ id }) => id}
        rowTo={({ attributes }) => `/apps/${attributes.app.id}`}
        empty={
          <EmptyState title="No duties">
            When an app that read data about people loses access, its duty to delete them is listed here.
          </EmptyState>
        }
      />
    </StaffPage>
  )
}

const sumOf = (counts: Readonly<Record<State, number>> | undefined) =>
  counts === undefined ? undefined : counts.open + counts.overdue + counts.confirmed

type StateTabProps = {
  readonly mode: Mode
  readonly state?: State
  readonly label: string
  readonly count: number | undefined
  readonly isCurrent: boolean
}

function StateTab({ mode, state, label, count, isCurrent }: StateTabProps) {
  const search = { ...modeSearch(mode), ...(state === undefined ? {} : { state }) }
  return (
    <Link
      to="/removal-duties"
      search={search}
      activeOptions={{ exact: true }}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {label}
      {count !== undefined && ` (${count})`}
    </Link>
  )
}

const confirmColumn = (mode: Mode): Column<Duty> => ({
  header: 'Decision',
  cell: (duty) => (duty.attributes.state === 'confirmed' ? '–' : <ConfirmButton duty={duty} mode={mode} />),
})

function ConfirmButton({ duty, mode }: { readonly duty: Duty; readonly mode: Mode }) {
  const { app, data } = duty.attributes
  const [isAsking, setAsking] = useState(false)
  const confirming = useAction({
    run: ({ why }: Decision) =>
      read(
        client.POST('/platform/removal_duties/{duty_id}/confirm', {
          headers: { ...because(why), ...inMode(mode) },
          params: { path: { duty_id: duty.id } },
        }),
      ),
    done: 'The deletion is confirmed',
    changes: [['removal duties'], ['app history']],
    onResult: () => setAsking(false),
  })
  return (
    <>
      {/* The full label is an attribute, because a hidden text in a table that scrolls would widen the page. */}
      <Button variant="quiet" aria-label={`Confirm that ${app.name} deleted it`} onPress={() => setAsking(true)}>
        Confirm
      </Button>
      {isAsking && (
        <DecisionDialog
          title={`Confirm that ${app.name} deleted it?`}
          confirmLabel="Confirm"
          isPending={confirming.isPending}
          error={confirming.error}
          onConfirm={confirming.mutate}
          onClose={() => {
            confirming.reset()
            setAsking(false)
          }}
        >
          <p>
            Confirm once the partner has shown the deletion, and say in the reason how. The app got the data through{' '}
            {data.flatMap(({ scopes }) => scopes).join(', ')}.
          </p>
        </DecisionDialog>
      )}
    </>
  )
}
