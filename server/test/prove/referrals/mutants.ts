import { GUARDS, type Guards, groupRanges, passedOver, publishableRanges } from '#referrals/privacy/ranges.ts'
import { cohortRow, type ReleaseRules } from '#referrals/weeks/cohort.ts'
import type { Faults } from '../fault-injection.ts'
import { ONE_KEY } from './keys.ts'
import type { Wrong } from './play.ts'

/**
 * The product without one guard: the release gets another rule, a statement is sent with another text, a trigger is
 * dropped, or all tokens are made with one key. The attack is only meaningful if it finds each of these defects.
 */
export type Mutant = Wrong & { readonly name: string }

/** Sends the named statement with another text, and checks that the text differs. */
function altered(of: string, from: string, to: string): Faults {
  return {
    text: ({ name, text }) => {
      if (name !== of) return text
      if (!text.includes(from)) throw new TypeError(`${name} does not contain ${from}: this mutant changes nothing`)
      return text.replaceAll(from, to)
    },
  }
}

/** Returns a range for any number, for mutants that publish groups of fewer than k people. */
const anyRange: Guards['range'] = (people, k) => (people < k ? { min: people, max: people } : GUARDS.range(people, k))
const anybody: Guards = { ...GUARDS, enough: ({ size }) => size > 0, range: anyRange }

const correctsAtOnce: ReleaseRules['publishable'] = (all, k) => {
  const changed = all.filter(
    ({ published, status, tier }) => published !== null && (published.status !== status || published.tier !== tier),
  )
  return { ...publishableRanges(all, k), corrections: groupRanges(changed, k, anybody) }
}

const CANCELED = `(select count(*) from referral_credits c join investments i on i.id = c.investment_id
  where c.code_id = o.code_id and c.company_id = o.company_id and i.status = 'canceled')`

const LIVE = `(select nullif(count(distinct c2.investor_id), 0) from referral_credits c2 where c2.code_id = c.id)`

const WITHOUT_FIGURES = `(select code_id, week, company_id, ranges from referral_cohorts
  union all select distinct r.code_id, r.week, r.company_id, '"credited":null' from referral_rows r
   where not exists (select from referral_cohorts x
                      where x.code_id = r.code_id and x.week = r.week and x.company_id = r.company_id)) o`

const HAS_ROWS = `exists (select from referral_rows r join referral_weeks w on w.week = r.week
  where r.code_id = c.id and w.begins_at = $1::timestamptz) and s.began_at < $2`

const AS_THEY_CAME = `(select c.credited_at from referral_rows r join referral_credits c on c.investment_id = r.investment_id
   where r.code_id = $1 and r.week = p.week and r.token = e.token limit 1), e.token limit $10`

/** Mutants that are found by comparing two worlds that differ in one person. */
export const OF_PEOPLE: readonly Mutant[] = [
  {
    name: 'groups are published even if they have fewer than k people',
    rules: { publishable: (all, k) => publishableRanges(all, k, anybody) },
  },
  {
    name: 'investments are counted instead of people',
    faults: altered('referrals.credited_to_tell', 'c.investor_id as investor', 'c.investment_id as investor'),
  },
  { name: 'corrections are published one by one', rules: { publishable: correctsAtOnce } },
  {
    name: 'a released week shows the state at the time of reading',
    faults: altered('referrals.read_weeks', 'o.ranges as said', `o.ranges || ',"canceled":' || ${CANCELED} as said`),
  },
  {
    name: 'the counts of a code are computed at the time of reading',
    faults: altered('referrals.code_counts', 'n.investors_min,', `${LIVE} as investors_min,`),
  },
  {
    name: 'a company is listed although fewer than k people were credited there',
    faults: altered('referrals.read_weeks', 'referral_cohorts o', WITHOUT_FIGURES),
  },
  {
    name: 'a week is announced only where a person was credited',
    faults: altered('referrals.apps_active_in_week', 's.began_at < $2', HAS_ROWS),
  },
  {
    name: 'a person whom the app saw as a row counts in its ranges',
    rules: { passes: ({ hidden }) => passedOver({ hidden, known: false }) },
  },
  {
    name: 'the product does not record that the app had rows',
    schema: 'drop trigger installations_noted_for_referrals on test.installations',
  },
  {
    name: 'a person whom the app saw as a row counts as unknown under another code',
    faults: altered('referrals.credited_to_tell', 'e.app_id = c.app_id and', 'e.code_id = c.code_id and'),
  },
  {
    name: 'a person whom the app saw as a row counts as unknown when they invest again',
    faults: altered('referrals.credited_to_tell', 'e.investor_id = c.investor_id', 'e.investment_id = c.investment_id'),
  },
  {
    name: 'only people whose week was published while the app had rows count as known',
    faults: altered(
      'referrals.credited_to_tell',
      'e.credited_at <= s.until',
      `date_trunc('week', e.credited_at) + interval '7 days' <= s.until`,
    ),
  },
]

/** Mutants that are found by comparing two worlds that differ in the hidden investments. */
export const OF_HIDDEN: readonly Mutant[] = [
  {
    name: 'hidden investments have rows',
    rules: { row: (credited, ...rest) => cohortRow({ ...credited, hidden: false }, ...rest) },
    faults: altered('referrals.read_weeks', ' and not i.hidden', ''),
  },
  {
    name: 'hidden investments count in the ranges',
    rules: { passes: ({ known }) => passedOver({ hidden: false, known }) },
  },
]

/** Mutants that are found by comparing two worlds in which the same people invested in another order. */
export const OF_ORDER: readonly Mutant[] = [
  {
    name: 'rows are in the order of crediting',
    faults: altered('referrals.read_weeks', 'e.token limit $10', AS_THEY_CAME),
  },
]

/** Mutants that show the same token at two companies. */
export const OF_LINKS: readonly Mutant[] = [{ name: 'all tokens are made with one key', keyOf: () => ONE_KEY }]
