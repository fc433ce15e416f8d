import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ApiFailure, client, read, type Schemas } from '../api/client.ts'
import { StatusBadge } from '../ui/badge.tsx'
import { CopyText } from '../ui/copy.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { AccessPanel } from './account-access-panel.tsx'
import { RolePanel } from './account-role-panel.tsx'
import { SessionsPanel } from './account-sessions-panel.tsx'
import { mayAct, useRole } from './operator.ts'
import { because, ReasonGate } from './reason.tsx'
import { RecordId, StaffPage } from './staff-page.tsx'

type Account = Schemas['Account']

/** Shows a person's account: their data, ways to help them sign in, their sessions, and their role on the staff. */
export function AccountPage() {
  const { accountId = '' }: { accountId?: string } = useParams({ strict: false })
  return (
    <StaffPage title="Account" crumbs={[{ label: 'Accounts', to: '/accounts' }]} least="support" what="accounts">
      <ReasonGate title="The account">
        {(reason) => <Loaded key={accountId} id={accountId} reason={reason} />}
      </ReasonGate>
    </StaffPage>
  )
}

type LoadedProps = { readonly id: string; readonly reason: string }

function Loaded({ id, reason }: LoadedProps) {
  const role = useRole()
  const { data, error, refetch } = useQuery({
    queryKey: ['account', id],
    queryFn: ({ signal }) =>
      read(client.GET('/platform/accounts/{id}', { signal, headers: because(reason), params: { path: { id } } })),
  })
  if (error instanceof ApiFailure && error.status === 404) {
    return <EmptyState title="There is no such account">It may have been deleted by its owner.</EmptyState>
  }
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={8} />
  const account = data.data
  const isStaff = account.attributes.staff_role !== null
  const mayChange = !isStaff || mayAct(role, 'admin')
  return (
    <>
      <PersonPanel account={account} />
      {mayChange ? (
        <AccessPanel account={account} />
      ) : (
        <p className="notice">This person has a staff role, so only the role admin changes their account.</p>
      )}
      <SessionsPanel account={account} reason={reason} mayChange={mayChange} />
      <RolePanel account={account} role={role} />
    </>
  )
}

function PersonPanel({ account }: { readonly account: Account }) {
  const role = useRole()
  const { name, email, has_password, issuers, users, created_at, disabled_at, staff_role } = account.attributes
  const waysIn = [...(has_password ? ['a password'] : []), ...issuers]
  const facts: readonly (readonly [label: string, value: React.ReactNode])[] = [
    ['Name', name],
    ['Email', <CopyText key="email" value={email} label="Copy the email address" />],
    ['Account id', <CopyText key="id" value={account.id} label="Copy the account id" />],
    ['Signs in with', waysIn.length === 0 ? 'No password; a passkey or a link' : waysIn.join(', ')],
    ['Staff role', staff_role ?? 'None'],
    ['User in live mode', <UserOf key="live" mode="live" id={users.live} />],
    ['User in test mode', <UserOf key="test" mode="test" id={users.test} />],
    ['Created', <Time key="created" at={created_at} />],
    ...(disabled_at === null ? [] : [['Disabled', <Time key="disabled" at={disabled_at} />] as const]),
  ]
  return (
    <Panel
      title={name}
      actions={
        <span className="links">
          <StatusBadge status={disabled_at === null ? 'active' : 'disabled'} />
          <Link to="/partners" search={{ query: email }}>
            Teams of this person
          </Link>
          {mayAct(role, 'compliance') && (
            <>
              <Link to="/audit" search={{ subject: account.id }}>
                Done to the account
              </Link>
              <Link to="/audit" search={{ actor: account.id }}>
                Done by the person
              </Link>
            </>
          )}
        </span>
      }
    >
      <dl className="facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

function UserOf({ mode, id }: { readonly mode: 'test' | 'live'; readonly id: string | null }) {
  return id === null ? 'None' : <RecordId id={id} label={`the user id in ${mode} mode`} mode={mode} />
}
