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

/** Compiled from a route's schemas. */
export type CompiledSchemas = {
  readonly readInput: InputReader
  /** For each status with a body: writes the body through its schema. */
  readonly writers: Readonly<Record<number, (body: unknown) => string>>
}

/** A route with everything that can be computed before the first request. */
export type ServedRoute = {
  readonly route: Route
  /** Compiles the schemas at the first call: for all routes at once that would take a second. */
  readonly schemas: () => CompiledSchemas
  readonly steps: OperationSteps
  /** The action's name in a user's activity; null if it is not recorded. */
  readonly action: string | null
  /** Every visitor may read it: it is sent compressed and with an ETag. */
  readonly isOpenDocument: boolean
  /** Null for a route outside the limits. */
  readonly limiter: Limiter | null
  /** Whether pages of every origin may call it and read its responses (`cors.ts`). */
  readonly allowsAnyOrigin: boolean
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
  /** The client's address, as far as it can be trusted. */
  readonly addressOf: (request: IncomingMessage) => string
  /** The requested host, as far as it can be trusted. */
  readonly hostOf: (request: IncomingMessage, target: Target) => string
  readonly presentations: Readonly<Record<ErrorStyle, Presentation>>
  /** Public documents, by content. */
  readonly documents: (text: string | Buffer) => OpenDocument
  /** Ends the live responses when the server closes. */
  readonly live: Set<() => void>
  readonly isClosing: () => boolean
  /** Connections whose request was answered before it was complete. */
  readonly answeredEarly: WeakSet<Duplex>
}
