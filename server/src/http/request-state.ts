import type { AccountCaller, Caller } from '#kernel/caller.ts'
import type { BrandHeaders } from './brand-headers.ts'
import type { Browser } from './browser/browser.ts'
import type { corsHeaders } from './cors.ts'
import type { InputReader } from './input/read-input.ts'
import type { KnownPath } from './known-paths.ts'
import type { Limiter } from './limit-port.ts'
import type { Ports } from './ports.ts'
import type { Failure, Presentation } from './render-error.ts'
import type { ErrorStyle, Route } from './route.ts'
import type { HttpSettings } from './settings.ts'
import type { OperationSteps } from './version-steps.ts'
import type { Version } from './versions.ts'

/** What the edge learns about one request on its way. */
export type RequestState = {
  readonly startedMs: number
  /** Null where no route matched. */
  readonly route: Route | null
  version: Version
  caller: Caller | AccountCaller | null
  /** Null where no people are served. */
  browser: Browser | null
  errorsAs: ErrorStyle
  failure: Failure | null
}

/** A route with everything about it that can be worked out before the first request. */
export type ServedRoute = {
  readonly route: Route
  readonly readInput: InputReader
  readonly steps: OperationSteps
  /** What the route's work is called in a user's activity; null where it is not told. */
  readonly action: string | null
  /** Null where it is outside the limits. */
  readonly limiter: Limiter | null
}

/** What every part of the edge works with, made once. */
export type Edge = {
  readonly ports: Ports
  readonly settings: HttpSettings
  readonly names: BrandHeaders
  readonly cors: ReturnType<typeof corsHeaders>
  readonly baseHeaders: Readonly<Record<string, string>>
  readonly pathAt: (path: string) => KnownPath | null
  readonly presentations: Readonly<Record<ErrorStyle, Presentation>>
}

declare module 'fastify' {
  interface FastifyRequest {
    edge: RequestState
  }
  interface FastifyContextConfig {
    /** Absent where no route matched. */
    served?: ServedRoute
  }
}
