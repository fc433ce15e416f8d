import { type Id, idPattern } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { sharedLookup } from '#system/postgres/shared-lookup.ts'
import { shortStatement } from '#system/postgres/statement.ts'
import { SHOWING_ROWS } from './detail.ts'

/**
 * Whose code it is, the last week that was released, and where that app may see more than ranges, all as of this request:
 * nobody reads rows by an installation that has ended.
 */
const LOOK = shortStatement<Look | { app: null }>(
  'referrals.look_at_stats',
  `select c.app_id as app, (select max(week) from referral_weeks) as through,
          (select coalesce(json_agg(json_build_array(i.company_id, i.tier, i.scopes) order by i.company_id), '[]')
             from installations i
            where i.app_id = c.app_id and i.state = 'active' and i.company_id is not null and i.scopes && $2)::text as entitled
     from unnest($1::text[]) with ordinality as asked (code, place)
     left join referral_codes c on c.id = asked.code
    order by asked.place`,
)

export type Look = {
  /** Of which the code is. Nobody else is told that there is one. */
  readonly app: Id<'app'>
  readonly through: string | null
  /** JSON: `[company, tier, scopes]` of each installation that shows rows. */
  readonly entitled: string
}

/** Null for what is no code. Whoever asks in the same moment shares one statement. */
export function lookAtStats(db: WorldDatabase, code: string): Promise<Look | null> {
  // Nobody has looked at it before, and what PostgreSQL cannot read would be everybody's error.
  return CODE.test(code) ? looks(db, code) : NONE
}

const NONE = Promise.resolve(null)
const CODE = new RegExp(idPattern('referralCode'))

const looks = sharedLookup<Look | null>(async (db, codes) => {
  const rows = await db.short(LOOK, [codes, SHOWING_ROWS])
  return rows.map((look) => (look.app === null ? null : look))
})
