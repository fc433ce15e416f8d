import type { Id } from '#kernel/ids.ts'
import type { Exemption } from '#market/offerings/index.ts'

export const DISCLOSURE_SECTIONS = [
  'business',
  'financial_statements',
  'ratios',
  'current_position',
  'financial_condition',
  'financial_statement_documents',
  'investment_documents',
  'risks',
  'use_of_funds',
  'directors',
  'officers',
  'voting_power',
  'capital_structure',
  'prior_offerings',
  'outstanding_notes',
  'outstanding_debts',
  'related_parties',
] as const
export type DisclosureSection = (typeof DISCLOSURE_SECTIONS)[number]

/** An optional field of a filing: absent and null both mean that nothing was filed. */
type Filed<T> = T | null | undefined

export const FISCAL_FIGURES = [
  'total_assets_cents',
  'cash_and_equivalents_cents',
  'accounts_receivable_cents',
  'short_term_debt_cents',
  'long_term_debt_cents',
  'revenue_cents',
  'cost_of_goods_sold_cents',
  'taxes_paid_cents',
  'net_income_cents',
] as const
export type FiscalFigure = (typeof FISCAL_FIGURES)[number]
export type FiscalYear = { readonly [F in FiscalFigure]?: Filed<number> }
export const FISCAL_YEARS = ['most_recent', 'prior', 'prior_prior'] as const

export const POSITION_FIGURES = [
  'cash_on_hand_cents',
  'average_monthly_revenue_cents',
  'average_monthly_cost_of_goods_cents',
  'average_monthly_expenses_cents',
  'average_monthly_burn_cents',
] as const

type Document = { readonly name?: Filed<string>; readonly url: string }
type Person = { readonly name?: Filed<string>; readonly titles?: Filed<string>; readonly since?: Filed<number> }
export type FiledPerson = Person & { readonly director?: boolean; readonly officer?: boolean }
type Texts<K extends string> = { readonly [F in K]?: Filed<string> }

/** The filing of an offering. Amounts are in cents, and texts are as filed. */
export type Filing = {
  readonly filing: {
    readonly filed: boolean
    readonly sec_filing_url?: Filed<string>
    readonly statement_date?: Filed<string>
    readonly fiscal_year_end?: Filed<string>
  }
  readonly business?: Texts<'legal_name' | 'legal_form' | 'jurisdiction' | 'incorporated_on'> & {
    readonly employees?: Filed<number>
  }
  readonly financial_statements?: { readonly [Y in (typeof FISCAL_YEARS)[number]]?: FiscalYear }
  readonly current_position?: {
    readonly [F in (typeof POSITION_FIGURES)[number]]?: Filed<number>
  } & Texts<'cash_on_hand_as_of'>
  readonly financial_condition?: Filed<string>
  readonly financial_statement_documents?: readonly Document[]
  readonly investment_documents?: readonly Document[]
  readonly risks?: readonly string[]
  readonly use_of_funds?: readonly { readonly if_raised_cents?: Filed<number>; readonly plan?: Filed<string> }[]
  /** Directors and officers in one list, because one person can be both. */
  readonly people?: readonly FiledPerson[]
  readonly voting_power?: readonly Texts<'name' | 'holding' | 'voting_power_percent'>[]
  readonly capital_structure?: readonly Texts<
    'class_of_security' | 'authorized' | 'outstanding' | 'voting_rights' | 'other_rights'
  >[]
  readonly prior_offerings?: readonly (Texts<
    'date' | 'exemption' | 'security_type' | 'amount_sold' | 'use_of_proceeds'
  > & { readonly offering?: Filed<Id<'offering'>> })[]
  readonly outstanding_notes?: readonly (Texts<
    | 'amount'
    | 'outstanding_principal'
    | 'valuation_cap'
    | 'interest_rate_percent'
    | 'discount_percent'
    | 'maturity_date'
    | 'description'
  > & { readonly uncapped?: boolean })[]
  readonly outstanding_debts?: Texts<'note'> & {
    readonly items?: readonly (Texts<'original_amount' | 'outstanding_principal' | 'maturity_date' | 'description'> & {
      readonly current_with_payments?: Filed<boolean>
    })[]
  }
  readonly related_parties?: Texts<'description'> & {
    readonly parties?: readonly Texts<
      'name' | 'relationship' | 'amount' | 'date' | 'outstanding_principal' | 'description'
    >[]
  }
}

export type NewDisclosures = Filing & {
  readonly offering: Id<'offering'>
  readonly hidden?: readonly DisclosureSection[]
}

const FORM_C: ReadonlySet<Exemption> = new Set(['reg_cf', 'ecsp'])

/** "Must be Reg CF / ECSP": no other round files a Form C or its European counterpart. */
export function filesFormC(exemption: Exemption): boolean {
  return FORM_C.has(exemption)
}

type Ratios = {
  readonly net_margin_percent: string | null
  readonly gross_margin_percent: string | null
  readonly return_on_assets_percent: string | null
  readonly debt_to_assets_percent: string | null
  readonly cash_to_assets_percent: string | null
  readonly revenue_per_employee_cents: number | null
}

type Figure = number | null | undefined

/**
 * "NI/rev·100; (rev−COGS)/rev·100; NI/assets·100; (ST+LT debt)/assets·100; cash/assets·100; revenue per employee", of the most
 * recent fiscal year. Null if a figure was not reported or the divisor is zero. Percentages have two decimals.
 */
export function ratiosOf(year: FiscalYear, employees: number | null): Ratios {
  const { revenue_cents: revenue, total_assets_cents: assets, net_income_cents: income } = year
  const gross = combined(revenue, year.cost_of_goods_sold_cents, -1n)
  const debt = combined(year.short_term_debt_cents, year.long_term_debt_cents, 1n)
  const perEmployee = quotientHalfAwayFromZero(bigOf(revenue), bigOf(employees), 1n)
  return {
    net_margin_percent: percent(bigOf(income), bigOf(revenue)),
    gross_margin_percent: percent(gross, bigOf(revenue)),
    return_on_assets_percent: percent(bigOf(income), bigOf(assets)),
    debt_to_assets_percent: percent(debt, bigOf(assets)),
    cash_to_assets_percent: percent(bigOf(year.cash_and_equivalents_cents), bigOf(assets)),
    revenue_per_employee_cents: perEmployee === null ? null : Number(perEmployee),
  }
}

function bigOf(figure: Figure): bigint | null {
  return figure === null || figure === undefined ? null : BigInt(figure)
}

function combined(a: Figure, b: Figure, sign: bigint): bigint | null {
  const [first, second] = [bigOf(a), bigOf(b)]
  return first === null || second === null ? null : first + sign * second
}

/** Half rounds away from zero, so that a loss is rounded like a gain. Null if a figure is missing or the divisor is zero. */
function quotientHalfAwayFromZero(part: bigint | null, whole: bigint | null, scale: bigint): bigint | null {
  if (part === null || whole === null || whole === 0n) return null
  const [above, below] = [part * scale, whole]
  const negative = above < 0n !== below < 0n
  const [a, b] = [above < 0n ? -above : above, below < 0n ? -below : below]
  const rounded = (2n * a + b) / (2n * b)
  return negative ? -rounded : rounded
}

/** A percentage with two decimals. Half of the last digit rounds away from zero. */
function percent(part: bigint | null, whole: bigint | null): string | null {
  const hundredths = quotientHalfAwayFromZero(part, whole, 10_000n)
  if (hundredths === null) return null
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(3, '0')
  return `${hundredths < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
