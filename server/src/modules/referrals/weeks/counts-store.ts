import type { Id } from '#kernel/ids.ts'
import { statement } from '#system/postgres/statement.ts'
import type { CountsOf } from '../codes/counts.ts'

type Row = {
  readonly code: Id<'referralCode'>
  readonly through_week: string
  readonly investors_min: string | null
  readonly investors_max: string | null
}

const COUNTS = statement<Row>(
  'referrals.code_counts',
  `select c.id as code, w.week as through_week, n.investors_min, n.investors_max
     from referral_codes c
     join lateral (select w.week from referral_weeks w
                    where w.begins_at + interval '168 hours' > c.created_at
                    order by w.begins_at desc limit 1) w on true
     left join referral_code_counts n on n.code_id = c.id
    where c.app_id = $1 and c.id = any($2)`,
)

/** As of the last week released since there is the code: what its ranges add up to, and no more than that. */
export const countsOf: CountsOf = async (queries, app, codes) => {
  const rows = await queries.many(COUNTS, [app, codes])
  return new Map(
    rows.map(({ code, through_week, investors_min: min, investors_max: max }) => {
      const investors = min === null ? null : { min: Number(min), max: max === null ? null : Number(max) }
      return [code, { through_week, investors }]
    }),
  )
}
