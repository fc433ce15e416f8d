import type { App } from '../api/client.ts'

type Decided = { readonly requestedAt: string | null; readonly decidedAt: string | null }

/**
 * Returns since when a request waits for the platform's decision, or null if it does not wait. A request waits, as in
 * `GET /platform/requests`, if the app is active and the last decision is older than the request. The record still has
 * the time of a request after its decision. All times have one format, so their texts compare as times.
 */
export function waitingSince({ attributes: { status } }: App, { requestedAt, decidedAt }: Decided): string | null {
  if (status !== 'active' || requestedAt === null) return null
  return decidedAt === null || requestedAt > decidedAt ? requestedAt : null
}
