import type { Route } from './route.ts'

/** What was sent as a bearer: its digest, since the token itself goes nowhere, and whether it is a publishable key. */
export type SentCredential = { readonly digest: string; readonly publishable: boolean }

export type Counted = { readonly address: string; readonly credential: SentCredential | null }

/** Counts one request, and throws `rateLimited(…)` to refuse it. */
export type Limiter = (counted: Counted) => void | Promise<void>

/**
 * Asked once for every route when the table is made, so that a route outside the limits costs nothing. A limiter is called
 * before anything is looked up: whoever is refused has cost a count and nothing else.
 */
export type LimitPort = {
  of(route: Route): Limiter | null
  /** Told of an address that sent a credential nobody holds. */
  unknownCredential(address: string): void
}
