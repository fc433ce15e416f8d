import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { isParcelStopped } from '../../stopping/stopped-sql-store.ts'
import { attemptsText } from '../attempt.ts'
import type { Parcel } from './parcel.ts'

/** Between parcels, and between the members of one. JSON escapes control characters, so neither can stand inside. */
const [PARCEL_END, MEMBER_END] = ['\u001e', '\u001f']

/**
 * Parcels of which every member was delivered: out of their table, and into the history with what is told of each, place by
 * place. One that is gone was opened meanwhile; one of which something was stopped is left alone. Says which were recorded.
 * What is told comes as one text: in an array every quotation mark of it would be escaped, here and back there.
 */
const RECORD = statement<{ id: Id<'delivery'> }>(
  'webhooks.record_parcels',
  `with told as (
     select t.id, t.attempts from unnest($1::text[], string_to_array($2, U&'\\001e')) as t (id, attempts)),
   held as materialized (
     select p.id, p.endpoint_id, p.api_version, p.created_at, p.clock_ahead, p.delivery_ids, p.event_ids, p.installation_ids
       from delivery_parcels p
      where p.id = any($1) and not ${isParcelStopped('', 'p')} order by p.id for update),
   gone as (
     delete from delivery_parcels where id = any(array(select id from held)) returning id),
   kept as (
     insert into delivery_history (id, endpoint_id, installation_id, event_id, api_version, created_at, clock_ahead, state,
                                   attempts, ended_at)
     select member.id, held.endpoint_id, nullif(member.installation_id, ''), member.event_id, held.api_version,
            held.created_at, held.clock_ahead, 'delivered', member.attempts::jsonb, (select world_now())
       from held join told on told.id = held.id
      cross join lateral unnest(held.delivery_ids, held.event_ids, held.installation_ids,
                                string_to_array(told.attempts, U&'\\001f'))
              as member (id, event_id, installation_id, attempts))
   select id::text as id from gone`,
)

export async function recordParcels(db: WorldDatabase, parcels: readonly Parcel[]): Promise<readonly Id<'delivery'>[]> {
  const ids = parcels.map(({ id }) => id)
  const told = parcels.map((parcel) => attemptsOf(parcel).join(MEMBER_END)).join(PARCEL_END)
  return (await db.reads.many(RECORD, [ids, told])).map(({ id }) => id)
}

/** In the order of the members, whichever was answered first. */
function attemptsOf({ members, known }: Parcel): string[] {
  const told = new Map(known.map(({ recorded: { id, attempt } }) => [id, attempt]))
  return members.map(({ id }) => {
    const attempt = told.get(id)
    return attempt === undefined || attempt === null ? '[]' : attemptsText(attempt)
  })
}
