import { type Static, Type } from 'typebox'
import { useLink } from '#hosted/invites/index.ts'
import { idOf, nullable } from '#http/schema-fields.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import {
  cancelInvestment,
  changeAmount,
  convertInvestment,
  executeInvestment,
  moveToOffering,
  recordInvestment,
  reinstate,
  resolveConversion,
} from '#market/investments/index.ts'
import {
  CODE_CHARS,
  CODE_PATTERN,
  carryCredit,
  creditInvestment,
  type NewlyInvested,
  recordVisit,
} from '#referrals/index.ts'
import { INVESTMENT, OFFERING } from './examples.ts'
import { type FactType, factType } from './fact-type.ts'
import { AmountCents, AmountCentsOrZero, Currency, Time, withTimes } from './fields.ts'
import { CheckState, INVESTOR_TEXTS, investmentStepFacts, rowAndTotals, WHICH } from './investment-step-facts.ts'

const Code = Type.String({ minLength: CODE_CHARS.min, maxLength: CODE_CHARS.max, pattern: CODE_PATTERN })

/** The referral that a host platform credits, if it credits investments itself. */
const Referral = Type.Object({ code: Code, clicked_at: Type.Optional(Time) }, { additionalProperties: false })

function reportedReferral(referral: Static<typeof Referral> | null | undefined): NewlyInvested['referral'] {
  return referral && withTimes(referral, 'clicked_at')
}

export const referralFacts: readonly FactType[] = [
  factType({
    type: 'referral.visited',
    summary:
      'A person with an account followed a link with a referral code to a company’s page, at occurred_at. An investment ' +
      'in that company within the window (30 days by default) is credited to the last such click. A code that ' +
      'does not exist or is paused is accepted and ignored. No event.',
    data: Type.Object({ user: idOf('user'), company: idOf('company'), code: Code }, { additionalProperties: false }),
    example: {
      user: 'usr_0ExampleNounInvestor0000' as Id<'user'>,
      company: 'co_0ExampleNounCompany00000' as Id<'company'>,
      code: 'spring-26',
    },
    apply: (tx, data, { occasion, settings }) =>
      recordVisit(tx, { ...data, clickedAt: occasion.occurredAt }, settings.referrals),
  }),
]

const RESERVATION = 'inv_0ExampleNounReserve00000' as Id<'investment'>
const SUCCESSOR = 'inv_0ExampleNounSuccessor000' as Id<'investment'>
const CANCELED = 'inv_0ExampleNounCanceled0000' as Id<'investment'>

/** Sorted by their usual order: committed, checked and paid, changed, perhaps canceled or converted, executed. */
export const investmentFacts: readonly FactType[] = [
  factType({
    type: 'investment.created',
    summary:
      'An investor committed to an open offering, or made a reservation if it tests the waters. The currency must be ' +
      'the offering’s. The checks default to those that the offering requires. `invite_link` names the link ' +
      'that the investor followed, if any. A host that credits investments itself names the code in `referral`, or ' +
      'null for no credit; otherwise the recorded clicks decide.',
    data: Type.Object(
      {
        id: idOf('investment'),
        offering: idOf('offering'),
        investor: idOf('user'),
        amount_cents: Type.Unsafe<Cents>(AmountCents),
        currency: Currency,
        ...INVESTOR_TEXTS,
        identity: Type.Optional(CheckState),
        accreditation: Type.Optional(CheckState),
        signature: Type.Optional(CheckState),
        review: Type.Optional(CheckState),
        invite_link: Type.Optional(idOf('inviteLink')),
        referral: Type.Optional(nullable(Referral)),
      },
      { additionalProperties: false },
    ),
    example: {
      id: INVESTMENT,
      offering: OFFERING,
      investor: 'usr_0ExampleNounInvestor0000' as Id<'user'>,
      amount_cents: 25_000 as Cents,
      currency: 'usd',
      message: 'Glad to be part of this.',
    },
    touches: ({ id, offering, investor, invite_link: link }) => ({
      changes: [id, ...(link === undefined ? [] : [link])],
      refersTo: [offering, investor],
      totalsOf: { investment: id, investor },
    }),
    apply: async (tx, { invite_link: link, referral, ...data }, { occasion, settings }) => {
      const investment = await recordInvestment(tx, data, occasion)
      if (link !== undefined) await useLink(tx, { link, investment }, occasion)
      const credited = { id: investment, referral: reportedReferral(referral) }
      await creditInvestment(tx, credited, { occasion, settings: settings.referrals })
    },
  }),
  ...investmentStepFacts,
  factType({
    type: 'investment.amount_changed',
    summary:
      'The amount of an investment or reservation changed. Zero cancels the investment, unless it is executed. A reinstatement ' +
      'restores the last amount that was not zero.',
    data: Type.Object(
      { id: idOf('investment'), amount_cents: Type.Unsafe<Cents>(AmountCentsOrZero) },
      { additionalProperties: false },
    ),
    example: { id: INVESTMENT, amount_cents: 50_000 as Cents },
    touches: rowAndTotals,
    apply: (tx, data, { occasion }) => changeAmount(tx, data, occasion),
  }),
  factType({
    type: 'investment.canceled',
    summary: 'An active investment or a reservation was canceled.',
    data: WHICH,
    example: { id: CANCELED },
    touches: rowAndTotals,
    apply: (tx, data, { occasion }) => cancelInvestment(tx, data, occasion),
  }),
  factType({
    type: 'investment.reinstated',
    summary:
      'A canceled investment or reservation is active or reserved again, with its last amount. Only within the grace period ' +
      '(7 days by default, from the occurred_at of the cancellation to that of this fact), and not in a canceled offering.',
    data: WHICH,
    example: { id: CANCELED },
    apply: (tx, data, { occasion, settings }) =>
      reinstate(tx, { ...data, graceDays: settings.reinstatementGraceDays }, occasion),
  }),
  factType({
    type: 'investment.moved',
    summary:
      'An active investment or a reservation moved to another offering of the same currency, of this company or of a ' +
      'vehicle. It is converted into a successor there, which keeps its status, payments, checks and attribution: ' +
      '`investment.created` for the successor, then `investment.converted` for the old investment. `successor` is the id of ' +
      'the new investment; without it we create one. This does not turn a reservation into an investment: send ' +
      '`investment.created`, then `investment.converted`.',
    data: Type.Object(
      { id: idOf('investment'), offering: idOf('offering'), successor: Type.Optional(idOf('investment')) },
      { additionalProperties: false },
    ),
    example: {
      id: CANCELED,
      offering: 'ofr_0ExampleNounOther0000000' as Id<'offering'>,
      successor: 'inv_0ExampleNounMoved0000000' as Id<'investment'>,
    },
    apply: async (tx, data, { occasion }) => {
      const successor = await moveToOffering(tx, data, occasion)
      await carryCredit(tx, { from: data.id, to: successor })
    },
  }),
  factType({
    type: 'investment.converted',
    summary:
      'An active investment or a reservation was converted into a successor: another investment of the same investor, ' +
      'created before, in any offering. `to` is null while the successor is unknown.',
    data: Type.Object({ id: idOf('investment'), to: nullable(idOf('investment')) }, { additionalProperties: false }),
    example: { id: RESERVATION, to: null },
    apply: (tx, data, { occasion }) => convertInvestment(tx, data, occasion),
  }),
  factType({
    type: 'investment.conversion_resolved',
    summary:
      'The successor of a conversion that named none became known. No event: the conversion was reported before.',
    data: Type.Object({ id: idOf('investment'), to: idOf('investment') }, { additionalProperties: false }),
    example: { id: RESERVATION, to: SUCCESSOR },
    apply: (tx, data, { occasion }) => resolveConversion(tx, data, occasion),
  }),
  factType({
    type: 'investment.executed',
    summary: 'The contracts of an active investment were fully executed and its funds released to the company.',
    data: WHICH,
    example: { id: INVESTMENT },
    touches: rowAndTotals,
    apply: (tx, data, { occasion }) => executeInvestment(tx, data, occasion),
  }),
]
