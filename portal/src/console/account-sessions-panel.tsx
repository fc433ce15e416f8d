import { client, read, type Schemas } from '../api/client.ts'
import { usePages } from '../api/use-pages.ts'
import { ErrorState } from '../ui/error-state.tsx'
import { Panel } from '../ui/page.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Time } from '../ui/time.tsx'
import { ACCOUNT_CHANGES } from './accounts-page.tsx'
import { ActionRow } from './action-row.tsx'
import { because } from './reason.tsx'

type Account = Schemas['Account']

type SessionsPanelProps = { readonly account: Account; readonly reason: string; readonly mayChange: boolean }

/** Lists the sessions in which the person is signed in. Staff who may change the account can end the sessions. */
export function SessionsPanel({ account, reason, mayChange }: SessionsPanelProps) {
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
              hint="If another person could have access to the account."
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
              Every browser and every command line is signed out with its next request.
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
