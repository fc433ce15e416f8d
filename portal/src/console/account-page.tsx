import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure, client, read, type Schemas } from '../api/client.ts'
import { usePages } from '../api/use-pages.ts'
import { Badge, StatusBadge } from '../ui/badge.tsx'
import { CopyText } from '../ui/copy.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { ACCOUNT_CHANGES } from './accounts-page.tsx'
import { ActionRow } from './action-row.tsx'
import { mayAct, ROLES, type StaffRole, useRole } from './operator.ts'
import { because, LinkDialog, ReasonGate } from './reason.tsx'
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

type IssuedLink = { readonly title: string; readonly url: string; readonly expiresAt: string; readonly words: string }

/** How a person who cannot sign in gets in again, and how they are kept out. */
function AccessPanel({ account }: { readonly account: Account }) {
  const { name, disabled_at } = account.attributes
  const [link, setLink] = useState<IssuedLink | null>(null)
  const params = { path: { id: account.id } }
  const isDisabled = disabled_at !== null
  return (
    <Panel
      title="Sign-in"
      hint="Check who asks before you help: a link opens the account to anyone who has it. Open none yourself."
    >
      <ul className="rows">
        {isDisabled ? null : (
          <>
            <ActionRow
              label="Unlock"
              hint="After too many wrong passwords or codes, sign-in waits up to an hour. This lets the person try again at once."
              button="Unlock the account"
              title={`Unlock the account of ${name}?`}
              confirmLabel="Unlock"
              changes={ACCOUNT_CHANGES}
              run={({ why }) => read(client.POST('/platform/accounts/{id}/unlock', { params, headers: because(why) }))}
              done="The person can try to sign in again"
            >
              The wrong passwords and codes that were counted for the account are forgotten. Its password and its
              factors stay.
            </ActionRow>
            <ActionRow
              label="New password"
              hint="A link to a page where the person sets a password, once, within 24 hours."
              button="Make a password link"
              title={`Make a password link for ${name}?`}
              confirmLabel="Make the link"
              changes={ACCOUNT_CHANGES}
              run={async ({ why }) =>
                (await read(client.POST('/platform/accounts/{id}/password_link', { params, headers: because(why) })))
                  .data
              }
              onResult={({ attributes: { url, expires_at } }) =>
                setLink({
                  title: 'The password link',
                  url,
                  expiresAt: expires_at,
                  words: `Send it to ${name}. A new password signs the person out everywhere.`,
                })
              }
            >
              An earlier password link stops working. The password itself stays until the person sets another.
            </ActionRow>
            <ActionRow
              label="Sign in once"
              hint="A link that signs one browser in without the password, once, within 15 minutes."
              button="Make a sign-in link"
              title={`Make a sign-in link for ${name}?`}
              confirmLabel="Make the link"
              changes={ACCOUNT_CHANGES}
              run={async ({ why }) =>
                (await read(client.POST('/platform/accounts/{id}/sign_in_link', { params, headers: because(why) })))
                  .data
              }
              onResult={({ attributes: { url, expires_at } }) =>
                setLink({ title: 'The sign-in link', url, expiresAt: expires_at, words: `Send it to ${name}.` })
              }
            >
              An earlier sign-in link stops working. The audit records that you made it.
            </ActionRow>
            <ActionRow
              label="Second factor"
              hint="For a person who lost the authenticator app, the passkeys and the recovery codes."
              button="Reset the second factor"
              isDangerous
              title={`Reset the second factor of ${name}?`}
              confirmLabel="Reset"
              changes={ACCOUNT_CHANGES}
              run={({ why }) =>
                read(client.POST('/platform/accounts/{id}/factors/reset', { params, headers: because(why) }))
              }
              done="The second factor is reset"
            >
              The authenticator app, all passkeys and the recovery codes are removed. The person gets a mail, and signs
              in with the password alone.
            </ActionRow>
            <UserRow account={account} />
          </>
        )}
        {isDisabled ? (
          <ActionRow
            label="Enable"
            hint="The person signs in again. Sessions and links from before do not come back."
            button="Enable the account"
            title={`Enable the account of ${name}?`}
            confirmLabel="Enable"
            changes={ACCOUNT_CHANGES}
            run={({ why }) => read(client.POST('/platform/accounts/{id}/enable', { params, headers: because(why) }))}
            done="The account is enabled"
          >
            The person signs in again, and tokens that have not expired work again.
          </ActionRow>
        ) : (
          <ActionRow
            label="Disable"
            hint="The person is signed out everywhere and cannot sign in."
            button="Disable the account"
            isDangerous
            title={`Disable the account of ${name}?`}
            confirmLabel="Disable"
            changes={ACCOUNT_CHANGES}
            run={({ why }) => read(client.POST('/platform/accounts/{id}/disable', { params, headers: because(why) }))}
            done="The account is disabled"
          >
            The person is signed out everywhere with the next request, and tokens of their own connections are rejected.
            Installations that they made keep working. You can enable the account again.
          </ActionRow>
        )}
      </ul>
      {link !== null && (
        <LinkDialog title={link.title} url={link.url} expiresAt={link.expiresAt} onClose={() => setLink(null)}>
          {link.words}
        </LinkDialog>
      )}
    </Panel>
  )
}

/** The account of a person is linked to at most one user of each world, for good. */
function UserRow({ account }: { readonly account: Account }) {
  const { users, name } = account.attributes
  const [user, setUser] = useState('')
  const mode = users.live === null ? 'live' : users.test === null ? 'test' : null
  if (mode === null) return null
  return (
    <ActionRow
      label="User"
      hint={`The account has no user in ${mode} mode.`}
      button={`Link a user in ${mode} mode`}
      title={`Link ${name} to a user in ${mode} mode?`}
      confirmLabel="Link for good"
      changes={ACCOUNT_CHANGES}
      isComplete={/^usr_[0-9A-Za-z]{24}$/.test(user)}
      run={({ why }) =>
        read(
          client.PUT('/platform/accounts/{id}/users/{mode}', {
            params: { path: { id: account.id, mode } },
            headers: because(why),
            body: { user },
          }),
        )
      }
      done="The user is linked"
      fields={<TextField label="User id" value={user} onChange={setUser} mono />}
    >
      The person then decides about everything that belongs to this user. The link cannot be changed afterwards.
    </ActionRow>
  )
}

type SessionsPanelProps = { readonly account: Account; readonly reason: string; readonly mayChange: boolean }

function SessionsPanel({ account, reason, mayChange }: SessionsPanelProps) {
  const { name } = account.attributes
  const id = account.id
  const { rows, isLoading, error, refetch } = usePages({
    queryKey: ['account sessions', id],
    readPage: async (_, signal) => {
      const { data } = await read(
        client.GET('/platform/accounts/{id}/sessions', { signal, headers: because(reason), params: { path: { id } } }),
      )
      return { data, meta: { has_more: false, next_cursor: null } }
    },
  })
  return (
    <Panel title="Where the person is signed in">
      {isLoading && <Skeleton lines={2} />}
      {error !== null && <ErrorState error={error} onRetry={refetch} />}
      {!isLoading && error === null && rows.length === 0 && <p className="hint">Nowhere.</p>}
      {rows.length > 0 && (
        <ul className="rows" aria-label="Sign-in sessions">
          {rows.map((session) => (
            <SessionRow key={session.id} account={account} session={session} mayChange={mayChange} />
          ))}
          {mayChange && (
            <ActionRow
              label="All of them"
              hint="For an account that another person may use."
              button="End all sessions"
              isDangerous
              title={`Sign ${name} out everywhere?`}
              confirmLabel="End all sessions"
              changes={ACCOUNT_CHANGES}
              run={({ why }) =>
                read(
                  client.POST('/platform/accounts/{id}/sessions/end', {
                    params: { path: { id } },
                    headers: because(why),
                  }),
                )
              }
              done="All sessions are ended"
            >
              Every browser is signed out and every command line ended, with the next request.
            </ActionRow>
          )}
        </ul>
      )}
    </Panel>
  )
}

type SessionRowProps = {
  readonly account: Account
  readonly session: Schemas['SignInSession']
  readonly mayChange: boolean
}

function SessionRow({ account, session, mayChange }: SessionRowProps) {
  const { kind, device, seen_at } = session.attributes
  const kindWords = kind === 'browser' ? 'browser' : 'command line'
  const what = device ?? `A ${kindWords}`
  return (
    <ActionRow
      label={what}
      hint={
        <>
          {kind === 'browser' ? 'Browser' : 'Command line'}, last used <Time at={seen_at} />
        </>
      }
      button={mayChange ? 'End the session' : null}
      title={`Sign ${account.attributes.name} out of this ${kindWords}?`}
      confirmLabel="End the session"
      changes={ACCOUNT_CHANGES}
      run={({ why }) =>
        read(
          client.DELETE('/platform/accounts/{id}/sessions/{session_id}', {
            params: { path: { id: account.id, session_id: session.id } },
            headers: because(why),
          }),
        )
      }
      done="The session is ended"
    >
      {what} is signed out with its next request.
    </ActionRow>
  )
}

const ROLE_OPTIONS = ROLES.map((role) => ({ value: role, label: role }))

/** The role of a person on the platform's staff: an admin gives and takes it. */
function RolePanel({ account, role }: { readonly account: Account; readonly role: StaffRole }) {
  const { name, staff_role } = account.attributes
  const [given, setGiven] = useState<StaffRole>(staff_role ?? 'viewer')
  if (!mayAct(role, 'admin')) {
    return (
      <Panel title="Staff role" hint="The role admin gives and takes it.">
        <p>{staff_role === null ? 'None' : <Badge>{staff_role}</Badge>}</p>
      </Panel>
    )
  }
  const params = { path: { id: account.id } }
  return (
    <Panel
      title="Staff role"
      hint="A role works with a second factor only. A change is in force with the next request."
    >
      <ul className="rows">
        <ActionRow
          label={staff_role ?? 'None'}
          hint={staff_role === null ? 'Not on the staff of the platform.' : 'The role on the staff of the platform.'}
          button={staff_role === null ? 'Give a role' : 'Change the role'}
          title={staff_role === null ? `Give ${name} a role?` : `Change the role of ${name}?`}
          confirmLabel="Give the role"
          changes={ACCOUNT_CHANGES}
          isComplete={given !== staff_role}
          run={({ why }) =>
            read(
              client.PUT('/platform/accounts/{id}/staff_role', {
                params,
                headers: because(why),
                body: { role: given },
              }),
            )
          }
          done="The role is given"
          fields={
            <SelectField
              label="Role"
              value={given}
              options={ROLE_OPTIONS}
              onChange={(value) => setGiven(ROLES.find((each) => each === value) ?? 'viewer')}
            />
          }
        >
          Each role may do what the roles before it may: viewer, support, compliance, admin.
        </ActionRow>
        {staff_role !== null && (
          <ActionRow
            label="Revoke"
            hint="The account stays."
            button="Revoke the role"
            isDangerous
            title={`Revoke the role of ${name}?`}
            confirmLabel="Revoke"
            changes={ACCOUNT_CHANGES}
            run={({ why }) =>
              read(client.DELETE('/platform/accounts/{id}/staff_role', { params, headers: because(why) }))
            }
            done="The role is revoked"
          >
            The console no longer exists for {name}, from the next request on.
          </ActionRow>
        )}
      </ul>
    </Panel>
  )
}
