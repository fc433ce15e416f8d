import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Target } from './client-address.ts'
import type { corsHeaders } from './cors.ts'
import type { InputReader } from './input/read-input.ts'
import type { KnownPath } from './known-paths.ts'
import type { OpenDocument } from './open-document.ts'
import type { Limiter, Ports } from './ports.ts'
import type { Presentation } from './render-error.ts'
import type { ErrorStyle, Route } from './route.ts'
import type { BrandHeaders } from './security-headers.ts'
import type { HttpSettings } from './settings.ts'
import type { OperationSteps } from './version-steps.ts'

/** What is compiled from a route's schemas. */
export type CompiledSchemas = {
  readonly readInput: InputReader
  /** For each status that the route declares a body for: writes the body through its schema. */
  readonly writers: Readonly<Record<number, (body: unknown) => string>>
}

/** A route with everything about it that can be worked out before the first request. */
export type ServedRoute = {
  readonly route: Route
  /** Compiles the schemas when it is called for the first time: for all routes at once that takes a second. */
  readonly schemas: () => CompiledSchemas
  readonly steps: OperationSteps
  /** What the route's work is called in a user's activity; null where it is not recorded. */
  readonly action: string | null
  /** Anyone may read it: it is sent compressed and with an ETag. */
  readonly isOpenDocument: boolean
  /** Null outside the limits. */
  readonly limiter: Limiter | null
  /** Whether pages of every origin may call it and read its answers (`cors.ts`). */
  readonly allowsAnyOrigin: boolean
}

/** What every part of the edge works with, made once. */
export type Edge = {
  readonly ports: Ports
  readonly settings: HttpSettings
  readonly names: BrandHeaders
  /** `names.version` as our records of headers spell it. */
  readonly versionHeader: string
  readonly cors: ReturnType<typeof corsHeaders>
  /** On every answer. */
  readonly headers: Readonly<Record<string, string>>
  readonly pathAt: (path: string) => KnownPath | null
  /** Where a request came from, as far as it can be believed. */
  readonly addressOf: (request: IncomingMessage) => string
  /** The host it was sent to, as far as that can be believed. */
  readonly hostOf: (request: IncomingMessage, target: Target) => string
  readonly presentations: Readonly<Record<ErrorStyle, Presentation>>
  /** What is sent to anyone, by its content. */
  readonly documents: (text: string | Buffer) => OpenDocument
  /** Ends each of the answers that go on, when the server closes. */
  readonly live: Set<() => void>
  readonly isClosing: () => boolean
  /** Connections whose request was answered before all of it had come. */
  readonly answeredEarly: WeakSet<Duplex>
}
