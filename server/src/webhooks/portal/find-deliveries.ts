import { coveredBy, type Subscription } from '#events/index.ts'
import { type Id, newId, parseId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { DeliveryState } from '../history/delivery.ts'
import { readTime } from '../history/routes.ts'
import { type AppDelivery, aheadMs, type DeliveryFilter, type Here, scanDeliveries } from './delivery-store.ts'

export type DeliveryWish = {
  readonly mode?: World
  readonly status?: DeliveryState
  readonly types?: readonly Subscription[]
  readonly endpoint_id?: Id<'webhookEndpoint'>
  readonly since?: string
  readonly until?: string
  readonly q?: string
}

/**
 * The most deliveries that one statement reads, and the most statements that one request runs. If few of many deliveries
 * match, the page ends early.
 */
const SCAN = 2_000
const SCANS_MAX = 5

type Wanted = {
  readonly app: Id<'app'>
  /** The app's API version, which decides which events a wildcard covers. */
  readonly version: string
  readonly before: string | null
  readonly size: number
}

export type DeliveryPage = {
  readonly deliveries: readonly AppDelivery[]
  /** The next page has the deliveries before this id; null if there are none. */
  readonly next: Id<'delivery'> | null
}

/** Newest first. */
export async function findDeliveries(here: Here, wish: DeliveryWish, wanted: Wanted): Promise<DeliveryPage> {
  const { app, version, size } = wanted
  const { filter, highestId } = await filterOf(here, wish, version)
  const isCompared = filter.names !== null || filter.about !== null || filter.since !== null || filter.until !== null
  const scan = isCompared ? SCAN : size + 1
  const found: AppDelivery[] = []
  let before = earlier(wanted.before, highestId)
  for (let scans = 0; scans < SCANS_MAX && found.length <= size; scans++) {
    const { deliveries, next } = await scanDeliveries(here, app, filter, {
      before,
      scan,
      limit: size + 1 - found.length,
    })
    found.push(...deliveries)
    before = next
    if (next === null) break
  }
  const deliveries = found.slice(0, size)
  return { deliveries, next: found.length > size ? (deliveries.at(-1)?.id ?? null) : (before as DeliveryPage['next']) }
}

const earlier = (a: string | null, b: string | null) => (a === null || (b !== null && b < a) ? b : a)

async function filterOf(here: Here, wish: DeliveryWish, version: string) {
  const { status: state = null, types = [], endpoint_id, q } = wish
  const since = wish.since === undefined ? null : readTime('since', wish.since)
  const until = wish.until === undefined ? null : readTime('until', wish.until)
  const [delivery, event, endpoint] = [parseId('delivery', q), parseId('event', q), parseId('webhookEndpoint', q)]
  const exactly = delivery !== null ? { delivery } : event !== null ? { event } : null
  const filter: DeliveryFilter = {
    ...{ state, exactly, since, until },
    // If `q` and `endpoint_id` name two different endpoints, no delivery may match. `about: q` ensures this: it compares
    // `q` with the records of the event, which are never endpoints.
    endpoint: endpoint_id ?? endpoint,
    names: types.length === 0 ? null : coveredBy(types, version),
    about:
      exactly !== null || q === undefined || (endpoint !== null && (endpoint_id ?? endpoint) === endpoint) ? null : q,
    lowestId: since === null ? null : await lowestIdAt(here, since),
  }
  return { filter, highestId: until === null ? null : highestIdAt(until) }
}

/** The margin of the ids: an id is made just before its row, perhaps by the clock of another machine. */
const SLACK_MS = 3_600_000

const idAt = (ms: number) => newId('delivery', Math.max(0, Math.floor(ms)), (bytes) => bytes.fill(0))

/** Ids contain real time, and the world's clock was never further ahead of real time than it is now. */
async function lowestIdAt(here: Here, since: string): Promise<string> {
  return idAt(Date.parse(since) - (await aheadMs(here)) - SLACK_MS)
}

/** The real time in an id is never later than the delivery's world time, and never later than now. */
function highestIdAt(until: string): string {
  return idAt(Math.min(Date.parse(until), Date.now()) + SLACK_MS)
}
