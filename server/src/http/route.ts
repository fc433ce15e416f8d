import type { Static, TSchema } from 'typebox'
import type { World } from '#kernel/world.ts'
import type { PlatformTx, StaleReads, Tx, WorldDatabase } from '#system/postgres/database.ts'
import type { Access, CallerOf, OpenAccess, SessionAccess, TokenAccess } from './access.ts'
import type { Browser } from './browser/cookies.ts'
import type { RawQuery } from './input/read-query.ts'
import type { Counted } from './rate-limit.ts'
import type { StoredJson } from './response-bodies.ts'
import type { Params } from './router.ts'
import type { Behaviour } from './versions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type MediaType = 'application/json' | 'application/x-www-form-urlencoded' | 'application/x-ndjson'

type ResponseSchemas = { readonly [status: number]: TSchema }

export type ResponseHeaders = Readonly<Record<string, string | readonly string[]>>

/** One of the declared responses: a status with the body of its schema. */
export type ResponseOf<R extends ResponseSchemas> = {
  [S in keyof R & number]: {
    readonly status: S
    readonly body: Static<R[S]> | StoredJson
    readonly headers?: ResponseHeaders
    /** Why the request was rejected, for the log: one of a fixed list of codes, never a text from a caller. */
    readonly refusal?: string
    /** True if nothing is left to record: the request changed nothing, or the route has recorded its action itself. */
    readonly unchanged?: boolean
  }
}[keyof R & number]

type ValueOf<S extends TSchema | undefined> = S extends TSchema ? Static<S> : undefined

type Request<A extends Access, P, Q, B> = {
  readonly caller: CallerOf<A>
  /** The browser, on routes for people. */
  readonly browser: A extends SessionAccess ? Browser : undefined
  readonly params: ValueOf<P extends TSchema | undefined ? P : undefined>
  readonly query: Q extends RawQuery ? RawQuery : ValueOf<Q extends TSchema | undefined ? Q : undefined>
  readonly body: ValueOf<B extends TSchema | undefined ? B : undefined>
  readonly requestId: string
  /** Why an operator sends the request: the reason that was sent, otherwise the reason stored with the key. Null for other callers. */
  readonly reason: string | null
  /** What the caller's API version changes, apart from the fields of records. */
  readonly behaviour: Behaviour
  /** One request header, for the few routes that read one (If-None-Match, Basic credentials, cookies). */
  readonly header: (name: string) => string | undefined
  /** Whether the request is a HEAD. It gets the headers of GET without the body, so no person sees the page. */
  readonly isHead: boolean
  /** The client's address, for limits; never logged or stored. */
  readonly address: string
  /** The counts of the request so far, for routes that count the request toward more limits. Null on routes without limits. */
  readonly counted: Counted | null
}

/**
 * The format of errors on a route: the envelope of the API, the body of RFC 6749 (but the envelope for 429), or a page for
 * people.
 */
export type ErrorStyle = 'envelope' | 'oauth' | 'page'

/** The texts of one operation in the reference, for functions that make several routes. */
export type OperationWords = { readonly summary: string; readonly description: string }

type Declaration<A extends Access, P, Q, B, R extends ResponseSchemas, V> = {
  /** The operation's name: in OpenAPI, in logs and metrics, and as the scope of idempotency keys. */
  readonly operation: string
  readonly method: Method
  /**
   * The path, with parameters as in `/companies/:company_id`, or with `*name` at the end for every path below. API routes also
   * have a path under `/api/v2`.
   */
  readonly path: string
  /** False for routes outside the API proper (health, pages, documents): they have no `/api/v2` path. */
  readonly alias?: boolean
  /** The accepted media types; JSON by default. An absent body is read as `{}`. */
  readonly accepts?: readonly MediaType[]
  /** The size of the largest accepted body, if it differs from the edge's default. */
  readonly bodyBytesMax?: number
  /**
   * `text`: the route gets the text of the body and parses it itself. The fact feed checks the items of a batch one by one,
   * while the edge would reject the whole batch because of one item. OAuth rejects repeated names in its own format.
   * `schema.body` then only documents the body. `unread`: the body is ignored.
   */
  readonly bodyAs?: 'text' | 'unread'
  /**
   * The route gets all values of all parameters. OAuth needs this, because a repeated name is an OAuth error.
   * `schema.query` then only documents the query.
   */
  readonly queryAs?: 'raw'
  readonly errorsAs?: ErrorStyle
  /**
   * `any`: pages of every origin may call the route and read all its responses. Only for routes with open access: such a route
   * uses nothing that a browser sends by itself, so a page of another site cannot misuse it.
   */
  readonly cors?: 'any'
  /** True for a page that apps link to: it is in the OpenAPI document. */
  readonly documented?: true
  /** A verb phrase of at most six words. Generated clients and Postman name the request after it. */
  readonly summary: string
  /** The longer explanation. Every operation of the OpenAPI document needs one (scripts/lint-openapi.ts). */
  readonly description?: string
  /** True for a removed route: it returns 410 to every caller, and is deprecated in the OpenAPI document. */
  readonly removed?: true
  /**
   * Errors of the route that do not follow from its declaration (openapi-errors.ts). They have the usual error format; an error
   * with its own body is declared in `schema.response`.
   */
  readonly errors?: readonly number[]
  /** The heading of the route in the reference. */
  readonly tag: string
  /**
   * For a route that changes something: the action's name in the user's activity (`GET /activity`), such as
   * `follows.create`. By default the name comes from method and path (`actionOf`).
   */
  readonly action?: string
  readonly access: A
  /**
   * What a route that creates a record returns when its Idempotency-Key is sent again: by default the 201 of the first request.
   * `ok`: 200 instead. `ok_before_newest`: 200 in all versions before the newest.
   */
  readonly replayedAs?: 'ok' | 'ok_before_newest'
  /**
   * The route may read from a replica, through `staleReads`. Only for data that every caller sees and that may be a few seconds
   * old. Rights, limits and the caller's own view are always read from `db`, the primary (docs/decisions/0045-read-replicas.md).
   */
  readonly stale?: 'ok'
  /**
   * A lookup that the route needs for every caller, usually to check whether a cached response is still valid. It runs at the
   * same time as the lookup of the caller, so that the most frequent reads wait once and not twice. At that time only the path is
   * matched, and the parameters are not validated.
   */
  readonly ahead?: (db: WorldDatabase, params: Params) => Promise<V>
  readonly schema: {
    readonly params?: P
    readonly query?: Q
    readonly body?: B
    readonly response: R
  }
  /**
   * The content type of a response that is not JSON. The body is then a string, or bytes that are already compressed. For
   * `image/*` the body is a picture, for CSV it is text that is sent in pieces, and for `text/event-stream` it is a live text
   * (response-bodies.ts). `application/json; charset=utf-8` is for JSON that is sent in pieces, and `application/json` for a
   * document that is not an operation of the API.
   */
  readonly contentType?:
    | 'text/html; charset=utf-8'
    | 'text/plain; charset=utf-8'
    | 'text/markdown; charset=utf-8'
    | 'text/css; charset=utf-8'
    | 'text/javascript; charset=utf-8'
    | 'text/csv; charset=utf-8'
    | 'text/event-stream'
    | 'image/svg+xml'
    | 'application/json; charset=utf-8'
    | 'application/json'
    | 'application/yaml'
    | 'application/rss+xml'
    | 'image/*'
}

/**
 * How the edge runs a route. A `handler` gets its caller's database and no transaction. For a `transaction` the edge opens a
 * transaction in its caller's world. For `platform` it opens a transaction on the platform's tables, which both worlds share. A
 * POST with one of these transactions also supports Idempotency-Key.
 */
type Work<A extends Access, P, Q, B, R extends ResponseSchemas, V> =
  | {
      readonly handler: (
        request: Request<A, P, Q, B> & {
          readonly db: A extends TokenAccess ? WorldDatabase : undefined
          /** Throws on a route without `stale: 'ok'`. */
          readonly staleReads: StaleReads
          /** The result of the route's `ahead`; rejects on a route without one. */
          readonly ahead: Promise<NoInfer<V>>
        },
      ) => Promise<ResponseOf<NoInfer<R>>>
    }
  | {
      /**
       * Open routes cannot have a transaction, because they have no world. If an open route declares one, its `tx` is `never`, and the
       * server does not start.
       */
      readonly transaction: (
        request: Request<A, P, Q, B> & { readonly tx: A extends OpenAccess ? never : Tx },
      ) => Promise<ResponseOf<NoInfer<R>>>
      /**
       * For signed-in people, who belong to no world: checks that they may act, and returns the world. It runs before every
       * request, and so before a stored response is repeated for an Idempotency-Key.
       */
      readonly inWorld?: (request: Pick<Request<A, P, Q, B>, 'caller' | 'params'>) => Promise<World>
    }
  | {
      readonly platform: (
        request: Request<A, P, Q, B> & { readonly ptx: A extends OpenAccess ? never : PlatformTx },
      ) => Promise<ResponseOf<NoInfer<R>>>
    }

/** A route with its types checked and erased, for the edge, the list of routes and the OpenAPI document. */
export type Route = Declaration<
  Access,
  TSchema | undefined,
  TSchema | undefined,
  TSchema | undefined,
  ResponseSchemas,
  unknown
> & {
  readonly work: 'handler' | 'transaction' | 'platform'
  readonly run: (request: never) => Promise<ResponseOf<ResponseSchemas>>
  readonly inWorld?: (request: never) => Promise<World>
}

export function route<
  const A extends Access,
  const R extends ResponseSchemas,
  P extends TSchema | undefined = undefined,
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  const Raw extends 'raw' | undefined = undefined,
  V = never,
>(
  definition: Declaration<A, P, Q, B, R, V> & { readonly queryAs?: Raw } & Work<
      A,
      P,
      Raw extends 'raw' ? RawQuery : Q,
      B,
      R,
      V
    >,
): Route {
  return {
    ...(definition as unknown as Declaration<Access, undefined, undefined, undefined, ResponseSchemas, unknown>),
    ...workOf(definition),
  }
}

function workOf(definition: object): Pick<Route, 'work' | 'run'> {
  for (const work of ['handler', 'transaction', 'platform'] as const) {
    const run: unknown = Reflect.get(definition, work)
    if (typeof run === 'function') return { work, run: run as Route['run'] }
  }
  throw new Error('a route needs a handler, a transaction or a platform function')
}
