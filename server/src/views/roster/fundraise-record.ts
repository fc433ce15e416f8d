import { type Static, Type } from 'typebox'
import { parseCents } from '#kernel/money.ts'
import { OFFERING_STATES, type OfferingState } from '#market/offerings/index.ts'
import {
  Count,
  ExemptionSchema,
  exactly,
  idOf,
  nullable,
  oneOf,
  SecuritySchema,
  Text,
  Time,
} from '#views/catalog/http.ts'
import { securityOf } from '#views/catalog/index.ts'
import type { FundraiseRow } from './store.ts'

const cents = (description: string) => nullable(Type.Integer(), `${description} In cents.`)

export const FundraiseSchema = exactly(
  {
    id: Type.Unsafe<FundraiseRow['id']>({
      ...idOf('offering'),
      description: 'The offering’s: see GET /offerings/{id}.',
    }),
    type: Type.Literal('fundraise'),
    attributes: exactly({
      kind: oneOf(
        ['round', 'spv'],
        '`round`: investors come in directly. `spv`: through a vehicle, of a syndicate or one that holds this company alone.',
      ),
      name: Type.String({ description: 'The company’s, where the offering has none of its own.' }),
      company: Type.Unsafe<FundraiseRow['company_id']>({
        ...idOf('company'),
        description: 'Who raises: this company, or the vehicle that holds it.',
      }),
      company_name: Text,
      status: oneOf<OfferingState>(
        OFFERING_STATES,
        '`open` takes investments, or reservations where it tests the waters.',
      ),
      testing_the_waters: Type.Boolean({ description: 'True: one reserves here, or did, and does not invest.' }),
      exemption: ExemptionSchema,
      security: nullable(SecuritySchema, 'Null while it is undecided.'),
      currency: Type.String({ description: 'ISO 4217, in small letters.', examples: ['usd'] }),
      amount_raised_cents: Type.Integer({
        minimum: 0,
        description: 'In this offering alone; where it tests the waters, reserved. In cents.',
      }),
      funding_target_cents: cents('What it means to raise.'),
      min_investment_cents: cents('The least one can put in.'),
      max_investment_cents: cents('The most.'),
      investor_count: Type.Unsafe<number>({ ...Count, description: 'Each counted once.' }),
      opened_at: nullable(Time, 'Null while it is upcoming.'),
      closes_at: nullable(Time, 'Null where there is no date, and once it is no longer open.'),
      closed_at: nullable(Time),
      created_at: Time,
      updated_at: Time,
    }),
  },
  'Fundraise',
)

/** A round of a company, or a vehicle that raises for it, as those see it who help to run the company. */
export function fundraiseRecord(row: FundraiseRow): Static<typeof FundraiseSchema> {
  const security = securityOf(row)
  return {
    id: row.id,
    type: 'fundraise',
    attributes: {
      kind: row.spv ? 'spv' : 'round',
      name: row.name ?? row.company_name,
      company: row.company_id,
      company_name: row.company_name,
      status: row.status,
      testing_the_waters: row.testing_the_waters,
      exemption: row.exemption,
      security: security.type === null ? null : security,
      currency: row.currency,
      amount_raised_cents: parseCents(row.raised_cents) ?? 0,
      funding_target_cents: parseCents(row.funding_target_cents),
      min_investment_cents: parseCents(row.min_investment_cents),
      max_investment_cents: parseCents(row.max_investment_cents),
      investor_count: row.investor_count,
      opened_at: row.status === 'upcoming' ? null : row.opens_at,
      closes_at: row.status === 'open' ? row.closes_at : null,
      closed_at: row.closed_at,
      created_at: row.created_at,
      updated_at: row.updated_at,
    },
  }
}
