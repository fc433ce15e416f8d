import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { sharedLookup } from '#system/postgres/shared-lookup.ts'
import { shortStatement } from '#system/postgres/statement.ts'
import { SHOWING_ROWS } from './detail.ts'

/**
 * Whose code it is, the last week that was released, and where the app may see more than ranges, all as of this request:
 * nobody reads rows by an installation that has ended.
 */
const LOOK = shortStatement<Look & { known: boolean }>(
  'referrals.look_at_stats',
  `select c.id is not null as known, (select max(week) from referral_weeks) as through,
          (select coalesce(json_agg(json_build_array(i.company_id, i.tier, i.scopes) order by i.company_id), '[]')
             from installations i
            where i.app_id = asked.app and i.state = 'active' and i.company_id is not null and i.scopes && $3)::text as entitled
     from unnest($1::text[], $2::text[]) with ordinality as asked (app, code, place)
     left join referral_codes c on c.id = asked.code and c.app_id = asked.app
    order by asked.place`,
)

export type Look = {
  readonly through: string | null
  /** JSON: `[company, tier, scopes]` of each installation that shows rows. */
  readonly entitled: string
}

export type Asking = { readonly app: Id<'app'>; readonly code: string }

/** Null for a code that is not the app's. Whoever asks in the same moment shares one statement. */
export function lookAtStats(db: WorldDatabase, { app, code }: Asking): Promise<Look | null> {
  return looks(db, `${app} ${code}`)
}

const looks = sharedLookup<Look | null>(async (db, keys) => {
  const asked = keys.map((key) => key.split(' '))
  const apps = asked.map(([app = '']) => app)
  const codes = asked.map(([, code = '']) => code)
  const rows = await db.short(LOOK, [apps, codes, SHOWING_ROWS])
  return rows.map(({ known, ...look }) => (known ? look : null))
})
