import type { VersionStep } from './version-steps.ts'

/**
 * The hosts that requests may name: the public address, or names of this machine only. `any` if no public address is set and
 * the service is reachable from other machines, because its name is then unknown.
 */
export type OwnHosts = 'any' | 'loopback' | { readonly publicOrigin: string }

export type HttpSettings = {
  /** The word in branded headers. */
  readonly brand: string
  /** Whether the public address is https: then a header makes browsers use only https (HSTS). */
  readonly https: boolean
  /** The public address if it is set: forms must come from its pages. */
  readonly publicOrigin: string | null
  /** Other host names get 421. */
  readonly ownHosts: OwnHosts
  /** Whether a browser that opens a page under an IP address of this machine is redirected to `localhost`. */
  readonly pagesAtLocalhost: () => boolean
  /** Proxies whose X-Forwarded-For is trusted: addresses, ranges, `loopback`. */
  readonly trustedProxies: readonly string[]
  /** How long a confirmation of identity is valid (`recentlyProven`). */
  readonly proofSeconds: number
  /** How older versions' shapes differ from the newest, by operation. Each module declares the steps of its own records. */
  readonly versionSteps: readonly VersionStep[]
  readonly bodyBytesMax: number
  readonly headerBytesMax: number
  readonly connectionsMax: number
  /** The time for a client to send its headers, and the whole request: a slow sender is cut off. */
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  /** A client that stops reading a response is cut off after one or two of these periods. */
  readonly silenceTimeoutMs: number
  /** Longer than the usual 60 s of load balancers, so that they and not we close an idle connection. */
  readonly keepAliveTimeoutMs: number
}

export const HTTP_DEFAULTS: HttpSettings = {
  brand: 'wefunder',
  https: false,
  publicOrigin: null,
  ownHosts: 'any',
  pagesAtLocalhost: () => false,
  trustedProxies: [],
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
