import type { Address } from '#access/people/index.ts'
import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { CheckState, Contract, InvestmentState, PaymentState } from '#market/investments/index.ts'
import type { Exemption, IntendedSecurity, SecurityType } from '#market/offerings/index.ts'

/** Everything a record is derived from: the investment, its offering's terms, its investor. */
export type Facts = {
  readonly id: Id<'investment'>
  readonly company: Id<'company'>
  readonly offering: Id<'offering'>
  readonly investor: Id<'user'>
  readonly currency: string
  readonly status: InvestmentState
  readonly status_before_cancel: 'active' | 'reserved' | null
  readonly amount_cents: Cents | null
  /** The amount before an edit to zero; otherwise the same as amount_cents. */
  readonly last_amount_cents: Cents
  readonly in_escrow_cents: Cents
  readonly applied_at: WorldTime
  readonly confirmed: boolean
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
  readonly shares: string | null
  readonly average_share_price: string | null
  readonly exemption: Exemption
  readonly testing_the_waters: boolean
  readonly security_type: SecurityType | null
  readonly intended_security_type: IntendedSecurity | null
  readonly deactivated: boolean
  readonly name: string | null
  readonly legal_name: string | null
  readonly email: string | null
  readonly bio: string | null
  readonly address: Address | null
}

/**
 * "Company audience: canceled, converted, hidden records arrive as tombstones. Own audience: always the full record,
 * `visible` as the company sees it."
 */
export function isVisible({ hidden, status }: Pick<Facts, 'hidden' | 'status'>): boolean {
  return !hidden && status !== 'canceled' && status !== 'converted'
}

export type Amounts = {
  readonly committed_cents: Cents
  readonly investment_size_cents: Cents
  readonly in_escrow_cents: Cents
  /** Only on canceled records, so that adding this field did not change any other record. */
  readonly refund_due_cents?: Cents
  readonly raised_cents: Cents
  readonly currency: string
}

const NOTHING = 0 as Cents

/** "Inferred: awaiting soft-confirm (raised_cents 0 meanwhile)." A reservation needs no confirmation. */
export function needsWhitelisting({ status, confirmed }: Pick<Facts, 'status' | 'confirmed'>): boolean {
  return status === 'active' && !confirmed
}

/**
 * "raised_cents: what counts toward the raise … = investment_size_cents once soft-confirmed, else 0"; investments that
 * the company does not see count 0 too, so that the sum over an offering equals the figure on its page. An amount
 * edited to zero is 0, because clients expect an integer and break on null.
 */
export function amountsOf(facts: Facts): Amounts {
  const committed = facts.amount_cents ?? NOTHING
  const counts = isVisible(facts) && !needsWhitelisting(facts)
  return {
    committed_cents: committed,
    investment_size_cents: committed,
    in_escrow_cents: holdsItsMoney(facts) ? facts.in_escrow_cents : NOTHING,
    ...(facts.status === 'canceled' ? { refund_due_cents: refundDue(facts) } : {}),
    raised_cents: counts ? committed : NOTHING,
    currency: facts.currency,
  }
}

/** "Canceled records: in_escrow_cents is 0 and amounts.refund_due_cents holds what is owed back, whatever canceled it." */
export function refundDue({ status, in_escrow_cents }: Pick<Facts, 'status' | 'in_escrow_cents'>): Cents {
  return status === 'canceled' ? in_escrow_cents : NOTHING
}

/**
 * The money of a canceled investment is owed back. The money of a converted investment is shown on its successor, so
 * that an investor who adds up all their records counts it once. Until the successor is known, the money is shown on
 * the converted investment.
 */
function holdsItsMoney({ status, converted_to }: Facts): boolean {
  return status !== 'canceled' && !(status === 'converted' && converted_to !== null)
}
