import { isDeepStrictEqual } from 'node:util'
import type { Id } from '#kernel/ids.ts'
import { type Client, lockClient } from '#modules/apps/index.ts'
import { type Because, connectUser } from '#modules/installations/index.ts'
import { lockUser } from '#modules/people/index.ts'
import { insertCode } from '#modules/tokens/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { AuthorizeRequest } from '../authorize/check-authorize-request.ts'
import { findGranted } from './find-granted.ts'

export type Consent = {
  readonly request: AuthorizeRequest
  readonly accountId: Id<'account'>
  readonly userId: Id<'user'>
  /** The switches that were on. */
  readonly ticked: readonly string[]
}

/**
 * nothing      everything was declined
 * ungrantable  nothing of it is theirs to grant: the next look says why
 * changed      the app is not what the person saw: look again
 * gone         the person was deactivated meanwhile
 */
export type ConsentOutcome =
  | { readonly outcome: 'granted'; readonly code: string }
  | { readonly outcome: 'nothing' | 'ungrantable' | 'changed' | 'gone' }

/**
 * A consent becomes a connection and a code, in one transaction. Locks the person, then the app: with both held nobody
 * is deactivated and no scope, approval or key is taken away until what rests on them is committed.
 */
export async function grantConsent(tx: Tx, consent: Consent, because: Because): Promise<ConsentOutcome> {
  const { request, accountId, userId, ticked } = consent
  const { deactivated } = await lockUser(tx, 'user', userId)
  if (deactivated) return { outcome: 'gone' }
  const client = await lockClient(tx, request.client.keyId)
  if (client === null || !sameClient(client, request.client)) return { outcome: 'changed' }
  const granted = await findGranted(tx, client, { accountId, requested: request.scopes, ticked })
  if (granted.outcome !== 'granted') return { outcome: granted.outcome }
  const { scopes, piiBy } = granted
  const { appId } = client
  const { byDefault, redirectUri, codeChallenge } = request
  const { installation } = await connectUser(tx, { appId, userId, scopes, byDefault, piiBy }, because)
  const installationId = installation.id
  const code = { client, userId, installationId, redirectUri, codeChallenge, scopes, byDefault }
  return { outcome: 'granted', code: await insertCode(tx, code) }
}

/** Every column that was read before is read again; what else the earlier look brought along does not matter. */
function sameClient(locked: Client, seen: Client): boolean {
  return (Object.keys(locked) as (keyof Client)[]).every((key) => isDeepStrictEqual(locked[key], seen[key]))
}
