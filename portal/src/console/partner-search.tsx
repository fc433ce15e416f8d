import { client, read, type Schemas } from '../api/client.ts'
import { usePages } from '../api/use-pages.ts'
import { useFilters } from '../shell/filters.ts'
import { StatusBadge } from '../ui/badge.tsx'
import type { Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { FilterBar, TextFilter } from '../ui/filter-bar.tsx'
import { Page } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { because, ReasonGate } from './reason.tsx'

type Found = Schemas['FoundPartner']
type Organization = Schemas['Organization']

const COLUMNS: readonly Column<Organization>[] = [
  { header: 'Name', cell: ({ attributes }) => attributes.name },
  { header: 'Status', cell: ({ attributes }) => <StatusBadge status={attributes.status} /> },
  { header: 'Since', cell: ({ attributes }) => <Time at={attributes.created_at} /> },
]

/** The columns of the partners that a search found. */
const FOUND_COLUMNS: readonly Column<Found>[] = [
  { header: 'Name', cell: ({ attributes }) => attributes.name },
  { header: 'Status', cell: ({ attributes }) => <StatusBadge status={attributes.status} /> },
  { header: 'Kind', cell: ({ attributes }) => (attributes.kind === 'app' ? 'App' : 'Organization'), wide: true },
  { header: 'Organization', cell: ({ attributes }) => attributes.organization.name, wide: true },
  { header: 'Found by', cell: ({ attributes }) => attributes.matched.map(words).join(', '), wide: true },
]

const words = (name: string) => name.replaceAll('_', ' ')

const foundAddress = ({ id, attributes }: Found) => (attributes.kind === 'app' ? `/apps/${id}` : `/organizations/${id}`)

/** Finds partners by a name, an id, a host or an email address. Without a text it lists all organizations. */
export function PartnerSearchPage() {
  const [{ query = '' }, change] = useFilters()
  return (
    <Page
      title="Partners"
      lead="Find an organization or an app by a part of its name, its id, the id of one of its records (a client id, an installation, a delivery, an event, a request …), or the host of a redirect URI or of a webhook URL. An email address, or @ and a domain, finds the teams it belongs to."
    >
      <FilterBar onClear={query === '' ? undefined : () => change({ query: '' })}>
        <TextFilter
          label="Search"
          value={query}
          placeholder="name, app_…, pk_…, inst_…, example.org"
          onChange={(text) => change({ query: text })}
        />
      </FilterBar>
      {query === '' ? (
        <AllOrganizations />
      ) : query.includes('@') ? (
        <MemberSearch key={query} email={query} />
      ) : (
        <FoundPartners key={query} query={query} />
      )}
    </Page>
  )
}

const EMAIL_REASON = 'To find a team by one of its people, search for their email address.'

function FoundPartners({ query }: { readonly query: string }) {
  const pages = usePages<Found>({
    queryKey: ['partners', 'search', query],
    readPage: (page, signal) =>
      read(client.GET('/platform/partners/search', { signal, params: { query: { query, ...page } } })),
  })
  return (
    <EndlessTable
      label={`Partners that match ${query}`}
      pages={pages}
      rows={pages.rows}
      columns={FOUND_COLUMNS}
      rowKey={({ id }) => id}
      rowTo={foundAddress}
      empty={
        <EmptyState title="No partner matches">
          Try a part of the name, an id as a whole, or the host of a redirect URI or of a webhook URL. {EMAIL_REASON}
        </EmptyState>
      }
    />
  )
}

function AllOrganizations() {
  const pages = usePages<Organization>({
    queryKey: ['organizations'],
    readPage: (page, signal) => read(client.GET('/platform/organizations', { signal, params: { query: page } })),
  })
  return (
    <EndlessTable
      label="Organizations"
      pages={pages}
      rows={pages.rows}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowTo={({ id }) => `/organizations/${id}`}
      empty={
        <EmptyState title="No partners yet">An organization is here as soon as a person creates an app.</EmptyState>
      }
    />
  )
}

/**
 * Finds teams by an email address of a member, or by `@` and a domain. The audit records the search without the text.
 */
function MemberSearch({ email }: { readonly email: string }) {
  return (
    <ReasonGate title="Search by an email address">{(reason) => <TeamsOf email={email} reason={reason} />}</ReasonGate>
  )
}

function TeamsOf({ email, reason }: { readonly email: string; readonly reason: string }) {
  const pages = usePages<Found>({
    queryKey: ['partners', 'of member', email],
    readPage: (page, signal) =>
      read(
        client.GET('/platform/partners/of_member', {
          signal,
          headers: because(reason),
          params: { query: { email, ...page } },
        }),
      ),
  })
  return (
    <EndlessTable
      label={`Teams with ${email}`}
      pages={pages}
      rows={pages.rows}
      columns={FOUND_COLUMNS}
      rowKey={({ id }) => id}
      rowTo={foundAddress}
      empty={
        <EmptyState title="No team has this address">No person with this address is on a partner’s team.</EmptyState>
      }
    />
  )
}
