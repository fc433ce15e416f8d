import type { AccountCaller, Caller, CallerKind, PlatformRole, Scope } from '#kernel/caller.ts'

/**
 * The access rule of a route, declared with the route and checked before its handler runs. With `open` the edge checks no
 * credential, and the route declares why. With `token` the route names the kinds of credential that may call it, and the scopes.
 * A credential needs one of these scopes; if the route lists no scope, the right kind is enough. `session` is for people: a
 * cookie identifies a person in a browser, and a bearer token a person's command line. The kind `server_key` is a confidential
 * key sent as HTTP Basic. Among the routes with `token`, only those that name this kind accept HTTP Basic, and the app must
 * declare one of the scopes. A route for the kind `operator` names the least role that may call it.
 */
export type OpenAccess = { readonly kind: 'open'; readonly why: string }
export type TokenAccess<K extends CallerKind = CallerKind> = {
  readonly kind: 'token'
  readonly holders: readonly K[]
  readonly anyScope: readonly Scope[]
  /** The route exists in the test world only: every live credential gets `sandbox_only`. */
  readonly sandboxOnly?: true
  /** The route changes both worlds, so a sandbox credential is rejected. */
  readonly liveOnly?: true
} & LeastRole<K>

/**
 * A route that serves operators must name a role, and no other route can name one. The role is optional if K is the whole union
 * CallerKind, because then the compiler does not know which kinds the route serves.
 */
type LeastRole<K extends CallerKind> = CallerKind extends K
  ? { readonly leastRole?: PlatformRole; readonly about?: OperatorSubject }
  : 'operator' extends K
    ? { readonly leastRole: PlatformRole; readonly about?: OperatorSubject }
    : { readonly leastRole?: never }

/**
 * What an operator's request is about. This decides whether the request must give a reason (operator-reason.ts). A request about
 * a person always needs a reason, a request about a partner needs one if it changes something, and a request about the platform
 * itself needs none.
 */
export type OperatorSubject = 'person' | 'partner' | 'platform'
export type SessionAccess<Required extends boolean = boolean> = {
  readonly kind: 'session'
  /** Whether a person must have signed in. */
  readonly required: Required
  /** Why visitors who have not signed in may call the route; empty if they may not. */
  readonly why: string
  /** The person must have confirmed their identity within the last minutes (`PORTICO_STEP_UP_MINUTES`). */
  readonly recentProof?: true
}
export type Access = OpenAccess | TokenAccess | SessionAccess

/** The types of caller that a handler with this access can get. */
export type CallerOf<A extends Access> =
  A extends TokenAccess<infer K>
    ? Extract<Caller, { kind: K }>
    : A extends SessionAccess<infer Required>
      ? Required extends true
        ? AccountCaller
        : AccountCaller | null
      : undefined

export function open(why: string): OpenAccess {
  return { kind: 'open', why }
}

/**
 * For public reads: publishable keys and all kinds of tokens of apps are accepted. Browsers on other origins may use a
 * publishable key.
 */
export function publicRead(...anyScope: Scope[]): TokenAccess<'publishable' | 'client' | 'user' | 'installation'> {
  return { kind: 'token', holders: ['publishable', 'client', 'user', 'installation'], anyScope }
}

type AppKind = Exclude<CallerKind, 'operator'>

export function heldBy<K extends AppKind>(holders: readonly K[], ...anyScope: Scope[]): TokenAccess<K> {
  // The kinds exclude operators, so no role is needed, but TypeScript cannot resolve `LeastRole` for a generic K.
  return { kind: 'token', holders, anyScope } as unknown as TokenAccess<K>
}

export function user(...anyScope: Scope[]): TokenAccess<'user'> {
  return heldBy(['user'], ...anyScope)
}

/** For the platform's own keys and people who have this role or a higher one. */
export function operator(leastRole: PlatformRole, about: OperatorSubject): TokenAccess<'operator'> {
  return { kind: 'token', holders: ['operator'], anyScope: [], leastRole, about }
}

/** For changes to both worlds at once, which a sandbox key must not make. */
export function liveOperator(leastRole: PlatformRole, about: OperatorSubject): TokenAccess<'operator'> {
  return { ...operator(leastRole, about), liveOnly: true }
}

/** For operators, and for credentials of apps with one of the scopes. */
export function operatorOr<K extends AppKind>(
  leastRole: PlatformRole,
  holders: readonly K[],
  ...anyScope: Scope[]
): TokenAccess<K | 'operator'> {
  return { kind: 'token', holders: ['operator', ...holders], anyScope, leastRole } as unknown as TokenAccess<
    K | 'operator'
  >
}

/** Whether a route serves operators only. Such a route also accepts the cookie of a signed-in member of the platform's staff. */
export function servesStaff(access: Access): boolean {
  return access.kind === 'token' && access.holders.every((holder) => holder === 'operator')
}

/** For signed-in people. On pages, other visitors are redirected to sign in, and then back to the page. */
export function signedIn(): SessionAccess<true> {
  return { kind: 'session', required: true, why: '' }
}

/**
 * For signed-in people who confirmed their identity a short time ago. Used for secrets, personal data, ways to sign in, and
 * deletions. Other people must confirm first: pages redirect them to the confirmation and back, other routes return 403.
 */
export function recentlyProven(): SessionAccess<true> {
  return { ...signedIn(), recentProof: true }
}

/** For people in a browser, signed in or not. */
export function visitor(why: string): SessionAccess<false> {
  return { kind: 'session', required: false, why }
}

/** For operations that exist only in the sandbox. `authorize` rejects credentials of the live world with `sandbox_only`. */
export function inSandbox<K extends CallerKind>(access: TokenAccess<K>): TokenAccess<K> {
  return { ...access, sandboxOnly: true }
}

/** Whether browsers on any other origin may read the route, because a publishable key is public. */
export function servesBrowsers(access: Access): boolean {
  return access.kind === 'token' && access.holders.includes('publishable')
}
