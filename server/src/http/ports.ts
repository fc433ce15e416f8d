import type { Logger } from 'pino'
import type {
  AccountCaller,
  Caller,
  InstallationCaller,
  OperatorCaller,
  PlatformRole,
  ServerKeyCaller,
  UserCaller,
} from '#kernel/caller.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { ClientId, Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PurposeKeys } from '#system/crypto/keyring.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'
import type { PlatformDatabase, PlatformTx, StaleReads, Tx, WorldDatabase } from '#system/postgres/database.ts'
import type { Tracing } from '#system/tracing.ts'
import type { Counted, Sent } from './rate-limit.ts'
import type { Route } from './route.ts'

/**
 * Looks up the holder of a bearer token. `ended`: we issued the token, but it is no longer valid. Null: we never issued it, or
 * the purge has deleted it. `digest` is the token's SHA-256 in hex, if the edge has computed it already.
 */
export type TokenLookup = (bearer: string, digest?: string) => Promise<Caller | 'ended' | null>

/**
 * Looks up the key of an `Authorization: Basic` header; null if it is invalid. Counts wrong secrets as guesses, and the key's
 * own requests toward its limit. Over a limit, it throws `rateLimited(…)`.
 */
export type ServerKeyLookup = (
  authorization: string,
  around: { readonly address: string; readonly counted: Counted | null },
) => Promise<ServerKeyCaller | null>

export type SignIns = {
  /** The person who is signed in with the browser that sent this cookie; null if there is none. */
  find(cookieValue: string): Promise<AccountCaller | null>
  /**
   * Like `find`, with the facts that decide whether the person may act for the platform. Without this function only operator keys
   * may act for the platform.
   */
  findStaff?(cookieValue: string): Promise<StaffMember | null>
  /** The person who allowed the command line that sent this bearer, or null. Without this function no command line is served. */
  findCommandLine?(bearer: string): Promise<CommandLinePerson | null>
}

/** A signed-in person, and the facts that decide whether they may act for the platform. */
export type StaffMember = {
  readonly accountId: Id<'account'>
  readonly name: string
  readonly sessionHash: Buffer
  /** Null for a person who is not on the platform's staff. */
  readonly role: PlatformRole | null
  /** Whether the account has a second factor now. */
  readonly hasFactor: boolean
  /** Real time. Null if the person must first prove their second factor in this session, for the first time or again. */
  readonly endsAt: string | null
}

export type CommandLinePerson = {
  readonly caller: AccountCaller
  /** The page on which the person confirms who they are, for routes that need a recent proof. */
  readonly confirmUrl: string
}

export type RequestMetrics = { observe(operation: string, status: number, seconds: number): void }

/**
 * What an app did with the token of a user or an installation, or tried to do. It contains only ids and words of our own, and no
 * text from a caller.
 */
export type Action = {
  readonly caller: UserCaller | InstallationCaller
  /** The name from `actionOf`, such as `follows.create`. */
  readonly name: string
  readonly requestId: string
  /** A well-formed id. If the request was rejected, the record may not exist. */
  readonly resourceId: string | null
  /** The names of the fields in the body of a successful PATCH; null for every other request. */
  readonly changedFields: readonly string[] | null
}

type Success = { readonly status: 'success' }
type Refused = { readonly status: 'failure' | 'denied'; readonly errorType: string }

/** Called for the changes that apps make, or try to make, with the token of a user or an installation. */
export type ActionPort = {
  /** Records the action in the transaction of its work. */
  within(tx: Tx, action: Action): Promise<void>
  onPlatform(ptx: PlatformTx, action: Action): Promise<void>
  /** Records the action without a transaction. Neither waits nor throws, and may leave out repeated entries. */
  after(action: Action & (Success | Refused)): void
}

/** The reason of an operator's request, for every audit entry that its transaction writes. */
export type OperatorWhy = { readonly reason: string | null; readonly requestId: string }

/** An operator's read of data about people. */
export type OperatorRead = OperatorWhy & {
  readonly caller: OperatorCaller
  readonly operation: string
  /** The last id in the path; without one, the path's template. */
  readonly subject: string
  /** The ids of people in the query and the response, then the ids of the response's records. */
  readonly shown: readonly string[]
}

/** Called for changes by operators, and for their reads about people. Without this port the edge audits nothing. */
export type OperatorAuditPort = {
  /** Called first in the transaction of the change, so that its audit entries contain the request's id and the reason. */
  within(tx: Tx, why: OperatorWhy): Promise<void>
  onPlatform(ptx: PlatformTx, why: OperatorWhy): Promise<void>
  /** Resolves when the entry is stored. Only then is the response sent. */
  recordRead(read: OperatorRead): Promise<void>
}

/** A request of an app, for its team's log. It contains no text from a caller and names no person. */
export type LoggedRequest = {
  readonly appId: Id<'app'>
  readonly world: World
  readonly requestId: Id<'request'>
  readonly startedAtMs: number
  readonly method: string
  /** The path's template. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly credential: Exclude<Caller['kind'], 'operator'>
  readonly keyId: ClientId
  /**
   * The digest of the bearer token, by which limits count. The log does not store it. Null for a server key, and on a route
   * without limits.
   */
  readonly credentialDigest: string | null
  readonly installationId: Id<'installation'> | null
  readonly errorType: string | null
}

/** Called for every request that a valid credential of an app authenticated. Neither waits nor throws. */
export type RequestLogPort = { record(request: LoggedRequest): void }

/** The functions, databases and keys that the edge needs. `main` provides them. */
export type Ports = {
  readonly authenticate: TokenLookup
  /** For routes that serve `server_key`. Without this port HTTP Basic is rejected. */
  readonly serverKeys?: ServerKeyLookup
  readonly databases: Readonly<Record<World, WorldDatabase>>
  /** For routes with `stale: 'ok'`. Without this port they read the primary. */
  readonly staleReads?: StaleReads
  /** The platform's tables, which both worlds share. */
  readonly platform: PlatformDatabase
  readonly clock: WallClock
  readonly log: Pick<Logger, 'info' | 'warn' | 'error' | 'isLevelEnabled'>
  readonly metrics: RequestMetrics
  /** Seals the stored responses of idempotency keys, some of which contain a secret, and forms that wait for a confirmation. */
  readonly answers: SealedBox
  readonly limit?: LimitPort
  readonly actions?: ActionPort
  readonly requestLog?: RequestLogPort
  readonly operatorAudit?: OperatorAuditPort
  /** Absent or null if traces are not exported. */
  readonly tracing?: Tracing | null
  /** For routes that serve people. If there is such a route, the server does not start without this port. */
  readonly signIns?: SignIns
  /** The keys with which the edge makes and checks CSRF tokens. */
  readonly csrfKeys?: PurposeKeys
}

/** Counts one request. */
export type Limiter = (sent: Sent) => Counted

/**
 * Called once for every route at the start, so that a route without limits costs nothing later. A limiter runs before any lookup,
 * so that a rejected request costs only a count.
 */
export type LimitPort = {
  of(route: Route): Limiter | null
}
