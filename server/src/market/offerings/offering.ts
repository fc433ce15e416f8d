import type { WorldTime } from '#kernel/clock.ts'
import { type FieldError, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import type { OfferingState } from './offering-states.ts'
import type { Security } from './security.ts'

/** Two of these exemptions belong to Regulation D. Older API versions show an exemption as family, subtype and label. */
export const EXEMPTIONS = ['reg_cf', 'reg_d_506b', 'reg_d_506c', 'reg_a', 'reg_s', 'ecsp'] as const
export type Exemption = (typeof EXEMPTIONS)[number]

/** The terms of an offering that facts set and change, named as the columns and the facts name them. */
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

/** Company, raise and currency never change. */
export type Offering = OfferingTerms & {
  readonly id: Id<'offering'>
  readonly company: Id<'company'>
  readonly raise: Id<'raise'>
  readonly currency: string
  readonly status: OfferingState
}

const CENTS_PER_UNIT = 100

type Rule = {
  readonly field: keyof OfferingTerms
  readonly code: string
  readonly message: string
  readonly broken: (terms: OfferingTerms) => boolean
}

/** Contradictory terms, which are rejected even if the host platform sends them. The database has the same constraints. */
const RULES: readonly Rule[] = [
  {
    field: 'listed',
    code: 'never_listed',
    message: 'must be false: a Reg D 506(b) round is by invitation only',
    broken: ({ exemption, listed }) => exemption === 'reg_d_506b' && listed,
  },
  {
    field: 'accredited_only',
    code: 'accredited_only',
    message: 'must be true: a Reg D 506(c) round is for accredited investors only',
    broken: ({ exemption, accredited_only }) => exemption === 'reg_d_506c' && !accredited_only,
  },
  {
    field: 'security',
    code: 'undecided',
    message: 'may be undecided only while testing the waters',
    broken: ({ security, testing_the_waters }) => security === null && !testing_the_waters,
  },
  {
    field: 'intended_security',
    code: 'not_testing_the_waters',
    message: 'is for rounds that test the waters; a live round has a security',
    broken: ({ intended_security, testing_the_waters }) => intended_security !== null && !testing_the_waters,
  },
  {
    field: 'max_investment_cents',
    code: 'below_minimum',
    message: 'is below min_investment_cents',
    broken: ({ min_investment_cents: min, max_investment_cents: max }) => min !== null && max !== null && max < min,
  },
  {
    field: 'closes_at',
    code: 'before_opening',
    message: 'is not after opens_at',
    // World times can be compared as text.
    broken: ({ opens_at, closes_at }) => opens_at !== null && closes_at !== null && closes_at <= opens_at,
  },
  ...(['funding_target_cents', 'min_investment_cents', 'max_investment_cents'] as const).map((field) => ({
    field,
    code: 'not_whole_units',
    message: 'must be a whole number of units: a multiple of 100, at least 100',
    broken: (terms: OfferingTerms) => !isAmount(terms[field]),
  })),
]

function isAmount(amount: Cents | null): boolean {
  return amount === null || (amount >= CENTS_PER_UNIT && amount % CENTS_PER_UNIT === 0)
}

/** Throws one error that lists all contradictions. */
export function rejectContradictions(terms: OfferingTerms): void {
  const broken = RULES.filter((rule) => rule.broken(terms))
  const errors = broken.map(({ field, code, message }): FieldError => ({ field, code, message }))
  if (errors.length > 0) throw validationError(errors)
}

/** The kinds of security that a round may announce while it tests the waters. */
export const INTENDED_SECURITIES = ['safe', 'equity', 'convertible_note', 'revenue_share', 'debt', 'fund'] as const
export type IntendedSecurity = (typeof INTENDED_SECURITIES)[number]
