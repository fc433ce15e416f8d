import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { CheckState, Contract, InvestmentState, PaymentState } from '#modules/investments/index.ts'
import type { Exemption, IntendedSecurity, SecurityType } from '#modules/offerings/index.ts'
import type { Address } from '#modules/people/index.ts'

/** Everything a record is derived from: the investment as it stands, its offering's terms, its investor. */
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
