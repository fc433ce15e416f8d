import type { AccountCaller, Caller, CallerKind, Scope } from '#kernel/caller.ts'

/**
 * What it takes to call a route, declared where the route is declared and checked before its handler runs.
 * `open` looks at no credential and says why that is right; `token` names who may hold the credential and which
 * scopes open the door (any one of them; none listed means the kind of holder is enough); `session` is for people with
 * a browser, who are known by a cookie. The holder `server_key` is a confidential key sent as HTTP Basic: only routes that
 * name it look at that header, and the app must declare the scope.
 */
export type OpenAccess = { readonly kind: 'open'; readonly why: string }
export type TokenAccess<K extends CallerKind = CallerKind> = {
  readonly kind: 'token'
  readonly holders: readonly K[]
  readonly anyScope: readonly Scope[]
  /** The route exists in the test world alone: a live credential of any kind gets `sandbox_only`. */
  readonly sandboxOnly?: true
  /** Concerns both worlds: a credential of the sandbox must not decide it. */
  readonly liveOnly?: true
}
export type SessionAccess<Required extends boolean = boolean> = {
  readonly kind: 'session'
  /** Whether a person must have signed in. */
  readonly required: Required
  /** Why a stranger may come in too; empty where none may. */
  readonly why: string
  /** The person must have proved who they are within the last minutes (`PORTICO_STEP_UP_MINUTES`). */
  readonly recentProof?: true
}
export type Access = OpenAccess | TokenAccess | SessionAccess

/** The callers a handler behind this access can meet. */
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

/** Public reads: any credential of an app will do, and browsers on other origins may use a publishable key. */
export function publicRead(...anyScope: Scope[]): TokenAccess<'publishable' | 'client' | 'user' | 'installation'> {
  return { kind: 'token', holders: ['publishable', 'client', 'user', 'installation'], anyScope }
}

export function heldBy<K extends CallerKind>(holders: readonly K[], ...anyScope: Scope[]): TokenAccess<K> {
  return { kind: 'token', holders, anyScope }
}

export function user(...anyScope: Scope[]): TokenAccess<'user'> {
  return heldBy(['user'], ...anyScope)
}

export function operator(): TokenAccess<'operator'> {
  return heldBy(['operator'])
}

/** For what concerns both worlds at once, which a key of the sandbox must not change. */
export function liveOperator(): TokenAccess<'operator'> {
  return { ...operator(), liveOnly: true }
}

/** A person who has signed in; on pages, a visitor who has not is sent to sign in and comes back. */
export function signedIn(): SessionAccess<true> {
  return { kind: 'session', required: true, why: '' }
}

/**
 * A signed-in person who proved a short time ago who they are: for secrets, and for what ends or changes a way in. Others confirm
 * it first: pages send them to do so and back, other routes answer 403.
 */
export function recentlyProven(): SessionAccess<true> {
  return { ...signedIn(), recentProof: true }
}

/** A person with a browser, signed in or not. */
export function visitor(why: string): SessionAccess<false> {
  return { kind: 'session', required: false, why }
}

/** For what may be played with and never happens for real. */
export function inSandbox<K extends CallerKind>(access: TokenAccess<K>): TokenAccess<K> {
  return { ...access, sandboxOnly: true }
}

/** Routes a browser on any other origin may read, because a publishable key is meant to be seen by everybody. */
export function servesBrowsers(access: Access): boolean {
  return access.kind === 'token' && access.holders.includes('publishable')
}
