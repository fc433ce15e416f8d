import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { type Cents, parseCents } from '#kernel/money.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { CheckState, PaymentState } from './investment.ts'
import type { InvestmentState } from './investment-states.ts'
import type { Contract, Shares } from './investment-steps.ts'
import { requireCents } from './store.ts'

/** The stored fields of an investment, without derived values and without the investor's name and email. */
export type InvestmentView = {
  readonly id: Id<'investment'>
  readonly status: InvestmentState
  readonly offering: Id<'offering'>
  readonly company: Id<'company'>
  readonly investor: Id<'user'>
  readonly amounts: {
    readonly committed_cents: Cents | null
    readonly in_escrow_cents: Cents
    readonly currency: string
  }
  readonly applied_at: WorldTime
  readonly confirmed_at: WorldTime | null
  readonly executed_at: WorldTime | null
  readonly canceled_at: WorldTime | null
  readonly converted_at: WorldTime | null
  readonly converted_to: Id<'investment'> | null
  readonly converted_from: Id<'investment'> | null
  readonly payment: PaymentState
  readonly identity: CheckState
  readonly accreditation: CheckState
  readonly signature: CheckState
  readonly review: CheckState
  readonly hidden: boolean
  readonly entity_name: string | null
  readonly message: string | null
  readonly external_username: string | null
  readonly contracts: readonly Contract[]
  readonly shares: Shares | null
}

type Row = Omit<InvestmentView, 'amounts' | 'contracts' | 'shares'> & {
  readonly amount_cents: string | null
  readonly in_escrow_cents: string
  readonly currency: string
  /** The contracts as JSON text. */
  readonly contracts: string
  readonly shares: string | null
  readonly average_share_price: string | null
}

const READ = statement<Row>(
  'investments.read',
  `select i.id, i.status, i.offering_id as offering, i.company_id as company, i.investor_id as investor, i.amount_cents,
          i.in_escrow_cents, i.currency, i.applied_at, i.confirmed_at, i.executed_at, i.canceled_at, i.converted_at,
          i.converted_to, (select p.id from investments p where p.converted_to = i.id) as converted_from,
          i.payment_state as payment, i.identity_state as identity, i.accreditation_state as accreditation,
          i.signature_state as signature, i.review_state as review, i.hidden, i.entity_name, i.message,
          i.external_username, i.contracts, i.shares, i.average_share_price
   from investments i where i.id = $1`,
)

export async function readInvestment(queries: WorldQueries, id: Id<'investment'>): Promise<InvestmentView | null> {
  const row = await queries.maybeOne(READ, [id])
  if (row === null) return null
  const { amount_cents, in_escrow_cents, currency, contracts, shares, average_share_price, ...same } = row
  return {
    ...same,
    amounts: {
      committed_cents: parseCents(amount_cents),
      in_escrow_cents: requireCents(in_escrow_cents),
      currency,
    },
    contracts: JSON.parse(contracts) as Contract[],
    shares:
      shares === null || average_share_price === null ? null : { count: shares, average_price: average_share_price },
  }
}
