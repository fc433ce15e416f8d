import type { ClientId, Id } from './ids.ts'
import type { World } from './world.ts'

/**
 * The caller of a request, decided once at the edge. `scopes` contains the granted scopes and everything they imply; the token
 * lookup computes this set, and no later code expands it.
 */
type AppCaller = {
  readonly world: World
  readonly appId: Id<'app'>
  /** The key that obtained the credential; for a publishable key or a server key, the key itself. */
  readonly keyId: ClientId
  readonly scopes: ReadonlySet<Scope>
  readonly apiVersion: string
}

/** A publishable key. It reads the anonymous public view. */
export type PublishableCaller = AppCaller & { readonly kind: 'publishable' }
/** A client-credentials token. It acts for the app itself, without a user. */
export type ClientCaller = AppCaller & { readonly kind: 'client' }
/** A user who authorized the app. */
export type UserCaller = AppCaller & { readonly kind: 'user'; readonly userId: Id<'user'> }
/** The app on a company, syndicate or user it is installed on. */
export type InstallationCaller = AppCaller & {
  readonly kind: 'installation'
  readonly installationId: Id<'installation'>
}
/** The app's server: a confidential key that authenticated by HTTP Basic. It has no user and no token. */
export type ServerKeyCaller = AppCaller & {
  readonly kind: 'server_key'
  /** The SHA-256 of the secret that was sent. Tokens that the key obtains become invalid when this secret becomes invalid. */
  readonly secretDigest: Buffer
}
/**
 * The roles of the people and keys that run the platform, the one with the fewest rights first. Each role may do everything that
 * the roles before it may do.
 */
export const PLATFORM_ROLES = ['viewer', 'support', 'compliance', 'admin'] as const
export type PlatformRole = (typeof PLATFORM_ROLES)[number]

/** The host platform: one of its own systems with an operator key, or one of its people, signed in with a browser. */
export type OperatorCaller = {
  readonly kind: 'operator'
  /** The key's world. For a person, the world that the request names, or the route's default world (`admit-staff.ts`). */
  readonly world: World
  readonly actor: Id<'operatorKey'> | Id<'account'>
  /** The key's name, as given when it was created, or the person's name. */
  readonly name: string
  readonly role: PlatformRole
  /** For a key only: the reason recorded for its requests that give no reason of their own. */
  readonly reason: string | null
  /** Null for a key. */
  readonly session: StaffSession | null
}

/** The times are real time. */
export type StaffSession = {
  readonly hash: Buffer
  readonly endsAt: string
}

/** The holder of a credential. Every credential belongs to one world. */
export type Caller =
  | PublishableCaller
  | ClientCaller
  | UserCaller
  | InstallationCaller
  | ServerKeyCaller
  | OperatorCaller
export type CallerKind = Caller['kind']

/**
 * A person who signed in with a browser or a command line. An account has no world; the page or route decides which world a
 * request is about.
 */
export type AccountCaller = {
  readonly kind: 'account'
  readonly accountId: Id<'account'>
  readonly name: string
  readonly email: string
  /** Identifies the sign-in session, for signing out. */
  readonly sessionHash: Buffer
  /** How long ago the person last signed in or confirmed who they are. */
  readonly provenSecondsAgo: number
}

/** For code that acts on another account than the caller's. */
type NamedAccount = Pick<AccountCaller, 'kind' | 'accountId'>

/**
 * The identity stays the same when a caller's token is refreshed. Idempotency keys belong to this identity. If they belonged to
 * the token, a client that refreshes its token before a retry would run its request twice.
 */
export function callerIdentity(caller: Caller | AccountCaller | NamedAccount): string {
  switch (caller.kind) {
    case 'publishable':
    case 'client':
      return caller.appId
    case 'user':
      return `${caller.appId}/${caller.userId}`
    case 'installation':
      return `${caller.appId}/${caller.installationId}`
    case 'server_key':
      return `${caller.appId}/${caller.keyId}`
    case 'operator':
      // The same identity as on the person's other routes, so that one call discards all responses stored for the person.
      return caller.session === null ? `operator/${caller.actor}` : `account/${caller.actor}`
    case 'account':
      return `account/${caller.accountId}`
  }
}

/** `action:resource`, as in the specification. The scope catalogue lists the existing scopes. */
export type Scope = `${'read' | 'write' | 'admin'}:${string}`
