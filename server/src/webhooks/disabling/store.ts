import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldDatabase } from '#system/postgres/database.ts'
import { type DueIn, msUntil, statement } from '#system/postgres/statement.ts'
import type { DisabledReason } from '../endpoints/endpoint.ts'
import { type InWorld, lockLanes, ownWorld, worldText } from '../queue/store.ts'
import {
  DISABLED_AFTER_SECONDS,
  NOTICE_AFTER_SECONDS,
  NOTICE_EVERY_SECONDS,
  WARNED_AFTER_SECONDS,
} from './failing-step.ts'

type EndpointId = Id<'webhookEndpoint'>

/**
 * Finds endpoints that may need the next step, by the times of `failingStep`. `failingStep` itself decides after the
 * endpoint is locked.
 */
const FAILING = statement<{ endpoint_id: EndpointId }>(
  'webhooks.find_failing',
  `select endpoint_id from webhook_lanes
    where failing_since is not null and state = 'enabled'
      and ((failing_told = 0 and failing_since <= world_now() - make_interval(secs => ${NOTICE_AFTER_SECONDS})
            and (failing_told_at is null or failing_told_at <= world_now() - make_interval(secs => ${NOTICE_EVERY_SECONDS})))
           or (failing_told = 1 and failing_since <= world_now() - make_interval(secs => ${WARNED_AFTER_SECONDS}))
           or (failing_told > 0
               and last_delivery_at >= failing_since + make_interval(secs => ${DISABLED_AFTER_SECONDS})))
    order by failing_since limit $1`,
)

export async function findFailing(tx: Tx, limit: number): Promise<readonly EndpointId[]> {
  return (await tx.many(FAILING, [limit])).map(({ endpoint_id }) => endpoint_id)
}

/**
 * Uses the times of `FAILING`. Disabling has no time of its own: only a failed attempt after five days makes it due.
 * The write that records this attempt ends the job's wait (`watchWrites`).
 */
const NEXT = statement<DueIn>(
  'webhooks.next_failing',
  `select ${msUntil(
    `select min(case when failing_told = 0
                     then greatest(failing_since + make_interval(secs => ${NOTICE_AFTER_SECONDS}),
                                   failing_told_at + make_interval(secs => ${NOTICE_EVERY_SECONDS}))
                     when failing_told = 1 then failing_since + make_interval(secs => ${WARNED_AFTER_SECONDS}) end)
       from webhook_lanes where failing_since is not null and state = 'enabled'`,
    'world_now()',
  )} as due_in_ms`,
)

/** How long until the next notice about a failing endpoint. */
export async function nextFailingNoticeInMs({ reads }: Pick<WorldDatabase, 'reads'>): Promise<number | null> {
  return (await reads.one(NEXT)).due_in_ms
}

const LOCK_ENDPOINTS = statement<{ id: EndpointId }>(
  'webhooks.lock_endpoints_to_disable',
  `select id from platform.webhook_endpoints where id = any($1) and world = $2 order by id for no key update`,
)

export type FailingLane = {
  readonly endpoint: EndpointId
  readonly app: Id<'app'>
  readonly url: string
  readonly failing_since: string | null
  readonly notices: number
  readonly for_seconds: number | null
  readonly last_failure_after_seconds: number | null
  readonly since_notice_seconds: number | null
}

const LOOK = statement<FailingLane>(
  'webhooks.look_at_failing',
  `select w.id as endpoint, w.app_id as app, w.url, l.failing_since, l.failing_told as notices,
          extract(epoch from world_now() - l.failing_since)::double precision as for_seconds,
          extract(epoch from l.last_delivery_at - l.failing_since)::double precision as last_failure_after_seconds,
          extract(epoch from world_now() - l.failing_told_at)::double precision as since_notice_seconds
     from platform.webhook_endpoints w join webhook_lanes l on l.endpoint_id = w.id
    where w.id = any($1) and w.state = 'enabled' and l.state = 'enabled' order by w.id`,
)

/** Locks endpoints, then lanes, as fan-out does. A new statement then reads which endpoints are still enabled. */
export async function lockEnabled(tx: Tx, endpoints: readonly EndpointId[]): Promise<FailingLane[]> {
  await tx.many(LOCK_ENDPOINTS, [endpoints, tx.world])
  await lockLanes(ownWorld(tx), endpoints)
  return tx.many(LOOK, [endpoints])
}

const DISABLE_ENDPOINT = statement(
  'webhooks.disable_endpoint',
  `update platform.webhook_endpoints set state = 'disabled', disabled_reason = $2, updated_at = clock_timestamp()
    where id = $1`,
)

const DISABLE_LANE = statement(
  'webhooks.disable_lane',
  `update webhook_lanes set state = 'disabled', slots = 1, failing_told = 3 where endpoint_id = $1`,
)

export async function disableRows(tx: Tx, endpoint: EndpointId, reason: DisabledReason): Promise<void> {
  await tx.run(DISABLE_ENDPOINT, [endpoint, reason])
  await tx.run(DISABLE_LANE, [endpoint])
}

const SET_NOTICES_SENT = statement(
  'webhooks.set_failing_told',
  `update webhook_lanes
      set failing_told = $2, failing_told_at = case when $2 = 1::smallint then world_now() else failing_told_at end
    where endpoint_id = $1`,
)

export async function setNoticesSent(tx: Tx, endpoint: EndpointId, notices: number): Promise<void> {
  await tx.run(SET_NOTICES_SENT, [endpoint, notices])
}

type Installations = readonly Id<'installation'>[]
type WebhooksEndpointId = Id<'webhookEndpoint'>

const LOCK_BOUND = worldText<{ id: WebhooksEndpointId }>(
  'webhooks.lock_bound',
  () => 'select id from platform.webhook_endpoints where installation_id = any($1) order by id for update',
)

/** Overwrites an earlier reason, because an endpoint of a revoked installation can never be enabled again. */
const DISABLE = worldText(
  'webhooks.disable_bound',
  () => `update platform.webhook_endpoints
    set state = 'disabled', disabled_reason = 'installation_revoked', updated_at = clock_timestamp()
  where id = any($1) and state <> 'removed'`,
)

const DISABLE_LANES = worldText(
  'webhooks.disable_bound_lanes',
  (schema) => `update ${schema}webhook_lanes set state = 'disabled' where endpoint_id = any($1) and state = 'enabled'`,
)

/** Locks endpoints, then lanes, each in the order of ids. */
export async function disableBound(here: InWorld, installations: Installations): Promise<void> {
  const endpoints = (await here.many(LOCK_BOUND, [installations])).map(({ id }) => id)
  if (endpoints.length === 0) return
  await here.run(DISABLE, [endpoints])
  await lockLanes(here, endpoints)
  await here.run(DISABLE_LANES, [endpoints])
}
