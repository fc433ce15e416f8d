import type { Id } from './ids.ts'
import type { Scope } from './scope.ts'
import type { World } from './world.ts'

/**
 * Who is calling, decided once at the edge. `scopes` is the implied closure of what was granted, computed by
 * whoever fills the token-lookup port; nothing after that expands it.
 */
type AppCaller = {
  readonly world: World
  readonly appId: Id<'app'>
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
/** The host platform's own systems. */
export type OperatorCaller = {
  readonly kind: 'operator'
  readonly world: World
  readonly operatorKeyId: Id<'operatorKey'>
}

export type Caller = PublishableCaller | ClientCaller | UserCaller | InstallationCaller | OperatorCaller
export type CallerKind = Caller['kind']

/**
 * What stays the same when a caller's token is refreshed: idempotency keys belong to this and never to the token,
 * or a client that refreshed between two tries would do the thing twice.
 */
export function callerIdentity(caller: Caller): string {
  switch (caller.kind) {
    case 'publishable':
    case 'client':
      return caller.appId
    case 'user':
      return `${caller.appId}/${caller.userId}`
    case 'installation':
      return `${caller.appId}/${caller.installationId}`
    case 'operator':
      return `operator/${caller.operatorKeyId}`
  }
}
