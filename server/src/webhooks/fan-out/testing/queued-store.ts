import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { EVENT_JOINS, PROJECTED_COLUMNS, type ProjectedRow, receiverJoins } from '../../projection/projected-store.ts'
import { DELIVERY_BATCH_COLUMNS, membersOf } from '../../queue/store.ts'

const QUEUED = statement<ProjectedRow & { readonly id: Id<'delivery'>; readonly endpoint_id: Id<'webhookEndpoint'> }>(
  'webhooks.testing_queued',
  `select q.id, q.endpoint_id, ${PROJECTED_COLUMNS}
     from (select id::text as id, endpoint_id, installation_id, event_id, api_version from delivery_queue
           union all
           select id, endpoint_id, installation_id, event_id, api_version
             from (${membersOf(`select ${DELIVERY_BATCH_COLUMNS} from delivery_parcels p`)}) packed) q
     ${receiverJoins('q')} ${EVENT_JOINS}
    where w.app_id = any($1) order by e.recorded_at, q.id`,
)

/** The waiting deliveries of these apps' endpoints, oldest event first, with the columns that a send reads. */
export function queuedFor(queries: WorldQueries, apps: readonly Id<'app'>[]) {
  return queries.many(QUEUED, [apps])
}
