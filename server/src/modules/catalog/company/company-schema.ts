import { Type } from 'typebox'
import { PAST_ROUND_EXEMPTIONS } from '#modules/companies/index.ts'
import { EXEMPTIONS } from '#modules/offerings/index.ts'
import { SecuritySchema } from '../offering/offering-schema.ts'
import { Count, exactly, FETCHED_AT, idOf, nullable, oneOf, Text, Time, Url } from '../schemas.ts'

const Amount = (description: string) =>
  nullable(Type.Integer({ examples: [12_500_000] }), `${description} In minor units of the currency.`)
const Currency = Type.String({ description: 'ISO 4217, in small letters.', examples: ['usd'] })

export const ExemptionSchema = oneOf(EXEMPTIONS, 'The rule under which it is sold.')

const CurrentRaise = exactly(
  {
    offering_id: Type.String({ description: 'The round its page leads with.' }),
    offering_ids: Type.Array(Text, { description: 'All open legs of the raise that are in amount_raised_cents.' }),
    testing_the_waters: Type.Boolean({ description: 'True: one reserves here and does not invest.' }),
    currency: Currency,
    amount_raised_cents: Amount('Of all these legs together.'),
    funding_target_cents: Amount('Of all these legs together; a leg that names none raises toward the others’.'),
    investor_count: nullable(Count, 'People in these legs, each counted once.'),
    oversubscribed: Type.Boolean({ description: 'Whether amount_raised_cents is more than funding_target_cents.' }),
    closes_at: nullable(Time, 'When the round its page leads with closes.'),
  },
  'CurrentRaise',
)

const PastRound = exactly(
  {
    offering_id: nullable(Text, 'Null where it did not run here.'),
    source: oneOf(['platform', 'reported'], '`platform`: it ran here. `reported`: a founder says so.'),
    exemption: oneOf(PAST_ROUND_EXEMPTIONS, 'The rule under which it was sold.'),
    currency: nullable(Text),
    amount_raised_cents: Amount('What it raised.'),
    investor_count: nullable(Count),
    opened_at: nullable(Time),
    closed_at: nullable(Time),
  },
  'PastRound',
)

const Round = exactly(
  {
    offering_id: idOf('offering'),
    current: Type.Boolean({ description: 'Whether it is open.' }),
    status: oneOf(['open', 'closing', 'closed']),
    testing_the_waters: Type.Boolean({ description: 'True: one reserves here, or did, and nothing is raised.' }),
    exemption: ExemptionSchema,
    security: nullable(SecuritySchema, 'Null where the round tests the waters.'),
    currency: Currency,
    amount_raised_cents: Amount(
      'Raised in this round alone. Null where it tests the waters: the offering tells what is reserved.',
    ),
    investor_count: nullable(Count, 'Null where the round tests the waters.'),
    opened_at: nullable(Time),
    closed_at: nullable(Time),
  },
  'Round',
)

const Totals = exactly(
  {
    currency: nullable(Text, 'What is summed: amounts in another currency are in the rounds alone.'),
    raised_on_platform_all_time_cents: Amount('The sum of rounds[].amount_raised_cents in this currency.'),
    profile_total_raised_cents: Amount('The current raise and the past rounds, as its page shows them.'),
    profile_reported_off_platform_cents: Amount('How much of that a founder reports.'),
    profile_includes_past_rounds: nullable(Type.Boolean(), 'Null where the viewer sees no round.'),
  },
  'CompanyTotals',
)

const CompanySchema = exactly(
  {
    id: idOf('company'),
    type: Type.Literal('company'),
    attributes: exactly({
      name: Text,
      tagline: nullable(Text),
      url: Url,
      logo_url: nullable(Url),
      card_image_url: nullable(Url),
      location: exactly({ city: nullable(Text), state: nullable(Text), country: nullable(Text) }),
      promotion_opt_in: Type.Boolean({ description: 'False when the company asked not to be promoted.' }),
      raising: Type.Boolean({ description: 'Whether a round that the viewer sees takes investments or reservations.' }),
      current_raise: nullable(CurrentRaise),
      past_rounds: Type.Array(PastRound),
      rounds: Type.Array(Round, { description: 'Every round here that the viewer can see, the newest first.' }),
      totals: Totals,
    }),
  },
  'Company',
)

export const OneCompany = exactly({ data: CompanySchema, meta: exactly(FETCHED_AT) })
