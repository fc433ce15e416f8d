import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { client, read, type Schemas } from '../api/client.ts'
import { useAction } from '../api/use-action.ts'
import { usePages } from '../api/use-pages.ts'
import { useFilters } from '../shell/filters.ts'
import { Badge, StatusBadge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import type { Column } from '../ui/data-table.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { EndlessTable } from '../ui/endless-table.tsx'
import { TextField } from '../ui/field.tsx'
import { FilterBar, TextFilter } from '../ui/filter-bar.tsx'
import { Time } from '../ui/time.tsx'
import { because, type Decision, DecisionDialog, LinkDialog, ReasonGate } from './reason.tsx'
import { StaffPage } from './staff-page.tsx'

type Account = Schemas['Account']
type StaffMember = Schemas['StaffMember']

/** The queries that are read again after a change of an account. */
export const ACCOUNT_CHANGES = [['accounts'], ['account'], ['staff'], ['account sessions']]

const statusOf = (disabledAt: string | null) => <StatusBadge status={disabledAt === null ? 'active' : 'disabled'} />

const COLUMNS: readonly Column<Account>[] = [
  { header: 'Name', cell: ({ attributes }) => attributes.name },
  { header: 'Email', cell: ({ attributes }) => attributes.email },
  { header: 'Status', cell: ({ attributes }) => statusOf(attributes.disabled_at), wide: true },
  { header: 'Staff role', cell: ({ attributes }) => attributes.staff_role ?? '–', wide: true },
  { header: 'Created', cell: ({ attributes }) => <Time at={attributes.created_at} />, wide: true },
]

const STAFF_COLUMNS: readonly Column<StaffMember>[] = [
  { header: 'Name', cell: ({ attributes }) => attributes.name },
  { header: 'Role', cell: ({ attributes }) => attributes.role },
  { header: 'Email', cell: ({ attributes }) => attributes.email, wide: true },
  { header: 'Status', cell: ({ attributes }) => statusOf(attributes.disabled_at), wide: true },
  {
    header: 'Second factor',
    cell: ({ attributes }) => (attributes.has_factor ? 'Yes' : <Badge tone="warning">Missing</Badge>),
    wide: true,
  },
]

/** Lists all accounts, or those of the staff. */
export function AccountsPage() {
  const [{ query = '', only }, change] = useFilters()
  const [openDialog, setOpenDialog] = useState<'create' | 'invite' | null>(null)
  const close = () => setOpenDialog(null)
  const isStaff = only === 'staff'
  return (
    <StaffPage
      title="Accounts"
      lead="People who sign in. Search by the beginning of a name or an email address, or by an account or user id."
      least="support"
      what="accounts"
      actions={
        <>
          <Button onPress={() => setOpenDialog('invite')}>Invite a person</Button>
          <Button variant="primary" onPress={() => setOpenDialog('create')}>
            Create an account
          </Button>
        </>
      }
    >
      <nav className="tabs" aria-label="Kinds of accounts">
        <Link to="/accounts" search={{}} activeOptions={{ exact: true }} {...(isStaff ? {} : CURRENT)}>
          Everybody
        </Link>
        <Link to="/accounts" search={{ only: 'staff' }} activeOptions={{ exact: true }} {...(isStaff ? CURRENT : {})}>
          Staff
        </Link>
      </nav>
      {!isStaff && (
        <FilterBar onClear={query === '' ? undefined : () => change({ query: '' })}>
          <TextFilter
            label="Search"
            value={query}
            placeholder="ada@…, Ada, acct_…, usr_…"
            onChange={(text) => change({ query: text })}
          />
        </FilterBar>
      )}
      <ReasonGate title="Accounts">
        {(reason) => (isStaff ? <Staff reason={reason} /> : <AllAccounts key={query} query={query} reason={reason} />)}
      </ReasonGate>
      {openDialog === 'create' && <CreateDialog onClose={close} />}
      {openDialog === 'invite' && <InviteDialog onClose={close} />}
    </StaffPage>
  )
}

const CURRENT = { 'aria-current': 'page' } as const

function AllAccounts({ query, reason }: { readonly query: string; readonly reason: string }) {
  const pages = usePages<Account>({
    queryKey: ['accounts', query],
    readPage: (page, signal) =>
      read(
        client.GET('/platform/accounts', {
          signal,
          headers: because(reason),
          params: { query: { ...(query === '' ? {} : { query }), ...page } },
        }),
      ),
  })
  return (
    <EndlessTable
      label="Accounts, newest first"
      pages={pages}
      rows={pages.rows}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowTo={({ id }) => `/accounts/${id}`}
      empty={
        <EmptyState title="No account matches">
          The search looks at the beginning of names and addresses. Invite the person, or create an account for them.
        </EmptyState>
      }
    />
  )
}

function Staff({ reason }: { readonly reason: string }) {
  const pages = usePages<StaffMember>({
    queryKey: ['staff'],
    readPage: (page, signal) =>
      read(client.GET('/platform/staff', { signal, headers: because(reason), params: { query: page } })),
  })
  return (
    <EndlessTable
      label="People with a staff role"
      pages={pages}
      rows={pages.rows}
      columns={STAFF_COLUMNS}
      rowKey={({ id }) => id}
      rowTo={({ id }) => `/accounts/${id}`}
      empty={<EmptyState title="Nobody has a staff role">An admin gives one on the page of an account.</EmptyState>}
    />
  )
}

type CreatingProps = { readonly onClose: () => void }

function CreateDialog({ onClose }: CreatingProps) {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const navigate = useNavigate()
  const creating = useAction({
    run: async ({ why }: Decision) =>
      (await read(client.POST('/platform/accounts', { headers: because(why), body: { email, name: name.trim() } })))
        .data,
    done: 'The account is created',
    changes: ACCOUNT_CHANGES,
    onDone: ({ id }) => navigate({ to: '/accounts/$accountId', params: { accountId: id } }),
  })
  return (
    <DecisionDialog
      title="Create an account"
      confirmLabel="Create the account"
      reasonHint="The person does not see it."
      isComplete={email !== '' && name.trim() !== ''}
      isPending={creating.isPending}
      error={creating.error}
      onConfirm={creating.mutate}
      onClose={onClose}
    >
      <p>The account has no password. Send the person a link to set one, from its page.</p>
      <TextField label="Email" type="email" value={email} onChange={setEmail} autoFocus />
      <TextField label="Name" value={name} onChange={setName} maxLength={200} />
    </DecisionDialog>
  )
}

function InviteDialog({ onClose }: CreatingProps) {
  const [email, setEmail] = useState('')
  const inviting = useAction({
    run: async ({ why }: Decision) =>
      (await read(client.POST('/platform/accounts/invitations', { headers: because(why), body: { email } }))).data,
    changes: [],
  })
  if (inviting.data !== undefined) {
    const { url, expires_at } = inviting.data.attributes
    return (
      <LinkDialog title={`${email} is invited`} url={url} expiresAt={expires_at} onClose={onClose}>
        If mail is set up, the person gets this link by mail too. With the link they make one account, for this address.
      </LinkDialog>
    )
  }
  return (
    <DecisionDialog
      title="Invite a person"
      confirmLabel="Send the invitation"
      reasonHint="The person does not see it."
      isComplete={email !== ''}
      isPending={inviting.isPending}
      error={inviting.error}
      onConfirm={inviting.mutate}
      onClose={onClose}
    >
      <p>The person gets a mail with a link. With the link they can make an account within 14 days.</p>
      <TextField label="Email" type="email" value={email} onChange={setEmail} autoFocus />
    </DecisionDialog>
  )
}
