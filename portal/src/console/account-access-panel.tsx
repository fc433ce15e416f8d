import { useState } from 'react'
import { client, read, type Schemas } from '../api/client.ts'
import { TextField } from '../ui/field.tsx'
import { Panel } from '../ui/page.tsx'
import { ACCOUNT_CHANGES } from './accounts-page.tsx'
import { ActionRow } from './action-row.tsx'
import { because, LinkDialog } from './reason.tsx'

type Account = Schemas['Account']

type IssuedLink = { readonly title: string; readonly url: string; readonly expiresAt: string; readonly words: string }

/** Lists actions on a person's sign-in: unlock, make links, reset factors, disable or enable, and link a user. */
export function AccessPanel({ account }: { readonly account: Account }) {
  const { name, disabled_at } = account.attributes
  const [link, setLink] = useState<IssuedLink | null>(null)
  const params = { path: { id: account.id } }
  const isDisabled = disabled_at !== null
  return (
    <Panel
      title="Sign-in"
      hint="Check who asks before you help: a link opens the account to anyone who has it. Never open a link yourself."
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
                  words: `Send the link to ${name}. A new password signs the person out everywhere.`,
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
                setLink({ title: 'The sign-in link', url, expiresAt: expires_at, words: `Send the link to ${name}.` })
              }
            >
              An earlier sign-in link stops working. The audit records that you made the new link.
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
            hint="The person can sign in again. Sessions and links from before do not come back."
            button="Enable the account"
            title={`Enable the account of ${name}?`}
            confirmLabel="Enable"
            changes={ACCOUNT_CHANGES}
            run={({ why }) => read(client.POST('/platform/accounts/{id}/enable', { params, headers: because(why) }))}
            done="The account is enabled"
          >
            The person can sign in again, and tokens that have not expired work again.
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
