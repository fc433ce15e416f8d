import { Type } from 'typebox'
import { idOf, line, nullable, oneOf } from '#http/schema-fields.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import {
  CHECK_STATES,
  type Check,
  changeDetails,
  confirmInvestment,
  expectPayment,
  failPayment,
  hideInvestment,
  receivePayment,
  refundPayment,
  setCheck,
  unhideInvestment,
} from '#market/investments/index.ts'
import { INVESTMENT } from './examples.ts'
import { type FactType, factType, type Touches } from './fact-type.ts'
import { AmountCents, Paragraphs } from './fields.ts'

type Named = { readonly id: Id<'investment'> }

/** `touches` of a fact that changes only the row of its investment. */
const ownRow = ({ id }: Named): Touches => ({ changes: [id] })

/** `touches` of a fact that changes or locks its investment and the totals of the investor. */
export const rowAndTotals = ({ id }: Named): Touches => ({ changes: [id], totalsOf: { investment: id } })

/** The data of a fact that has only the id of its investment. */
export const WHICH = Type.Object({ id: idOf('investment') }, { additionalProperties: false })

export const CheckState = oneOf(CHECK_STATES)

/** Texts from the investor to the company. */
export const INVESTOR_TEXTS = {
  entity_name: Type.Optional(nullable(line(200))),
  message: Type.Optional(nullable(Paragraphs(5_000))),
  external_username: Type.Optional(nullable(line(100))),
}

const CONTRACTS_MAX = 20
const Contract = Type.Object(
  {
    name: nullable(line(100)),
    override_amount_cents: nullable(Type.Unsafe<Cents>(AmountCents)),
    early_bird: Type.Boolean(),
  },
  { additionalProperties: false },
)

/** A decimal greater than zero, as text: a share price is never a floating-point number. */
const PositiveDecimal = Type.String({ pattern: '^(?!0+(\\.0+)?$)[0-9]{1,18}(\\.[0-9]{1,10})?$' })
const Shares = Type.Object({ count: PositiveDecimal, average_price: PositiveDecimal }, { additionalProperties: false })

const check = (name: Check, summary: string) =>
  factType({
    type: `investment.${name}_changed`,
    summary,
    data: Type.Object({ id: idOf('investment'), state: CheckState }, { additionalProperties: false }),
    example: { id: INVESTMENT, state: 'passed' },
    touches: ownRow,
    apply: (tx, { id, state }, { occasion }) => setCheck(tx, { id, check: name, state }, occasion),
  })

/** Changes of an investment that do not change its state. None of them causes an event. */
export const investmentStepFacts: readonly FactType[] = [
  factType({
    type: 'investment.details_changed',
    summary:
      'The investor’s texts, the contracts or the shares of an investment changed. Omitted fields do not change. ' +
      'Null clears a field; contracts are replaced as a whole.',
    data: Type.Object(
      {
        id: idOf('investment'),
        ...INVESTOR_TEXTS,
        contracts: Type.Optional(Type.Array(Contract, { maxItems: CONTRACTS_MAX })),
        shares: Type.Optional(nullable(Shares)),
      },
      { additionalProperties: false },
    ),
    example: {
      id: INVESTMENT,
      entity_name: 'Hopper Holdings LLC',
      contracts: [{ name: 'SAFE', override_amount_cents: null, early_bird: true }],
    },
    touches: rowAndTotals,
    apply: (tx, data, { occasion }) => changeDetails(tx, data, occasion),
  }),
  check('identity', 'The investor’s identity check has a new state.'),
  check('accreditation', 'The investor’s accreditation check has a new state.'),
  check('signature', 'The signing of the contract has a new state.'),
  check('review', 'The platform’s own review has a new state.'),
  factType({
    type: 'investment.payment_pending',
    summary:
      'The investor sent the money, but it has not arrived. A reservation or a converted investment takes no payment.',
    data: WHICH,
    example: { id: INVESTMENT },
    touches: ownRow,
    apply: (tx, data, { occasion }) => expectPayment(tx, data, occasion),
  }),
  factType({
    type: 'investment.payment_failed',
    summary: 'The payment failed or was reversed; none of it is in escrow.',
    data: WHICH,
    example: { id: INVESTMENT },
    touches: ownRow,
    apply: (tx, data, { occasion }) => failPayment(tx, data, occasion),
  }),
  factType({
    type: 'investment.payment_refunded',
    summary: 'The money went back to the investor; none of it is in escrow.',
    data: WHICH,
    example: { id: INVESTMENT },
    touches: ownRow,
    apply: (tx, data, { occasion }) => refundPayment(tx, data, occasion),
  }),
  factType({
    type: 'investment.payment_received',
    summary: 'Money arrived: in_escrow_cents is the total in escrow for this investment now.',
    data: Type.Object(
      { id: idOf('investment'), in_escrow_cents: Type.Unsafe<Cents>(AmountCents) },
      { additionalProperties: false },
    ),
    example: { id: INVESTMENT, in_escrow_cents: 25_000 as Cents },
    touches: ownRow,
    apply: (tx, data, { occasion }) => receivePayment(tx, data, occasion),
  }),
  factType({
    type: 'investment.confirmed',
    summary: 'An active investment was confirmed: it counts toward the raise.',
    data: WHICH,
    example: { id: INVESTMENT },
    touches: ownRow,
    apply: (tx, data, { occasion }) => confirmInvestment(tx, data, occasion),
  }),
  factType({
    type: 'investment.hidden',
    summary: 'An investment is no longer shown to the company; the investor still sees it.',
    data: WHICH,
    example: { id: INVESTMENT },
    touches: ownRow,
    apply: (tx, data, { occasion }) => hideInvestment(tx, data, occasion),
  }),
  factType({
    type: 'investment.unhidden',
    summary: 'An investment is shown to the company again.',
    data: WHICH,
    example: { id: INVESTMENT },
    touches: ownRow,
    apply: (tx, data, { occasion }) => unhideInvestment(tx, data, occasion),
  }),
]
