import { Type } from 'typebox'
import type { Id } from '#kernel/ids.ts'
import {
  EXIT_REASONS,
  EXIT_STATUSES,
  exitOffering,
  HOLDING_STATUSES,
  sellInvestment,
  setFundHolding,
  valueOffering,
} from '#modules/portfolio/index.ts'
import { type FactType, factType } from './fact-type.ts'
import { Nullable, Time } from './fields.ts'
import { Ref, Word } from './profile-fields.ts'
import { withTimes } from './told-time.ts'

/** Decimals as text: a price is never a floating-point number. Ten digits after the point, as the columns keep. */
const SharePrice = Type.String({ pattern: '^\\d{1,18}(\\.\\d{1,10})?$' })
const Multiple = Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,10})?$' })

const OFFERING = 'ofr_0ExampleNounOffering0000' as Id<'offering'>

export const portfolioFacts: readonly FactType[] = [
  factType({
    type: 'portfolio.valued',
    summary:
      'The stakes sold in an offering have a new value: a share price, or else a multiple of what was paid. ' +
      'It holds from valued_at on, or from when this happened.',
    data: Type.Object(
      {
        offering: Ref('offering'),
        share_price: Type.Optional(SharePrice),
        multiple: Type.Optional(Multiple),
        valued_at: Type.Optional(Time),
      },
      { additionalProperties: false },
    ),
    example: { offering: OFFERING, multiple: '1.65', valued_at: '2026-01-12T00:00:00Z' },
    apply: (tx, data, { occasion }) => valueOffering(tx, withTimes(data, 'valued_at'), occasion),
  }),
  factType({
    type: 'portfolio.exited',
    summary: 'The stakes sold in an offering ended for everybody, with what came back as a multiple of what was paid.',
    data: Type.Object(
      {
        offering: Ref('offering'),
        status: Word(EXIT_STATUSES),
        reason: Type.Optional(Nullable(Word(EXIT_REASONS))),
        multiple: Type.Optional(Multiple),
        exited_at: Type.Optional(Time),
      },
      { additionalProperties: false },
    ),
    example: { offering: OFFERING, status: 'exited', reason: 'acquisition', multiple: '2.4' },
    apply: (tx, data, { occasion }) => exitOffering(tx, withTimes(data, 'exited_at'), occasion),
  }),
  factType({
    type: 'portfolio.sold',
    summary: 'An investor sold an executed investment on, at a multiple of what was paid.',
    data: Type.Object(
      { investment: Ref('investment'), multiple: Multiple, sold_at: Type.Optional(Time) },
      { additionalProperties: false },
    ),
    example: { investment: 'inv_0ExampleNounInvestment00' as Id<'investment'>, multiple: '1.2' },
    apply: (tx, data, { occasion }) => sellInvestment(tx, withTimes(data, 'sold_at'), occasion),
  }),
  factType({
    type: 'fund.holding_set',
    summary: 'A fund holds a company, or what became of that holding.',
    data: Type.Object(
      { fund: Ref('company'), company: Ref('company'), status: Word(HOLDING_STATUSES) },
      { additionalProperties: false },
    ),
    example: {
      fund: 'co_0ExampleNounFund00000000' as Id<'company'>,
      company: 'co_0ExampleNounCompany00000' as Id<'company'>,
      status: 'active',
    },
    apply: (tx, data) => setFundHolding(tx, data),
  }),
]
