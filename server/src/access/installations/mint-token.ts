import { type Client, lockClient, rejectStopped } from '#access/apps/index.ts'
import { recordAuditIn } from '#access/audit/index.ts'
import { narrow } from '#access/scopes/index.ts'
import { type IssuedToken, mintInstallationToken } from '#access/tokens/index.ts'
import { behaviour, knownVersion, NEWEST } from '#http/versions.ts'
import type { ServerKeyCaller, UserCaller } from '#kernel/caller.ts'
import { ApiError, validationError } from '#kernel/errors.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { tierGrant } from './grant-rules.ts'
import type { Installation } from './installation.ts'
import { type LookedFor, lookAt, noRoleError, type Seen, type TeamMember } from './installation-access.ts'

type Minting = LookedFor & {
  /** Null for all scopes of the installation. */
  readonly scopes: readonly string[] | null
  /** Whether the token is a syndicate's API key, which never expires. */
  readonly neverExpires: boolean
  /** The id of the request, for the audit. */
  readonly requestId: string
}

/** A person on the app's team has no credential of the app, so they name the key to which the token will belong. */
type MintingMember = TeamMember & { readonly keyId: ClientId }

type Minter = UserCaller | ServerKeyCaller | MintingMember

type Minted = { readonly installation: Installation; readonly token: IssuedToken }

/**
 * "The intersection of requested scopes and the install's scopes; omitted scopes gives the full install grant." A caller with a role at the
 * target gets only scopes that their present role may grant; otherwise an editor could write through a founder's installation. The app's
 * team gets what the target granted. On a user's own connection the new token gets no scope that the token in the request lacks, so a
 * narrowed token cannot be widened.
 *
 * A server key acts as the app's team. The tokens that it mints live two hours, independent of the app's pinned version, and become invalid
 * with the secret that was used to mint them. Tokens that a team member mints in the portal live two hours too.
 *
 * First locks the app, so that no scope is removed between the check and the mint. Then locks the installation, so that a concurrent
 * revocation also revokes the new token.
 */
export async function mintToken(tx: Tx, caller: Minter, minting: Minting): Promise<Minted> {
  const client = await lockClient(tx, caller.keyId)
  requireActive(client, caller)
  const seen = await lookAt(tx, caller, minting)
  requireSide(seen)
  if (minting.neverExpires) requireSyndicateManager(seen)
  const { installation, roleThere } = seen
  const requested = minting.scopes === null ? installation.scopes : narrow(minting.scopes, installation.scopes)
  const isOwn = installation.target.type === 'user' && caller.kind !== 'member'
  const allowed = isOwn ? narrow(requested, [...caller.scopes]) : requested
  const scopes = roleThere === null ? allowed : tierGrant(allowed, roleThere.tier)
  const byKey = caller.kind === 'server_key'
  const token = await mintInstallationToken(tx, {
    ...{ client, installation: installation.id, scopes },
    neverExpires: caller.kind === 'user' && (minting.neverExpires || isEverlasting(client)),
    ...(byKey ? { mintedWith: caller.secretDigest } : {}),
  })
  if (token === null) throw revoked()
  if (token.scopes.length === 0 && (minting.scopes ?? []).length > 0) throw nothingOfTheInstall(minting.scopes ?? [])
  if (caller.kind !== 'user') {
    await recordMint(tx, caller, { installation: installation.id, token, requestId: minting.requestId })
  }
  return { installation, token }
}

type Mint = { readonly installation: Id<'installation'>; readonly token: IssuedToken; readonly requestId: string }

/** Audits a mint by a team member in the portal or with a server key. The actor is the team member or the key. */
async function recordMint(tx: Tx, by: ServerKeyCaller | MintingMember, { installation, token, requestId }: Mint) {
  const details = { world: tx.world, installation, scopes: token.scopes, request: requestId }
  const actor = by.kind === 'member' ? by.accountId : by.keyId
  await recordAuditIn(tx, { actor, action: 'installation.token_minted', subject: by.appId, details })
}

/**
 * Rejects the credential of an app that is suspended, disabled or ended. A team member sent no such credential, so their error says that
 * the key is wrong or why the app cannot act.
 */
function requireActive(client: Client | null, caller: Minter): asserts client is Client {
  if (caller.kind !== 'member') {
    if (client?.state === 'active') return
    throw new ApiError('invalid_token', { public: 'The app cannot act at the moment.' })
  }
  if (client === null || client.appId !== caller.appId || client.state === 'revoked') {
    const message = 'is not a valid key of this app in the mode of the installation'
    throw validationError([{ field: 'key_id', code: 'unknown', message }])
  }
  rejectStopped(client.state, 'issue_token', 'no token of it is issued')
}

/**
 * The app's pinned version at the time of issue decides how long a token is valid; a request header does not. Pinning the app to another
 * version does not change tokens that were issued before.
 */
export function isEverlasting({ apiVersion }: Pick<Client, 'apiVersion'>): boolean {
  return behaviour(knownVersion(apiVersion) ?? NEWEST).installationTokens === 'permanent'
}

/** Only the connected user may mint a token on their connection; the app's team needs a token of that user. */
function requireSide({ installation, side }: Seen): void {
  if (side === null) throw noRoleError()
  if (installation.target.type !== 'user' || side === 'user') return
  throw new ApiError('forbidden', {
    public: 'Only the user who connected the app can mint a token on their connection.',
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
    public: 'This installation was revoked, so no more tokens are issued on it.',
    remediation: 'Install the app again: a reinstall is a new installation.',
  })
}

/** The error if none of the requested scopes can be granted. A request with an empty list gets a token without scopes instead. */
function nothingOfTheInstall(requested: readonly string[]): ApiError {
  return new ApiError('nothing_grantable', {
    public: 'None of the requested scopes can be granted on this installation.',
    remediation: 'Look at the scopes of the installation (GET /installations/{id}), and request some of them.',
    details: { scopes: requested },
  })
}
