import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { shortStatement } from '#system/postgres/statement.ts'
import { PREVIOUS_SECRETS } from '../endpoints/secret-store.ts'
import { EVENT_JOINS, PROJECTED_COLUMNS, type ProjectedRow, receiverJoins } from '../projection/projected-store.ts'
import type { Wanted } from './held-lanes.ts'
import { SLOTS_MAX } from './ramp.ts'

export type DueDelivery = ProjectedRow & {
  readonly id: Id<'delivery'>
  readonly endpoint_id: Id<'webhookEndpoint'>
  /** Attempts made so far. */
  readonly attempt: number
  readonly url: string
  readonly secret: Buffer
  readonly previous_secrets: readonly Buffer[] | null
  readonly due_at: string
  /** World time of this statement. */
  readonly now: string
}

/** As text: made once for all rows of the statement. */
export const NOW = `select to_char(world_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

const OF_THE_QUEUE = 'd.id, d.endpoint_id, d.installation_id, d.event_id, d.api_version, d.attempt, d.due_at'

/**
 * Everything that is to be sent now, over all lanes at once, with what decides whether and how it may be: who may see
 * what, where to, and signed with what. Nothing is written to take a delivery up: the lease on its lane says whose it is,
 * and the owner knows what is under way. The limits are inside, too: a lane reads no more of its queue than it takes.
 * What is swept names its lane as one of a list, because the planner then has only the lane's own index to read it in order:
 * it would walk over everybody's deliveries by id, many times as dear with twenty lanes.
 * Over the pipelined connection, which nobody else of a worker uses: reading its rows takes half as long.
 */
const DUE = shortStatement<DueDelivery>(
  'webhooks.due_deliveries',
  `select q.id, q.endpoint_id, q.attempt, w.url, w.secret, q.due_at, (${NOW}) as now, ${PREVIOUS_SECRETS},
          ${PROJECTED_COLUMNS}
     from jsonb_to_recordset($2::jsonb)
            as want (endpoint_id text collate "C", count integer, busy text[],
                     sweeping boolean, after text collate "C", due_after timestamptz)
     join webhook_lanes lane on lane.endpoint_id = want.endpoint_id
      and lane.owner = $1 and lane.state = 'enabled' and lane.lease_until > clock_timestamp()
     ${receiverJoins('want')}
     cross join lateral (
       select few.id, few.endpoint_id, few.installation_id, few.event_id, few.api_version, few.attempt,
              few.due_at
         from ((select ${OF_THE_QUEUE} from delivery_queue d
                 where not want.sweeping and d.endpoint_id = want.endpoint_id and d.due_at <= (select world_now())
                   and (d.due_at, d.id) > (want.due_after, want.after) and d.id::text <> all (want.busy)
                 order by d.due_at, d.id limit least(want.count, ${SLOTS_MAX}))
               union all
               (select ${OF_THE_QUEUE} from delivery_queue d
                 where want.sweeping and d.endpoint_id = any(array[want.endpoint_id]) and d.id > want.after
                   and d.id::text <> all (want.busy)
                 order by d.endpoint_id, d.id limit least(want.count, ${SLOTS_MAX}))) few
        order by case when want.sweeping then null else few.due_at end, few.id
        limit want.count) q
     ${EVENT_JOINS}
    order by q.id`,
)

export async function findDue(db: WorldDatabase, owner: string, wanted: readonly Wanted[]): Promise<DueDelivery[]> {
  const wants = wanted.map(({ lane: { endpoint, busy, reading }, count }) => {
    return { endpoint_id: endpoint, count, busy: [...busy], ...reading.place }
  })
  return db.short(DUE, [owner, JSON.stringify(wants)])
}
