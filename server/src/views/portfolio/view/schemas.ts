import { type Static, Type } from 'typebox'
import { UNKNOWN_IS_404 } from '#http/openapi-schemas.ts'
import { exactly, idOf, nullableType, oneOf, time } from '#http/schema-fields.ts'
import { EXIT_REASONS, HOLDING_STATUSES } from '../store.ts'
import { POSITION_STATUSES } from '../worth/worth.ts'

const Text = Type.String()
const Time = time()
export const Count = Type.Integer({ minimum: 0 })
const Currency = Type.String({ description: 'ISO 4217, in lower case.', examples: ['usd'] })
const cents = (description: string) => Type.Integer({ description: `${description} In cents.` })
const decimal = (description: string) => nullableType(Text, `${description} A decimal in a string.`)

const status = oneOf(
  POSITION_STATUSES,
  '`sold`: all stakes were sold to other holders. `exited`, `failed`: the stakes ended in an exit or a failure.',
)

const AMOUNTS = {
  cost_basis_cents: cents('The amount paid, also for ended positions.'),
  current_value_cents: cents(
    'The value of the stakes that are still held: an estimate, or the amount paid if there is no newer valuation.',
  ),
  unrealized_gain_cents: cents('The gain on stakes that are still held. Negative for a loss.'),
  realized_gain_cents: cents('The gain on stakes that were sold or have ended. Negative for a loss.'),
}

const ReturnMultiple = decimal('Current value plus proceeds, divided by the amount paid. Null if nothing was paid.')

const SHARES = {
  shares_held: decimal(
    'The number of shares still held. Null if a stake has no shares, or is valued by a multiple of the amount paid.',
  ),
  current_share_price: decimal('Null if no stake is held, if a held stake has no price, or if the prices differ.'),
}

/** Contains the link, because partners must link to a company's page wherever they show the company. */
const CompanyRef = exactly(
  {
    id: idOf('company'),
    name: Text,
    slug: nullableType(Text),
    url: Type.String({ format: 'uri', description: 'The company’s page. Link to it wherever you show the company.' }),
  },
  'PortfolioCompany',
)

const SecurityKind = nullableType(
  exactly({ type: Text, label: Text }),
  'The kind of security, without its terms. Null if the kind was not reported.',
)

/** The fields of a part of a position that every reader gets. */
export const SECURITY = {
  security: SecurityKind,
  early_bird: Type.Boolean({ description: 'Bought on early-bird terms.' }),
  terms: exactly({
    share_price: decimal('The price of one share.'),
    note_cap_cents: nullableType(Type.Integer(), 'The cap of a SAFE or a note. In cents.'),
    note_discount: decimal('The discount of a SAFE or a note, in per cent.'),
    premoney_valuation_cents: nullableType(Type.Integer(), 'The pre-money valuation. In cents.'),
  }),
  ...AMOUNTS,
  ...SHARES,
  invested_at: Time,
}

const SecuritySchema = exactly(
  { ...SECURITY, owner: exactly({ kind: oneOf(['individual', 'entity']), name: Type.Optional(Text) }) },
  'PortfolioSecurity',
)

/** The fields of a position that every reader gets, up to its securities. */
export const POSITION = {
  offering_id: idOf('offering'),
  company: CompanyRef,
  asset_type: oneOf(['company', 'fund']),
  security: SecurityKind,
  status,
  exit_reason: Type.Optional(oneOf(EXIT_REASONS, 'Only for exited and failed positions, if the reason is known.')),
  invested_at: time('When the first investment was committed.'),
  currency: Currency,
  ...AMOUNTS,
  return_multiple: ReturnMultiple,
  ...SHARES,
}

/** The fields after the securities. */
export const POSITION_END = {
  holdings: Type.Array(exactly({ company: CompanyRef, status: oneOf(HOLDING_STATUSES) }, 'PortfolioHolding'), {
    description: 'The companies that the fund holds. Empty if `asset_type` is `company`.',
  }),
  as_of: time('When the amounts were computed, in world time.'),
}

export const PositionSchema = exactly(
  {
    id: idOf('offering'),
    type: Type.Literal('portfolio_position'),
    attributes: exactly({
      ...POSITION,
      securities: Type.Array(SecuritySchema, { description: 'One part for each owner, price and early-bird status.' }),
      ...POSITION_END,
    }),
  },
  'PortfolioPosition',
)

export const TOTALS = {
  currency: Currency,
  total_cost_basis_cents: AMOUNTS.cost_basis_cents,
  total_current_value_cents: AMOUNTS.current_value_cents,
  total_unrealized_gain_cents: AMOUNTS.unrealized_gain_cents,
  total_realized_gain_cents: AMOUNTS.realized_gain_cents,
  return_multiple: ReturnMultiple,
}

export const ByCurrency = Type.Array(exactly(TOTALS), {
  description: 'The totals in each currency. The first entry repeats the totals of the fields above.',
})

export const StatusCounts = exactly(
  { active: Count, exited: Count, sold: Count, failed: Count },
  'PortfolioPositionCounts',
)

export const AsOf = nullableType(Time, 'When the amounts were computed, in world time. Null if there is no position.')

export const SummarySchema = exactly({
  data: exactly(
    {
      type: Type.Literal('portfolio_summary'),
      attributes: exactly({
        ...TOTALS,
        by_currency: ByCurrency,
        position_counts: StatusCounts,
        as_of: AsOf,
      }),
    },
    'PortfolioSummary',
  ),
})

export type Position = Static<typeof PositionSchema>
export type Summary = Static<typeof SummarySchema>['data']

/** The filters of the portfolio. A malformed company id gets 404 like an unknown id, and not 400. */
export const SLICE = {
  status: Type.Optional(status),
  company: Type.Optional(
    Type.String({ description: 'Only positions in this company (`co_…`).', maxLength: 100, ...UNKNOWN_IS_404 }),
  ),
}
export type Slice = { readonly status?: Static<typeof status>; readonly company?: string }
