import type { Logger } from 'pino'
import type { AccountCaller, Caller, InstallationCaller, ServerKeyCaller, UserCaller } from '#kernel/caller.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { World } from '#kernel/world.ts'
import type { PurposeKeys } from '#system/crypto/keyring.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'
import type { PlatformDatabase, PlatformTx, Tx, WorldDatabase } from '#system/postgres/database.ts'
import type { Counted, Sent } from './counted.ts'
import type { Route } from './route.ts'

/**
 * Who holds this bearer. `ended`: a credential of ours that is not in force right now; null: nothing we ever gave. `digest` is
 * its SHA-256 in hex, where the edge has made it already.
 */
export type TokenLookup = (bearer: string, digest?: string) => Promise<Caller | 'ended' | null>

/**
 * Which key this `Authorization: Basic` header proves to be, or null. Counts wrong secrets as guesses, and the key's own
 * requests on its limit: throws `rateLimited(…)`.
 */
export type ServerKeyLookup = (
  authorization: string,
  around: { readonly address: string; readonly counted: Counted | null },
) => Promise<ServerKeyCaller | null>

export type SignIns = {
  /** Who signed in with the browser that holds this cookie, or null when nobody is signed in with it right now. */
  find(cookieValue: string): Promise<AccountCaller | null>
  /** Who allowed the command line that sends this bearer, or null. Without it no command line is served. */
  findCommandLine?(bearer: string): Promise<CommandLinePerson | null>
}

export type CommandLinePerson = {
  readonly caller: AccountCaller
  /** Where the person confirms in a browser that it is them, for what needs a recent proof. */
  readonly confirmUrl: string
}

export type RequestMetrics = { observe(operation: string, status: number, seconds: number): void }

/** What an app did for a person, or tried to: ids and words of ours, and nothing that any caller typed. */
export type Action = {
  readonly caller: UserCaller | InstallationCaller
  /** As `actionOf` names the route: `follows.create`. */
  readonly name: string
  readonly requestId: string
  /** A well-formed id, which need not name anything where the app was rejected. */
  readonly resourceId: string | null
  /** Where single fields are changed: which were given. */
  readonly changedFields: readonly string[] | null
}

type Success = { readonly status: 'success' }
type Refused = { readonly status: 'failure' | 'denied'; readonly errorType: string }

/** Called for every action of an app for a user. */
export type ActionPort = {
  /** In the transaction that did it. */
  within(tx: Tx, action: Action): Promise<void>
  onPlatform(ptx: PlatformTx, action: Action): Promise<void>
  /** Without a transaction of its own. Neither waits nor throws, and may leave out repeated entries. */
  after(action: Action & (Success | Refused)): void
}

/** What the edge needs from outside; `main` fills it. */
export type Ports = {
  readonly authenticate: TokenLookup
  /** For routes that serve `server_key`; without it HTTP Basic proves nothing. */
  readonly serverKeys?: ServerKeyLookup
  readonly databases: Readonly<Record<World, WorldDatabase>>
  /** What both worlds share, for routes that work there. */
  readonly platform: PlatformDatabase
  readonly clock: WallClock
  readonly log: Pick<Logger, 'info' | 'warn' | 'error' | 'isLevelEnabled'>
  readonly metrics: RequestMetrics
  /** Seals the answers that idempotency keys replay, some of which show a secret, and forms that wait for a confirmation. */
  readonly answers: SealedBox
  readonly limit?: LimitPort
  readonly actions?: ActionPort
  /** For routes that serve people; a table with one of these does not start without them. */
  readonly signIns?: SignIns
  /** Makes and checks the tokens of forms (`csrf`). */
  readonly csrfKeys?: PurposeKeys
}

/** Counts one request. */
export type Limiter = (sent: Sent) => Counted

/**
 * Asked once for every route when the table is made, so that a route outside the limits costs nothing. A limiter is called
 * before anything is looked up: a rejected request has cost a count and nothing else.
 */
export type LimitPort = {
  of(route: Route): Limiter | null
}
