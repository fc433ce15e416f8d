import type { VersionStep } from './version-steps.ts'

/**
 * Which hosts requests may be for: the public address, or names of this machine only. `any` where no public address is set and
 * the service is reachable from elsewhere, because then nobody knows under which name.
 */
export type OwnHosts = 'any' | 'loopback' | { readonly publicOrigin: string }

export type HttpSettings = {
  /** The name in branded headers. */
  readonly brand: string
  /** Whether the public address is https: then browsers are instructed to stay with it. */
  readonly https: boolean
  /** The public address where it is set: forms must come from pages under it. */
  readonly publicOrigin: string | null
  /** Under which host names requests are answered; others get 421. */
  readonly ownHosts: OwnHosts
  /** Whether a browser that opens a page under an address of this machine is sent to `localhost`. */
  readonly pagesAtLocalhost: () => boolean
  /** Proxies whose word on where a request came from is believed: addresses, ranges, `loopback`. */
  readonly trustedProxies: readonly string[]
  /** For how long a person who proved who they are need not do so again (`recentlyProven`). */
  readonly proofSeconds: number
  /** How older versions' shapes differ from the newest, by operation. Each module declares those of its own records. */
  readonly versionSteps: readonly VersionStep[]
  readonly bodyBytesMax: number
  readonly headerBytesMax: number
  readonly connectionsMax: number
  /** Time for a client to send its headers, and the whole request: a slow sender is cut off. */
  readonly headersTimeoutMs: number
  readonly requestTimeoutMs: number
  /** Silence on a connection while an answer is under way: a reader that stopped reading is cut off after it, or twice it. */
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
