import type { Static, TSchema } from 'typebox'
import type { PlatformTx, Tx, WorldDatabase } from '#system/postgres/database.ts'
import type { Access, CallerOf, OpenAccess, SessionAccess, TokenAccess } from './access.ts'
import type { Browser } from './browser/cookies.ts'
import type { Counted } from './counted.ts'
import type { RawQuery } from './input/read-query.ts'
import type { StoredJson } from './response-bodies.ts'
import type { Params } from './router.ts'
import type { Behaviour } from './versions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type MediaType = 'application/json' | 'application/x-www-form-urlencoded' | 'application/x-ndjson'

type ResponseSchemas = { readonly [status: number]: TSchema }

export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>

/** One of the answers the route declared: a status with the body its schema promises. */
export type AnswerOf<R extends ResponseSchemas> = {
  [S in keyof R & number]: {
    readonly status: S
    readonly body: Static<R[S]> | StoredJson
    readonly headers?: AnswerHeaders
    /** Why this is a refusal, for the log: one of a fixed list of codes, and nothing that any caller typed. */
    readonly refusal?: string
    /** The request asked for what was so already, or the route has recorded it itself: nothing is left to record. */
    readonly unchanged?: boolean
  }
}[keyof R & number]

type ValueOf<S extends TSchema | undefined> = S extends TSchema ? Static<S> : undefined

type Request<A extends Access, P, Q, B> = {
  readonly caller: CallerOf<A>
  /** What pages need to know of the browser, where people are served. */
  readonly browser: A extends SessionAccess ? Browser : undefined
  readonly params: ValueOf<P extends TSchema | undefined ? P : undefined>
  readonly query: Q extends RawQuery ? RawQuery : ValueOf<Q extends TSchema | undefined ? Q : undefined>
  readonly body: ValueOf<B extends TSchema | undefined ? B : undefined>
  readonly requestId: string
  /** What the caller's version of the API makes different, beyond shapes. */
  readonly behaviour: Behaviour
  /** One request header, for the few routes that speak of one (If-None-Match, Basic credentials, cookies). */
  readonly header: (name: string) => string | undefined
  /** HEAD is answered as GET is, without the body; nobody sees a page by it. */
  readonly isHead: boolean
  /** Where the request came from, for limits; never logged or stored. */
  readonly address: string
  /** What limits have counted the request on so far, for routes that count it on more; null outside of them. */
  readonly counted: Counted | null
}

/**
 * How an error thrown on a route is rendered: in the envelope of the API, in the body of RFC 6749 (429 excepted, which
 * is the same everywhere), or as a page for people.
 */
export type ErrorStyle = 'envelope' | 'oauth' | 'page'

/** For helpers that make several routes: what each of them says of itself in the reference. */
export type OperationWords = { readonly summary: string; readonly description: string }

type Declaration<A extends Access, P, Q, B, R extends ResponseSchemas, V> = {
  /** The operation's name: in OpenAPI, in logs and metrics, and as the scope of idempotency keys. */
  readonly operation: string
  readonly method: Method
  /** With parameters as in `/companies/:company_id`. API routes are served under `/api/v2` as well. */
  readonly path: string
  /** False for what is no part of the API proper (health, pages, documents): it has no `/api/v2` twin. */
  readonly alias?: boolean
  /** Which kinds of body the route reads; JSON alone unless it says more. An absent body reads as `{}`. */
  readonly accepts?: readonly MediaType[]
  /** The largest body, where the edge's own limit is too small for what the route is for. */
  readonly bodyBytesMax?: number
  /**
   * The route is given the text of the body and reads it by itself: the items of a batch are judged one by one, where
   * the edge would reject all for the sake of one. `schema.body` then describes the body and checks nothing. `unread`: nothing
   * that could be sent would change the answer.
   */
  readonly bodyAs?: 'text' | 'unread'
  /**
   * The route is given every value of every parameter, as OAuth needs it, where a name given twice is an error of its
   * own kind. `schema.query` then describes the query and checks nothing.
   */
  readonly queryAs?: 'raw'
  readonly errorsAs?: ErrorStyle
  /**
   * `any`: pages of every origin may call the route and read all its answers. Only where access is open: nothing that a
   * browser sends by itself is looked at, so there is nothing a foreign page could borrow.
   */
  readonly cors?: 'any'
  /** True for a page that others link to and therefore have to know about: it is in the OpenAPI document. */
  readonly documented?: true
  /** A verb phrase of at most six words: clients and Postman name the request after it. */
  readonly summary: string
  /** What the summary has no room for. Every operation of the OpenAPI document needs one (scripts/lint-openapi.ts). */
  readonly description?: string
  /** Answers 410 to every caller, and is deprecated in the OpenAPI document. */
  readonly removed?: true
  /**
   * Errors that the route can answer with and that do not follow from its declaration (openapi-errors.ts). They have the
   * shape of every error; a body of its own stands among the responses.
   */
  readonly errors?: readonly number[]
  /** The heading of the reference under which the route is listed. */
  readonly tag: string
  /**
   * Of a route that changes something: what the user reads in their activity (`GET /activity`) after an app has called it
   * for them, as `follows.create`. Where it is left out, method and path make the name (action-name.ts).
   */
  readonly action?: string
  readonly access: A
  /**
   * A create repeats its 201 when its Idempotency-Key is sent again. `ok`: it answers 200 instead; `ok_before_newest`: only
   * in versions before the newest.
   */
  readonly replayedAs?: 'ok' | 'ok_before_newest'
  /**
   * What the route has to know for every caller, above all whether an answer that it keeps still holds. It is looked up while the
   * caller is: two waits become one, on the reads that are asked for most. Nothing has been checked yet but that the path
   * is the route's: the parameters are whatever was written there.
   */
  readonly ahead?: (db: WorldDatabase, params: Params) => Promise<V>
  readonly schema: {
    readonly params?: P
    readonly query?: Q
    readonly body?: B
    readonly response: R
  }
  /**
   * What the answer is when it is not JSON; the body is then a string, or for `image/*` a picture, for CSV text that is sent
   * piece by piece and for `text/event-stream` text that goes on (response-bodies.ts). JSON that is named here is sent piece by
   * piece too.
   */
  readonly contentType?:
    | 'text/html; charset=utf-8'
    | 'text/plain; charset=utf-8'
    | 'text/css; charset=utf-8'
    | 'text/javascript; charset=utf-8'
    | 'text/csv; charset=utf-8'
    | 'text/event-stream'
    | 'image/svg+xml'
    | 'application/json; charset=utf-8'
    | 'image/*'
}

/**
 * A route reads (`handler`, with its caller's world at hand) or changes something, inside the one transaction the edge
 * opened for it: in its caller's world (`transaction`) or in what both worlds share (`platform`). A POST of the latter
 * kinds also honours Idempotency-Key in that same transaction.
 */
type Work<A extends Access, P, Q, B, R extends ResponseSchemas, V> =
  | {
      readonly handler: (
        request: Request<A, P, Q, B> & {
          readonly db: A extends TokenAccess ? WorldDatabase : undefined
          /** What the route's `ahead` gives; an error for code that waits for it on a route without one. */
          readonly ahead: Promise<NoInfer<V>>
        },
      ) => Promise<AnswerOf<NoInfer<R>>>
    }
  | {
      /** Not where nobody's credential names a world: `tx` is then `never`, and such a table does not start. */
      readonly transaction: (
        request: Request<A, P, Q, B> & { readonly tx: A extends TokenAccess ? Tx : never },
      ) => Promise<AnswerOf<NoInfer<R>>>
    }
  | {
      readonly platform: (
        request: Request<A, P, Q, B> & { readonly ptx: A extends OpenAccess ? never : PlatformTx },
      ) => Promise<AnswerOf<NoInfer<R>>>
    }

/** A route whose types have been checked and forgotten: what the edge, the snapshot and OpenAPI work with. */
export type Route = Declaration<
  Access,
  TSchema | undefined,
  TSchema | undefined,
  TSchema | undefined,
  ResponseSchemas,
  unknown
> & {
  readonly work: 'handler' | 'transaction' | 'platform'
  readonly run: (request: never) => Promise<AnswerOf<ResponseSchemas>>
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
  throw new Error('a route does nothing')
}
