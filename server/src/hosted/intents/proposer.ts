import { describeFormerApp } from '#access/apps/index.ts'
import { findInstallations } from '#access/installations/index.ts'
import { lockUser } from '#access/people/index.ts'
import { heldBy, type TokenAccess } from '#http/access.ts'
import { sentBearer } from '#http/authenticate.ts'
import type { InstallationCaller, Scope, UserCaller } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import { hexDigestOf } from '#system/crypto/secret.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import type { Owner } from './intent.ts'
import type { Asker } from './review-facts.ts'
import { nameOf, shareApp, shareConnection, shareInstallation } from './store.ts'

export type ProposingCaller = UserCaller | InstallationCaller

export function forProposers(...anyScope: Scope[]): TokenAccess<ProposingCaller['kind']> {
  return heldBy(['user', 'installation'], ...anyScope)
}

export type Proposer = { readonly owner: Owner; readonly caller: ProposingCaller }

/** "Per token" limits count by this digest of the token, so that the spelling of the header does not matter. */
export function tokenDigestOf(header: (name: string) => string | undefined): string {
  return hexDigestOf(sentBearer(header('authorization')) ?? '')
}

/**
 * A user token and a token minted on the user's own connection have the same proposer. A token of a company has nothing to propose:
 * "forbidden means the scope is held but the token is bound to another resource".
 */
export async function proposerOf(queries: WorldQueries, caller: ProposingCaller): Promise<Proposer> {
  const { appId } = caller
  if (caller.kind === 'user') return { caller, owner: { appId, userId: caller.userId, installationId: null } }
  const { installationId } = caller
  const [installation] = await findInstallations(queries, [installationId])
  switch (installation?.target.type) {
    case 'user':
      return { caller, owner: { appId, userId: installation.target.id, installationId: null } }
    case 'syndicate':
      return { caller, owner: { appId, userId: null, installationId } }
    default:
      throw new ApiError('forbidden', {
        public: 'This token acts for a company, but an intent is proposed for a person or a syndicate.',
        remediation: 'Use a user token, or a token of an installation on the syndicate.',
      })
  }
}

/**
 * Ending an app's access expires its pending intents in the same transaction. These locks make that transaction wait until a
 * new intent is committed; otherwise it would not expire the new intent. Because of the lock on the user, concurrent proposals
 * for one user wait for each other.
 *
 * Lock order: the user, then the app, as for a consent and an installation. An app's first installation locks the app exclusively. A
 * proposal that locked the app first would then deadlock with an installation by the same user.
 */
export async function lockAccess(tx: Tx, owner: Owner): Promise<void> {
  if (owner.userId !== null && (await lockUser(tx, 'user', owner.userId)).deactivated) throw accessEnded()
  if (!(await shareApp(tx, owner.appId)) || !(await shareGrant(tx, owner))) throw accessEnded()
}

/** For a decision: locks the app, then its installation, so that a revocation comes before the decision or after it. */
export async function awaitRevocation(tx: Tx, owner: Owner): Promise<void> {
  await shareApp(tx, owner.appId)
  await shareGrant(tx, owner)
}

function shareGrant(tx: Tx, owner: Owner): Promise<boolean> {
  return owner.userId === null
    ? shareInstallation(tx, owner.installationId)
    : shareConnection(tx, owner.appId, owner.userId)
}

/** The requesting app as shown now; a deleted app keeps its name. */
export async function askerOf(queries: WorldQueries, { appId, userId }: Owner): Promise<Asker> {
  const app = await describeFormerApp(queries, appId)
  if (app === null) throw new Error('the app of an intent is missing')
  const proposer = userId === null ? null : ((await nameOf(queries, userId)) ?? 'A person who left')
  return { app: app.name, organization: app.organization.name, logo: app.logoUrl, proposer }
}

type Reason = { readonly field: string; readonly code: string; readonly message: string }

/** "422 (message = handler's reason)": the error has the action's reason as its message, and names the wrong field. */
export function notPossible({ field, code, message }: Reason): ApiError {
  return new ApiError('validation_error', {
    public: message,
    remediation: 'Nothing was proposed. Correct the fields in details.fields, then propose again.',
    details: { fields: [{ field, code, message }] },
  })
}

/** "Token must hold that particular action's scope, else 403 insufficient_scope." */
export function actionScopeMissing(scope: Scope): ApiError {
  return new ApiError('insufficient_scope', {
    public: `Proposing this needs the scope ${scope}, which the token does not hold.`,
    remediation: `Request ${scope} together with the scopes you already use, then use the new token.`,
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  })
}

export function keyOfAnother(): ApiError {
  return new ApiError('idempotency_conflict', {
    public: 'This idempotency_key was used for another action, resource or params. Nothing was proposed.',
    remediation: 'Use a new key for a new proposal; repeat a proposal with exactly the same content.',
  })
}

/** The access ended after the token was checked. */
function accessEnded(): ApiError {
  return new ApiError('invalid_token', { public: 'This app’s access has ended.' })
}
