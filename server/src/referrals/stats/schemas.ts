import { type TSchema, Type } from 'typebox'
import { listOf, pageQuery } from '#http/pagination.ts'
import { INVESTMENT_STATES } from '#market/investments/index.ts'
import { AMOUNT_TIERS, TIMES_TO_INVEST } from '../credit/tiers.ts'
import { exactly, idOf, nullable, oneOf, RangeSchema, time } from '../fields.ts'

/** A year and the week in which it began: "never long", and yet not without end. */
export const WEEK_PAGES = { default: 53, max: 106 }
/** Rows, and ranges of companies, on a page: a week with more of them is continued on the next. */
export const ENTRIES_MAX = 1_000

export const StatsParam = Type.Object({ id: idOf('referralCode') })
export const StatsQuery = Type.Object(pageQuery(WEEK_PAGES))

const Week = Type.String({ pattern: '^[0-9]{4}-W(0[1-9]|[1-4][0-9]|5[0-3])$', description: 'ISO week, UTC.' })

const WITHHELD = 'Null: fewer than k people, or withheld so that such a group cannot be found by subtraction.'

const inRanges = (categories: readonly string[]) =>
  exactly(Object.fromEntries(categories.map((category) => [category, nullable(RangeSchema, WITHHELD)])))

const Group = exactly(
  {
    investors: RangeSchema,
    by_status: inRanges(INVESTMENT_STATES),
    by_amount_tier: inRanges(AMOUNT_TIERS),
    by_time_to_invest: inRanges(TIMES_TO_INVEST),
  },
  'ReferralGroup',
)

const row = {
  investment_token: Type.String({ description: 'Opaque; as in investment.referred.' }),
  investor_token: Type.String({ description: 'Opaque; another one at every company.' }),
  week: Week,
  amount_tier: oneOf(AMOUNT_TIERS),
  status: oneOf(INVESTMENT_STATES),
  time_to_invest: oneOf(TIMES_TO_INVEST),
}

const AnonymizedRow = exactly(row, 'ReferralAnonymizedRow')

const Investor = exactly({
  id: idOf('user'),
  name: Type.String(),
  email: Type.Optional(nullable(Type.String(), 'With read:investors:pii only.')),
})

const FullRow = exactly({ ...row, investment_id: idOf('investment'), investor: Investor }, 'ReferralFullRow')

const listed = (item: TSchema) => ({ rows: Type.Array(item), corrections: Type.Array(item) })
const part = <D extends string>(detail: D) => ({ company: idOf('company'), detail: Type.Literal(detail) })

const Company = Type.Union([
  exactly(
    {
      ...part('ranges'),
      since: Type.Unsafe<string>({
        ...Week,
        description:
          'The first week of which this tells. Those of earlier weeks of whom we heard too late are among them.',
      }),
      credited: nullable(Group, 'Whoever was newly credited. Null: fewer than k people, who wait for more.'),
      corrections: nullable(Group, 'Whoever was told before and is another now. Null: fewer than k people.'),
    },
    'ReferralRanges',
  ),
  exactly({ ...part('anonymized'), ...listed(AnonymizedRow) }, 'ReferralAnonymizedRows'),
  exactly({ ...part('full'), ...listed(FullRow) }, 'ReferralFullRows'),
])

const StatsWeek = exactly(
  {
    week: Week,
    published_at: time('The Monday on which the week was due. Nothing of a published week changes.'),
    k: Type.Integer({ description: 'Groups of fewer people were withheld.' }),
    companies: Type.Array(Company, {
      description:
        'Those of which there is something to tell; one that is not listed has fewer than k people, or none. A week with ' +
        'very many rows is continued on the next page, under the same name.',
    }),
  },
  'ReferralWeek',
)

export const StatsList = listOf(StatsWeek, {
  referral_code: idOf('referralCode'),
  published_through: nullable(Week, 'The last week that was published; null before the first.'),
  k: Type.Integer({ description: 'What holds for the next week.' }),
  request_id: Type.String(),
})
