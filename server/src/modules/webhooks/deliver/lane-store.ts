import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { LeasedLane } from './lane.ts'

/**
 * Lanes with something due that nobody has and that are not paused, the longest due first; failing ones if asked for. Its
 * next_due_at stays as it is while it is leased: a worker that dies leaves a lane behind that is due. Leases are real time
 * by the database's clock, which all workers share.
 */
const LEASE = statement<LeasedLane>(
  'webhooks.lease_lanes',
  `with due as (
     select endpoint_id from webhook_lanes
      where state = 'enabled' and next_due_at <= (select world_now())
        and (owner is null or lease_until < clock_timestamp())
        and (paused_until is null or paused_until <= (select world_now())) and ($4 or failing_since is null)
      order by next_due_at limit $3 for no key update skip locked)
   update webhook_lanes l set owner = $1, lease_until = clock_timestamp() + make_interval(secs => $2)
     from due where l.endpoint_id = due.endpoint_id
   returning l.endpoint_id, l.slots, l.by_id`,
)

export type Lease = { readonly owner: string; readonly seconds: number }

export type Leasing = { readonly limit: number; readonly alsoFailing: boolean }

export async function leaseLanes(
  db: WorldDatabase,
  { owner, seconds }: Lease,
  { limit, alsoFailing }: Leasing,
): Promise<LeasedLane[]> {
  return db.reads.many(LEASE, [owner, seconds, limit, alsoFailing])
}

/** In the order in which fan-out locks them, or the two would wait for each other. */
const RENEW = statement<{ endpoint_id: Id<'webhookEndpoint'> }>(
  'webhooks.renew_lanes',
  `with mine as (
     select l.endpoint_id, has.slots from webhook_lanes l
       join jsonb_to_recordset($3::jsonb) as has (endpoint_id text collate "C", slots integer) using (endpoint_id)
      where l.owner = $1 and l.state = 'enabled' order by l.endpoint_id for no key update of l)
   update webhook_lanes l set lease_until = clock_timestamp() + make_interval(secs => $2), slots = mine.slots
     from mine where l.endpoint_id = mine.endpoint_id
   returning l.endpoint_id`,
)

export type HeldLane = { readonly endpoint: Id<'webhookEndpoint'>; readonly slots: number }

/** Says which of them are still the owner's: one that was slow may have lost some, and some were disabled. */
export async function renewLanes(
  db: WorldDatabase,
  { owner, seconds }: Lease,
  lanes: readonly HeldLane[],
): Promise<readonly Id<'webhookEndpoint'>[]> {
  const has = lanes.map(({ endpoint, slots }) => ({ endpoint_id: endpoint, slots }))
  const renewed = await db.reads.many(RENEW, [owner, seconds, JSON.stringify(has)])
  return renewed.map(({ endpoint_id }) => endpoint_id)
}

const LOCK_OWN = statement<{ endpoint_id: Id<'webhookEndpoint'> }>(
  'webhooks.lock_own_lane',
  'select endpoint_id from webhook_lanes where endpoint_id = $1 and owner = $2 for no key update',
)

/** False where it is somebody else's by now. */
export async function lockOwnLane(tx: Tx, endpoint: Id<'webhookEndpoint'>, owner: string): Promise<boolean> {
  return (await tx.maybeOne(LOCK_OWN, [endpoint, owner])) !== null
}

const NEXT_DUE = statement<{ due_at: string }>(
  'webhooks.next_due',
  `select due_at
     from ((select due_at from delivery_queue where endpoint_id = $1 order by due_at limit 1)
           union all (select due_at from delivery_parcels where endpoint_id = $1 order by id limit 1)) next
    order by due_at limit 1`,
)

export async function findNextDue(queries: WorldQueries, endpoint: Id<'webhookEndpoint'>): Promise<string | null> {
  return (await queries.maybeOne(NEXT_DUE, [endpoint]))?.due_at ?? null
}

/**
 * Who swept the lane to its end says so; a sweep that was not finished, or was asked for meanwhile, is due at once. What is
 * due already is due from now on: a lane that is given up unfinished goes to the end of the line.
 */
const RELEASE = statement(
  'webhooks.release_lane',
  `update webhook_lanes
      set owner = null, lease_until = null, slots = $2, by_id = by_id and not $3,
          next_due_at = case when (by_id and not $3) or $4::timestamptz < world_now() then world_now() else $4 end,
          paused_until = $5
    where endpoint_id = $1`,
)

export type Released = {
  readonly slots: number
  readonly swept: boolean
  readonly nextDueAt: string | null
  /** World time. */
  readonly pausedUntil: string | null
}

export async function releaseLane(tx: Tx, endpoint: Id<'webhookEndpoint'>, released: Released): Promise<void> {
  const { slots, swept, nextDueAt, pausedUntil } = released
  await tx.run(RELEASE, [endpoint, slots, swept, nextDueAt, pausedUntil])
}
