import { Link } from '@tanstack/react-router'
import type { Schemas } from '../api/client.ts'
import { grantedBy, type PickerScope } from './scope-queries.ts'

export type Removed = Schemas['ScopeRemoval']['data']['attributes']

/** Shows what the removal did, as counted by the server. */
export function RemovalResult({ removed }: { readonly removed: Removed }) {
  const counts = [
    ['Installations that lost a scope', removed.installs_narrowed],
    ['Installations that ended', removed.installs_disconnected],
    ['Access tokens revoked', removed.tokens_revoked],
    ['Refresh tokens revoked', removed.refresh_tokens_revoked],
    ['Webhook endpoints disabled', removed.endpoints_disabled],
  ] as const
  return (
    <section className="notice" aria-label="What the removal did">
      <p>
        <strong>Removed: {removed.removed.join(', ')}</strong>
      </p>
      <dl className="facts removal-counts">
        {counts.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

type AdditionResultProps = {
  readonly appId: string
  readonly added: readonly PickerScope[]
  readonly lacking: number
}

/** Says what is left to do after scopes were added: the app cannot use them until people consent or its server requests a new token. */
export function AdditionResult({ appId, added, lacking }: AdditionResultProps) {
  const them = added.length === 1 ? 'it' : 'them'
  const { own, ofTargets } = grantedBy(added)
  return (
    <section className="notice" aria-label="What the addition did">
      <p>
        <strong>Added: {added.map(({ id }) => id).join(', ')}</strong>
      </p>
      {lacking > 0 ? (
        <p>
          {lacking === 1 ? '1 installation does' : `${lacking.toLocaleString('en')} installations do`} not have {them}{' '}
          until people consent again. <Link to={`/apps/${appId}/installations`}>See the installations</Link>
        </p>
      ) : own.length === added.length ? (
        <p>Your server gets {them} with its next token by client credentials.</p>
      ) : (
        <p>
          Each person who {ofTargets.length === 0 ? 'connects' : 'installs or connects'} the app from now on can grant{' '}
          {them}.
        </p>
      )}
    </section>
  )
}
