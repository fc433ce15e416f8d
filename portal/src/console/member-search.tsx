import { client, read, type Schemas } from '../api/client.ts'
import { usePages } from '../api/use-pages.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { FOUND_COLUMNS, foundAddress } from './found-partners.tsx'
import { because, ReasonGate } from './reason.tsx'

export const EMAIL_REASON = 'To find a team by one of its people, search for their email address.'

/** Finds teams by an address of a person, which the audit records without the address. */
export function MemberSearch({ email }: { readonly email: string }) {
  return (
    <ReasonGate title="Search by an email address">{(reason) => <Found email={email} reason={reason} />}</ReasonGate>
  )
}

function Found({ email, reason }: { readonly email: string; readonly reason: string }) {
  const pages = usePages<Schemas['FoundPartner']>({
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
      empty={<EmptyState title="No team has this address">Nobody with it is on a partner’s team.</EmptyState>}
    />
  )
}
