import { Type } from 'typebox'
import { idOf, line, nullable, oneOf } from '#http/schema-fields.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { cancelOffering } from '#market/investments/index.ts'
import { Security } from '#market/offerings/http.ts'
import {
  closeOffering,
  createOffering,
  EXEMPTIONS,
  INTENDED_SECURITIES,
  inviteUser,
  openOffering,
  startClosing,
  updateOffering,
} from '#market/offerings/index.ts'
import { type FactType, factType } from './fact-type.ts'
import { AmountCents, Currency, Paragraphs, Time, withTimes } from './fields.ts'

const Amount = Type.Optional(nullable(Type.Unsafe<Cents>(AmountCents)))

const OPTIONAL = {
  name: Type.Optional(nullable(line(200))),
  description: Type.Optional(nullable(Paragraphs(10_000))),
  testing_the_waters: Type.Optional(Type.Boolean()),
  security: Type.Optional(nullable(Security)),
  intended_security: Type.Optional(nullable(oneOf(INTENDED_SECURITIES))),
  funding_target_cents: Amount,
  min_investment_cents: Amount,
  max_investment_cents: Amount,
  opens_at: Type.Optional(nullable(Time)),
  closes_at: Type.Optional(nullable(Time)),
  listed: Type.Optional(Type.Boolean()),
  accredited_only: Type.Optional(Type.Boolean()),
}

const WHICH = Type.Object({ id: idOf('offering') }, { additionalProperties: false })

const OFFERING = 'ofr_0ExampleNounOffering0000' as Id<'offering'>
const OTHER = 'ofr_0ExampleNounOther0000000' as Id<'offering'>
const CANCELED = 'ofr_0ExampleNounCanceled0000' as Id<'offering'>

export const offeringFacts: readonly FactType[] = [
  factType({
    type: 'offering.created',
    summary:
      'A company prepares an offering. With `raise` the offering belongs to that raise: an unknown id creates the raise, ' +
      'and all offerings of a raise have the same company and currency. Without `raise` the offering gets its own raise. ' +
      'Only an offering that tests the waters may omit its security.',
    data: Type.Object(
      {
        id: idOf('offering'),
        company: idOf('company'),
        raise: Type.Optional(idOf('raise')),
        currency: Currency,
        exemption: oneOf(EXEMPTIONS),
        ...OPTIONAL,
      },
      { additionalProperties: false },
    ),
    example: {
      id: OFFERING,
      company: 'co_0ExampleNounCompany00000' as Id<'company'>,
      raise: 'rse_0ExampleNounRaise0000000' as Id<'raise'>,
      currency: 'usd',
      exemption: 'reg_cf',
      name: 'Seed round',
      security: { type: 'safe', terms: { valuation_cap: '8000000', discount_percent: '20' } },
      funding_target_cents: 50_000_000 as Cents,
      min_investment_cents: 10_000 as Cents,
      closes_at: '2027-01-31T00:00:00Z',
      listed: true,
    },
    apply: (tx, data, { occasion }) => createOffering(tx, withTimes(data, 'opens_at', 'closes_at'), occasion),
  }),
  factType({
    type: 'offering.updated',
    summary:
      'Fields of an offering changed. Omitted fields do not change; null clears a field. Its exemption, its ' +
      'opening time and whether it tests the waters are fixed once it is open.',
    data: Type.Object(
      { id: idOf('offering'), exemption: Type.Optional(oneOf(EXEMPTIONS)), ...OPTIONAL },
      { additionalProperties: false },
    ),
    example: { id: OFFERING, description: 'For the second mill.', max_investment_cents: 10_000_000 as Cents },
    apply: (tx, data, { occasion }) => updateOffering(tx, withTimes(data, 'opens_at', 'closes_at'), occasion),
  }),
  factType({
    type: 'offering.user_invited',
    summary: 'A person was invited to a private or 506(b) offering. A repeat changes nothing.',
    data: Type.Object({ id: idOf('offering'), user: idOf('user') }, { additionalProperties: false }),
    example: { id: OFFERING, user: 'usr_0ExampleNounInvestor0000' as Id<'user'> },
    apply: (tx, data, { occasion }) => inviteUser(tx, data, occasion),
  }),
  factType({
    type: 'offering.opened',
    summary: 'An upcoming offering opened. It accepts investments, or reservations if it tests the waters.',
    data: WHICH,
    example: { id: OFFERING },
    apply: (tx, data, { occasion }) => openOffering(tx, data, occasion),
  }),
  factType({
    type: 'offering.closing',
    summary: 'An open offering stopped accepting investments; its funds await disbursement.',
    data: Type.Object(
      { id: idOf('offering'), expected_disbursement_at: Type.Optional(Time) },
      { additionalProperties: false },
    ),
    example: { id: OTHER, expected_disbursement_at: '2026-12-01T00:00:00Z' },
    apply: (tx, data, { occasion }) => startClosing(tx, withTimes(data, 'expected_disbursement_at'), occasion),
  }),
  factType({
    type: 'offering.closed',
    summary: 'The funds of a closing offering were disbursed; the raise is complete.',
    data: WHICH,
    example: { id: OTHER },
    apply: (tx, data, { occasion }) => closeOffering(tx, data, occasion),
  }),
  factType({
    type: 'offering.canceled',
    summary:
      'An offering that is not closed was canceled. Its active and reserved investments are canceled with it, each ' +
      'with its own event, and what was received for them is refunded.',
    data: WHICH,
    example: { id: CANCELED },
    apply: (tx, data, { occasion }) => cancelOffering(tx, data, occasion),
  }),
]
