import type { Counted, Sent } from './counted.ts'
import type { Route } from './route.ts'

/** Counts one request. */
export type Limiter = (sent: Sent) => Counted

/**
 * Asked once for every route when the table is made, so that a route outside the limits costs nothing. A limiter is called
 * before anything is looked up: a rejected request has cost a count and nothing else.
 */
export type LimitPort = {
  of(route: Route): Limiter | null
}
