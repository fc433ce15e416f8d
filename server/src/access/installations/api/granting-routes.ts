import { Type } from 'typebox'
import { type Client, lockClient } from '#access/apps/index.ts'
import { recordAuditIn } from '#access/audit/index.ts'
import { narrow } from '#access/scopes/index.ts'
import { type IssuedToken, mintInstallationToken } from '#access/tokens/index.ts'
import { heldBy, user } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { idOf } from '#http/schema-fields.ts'
import { behaviour, knownVersion, NEWEST } from '#http/versions.ts'
import type { ServerKeyCaller, UserCaller } from '#kernel/caller.ts'
import { ApiError, notFound, validationError } from '#kernel/errors.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { tierGrant } from '../grant-rules.ts'
import { installApp } from '../install-app.ts'
import type { Installation } from '../installation.ts'
import { type LookedFor, lookAt, noRoleError, type Seen } from '../installation-access.ts'
import { changeContext, type OnRevoked } from '../lifecycle.ts'
import type { InstallTarget } from '../target-store.ts'
import {
  InstallationWithToken,
  installationRecord,
  NewInstallation,
  NewToken,
  shownTypes,
  tokenBlock,
} from './schemas.ts'

/** Create an installation, and create a token of one. Both responses show a token once. */
export const grantingRoutes = ({ onRevoked }: { readonly onRevoked: readonly OnRevoked[] }): Route[] => [
  route({
    operation: 'createInstallation',
    method: 'POST',
    path: '/installations',
    summary: 'Create an installation',
    description: 'Installs the app on a company that the user can edit or on a syndicate that the user manages.',
    tag: 'Installations',
    access: user('write:installations'),
    schema: { body: NewInstallation, response: { 201: InstallationWithToken } },
    transaction: async ({ tx, caller, body, requestId, counted }) => {
      const { keyId, appId, userId } = caller
      const target = installTargetOf(body.target_type, body.target_id)
      const wanted = { keyId, appId, userId, target, scopes: body.scopes ?? null, tier: body.tier ?? null }
      const { installation, client, granted } = await installApp(tx, wanted, changeContext(requestId, { onRevoked }))
      const neverExpires = isEverlasting(client)
      const { id } = installation
      const token = await mintInstallationToken(tx, { client, installation: id, scopes: granted, neverExpires })
      if (token === null) throw new Error('an installation just made gives no token')
      counted?.issued(token.accessToken)
      return { status: 201, body: { data: installationRecord(installation), token: tokenBlock(id, token), meta: {} } }
    },
  }),
  route({
    operation: 'createInstallationToken',
    method: 'POST',
    path: '/installations/:id/tokens',
    summary: 'Create an installation token',
    description: 'Creates a token of an installation, with all of its scopes or with some of them.',
    tag: 'Installations',
    access: heldBy(['user', 'server_key'], 'write:installations'),
    schema: {
      params: Type.Object({ id: idOf('installation') }),
      body: NewToken,
      response: { 201: InstallationWithToken },
    },
    transaction: async ({ tx, caller, params: { id }, body, behaviour, requestId, counted }) => {
      const wanted = { scopes: body.scopes ?? null, neverExpires: body.never_expires === true, requestId }
      const minting = { id, targetTypes: shownTypes(behaviour), ...wanted }
      const { installation, token } = await mintToken(tx, caller, minting)
      counted?.issued(token.accessToken)
      return { status: 201, body: { data: installationRecord(installation), token: tokenBlock(id, token), meta: {} } }
    },
  }),
]

/** A malformed id, or an id of the other kind, gets the same 404 as an unknown one. */
export function installTargetOf(type: InstallTarget['type'], text: string): InstallTarget {
  if (type === 'company') {
    const id = parseId('company', text)
    if (id !== null) return { type, id }
  } else {
    const id = parseId('syndicate', text)
    if (id !== null) return { type, id }
  }
  throw notFound(`${text} is no id of a ${type}`)
}

type Minting = LookedFor & {
  /** Null: all that the installation holds. */
  readonly scopes: readonly string[] | null
  /** A syndicate's API key. */
  readonly neverExpires: boolean
  /** Names the request in the audit. */
  readonly requestId: string
}

type Minted = { readonly installation: Installation; readonly token: IssuedToken }

/**
 * "The intersection of requested scopes and the install's scopes; omitted scopes gives the full install grant." A caller
 * with a role at the target gets no more than they could grant if they installed the app today; otherwise an editor could
 * write through a founder's installation. The app's team gets what the target granted. On a user's own connection the new
 * token holds no more than the token that mints it, so a narrowed token cannot widen itself.
 *
 * A server key acts as the app's team. Its tokens live two hours, whatever version the app is pinned to, and end with the
 * secret that was sent.
 *
 * Locks the app, so that no scope is removed between the check and the mint, then the installation, so that a concurrent
 * revocation also revokes the new token.
 */
async function mintToken(tx: Tx, caller: UserCaller | ServerKeyCaller, minting: Minting): Promise<Minted> {
  const client = await lockClient(tx, caller.keyId)
  if (client?.state !== 'active') throw new ApiError('invalid_token', { public: 'The app cannot act at the moment.' })
  const seen = await lookAt(tx, caller, minting)
  requireSide(seen)
  if (minting.neverExpires) requireSyndicateManager(seen)
  const { installation, roleThere } = seen
  const asked = minting.scopes === null ? installation.scopes : narrow(minting.scopes, installation.scopes)
  const held = installation.target.type === 'user' ? narrow(asked, [...caller.scopes]) : asked
  const scopes = roleThere === null ? held : tierGrant(held, roleThere.tier)
  const byKey = caller.kind === 'server_key'
  const token = await mintInstallationToken(tx, {
    ...{ client, installation: installation.id, scopes },
    neverExpires: !byKey && (minting.neverExpires || isEverlasting(client)),
    ...(byKey ? { mintedWith: caller.secretDigest } : {}),
  })
  if (token === null) throw revoked()
  if (token.scopes.length === 0 && (minting.scopes ?? []).length > 0) throw nothingOfTheInstall(minting.scopes ?? [])
  if (byKey) await recordMint(tx, caller, { installation: installation.id, token, requestId: minting.requestId })
  return { installation, token }
}

type Mint = { readonly installation: Id<'installation'>; readonly token: IssuedToken; readonly requestId: string }

/** "Each mint is audited." The actor is the key, because no person signed in. */
async function recordMint(tx: Tx, { appId, keyId }: ServerKeyCaller, { installation, token, requestId }: Mint) {
  const details = { world: tx.world, installation, scopes: token.scopes, request: requestId }
  await recordAuditIn(tx, { actor: keyId, action: 'installation.token_minted', subject: appId, details })
}

/**
 * How long a token lives follows the version the app is pinned to when it is issued, never a request header. What was
 * issued keeps its end when the app is pinned to another version.
 */
function isEverlasting({ apiVersion }: Pick<Client, 'apiVersion'>): boolean {
  return behaviour(knownVersion(apiVersion) ?? NEWEST).installationTokens === 'everlasting'
}

/** Only the connected user may mint on their own connection; the app's team needs a token of that user. */
function requireSide({ installation, side }: Seen): void {
  if (side === null) throw noRoleError()
  if (installation.target.type !== 'user' || side === 'user') return
  throw new ApiError('forbidden', {
    public: 'Only the user who connected the app can have a token of their connection minted.',
    remediation: 'Use a user token of that user.',
  })
}

/** "A syndicate's manager may mint a token with never_expires: true on its syndicate installation." */
function requireSyndicateManager({ side }: Seen): void {
  if (side === 'manager') return
  const message = 'is for a manager of the syndicate that the installation is on'
  throw validationError([{ field: 'never_expires', code: 'not_allowed', message }])
}

function revoked(): ApiError {
  return new ApiError('installation_revoked', {
    public: 'This installation was revoked, and there are no more tokens of it.',
    remediation: 'Install the app again: a reinstall is a new installation.',
  })
}

/** "The intersection of requested scopes and the install's scopes" is empty. An empty list would have been a token with nothing. */
function nothingOfTheInstall(requested: readonly string[]): ApiError {
  return new ApiError('nothing_grantable', {
    public: 'None of the requested scopes can be granted on this installation.',
    remediation: 'Look at the scopes of the installation (GET /installations/{id}), and request some of them.',
    details: { scopes: requested },
  })
}
