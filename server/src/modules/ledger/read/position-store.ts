import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { SyncPlace } from './cursors.ts'

type TimeRow = {
  readonly position: string
  readonly head: string
  readonly epoch: string
  readonly now: string
  readonly gained: string | null
  readonly lost: string | null
}

const EDITS = `exists (select from company_people e where e.user_id = p.user_id and e.company_id = p.company_id
  and e.ended_at is null and e.role in ('founder', 'admin', 'editor'))`

/** "updated_since adds a 60-second safety margin": no batch takes that long from its first statement to its commit. */
const AT_TIME = statement<TimeRow>(
  'ledger.place_at_time',
  `select coalesce(
            case when l.published_at <= t.before then l.position end,
            (select b.last_position from ledger_batches b where b.published_at <= t.before
              order by b.published_at desc, b.last_position desc limit 1), 0)::text as position,
          l.position::text as head, l.epoch::text as epoch,
          (extract(epoch from world_now()) * 1000)::bigint::text as now, access.gained, access.lost
     from ledger l
     cross join (select to_timestamp($1::double precision / 1000) - interval '60 seconds' as before) t
     cross join (select max(p.changed_position) filter (where ${EDITS})::text as gained,
                        max(p.changed_position) filter (where not ${EDITS})::text as lost
                   from company_people p where p.user_id = $2 and p.changed_position is not null
                    and ($3::text is null or p.company_id = $3)) access`,
)

export type TimePlace = {
  readonly place: SyncPlace
  readonly now: number
  /** Where the user last became an editor of a company they edit now, and last ceased to be one of another; 0 if never. */
  readonly gained: number
  readonly lost: number
}

/** Whose access matters, and to which company; null: to all of them. */
type Whose = { readonly user: Id<'user'> | null; readonly company: Id<'company'> | null }

/** Where the ledger stood at a time: by itself if nothing was published since, else by its batches. */
export async function placeAtTime(queries: WorldQueries, time: number, whose: Whose): Promise<TimePlace> {
  const row = await queries.one(AT_TIME, [time, whose.user, whose.company])
  const now = Number(row.now)
  const place = { epoch: Number(row.epoch), position: Number(row.position), access: Number(row.head) }
  return { place: { ...place, asOf: Math.min(time, now) }, now, gained: Number(row.gained), lost: Number(row.lost) }
}

const RESTART = statement<{ position: string | null }>(
  'ledger.restart_position',
  'select min(start_position)::text as position from ledger_epochs where epoch > $1::bigint',
)

/**
 * After a restore positions are given again that a cursor of before may hold already. It continues from the lower of the
 * two: what was lost is read again, and nothing is skipped.
 */
export async function placeNow(queries: WorldQueries, place: SyncPlace): Promise<SyncPlace> {
  const { position } = await queries.one(RESTART, [place.epoch])
  const restart = position === null ? Number.POSITIVE_INFINITY : Number(position)
  return { ...place, position: Math.min(place.position, restart), access: Math.min(place.access, restart) }
}
