import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Target } from './client-address.ts'
import type { InputReader } from './input/read-input.ts'
import type { OpenDocument } from './open-document.ts'
import type { Limiter, Ports } from './ports.ts'
import type { Presentation } from './render-error.ts'
import type { ErrorStyle, Route } from './route.ts'
import type { BrandHeaders, BrowserAccess, corsHeaders } from './security-headers.ts'
import type { OperationSteps, VersionStep } from './version-steps.ts'

/**
 * The hosts that requests may name: the public address, or only names of this machine. `any` if no public address is set and
 * other machines can reach the service, because its names are then unknown.
 */
export type OwnHosts = 'any' | 'loopback' | { readonly publicOrigin: string }

export type HttpSettings = {
  /** The word in branded headers. */
  readonly brand: string
  /** Whether the public address is https. If it is, a header makes browsers use only https (HSTS). */
  readonly https: boolean
  /** The public address, if it is set. Forms must come from its pages. */
  readonly publicOrigin: string | null
  /** Other host names get 421. */
  readonly ownHosts: OwnHosts
  /** Whether a browser that opens a page under an IP address of this machine is redirected to `localhost`. */
  readonly pagesAtLocalhost: () => boolean
  /** Proxies whose X-Forwarded-For is trusted: addresses, ranges, `loopback`. */
  readonly trustedProxies: readonly string[]
  /** Gateways that write the traceparent of every request themselves. The traces of their requests are continued. */
  readonly traceParents: readonly string[]
  /** How long a confirmation of identity is valid (`recentlyProven`). */
  readonly proofSeconds: number
  /** How older versions' shapes differ from the newest, by operation. Each module declares the steps of its own records. */
  readonly versionSteps: readonly VersionStep[]
  readonly bodyBytesMax: number
  readonly headerBytesMax: number
  readonly connectionsMax: number
  /** How long a client may take to send its headers, and its whole request. A slower sender is cut off. */
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  /** A client that stops reading a response is cut off after this time at the earliest and twice this time at the latest. */
  readonly silenceTimeoutMs: number
  /** Longer than the usual 60 s of load balancers, so that the load balancer and not this server closes an idle connection. */
  readonly keepAliveTimeoutMs: number
}

/** A route may replace the 1 MiB of `bodyBytesMax`: facts may have 8 MiB, requests of the OAuth endpoints 64 KiB. */
export const HTTP_DEFAULTS: HttpSettings = {
  brand: 'wefunder',
  https: false,
  publicOrigin: null,
  ownHosts: 'any',
  pagesAtLocalhost: () => false,
  trustedProxies: [],
  traceParents: [],
  proofSeconds: 600,
  versionSteps: [],
  bodyBytesMax: 1_048_576,
  headerBytesMax: 16_384,
  connectionsMax: 10_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  silenceTimeoutMs: 60_000,
  keepAliveTimeoutMs: 65_000,
}

/** Compiled from a route's schemas. */
export type CompiledSchemas = {
  readonly readInput: InputReader
  /** For each status with a body: writes the body through its schema. */
  readonly writers: Readonly<Record<number, (body: unknown) => string>>
}

/** A route with everything that can be computed before the first request. */
export type ServedRoute = {
  readonly route: Route
  /** Compiles the schemas at the first call, because compiling those of all routes at once would take a second. */
  readonly schemas: () => CompiledSchemas
  readonly steps: OperationSteps
  /** The action's name in a user's activity; null if it is not recorded. */
  readonly action: string | null
  /**
   * Whether the route serves documents to every visitor (`open-document.ts`). Public ones are sent compressed and with an ETag.
   */
  readonly isOpenDocument: boolean
  /** Null for a route outside the limits. */
  readonly limiter: Limiter | null
  /** Whether pages of every origin may call the route and read its responses (`security-headers.ts`). */
  readonly allowsAnyOrigin: boolean
}

/** All routes of one path. */
export type KnownPath = {
  /** The methods of the path, for the Allow header. */
  readonly methods: readonly string[]
  readonly browsers: BrowserAccess | null
  readonly errorsAs: ErrorStyle
}

/** The shared parts of the edge, created once. */
export type Edge = {
  readonly ports: Ports
  readonly settings: HttpSettings
  readonly names: BrandHeaders
  /** `names.version` in lower case, as in our header records. */
  readonly versionHeader: string
  readonly cors: ReturnType<typeof corsHeaders>
  /** Sent with every response. */
  readonly headers: Readonly<Record<string, string>>
  readonly pathAt: (path: string) => KnownPath | null
  /** The client's address. Only entries of trusted proxies count. */
  readonly addressOf: (request: IncomingMessage) => string
  /** Whether the sender of the request is one of `traceParents`. */
  readonly isTraceParent: (request: IncomingMessage) => boolean
  /** The requested host. Only the headers of trusted proxies count. */
  readonly hostOf: (request: IncomingMessage, target: Target) => string
  readonly presentations: Readonly<Record<ErrorStyle, Presentation>>
  /** Public documents, by content. */
  readonly documents: (text: string | Buffer) => OpenDocument
  /** For each open live response, the function that ends it. The server calls these functions when it closes. */
  readonly live: Set<() => void>
  readonly isClosing: () => boolean
  /** Connections on which a response was sent before the whole request had arrived. */
  readonly respondedEarly: WeakSet<Duplex>
}
