import { Type } from 'typebox'
import { SecuritySchema } from '../offering/offering-schema.ts'
import { Count, exactly, FETCHED_AT, idOf, nullable, oneOf, Text, Time, Url } from '../schemas.ts'

/** Money of companies is a decimal in a string, with its currency beside it. */
const Amount = (description: string) => nullable(Type.String({ examples: ['125000.00'] }), description)
const Currency = Type.String({ description: 'ISO 4217, in small letters.', examples: ['usd'] })

const ExemptionSchema = exactly(
  {
    family: oneOf(['reg_cf', 'reg_d', 'reg_a', 'reg_s', 'ecsp', 'other']),
    subtype: nullable(Text, '`506b` or `506c` of reg_d, where it is known.'),
    label: Text,
  },
  'Exemption',
)

const CurrentRaise = exactly(
  {
    offering_id: Type.String({ description: 'The round its page leads with.' }),
    offering_ids: Type.Array(Text, { description: 'All open legs of the raise that are in amount_raised.' }),
    testing_the_waters: Type.Boolean({ description: 'True: one reserves here and does not invest.' }),
    currency: Currency,
    amount_raised: Amount('Of all these legs together.'),
    funding_target: Amount('Of the round its page leads with.'),
    investor_count: nullable(Count, 'The legs’ counts together: who is in two legs counts in each.'),
    oversubscribed: Type.Boolean({ description: 'Whether more was raised than the target.' }),
    closes_at: nullable(Time),
  },
  'CurrentRaise',
)

const PastRound = exactly(
  {
    offering_id: nullable(Text, 'Null where it did not run here.'),
    source: oneOf(['platform', 'reported'], '`platform`: it ran here. `reported`: a founder says so.'),
    exemption: ExemptionSchema,
    currency: nullable(Text),
    amount_raised: Amount('What it raised.'),
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
    exemption: ExemptionSchema,
    security: nullable(SecuritySchema, 'Null where the round tests the waters.'),
    currency: Currency,
    amount_raised: Amount('Raised in this round alone.'),
    investor_count: nullable(Count),
    opened_at: nullable(Time),
    closed_at: nullable(Time),
  },
  'Round',
)

const Totals = exactly(
  {
    currency: nullable(Text, 'What is summed: amounts in another currency are in the rounds alone.'),
    raised_on_platform_all_time: Amount('All rounds together that ran here and the viewer can see.'),
    profile_total_raised: Amount('The current raise and the past rounds, as its page shows them.'),
    profile_reported_off_platform: Amount('How much of that a founder reports.'),
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
