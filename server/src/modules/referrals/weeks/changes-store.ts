import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Pair } from './pair.ts'
import type { Week } from './week.ts'

export type PairToTell = Pair & { readonly count: number }

const FIND_PAIRS = statement<PairToTell>(
  'referrals.pairs_to_tell',
  `with of_k as (select people_min from referral_weeks order by begins_at desc limit 2)
   select q.code_id as code, c.app_id as app, q.company_id as company, count(q.investment_id)::int as count
     from (select code_id, company_id, investment_id from referral_changes where applied_at < $1::timestamptz
           union all
           select code_id, company_id, investment_id from referral_tellings
            where waiting and (select people_min from of_k limit 1) < (select people_min from of_k offset 1)) as q
     join referral_codes c on c.id = q.code_id
    group by q.code_id, c.app_id, q.company_id order by q.code_id, q.company_id`,
)

/**
 * Where something was credited, or has changed, before the week was over. Who waits elsewhere goes on waiting unread, but for
 * a week with a smaller k than the one before, which looks at all who wait: otherwise groups that are large enough from then on would
 * appear when somebody in them does something, and tell that somebody did. The week itself is there already.
 */
export async function findPairsToTell(tx: Tx, { ends_at }: Week): Promise<PairToTell[]> {
  return tx.many(FIND_PAIRS, [ends_at])
}

const ALONG_INDEXES = statement<{ set: string }>(
  'referrals.look_along_indexes',
  `select pg_catalog.set_config('enable_seqscan', 'off', true)
          || pg_catalog.set_config('enable_bitmapscan', 'off', true)
          || pg_catalog.set_config('enable_hashjoin', 'off', true)
          || pg_catalog.set_config('enable_mergejoin', 'off', true)
          || pg_catalog.set_config('enable_hashagg', 'off', true) as set`,
)

/**
 * For the rest of the transaction. A few investments at a time are looked up among all, beside what this transaction itself
 * has just written of the others, of which the planner knows nothing yet: it would read all of that again each time.
 */
export async function lookAlongIndexes(tx: Tx): Promise<void> {
  await tx.one(ALONG_INDEXES)
}

/** A pair, of which everything up to this investment was taken. */
export type OpenPair = Pair & { readonly after: string }

type Taken = { readonly code: Id<'referralCode'>; readonly company: Id<'company'>; readonly investment: string }

/** What is noted, and with it whoever waits: so many of each pair. */
const TAKE = statement<Taken>(
  'referrals.take_changes',
  `with due as materialized (
     select pair.code, pair.company, part.investment_id
       from unnest($1::text[], $2::text[], $3::text[]) as pair (code, company, after)
      cross join lateral (
        select either.investment_id
          from ((select distinct q.investment_id from referral_changes q
                  where q.code_id = pair.code and q.company_id = pair.company
                    and q.investment_id > pair.after collate "C" and q.applied_at < $4::timestamptz
                  order by q.investment_id limit $5::int)
                union
                (select t.investment_id from referral_tellings t
                  where t.code_id = pair.code and t.company_id = pair.company and t.waiting
                    and t.investment_id > pair.after collate "C"
                  order by t.investment_id limit $5::int)) as either
         order by either.investment_id limit $5::int) as part),
   gone as (
     delete from referral_changes q using due
      where q.code_id = due.code and q.company_id = due.company and q.investment_id = due.investment_id)
   select code, company, investment_id as investment from due`,
)

/**
 * The next investments of these pairs. They are taken off the list before anybody looks at them, and looked at in another
 * statement: whatever changes meanwhile has noted itself again, for the next week.
 */
export async function takeChanges(
  tx: Tx,
  pairs: readonly OpenPair[],
  { ends_at, limit }: Pick<Week, 'ends_at'> & { readonly limit: number },
): Promise<Taken[]> {
  return tx.many(TAKE, [
    pairs.map(({ code }) => code),
    pairs.map(({ company }) => company),
    pairs.map(({ after }) => after),
    ends_at,
    limit,
  ])
}
