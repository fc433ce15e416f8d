import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Current } from './current.ts'
import type { Pair } from './pair.ts'
import type { Said } from './said.ts'

const WRITE = statement(
  'referrals.write_tellings',
  `insert into referral_tellings as before
     (investment_id, code_id, company_id, now_status, now_tier, seen_status, seen_tier, told_status, told_tier, passed_over)
   select id, code, company, status, tier, nullif(seen_status, ''), nullif(seen_tier, ''),
          nullif(told_status, ''), nullif(told_tier, ''), passed = 'yes'
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
                 $10::text[])
       as looked (id, code, company, status, tier, seen_status, seen_tier, told_status, told_tier, passed)
   on conflict (investment_id) do update
     set now_status = excluded.now_status, now_tier = excluded.now_tier,
         seen_status = excluded.seen_status, seen_tier = excluded.seen_tier,
         told_status = excluded.told_status, told_tier = excluded.told_tier, passed_over = excluded.passed_over
     where (before.now_status, before.now_tier, before.seen_status, before.seen_tier, before.told_status, before.told_tier,
            before.passed_over)
           is distinct from
           (excluded.now_status, excluded.now_tier, excluded.seen_status, excluded.seen_tier, excluded.told_status,
            excluded.told_tier, excluded.passed_over)`,
)

/** What is so now, and what was said of it. What is hidden has no row, and so the rows have had what they had. */
export async function writeTellings(
  tx: Tx,
  all: readonly Current[],
  toldOf: (current: Current) => Said | null,
): Promise<void> {
  const seen = all.map((credited) => (credited.hidden ? credited.seen : credited))
  const told = all.map(toldOf)
  await tx.run(WRITE, [
    all.map(({ investment }) => investment),
    all.map(({ code }) => code),
    all.map(({ company }) => company),
    all.map(({ status }) => status),
    all.map(({ tier }) => tier),
    seen.map((said) => said?.status ?? ''),
    seen.map((said) => said?.tier ?? ''),
    told.map((said) => said?.status ?? ''),
    told.map((said) => said?.tier ?? ''),
    all.map(({ passedOver }) => (passedOver ? 'yes' : 'no')),
  ])
}

const tell = (name: string, which: string) =>
  statement(
    name,
    `update referral_tellings t set told_status = t.now_status, told_tier = t.now_tier
       from unnest($1::text[], $2::text[]) as pair (code, company)
      where t.code_id = pair.code and t.company_id = pair.company and t.waiting and t.told_status ${which}`,
  )
const TELL_NEW = tell('referrals.tell_new', 'is null')
const TELL_CHANGED = tell('referrals.tell_changed', 'is not null')

/** Of whoever was new at these, and of whoever had changed at those, the ranges now say what they are. */
export async function tellWaiting(
  tx: Tx,
  { credited, corrected }: { readonly credited: readonly Pair[]; readonly corrected: readonly Pair[] },
): Promise<void> {
  for (const [told, pairs] of [[TELL_NEW, credited] as const, [TELL_CHANGED, corrected] as const]) {
    if (pairs.length > 0) await tx.run(told, [pairs.map(({ code }) => code), pairs.map(({ company }) => company)])
  }
}
