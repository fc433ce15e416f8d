import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { client, type Mode, read, type Schemas } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { usePages } from '../api/use-pages.ts'
import { chosenOf, given, useFilters } from '../shell/filters.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import type { Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { FilterBar, SelectFilter, TextFilter } from '../ui/filter-bar.tsx'
import { WorldTime } from './clock-page.tsx'
import { DownloadButton } from './download-button.tsx'
import { inMode, mayAct, PARTNER_CHANGES, useConsoleMode, useRole } from './operator.ts'
import { because, type Decision, DecisionDialog } from './reason.tsx'
import { StaffPage } from './staff-page.tsx'

type Installation = Schemas['PartnerInstallation']

const STATUSES = ['active', 'revoked'] as const

const COLUMNS: readonly Column<Installation>[] = [
  { header: 'App', cell: ({ app }) => app.name },
  { header: 'On', cell: ({ target }) => <Target {...target} /> },
  { header: 'Status', cell: ({ status }) => <StatusBadge status={status} />, wide: true },
  { header: 'Organization', cell: ({ organization }) => organization.name, wide: true },
  { header: 'Scopes', cell: ({ scopes }) => scopes.length, align: 'end', wide: true },
  { header: 'Installed', cell: ({ installed_at }) => <WorldTime at={installed_at} />, wide: true },
]

/** The name of the target. A user has no name here, so the type and the id are shown; on a phone the id is left out. */
function Target({ type, id, name }: Installation['target']) {
  if (name !== null) return name
  return (
    <>
      {type} <code className="wide-only">{id}</code>
    </>
  )
}

/** Lists the installations of all partners' apps, newest first. */
export function InstallationsPage() {
  const [filters, change] = useFilters()
  const role = useRole()
  const mode = useConsoleMode()
  const query = {
    app_id: filters['app'] as Installation['app']['id'] | undefined,
    target_id: filters['target'],
    status: chosenOf(STATUSES, filters['status']),
  }
  const isFiltered = Object.values(query).some((value) => value !== undefined)
  const pages = usePages<Installation>({
    queryKey: ['installations', mode, query],
    readPage: (page, signal) =>
      read(
        client.GET('/platform/installations', {
          signal,
          headers: inMode(mode),
          params: { query: { ...given(query), ...page } },
        }),
      ),
  })
  const columns = mayAct(role, 'compliance') ? [...COLUMNS, withdrawColumn(mode)] : COLUMNS
  return (
    <StaffPage
      least="viewer"
      what="installations"
      hasModes
      title="Installations"
      lead="Where the apps of all partners are installed. Withdrawing one ends all its tokens at once."
      actions={<DownloadButton list="installations" mode={mode} query={{ app_id: query.app_id }} />}
    >
      <FilterBar {...(isFiltered ? { onClear: () => change({ app: '', target: '', status: '' }) } : {})}>
        <TextFilter label="App" placeholder="app_…" value={filters['app']} onChange={(app) => change({ app })} />
        <TextFilter
          label="Target"
          placeholder="co_…, syn_…, usr_…"
          value={filters['target']}
          onChange={(target) => change({ target })}
        />
        <SelectFilter
          label="Status"
          any="Any status"
          value={filters['status']}
          onChange={(status) => change({ status })}
          options={[
            ['active', 'Active'],
            ['revoked', 'Revoked'],
          ]}
        />
      </FilterBar>
      <EndlessTable
        label="Installations"
        pages={pages}
        rows={pages.rows}
        columns={columns}
        rowKey={({ id }) => id}
        rowTo={({ app }) => `/apps/${app.id}`}
        empty={<EmptyState title="No installations">No installation fits the filters.</EmptyState>}
      />
    </StaffPage>
  )
}

const withdrawColumn = (mode: Mode): Column<Installation> => ({
  header: 'Decision',
  cell: (installation) =>
    installation.status === 'active' ? <WithdrawButton installation={installation} mode={mode} /> : '–',
})

function WithdrawButton({ installation, mode }: { readonly installation: Installation; readonly mode: Mode }) {
  const { id, app, target } = installation
  const [isAsking, setAsking] = useState(false)
  const on = target.name ?? `${target.type} ${target.id}`
  const withdrawing = useAction({
    run: ({ why }: Decision) =>
      read(
        client.DELETE('/platform/installations/{id}', {
          headers: { ...because(why), ...inMode(mode) },
          params: { path: { id } },
        }),
      ),
    done: 'The installation is withdrawn',
    changes: [['installations'], ['removal duties'], ...PARTNER_CHANGES],
    onResult: () => setAsking(false),
  })
  return (
    <>
      {/* The full label is an attribute, because a hidden text in a table that scrolls would widen the page. */}
      <Button variant="quiet" aria-label={`Withdraw ${app.name} on ${on}`} onPress={() => setAsking(true)}>
        Withdraw
      </Button>
      {isAsking && (
        <DecisionDialog
          title={`Withdraw ${app.name} on ${on}?`}
          confirmLabel="Withdraw"
          isDangerous
          isPending={withdrawing.isPending}
          error={withdrawing.error}
          onConfirm={withdrawing.mutate}
          onClose={() => {
            withdrawing.reset()
            setAsking(false)
          }}
        >
          <p>
            All its tokens stop at once, and its queued deliveries are canceled. It cannot be undone: people would have
            to install the app again. If it showed data about people, the app has to delete it, which is then listed
            under <Link to="/removal-duties">Removal duties</Link>.
          </p>
        </DecisionDialog>
      )}
    </>
  )
}
