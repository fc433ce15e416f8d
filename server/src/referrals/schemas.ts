import { type Static, type TSchema, Type } from 'typebox'
import { listOf, pageQuery } from '#http/pagination.ts'
import { exactly, idOf, nullable, oneOf, time } from '#http/schema-fields.ts'
import type { Id } from '#kernel/ids.ts'
import { LINE_PATTERN } from '#kernel/text.ts'
import { INVESTMENT_STATES } from '#market/investments/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { CODE_CHARS, CODE_PATTERN, CODE_STATES, type ReferralCode } from './codes/code.ts'
import { AMOUNT_TIERS, TIMES_TO_INVEST } from './credit/tiers.ts'

/** A range on the wire. */
const RangeSchema = exactly(
  {
    min: Type.Integer({ minimum: 0, description: 'The smallest possible number of people.' }),
    max: nullable(Type.Integer(), 'The largest possible number of people; null: the range has no upper end.'),
  },
  'ReferralRange',
)

/** By default a year and one week: "never long". */
export const WEEK_PAGES = { default: 53, max: 106 }
/** Rows and company ranges on a page. A week with more continues on the next page. */
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
  investment_token: Type.String({ description: 'Opaque. The same token as in investment.referred.' }),
  investor_token: Type.String({ description: 'Opaque. The investor has a different token at every company.' }),
  week: Week,
  amount_tier: oneOf(AMOUNT_TIERS),
  status: oneOf(INVESTMENT_STATES),
  time_to_invest: oneOf(TIMES_TO_INVEST),
}

const AnonymizedRow = exactly(row, 'ReferralAnonymizedRow')

const Investor = exactly({
  id: idOf('user'),
  name: Type.String(),
  email: Type.Optional(
    nullable(Type.String(), 'Present only if the app’s installation on the company has read:investors:pii.'),
  ),
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
          'The first week that the ranges describe. The ranges also include people of earlier weeks whose investments were reported late.',
      }),
      credited: nullable(
        Group,
        'People who were newly credited. Null if they are fewer than k; then they wait for a later week.',
      ),
      corrections: nullable(
        Group,
        'People whose investments were published before and have changed since. Null: fewer than k people.',
      ),
    },
    'ReferralRanges',
  ),
  exactly({ ...part('anonymized'), ...listed(AnonymizedRow) }, 'ReferralAnonymizedRows'),
  exactly({ ...part('full'), ...listed(FullRow) }, 'ReferralFullRows'),
])

const StatsWeek = exactly(
  {
    week: Week,
    published_at: time(
      'The Monday on which the week was due. Published ranges never change. Rows of a hidden investment are left out.',
    ),
    k: Type.Integer({ description: 'Groups of fewer people than this were withheld.' }),
    companies: Type.Array(Company, {
      description:
        'The companies with something to report. A company that is not listed has fewer than k people, or none. A week with ' +
        'very many rows continues on the next page, with the same `week`.',
    }),
  },
  'ReferralWeek',
)

export const StatsList = listOf(StatsWeek, {
  referral_code: idOf('referralCode'),
  published_through: nullable(Week, 'The last week that was published; null before the first.'),
  k: Type.Integer({ description: 'The next week is published without groups of fewer people than this.' }),
  request_id: Type.String(),
})

const NAME_CHARS_MAX = 100

const CODE =
  'The text in links as ?ref=…: letters and digits, with hyphens between them. Upper and lower case count as equal.'
const code = (description: string) =>
  Type.String({ minLength: CODE_CHARS.min, maxLength: CODE_CHARS.max, pattern: CODE_PATTERN, description })

const NAME = 'The app’s own name for the code. Only the app and its team see it.'
const name = (description: string) =>
  Type.String({ minLength: 1, maxLength: NAME_CHARS_MAX, pattern: LINE_PATTERN, description })

const Status = oneOf(CODE_STATES, 'New investments are not credited to a paused code.')

/** "Counts on a code are as of the last published week, never live." */
export const CodeCounts = exactly(
  {
    through_week: Type.String({ description: 'The last week that was published.' }),
    investors: nullable(RangeSchema, 'The sum of the ranges published so far; null while there are none.'),
  },
  'ReferralCodeCounts',
)
type CodeCounts = Static<typeof CodeCounts>

const CodeSchema = exactly(
  {
    id: idOf('referralCode'),
    type: Type.Literal('referral_code'),
    attributes: exactly({
      code: code(CODE),
      name: name(NAME),
      status: Status,
      counts: nullable(
        CodeCounts,
        'As of the last published week, never live. Null until a week that ended after the code was created is published.',
      ),
      created_at: time('UTC, in the time of the world.'),
      updated_at: time('UTC, in the time of the world: when the code was last renamed, paused or resumed.'),
    }),
  },
  'ReferralCode',
)

export const OneCode = exactly(
  { data: CodeSchema, meta: exactly({ request_id: Type.String() }) },
  'ReferralCodeEnvelope',
)
export const CodeList = listOf(CodeSchema, {
  quota: Type.Integer({ description: 'How many codes an app can have in each mode.' }),
  request_id: Type.String(),
})

export const CodeParam = Type.Object({ id: idOf('referralCode') })
export const CodeQuery = Type.Object(pageQuery())

export const NewCode = exactly(
  {
    code: Type.Optional(code(`${CODE} Generated if omitted.`)),
    name: Type.Optional(name(`${NAME} Default: the code itself.`)),
  },
  'NewReferralCode',
)

export const CodeChange = exactly(
  { name: Type.Optional(name(NAME)), status: Type.Optional(Status) },
  'ReferralCodeChange',
)

export function codeRecord(row: ReferralCode, counts: CodeCounts | null): Static<typeof CodeSchema> {
  const { id, code, name, state: status, created_at, updated_at } = row
  return { id, type: 'referral_code', attributes: { code, name, status, counts, created_at, updated_at } }
}

/** Returns the counts of an app's codes. A code without an entry has none yet. */
export type CountsOf = (
  queries: WorldQueries,
  app: Id<'app'>,
  codes: readonly Id<'referralCode'>[],
) => Promise<ReadonlyMap<Id<'referralCode'>, CodeCounts>>
