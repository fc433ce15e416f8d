import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { IntendedSecurity } from './intended-security.ts'
import type { OfferingState } from './offering-states.ts'
import type { Security } from './security.ts'

/** Regulation D in its two kinds; the others have none. Older API versions show them as family and subtype. */
export const EXEMPTIONS = ['reg_cf', 'reg_d_506b', 'reg_d_506c', 'reg_a', 'reg_s', 'ecsp'] as const
export type Exemption = (typeof EXEMPTIONS)[number]

/** What can be said about an offering and changed again, named as the columns and the facts name it. */
export type OfferingTerms = {
  readonly name: string | null
  readonly description: string | null
  readonly exemption: Exemption
  readonly testing_the_waters: boolean
  readonly security: Security | null
  readonly intended_security: IntendedSecurity | null
  readonly funding_target_cents: Cents | null
  readonly min_investment_cents: Cents | null
  readonly max_investment_cents: Cents | null
  readonly opens_at: WorldTime | null
  readonly closes_at: WorldTime | null
  readonly listed: boolean
  readonly accredited_only: boolean
}

/** A company, a raise and a currency for ever. */
export type Offering = OfferingTerms & {
  readonly id: Id<'offering'>
  readonly company: Id<'company'>
  readonly raise: Id<'raise'>
  readonly currency: string
  readonly status: OfferingState
}
