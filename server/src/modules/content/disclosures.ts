import type { Id } from '#kernel/ids.ts'
import type { Exemption } from '#modules/offerings/index.ts'

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

/** An optional field of a filing: left out and null both mean that nothing was filed. */
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

/** What was filed for an offering. Amounts that the form asks for as figures are cents; text stays as filed. */
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
  /** Directors and officers in one list: one person can be both. */
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

/** "Must be Reg CF / ECSP": no other round files a Form C, or its European counterpart. */
export function filesFormC(exemption: Exemption): boolean {
  return FORM_C.has(exemption)
}
