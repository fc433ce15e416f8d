import type { ClientId, Id } from './ids.ts'
import type { World } from './world.ts'

/**
 * Who is calling, decided once at the edge. `scopes` is the implied closure of what was granted, computed by
 * the token-lookup port; nothing after that expands it.
 */
type AppCaller = {
  readonly world: World
  readonly appId: Id<'app'>
  /** The key the credential was obtained with, or is. */
  readonly keyId: ClientId
  readonly scopes: ReadonlySet<Scope>
  readonly apiVersion: string
}

/** A publishable key: the anonymous public view. */
export type PublishableCaller = AppCaller & { readonly kind: 'publishable' }
/** A client-credentials token: the app itself, no user. */
export type ClientCaller = AppCaller & { readonly kind: 'client' }
/** A user who authorized the app. */
export type UserCaller = AppCaller & { readonly kind: 'user'; readonly userId: Id<'user'> }
/** The app on a company, syndicate or user it is installed on. */
export type InstallationCaller = AppCaller & {
  readonly kind: 'installation'
  readonly installationId: Id<'installation'>
}
/** The app's server: a confidential key that proved itself by HTTP Basic. No user, and no token that could be kept. */
export type ServerKeyCaller = AppCaller & {
  readonly kind: 'server_key'
  /** The SHA-256 of the secret that was sent: what the key mints ends with it. */
  readonly secretDigest: Buffer
}
/** The host platform's own systems. */
export type OperatorCaller = {
  readonly kind: 'operator'
  readonly world: World
  readonly operatorKeyId: Id<'operatorKey'>
}

/** The holder of a credential. Each belongs to one world. */
export type Caller =
  | PublishableCaller
  | ClientCaller
  | UserCaller
  | InstallationCaller
  | ServerKeyCaller
  | OperatorCaller
export type CallerKind = Caller['kind']

/** A person who signed in with a browser. No world: which one they act in, the page they are on decides. */
export type AccountCaller = {
  readonly kind: 'account'
  readonly accountId: Id<'account'>
  readonly name: string
  readonly email: string
  /** Names the browser they signed in with, for signing out. */
  readonly sessionHash: Buffer
  /** How long ago they last proved who they are: by signing in, or by confirming it since. */
  readonly provenSecondsAgo: number
}

/** For code that names a caller who is not present. */
type NamedAccount = Pick<AccountCaller, 'kind' | 'accountId'>

/**
 * What stays the same when a caller's token is refreshed: idempotency keys belong to this and never to the token,
 * or a client that refreshed between two tries would do the thing twice.
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
      return `operator/${caller.operatorKeyId}`
    case 'account':
      return `account/${caller.accountId}`
  }
}

/** `action:resource`, as the specification writes scopes. Which ones exist is data, in the scope catalogue. */
export type Scope = `${'read' | 'write' | 'admin'}:${string}`
