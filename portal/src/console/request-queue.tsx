import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { client, read, type Schemas } from '../api/client.ts'
import { usePages } from '../api/use-pages.ts'
import { usePolling } from '../api/use-polling.ts'
import { chosenOf, given, useFilters } from '../shell/filters.ts'
import type { Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'

type AppRequest = Schemas['AppRequest']

const KINDS = ['approval', 'pii', 'program'] as const
const KIND_NAMES: Readonly<Record<(typeof KINDS)[number], string>> = {
  approval: 'App approvals',
  pii: 'Investor PII',
  program: 'Programs',
}

const COLUMNS: readonly Column<AppRequest>[] = [
  { header: 'App', cell: ({ attributes }) => attributes.app.name },
  { header: 'Asks for', cell: ({ attributes }) => requestWords(attributes) },
  { header: 'Organization', cell: ({ attributes }) => attributes.organization.name, wide: true },
  { header: 'Waits since', cell: ({ attributes }) => <Time at={attributes.requested_at} /> },
]

type RequestedApproval = Pick<AppRequest['attributes'], 'kind' | 'program' | 'tier'>

function requestWords({ kind, program, tier }: RequestedApproval): string {
  if (kind === 'approval') return 'Approval'
  if (kind === 'pii') return 'Investor PII'
  if (program === 'founder') return 'Program founder'
  return `Program marketing partner${tier === null ? '' : `, tier ${tier}`}`
}

/** Lists the requests that wait for a decision, the oldest first. A row leads to the page of the app, where a person decides. */
export function RequestQueuePage() {
  const [filters] = useFilters()
  const kind = chosenOf(KINDS, filters['kind'])
  const readPage = (page: { readonly per_page: number; readonly cursor?: string }, signal?: AbortSignal) =>
    read(
      client.GET('/platform/requests', { signal: signal ?? null, params: { query: { ...given({ kind }), ...page } } }),
    )
  const polling = usePolling(READ_EVERY_MS)
  const pages = usePages<AppRequest>({
    queryKey: ['requests', 'list', kind ?? 'all'],
    readPage,
    readAgain: () => polling,
  })
  const { data: counts } = useQuery({
    queryKey: ['requests', 'counts'],
    queryFn: async ({ signal }) => (await readPage({ per_page: 1 }, signal)).meta.counts,
    refetchInterval: polling,
  })
  const all = counts === undefined ? undefined : counts.approval + counts.pii + counts.program
  return (
    <Page
      title="Requests"
      lead="What partners’ teams wait for, the oldest first. Every decision is mailed to the team."
    >
      <nav className="tabs" aria-label="Kinds of requests">
        <KindTab label="All" count={all} isCurrent={kind === undefined} />
        {KINDS.map((each) => (
          <KindTab key={each} kind={each} label={KIND_NAMES[each]} count={counts?.[each]} isCurrent={kind === each} />
        ))}
      </nav>
      <EndlessTable
        label="Requests that wait"
        pages={pages}
        rows={pages.rows}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowTo={({ attributes }) => `/apps/${attributes.app.id}`}
        empty={
          <EmptyState title="Nothing waits">
            When a team creates an app, or asks for investor PII or a program, it is listed here.
          </EmptyState>
        }
      />
    </Page>
  )
}

const READ_EVERY_MS = 30_000

type KindTabProps = {
  readonly kind?: string
  readonly label: string
  readonly count: number | undefined
  readonly isCurrent: boolean
}

function KindTab({ kind, label, count, isCurrent }: KindTabProps) {
  return (
    <Link
      to="/requests"
      search={kind === undefined ? {} : { kind }}
      activeOptions={{ exact: true }}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {label}
      {count !== undefined && ` (${count})`}
    </Link>
  )
}
