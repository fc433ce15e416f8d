import type { Subscription } from '#events/index.ts'
import type { Version } from '#http/versions.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { shortStatement, statement } from '#system/postgres/statement.ts'
import { shownTime } from '#system/postgres/world-clock.ts'
import { PREVIOUS_SECRETS } from '../../endpoints/secret-store.ts'
import { attemptsText } from '../../history/delivery.ts'
import type { ProjectedEvent, ReceivingInstallation } from '../../projection/entitlement.ts'
import {
  ACCOUNT_DISABLED,
  ACTION,
  APP_ACTIVE,
  CREATED_BY,
  HIDDEN,
  IDENTITY_ONLY,
  INSTALLATION_TARGET,
  receiverJoins,
} from '../../projection/projected-store.ts'
import { isDeliveryBatchStopped } from '../../queue/stop-store.ts'
import type { SealedSecrets } from '../../signature.ts'
import { NOW } from '../store.ts'
import type { DeliveryBatch, Member } from './delivery-batch.ts'

/**
 * Separators between delivery batches and between members. JSON escapes control characters, so the texts between them
 * contain neither.
 */
const [DELIVERY_BATCH_END, MEMBER_END] = ['\u001e', '\u001f']

/**
 * Moves delivery batches whose members were all delivered into the history, with the attempts of each member. A
 * delivery batch that no longer exists is skipped: another transaction has made each of its members a row of the queue. A
 * delivery batch with a stopped member is not changed. Returns the recorded ids. All attempts are passed as one text: in
 * an array PostgreSQL would have to unescape every quotation mark.
 */
const RECORD = statement<{ id: Id<'delivery'> }>(
  'webhooks.record_delivery_batches',
  `with outcome as (
     select t.id, t.attempts from unnest($1::text[], string_to_array($2, U&'\\001e')) as t (id, attempts)),
   held as materialized (
     select p.id, p.endpoint_id, p.api_version, p.created_at, p.clock_ahead, p.delivery_ids, p.event_ids, p.installation_ids
       from delivery_parcels p
      where p.id = any($1) and not ${isDeliveryBatchStopped('', 'p')} order by p.id for update),
   gone as (
     delete from delivery_parcels where id = any(array(select id from held)) returning id),
   recorded as (
     insert into delivery_history (id, endpoint_id, installation_id, event_id, api_version, created_at, clock_ahead, state,
                                   attempts, ended_at)
     select member.id, held.endpoint_id, nullif(member.installation_id, ''), member.event_id, held.api_version,
            held.created_at, held.clock_ahead, 'delivered', member.attempts::jsonb, (select world_now())
       from held join outcome on outcome.id = held.id
      cross join lateral unnest(held.delivery_ids, held.event_ids, held.installation_ids,
                                string_to_array(outcome.attempts, U&'\\001f'))
              as member (id, event_id, installation_id, attempts))
   select id::text as id from gone`,
)

export async function recordDeliveryBatches(
  db: WorldDatabase,
  deliveryBatches: readonly DeliveryBatch[],
): Promise<readonly Id<'delivery'>[]> {
  const ids = deliveryBatches.map(({ id }) => id)
  const outcome = deliveryBatches
    .map((deliveryBatch) => attemptsOf(deliveryBatch).join(MEMBER_END))
    .join(DELIVERY_BATCH_END)
  return (await db.reads.many(RECORD, [ids, outcome])).map(({ id }) => id)
}

/** Returns the attempts in the order of the members. */
function attemptsOf({ members, known }: DeliveryBatch): string[] {
  const outcome = new Map(known.map(({ recorded: { id, attempt } }) => [id, attempt]))
  return members.map(({ id }) => {
    const attempt = outcome.get(id)
    return attempt === undefined || attempt === null ? '[]' : attemptsText(attempt)
  })
}

export type FoundDeliveryBatch = {
  readonly id: Id<'delivery'>
  readonly endpoint_id: Id<'webhookEndpoint'>
  readonly api_version: Version
  readonly members: readonly Member[]
}

type Row = Omit<FoundDeliveryBatch, 'members'> & {
  readonly delivery_ids: string
  readonly event_ids: string
  readonly installation_ids: string
}

/** Selects each list of ids as one text, because the driver needs ten times as long for an array. */
const IDS = ['delivery_ids', 'event_ids', 'installation_ids']
  .map((column) => `array_to_string(p.${column}, ',') as ${column}`)
  .join(', ')

/**
 * A delivery batch is due from its creation. With `any(array[…])` the planner reads the index that begins with
 * endpoint_id, which has the order of this query.
 */
const FIND = shortStatement<Row>(
  'webhooks.find_delivery_batches',
  `select p.id::text as id, p.endpoint_id, p.api_version, ${IDS}
     from jsonb_to_recordset($2::jsonb) as want (endpoint_id text collate "C", count integer, known text[])
     join webhook_lanes lane on lane.endpoint_id = want.endpoint_id
      and lane.owner = $1 and lane.state = 'enabled' and lane.lease_until > clock_timestamp()
     cross join lateral (
       select d.id, d.endpoint_id, d.api_version, d.delivery_ids, d.event_ids, d.installation_ids
         from delivery_parcels d
        where d.endpoint_id = any(array[want.endpoint_id]) and d.id::text <> all (want.known)
        order by d.endpoint_id, d.id limit want.count) p
    order by p.id`,
)

export type Searching = {
  readonly endpoint: Id<'webhookEndpoint'>
  readonly count: number
  /** Delivery batches already in the worker's memory. */
  readonly known: readonly Id<'delivery'>[]
}

/** Returns the oldest delivery batches first. */
export async function findDeliveryBatches(
  db: WorldDatabase,
  owner: string,
  searching: readonly Searching[],
): Promise<FoundDeliveryBatch[]> {
  const wants = searching.map(({ endpoint, count, known }) => ({ endpoint_id: endpoint, count, known }))
  return (await db.short(FIND, [owner, JSON.stringify(wants)])).map(deliveryBatchOf)
}

function deliveryBatchOf({ id, endpoint_id, api_version, ...row }: Row): FoundDeliveryBatch {
  const [events, installations] = [row.event_ids.split(','), row.installation_ids.split(',')]
  const members = row.delivery_ids.split(',').map((delivery, at): Member => {
    const installation = installations[at] ?? ''
    return {
      id: delivery as Id<'delivery'>,
      event: (events[at] ?? '') as Id<'event'>,
      installation: installation === '' ? null : (installation as Id<'installation'>),
    }
  })
  return { id, endpoint_id, api_version, members }
}

export type Receiver = SealedSecrets & {
  readonly url: string
  readonly events: readonly Subscription[]
  readonly app_id: Id<'app'>
  readonly app_active: boolean
  /** World time of this statement. */
  readonly now: string
  /** Whether the lane also has due rows in the queue; false if the caller did not request it. */
  readonly rows_due: boolean
}

/** URL, secrets and app of the lanes that this worker leases now. */
const RECEIVERS = shortStatement<Receiver>(
  'webhooks.delivery_batch_receivers',
  `select w.id, w.url, w.secret, ${PREVIOUS_SECRETS}, w.events, a.id as app_id, ${APP_ACTIVE} as app_active, (${NOW}) as now,
          lane.endpoint_id = any($3)
            and coalesce((select d.due_at from delivery_queue d where d.endpoint_id = lane.endpoint_id
                           order by d.due_at, d.id limit 1) <= (select world_now()), false) as rows_due
     from webhook_lanes lane ${receiverJoins('lane')}
    where lane.endpoint_id = any($2) and lane.owner = $1 and lane.state = 'enabled'
      and lane.lease_until > clock_timestamp()`,
)

const EXISTING = shortStatement<{ id: Id<'delivery'> }>(
  'webhooks.existing_delivery_batches',
  'select id::text as id from delivery_parcels where id = any($1)',
)

/** `trace`: the W3C traceparent of the event's cause; null if the trace is not sampled. */
type ReadEvent = ProjectedEvent & { readonly trace: string | null }

const EVENTS = shortStatement<ReadEvent>(
  'webhooks.delivery_batch_events',
  `select e.id::text as id, e.name, ${shownTime('e', 'recorded_at')} as created_at, e.occurred_at, e.company_id,
          e.syndicate_id, e.user_id, e.installation_id, e.app_id, e.trace, e.data, e.identity, ${HIDDEN} as hidden,
          ${IDENTITY_ONLY} as identity_only, ${ACTION} as action, ${CREATED_BY} as created_by
     from events e where e.id = any($1)`,
)

type InstallationRow = Omit<ReceivingInstallation, 'target'> & {
  readonly target_type: ReceivingInstallation['target']['type']
  readonly target_id: string
}

const INSTALLATIONS = shortStatement<InstallationRow>(
  'webhooks.delivery_batch_installations',
  `select i.id, i.state, i.target_type, ${INSTALLATION_TARGET} as target_id, i.scopes,
          ${ACCOUNT_DISABLED} as "accountDisabled"
     from installations i where i.id = any($1)`,
)

type Wanted = {
  readonly endpoints: readonly Id<'webhookEndpoint'>[]
  readonly checkingRows: readonly Id<'webhookEndpoint'>[]
  readonly deliveryBatches: readonly Id<'delivery'>[]
  readonly events: readonly Id<'event'>[]
  readonly installations: readonly Id<'installation'>[]
}

/** The current data that decides whether and how members are sent. Each record is read once. */
export type Read = {
  readonly receivers: ReadonlyMap<Id<'webhookEndpoint'>, Receiver>
  readonly existing: ReadonlySet<Id<'delivery'>>
  readonly events: ReadonlyMap<Id<'event'>, ReadEvent>
  readonly installations: ReadonlyMap<Id<'installation'>, ReceivingInstallation>
}

export async function readForMembers(db: WorldDatabase, owner: string, wanted: Wanted): Promise<Read> {
  const [receivers, existing, events, installations] = await Promise.all([
    db.short(RECEIVERS, [owner, wanted.endpoints, wanted.checkingRows]),
    db.short(EXISTING, [wanted.deliveryBatches]),
    db.short(EVENTS, [wanted.events]),
    db.short(INSTALLATIONS, [wanted.installations]),
  ])
  return {
    receivers: new Map(receivers.map((one) => [one.id, one])),
    existing: new Set(existing.map(({ id }) => id)),
    events: new Map(events.map((one) => [one.id, one])),
    installations: new Map(
      installations.map(({ target_type: type, target_id: id, ...one }) => [one.id, { ...one, target: { type, id } }]),
    ),
  }
}
