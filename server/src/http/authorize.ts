import { type Caller, type CallerKind, type OperatorCaller, PLATFORM_ROLES, type Scope } from '#kernel/caller.ts'
import { ApiError } from '#kernel/errors.ts'
import type { TokenAccess } from './access.ts'

/**
 * Decides whether this caller may use the route at all. The use case decides which records the caller may see.
 *
 * The world comes first: a sandbox route does not exist in the live world. Scopes come second. A token without the scope gets
 * `insufficient_scope`, whatever its kind, because the partner can fix that. If the route does not serve the token's kind, the
 * message names the kinds that the route serves. A kind that can never hold the required scope gets `insufficient_scope` too: a
 * publishable key on a route that is not public, or a client-credentials token on a user route without a scope. A token that has
 * the scope, but whose kind the route does not serve, gets `forbidden`.
 *
 * Operator keys get `forbidden` on the routes of apps, and tokens of apps get `forbidden` on operator routes. Neither
 * gets `invalid_token`, because the credential is valid, and a new credential of the same kind would not help.
 */
export function authorize(access: TokenAccess, caller: Caller): void {
  if (access.sandboxOnly === true && caller.world !== 'test') throw sandboxOnly()
  const served = access.holders.includes(caller.kind)
  if (caller.kind === 'operator') {
    if (!served) throw forbidden('An operator key cannot call the partner API.', 'Use an access token of an app.')
    requireRole(access, caller)
    if (access.liveOnly === true && caller.world !== 'live') throw liveOnly(caller)
    return
  }
  const wanted = access.anyScope
  const hasScope = wanted.length === 0 || wanted.some((scope) => caller.scopes.has(scope))
  const needsAnotherKind = !served && isForApps(access) && neverHolds(caller.kind, wanted)
  if (!hasScope || needsAnotherKind) throw insufficientScope(wanted, caller.kind, served ? null : access.holders)
  if (!served) throw forbidden(`This operation is not for ${HOLDER[caller.kind]}.`, servedHolders(access.holders))
}

/**
 * Whether a kind of credential that the route does not serve can never hold the required scope. A publishable key has only the
 * scopes of routes that serve publishable keys. A client-credentials token has no user, and a route without listed scopes is
 * about a user.
 */
function neverHolds(kind: Kind, wanted: readonly Scope[]): boolean {
  return kind === 'publishable' || (kind === 'client' && wanted.length === 0)
}

function isForApps({ holders }: TokenAccess): boolean {
  return holders.some((kind) => kind !== 'operator')
}

const HOLDER: Readonly<Record<CallerKind, string>> = {
  publishable: 'publishable keys',
  client: 'client-credentials tokens',
  user: 'user tokens',
  installation: 'installation tokens',
  server_key: 'server keys',
  operator: 'operator keys',
}

function sandboxOnly(): ApiError {
  return new ApiError('sandbox_only', {
    public: 'This operation exists in the test world only, and the credential belongs to the live world.',
    remediation: 'Use a test credential: an operator key that begins with ok_test_, or an access token at_test_….',
  })
}

function liveOnly({ session }: OperatorCaller): ApiError {
  return forbidden(
    'This operation changes both worlds, and a request for the test world must not change the live world.',
    session === null
      ? 'Use a live operator key. It begins with ok_live_.'
      : 'Send X-Portico-Mode: live, or leave the header out.',
  )
}

function forbidden(message: string, remediation: string, details?: ApiError['details']): ApiError {
  return new ApiError('forbidden', { public: message, remediation, ...(details === undefined ? {} : { details }) })
}

function requireRole({ leastRole }: TokenAccess, { role, session }: OperatorCaller): void {
  if (leastRole === undefined) throw new Error('a route for operators names no role')
  if (PLATFORM_ROLES.indexOf(role) >= PLATFORM_ROLES.indexOf(leastRole)) return
  const who = session === null ? 'This operator key' : 'Your account'
  throw forbidden(
    `${who} has the role ${role}, and this operation needs ${leastRole}.`,
    session === null
      ? `Use a key with the role ${leastRole}.`
      : 'Ask an administrator to call this operation, or to give you another role.',
    { reason: 'role_too_low', role, least_role: leastRole },
  )
}

function servedHolders(holders: readonly CallerKind[]): string {
  return `It is for ${holders.map((kind) => HOLDER[kind]).join(', ')}.`
}

type Kind = Exclude<CallerKind, 'operator'>

/** `instead`: the kinds that the route serves, if it does not serve this kind. */
function insufficientScope(wanted: readonly Scope[], kind: Kind, instead: readonly CallerKind[] | null): ApiError {
  const names = wanted.join(' or ')
  const scope = wanted.length === 0 ? '' : `, scope="${wanted.join(' ')}"`
  return new ApiError('insufficient_scope', {
    public:
      wanted.length === 0
        ? `This operation is about a user, and ${HOLDER[kind]} hold no scope of a user.`
        : `This operation needs the scope ${names}, which the credential does not hold.`,
    remediation: instead === null ? REMEDIATION[kind](names) : otherKind(names, kind, instead),
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope"${scope}` },
  })
}

const IF_UNDECLARED = 'If the app does not declare the scope, add it in the developer portal first.'

const LIMITS = {
  client: 'A client-credentials token acts for the app alone and cannot be extended.',
  publishable: 'A publishable key reads public data only.',
}

/**
 * What a partner can do about a missing scope, for each kind of credential ("Missing scope and recovery" in the specification).
 */
const REMEDIATION: Readonly<Record<Kind, (names: string) => string>> = {
  user: (names) =>
    `Request ${names} on the authorize URL together with the scopes you already use, then ask the user to consent again. ${IF_UNDECLARED}`,
  installation: (names) =>
    `Read the installation's scopes (GET /installations/{id}). If the installation holds ${names}, mint a token that requests it (POST /installations/{id}/tokens); otherwise revoke the install, install again, mint again. ${IF_UNDECLARED}`,
  client: (names) =>
    `A new token holds ${names} once the app declares it: add it in the developer portal, then call POST /oauth/token again.`,
  server_key: (names) => `A server key holds what the app declares: add ${names} in the developer portal.`,
  publishable: (names) => `${LIMITS.publishable} Use a token that holds ${names}.`,
}

/** What to do if the route does not serve this kind of credential, even with the scope. */
function otherKind(names: string, kind: Kind, holders: readonly CallerKind[]): string {
  const limits = kind === 'client' || kind === 'publishable' ? `${LIMITS[kind]} ` : ''
  const use = names === '' ? 'use one of these' : `use one that holds ${names}`
  return `${limits}This operation is for ${holders.map((hasScope) => HOLDER[hasScope]).join(', ')}: ${use}.`
}
