import { type Static, Type } from 'typebox'
import { absoluteUrl } from '#http/response-bodies.ts'
import { exactly, idOf, nullableType, oneOf } from '#http/schema-fields.ts'
import { FETCHED_AT, Text, Url } from '#views/catalog/http.ts'
import type { RoundRow } from '#views/catalog/index.ts'
import {
  type DisclosureSection,
  FISCAL_FIGURES,
  FISCAL_YEARS,
  type FiledPerson,
  type Filing,
  type FiscalYear,
  ratiosOf,
} from './disclosures.ts'
import type { Disclosures } from './store.ts'

const Day = Type.String({ format: 'date' })
const Amount = nullableType(Type.Integer(), 'In cents of `currency`; null if it was not reported.')
const Percent = nullableType(Type.String({ examples: ['12.5'] }), 'A percentage: "12.5" means 12.5 %.')
const PerEmployee = nullableType(
  Type.Integer(),
  'In cents of `currency`; null if the revenue or the number of employees was not reported, or if this number is 0.',
)
const Whole = nullableType(Type.Integer())
const AsFiled = nullableType(Text, 'As filed.')
const Currency = Type.String({ description: 'ISO 4217, in lower case.', examples: ['usd'] })

const fields = <const K extends string, S>(keys: readonly K[], schema: S) =>
  Object.fromEntries(keys.map((key) => [key, schema])) as Record<K, S>
const table = <const K extends string>(...keys: readonly K[]) => fields(keys, AsFiled)

const Fiscal = exactly({ ...fields(FISCAL_FIGURES, Amount), currency: Currency }, 'FiscalYearFinancials')
const Document = exactly({ name: nullableType(Text), url: Url }, 'DisclosureDocument')
const Person = exactly(
  {
    name: nullableType(Text),
    titles: nullableType(Text),
    since: nullableType(Type.Integer(), 'The year in which the person joined.'),
    director: Type.Boolean(),
    officer: Type.Boolean(),
  },
  'DisclosurePerson',
)

const SECTIONS = {
  business: exactly({
    ...fields(['legal_name', 'legal_form', 'jurisdiction'], nullableType(Text)),
    incorporated_on: nullableType(Day),
    employees: Whole,
  }),
  financial_statements: exactly(fields(FISCAL_YEARS, Type.Optional(Fiscal))),
  ratios: exactly({
    net_margin_percent: Percent,
    gross_margin_percent: Percent,
    return_on_assets_percent: Percent,
    debt_to_assets_percent: Percent,
    cash_to_assets_percent: Percent,
    revenue_per_employee_cents: PerEmployee,
    currency: Currency,
  }),
  current_position: exactly({
    cash_on_hand_cents: Amount,
    cash_on_hand_as_of: nullableType(Day),
    ...fields(['average_monthly_revenue_cents', 'average_monthly_cost_of_goods_cents'], Amount),
    ...fields(['average_monthly_expenses_cents', 'average_monthly_burn_cents'], Amount),
    currency: Currency,
  }),
  financial_condition: Text,
  financial_statement_documents: Type.Array(Document),
  investment_documents: Type.Array(Document, { description: 'The contracts that an investor signs.' }),
  risks: Type.Array(Text),
  use_of_funds: Type.Array(exactly({ if_raised_cents: Amount, currency: Currency, plan: nullableType(Text) })),
  directors: Type.Array(Person),
  officers: Type.Array(Person),
  voting_power: Type.Array(exactly({ ...table('name', 'holding'), voting_power_percent: Percent })),
  capital_structure: Type.Array(
    exactly(table('class_of_security', 'authorized', 'outstanding', 'voting_rights', 'other_rights')),
  ),
  prior_offerings: Type.Array(
    exactly({
      date: nullableType(Day),
      ...table('exemption', 'security_type', 'amount_sold', 'use_of_proceeds'),
      offering_id: nullableType(
        idOf('offering'),
        'The offering. Null if it did not run on this platform, or if the viewer may not see it.',
      ),
    }),
  ),
  outstanding_notes: Type.Array(
    exactly({
      ...table('amount', 'outstanding_principal', 'valuation_cap'),
      uncapped: Type.Boolean(),
      interest_rate_percent: Percent,
      discount_percent: Percent,
      maturity_date: nullableType(Day),
      description: AsFiled,
    }),
  ),
  outstanding_debts: exactly({
    note: nullableType(Text, 'A text that is shown instead of a table.'),
    items: Type.Array(
      exactly({
        ...table('original_amount', 'outstanding_principal'),
        current_with_payments: nullableType(Type.Boolean()),
        maturity_date: nullableType(Day),
        description: AsFiled,
      }),
    ),
  }),
  related_parties: exactly({
    description: AsFiled,
    parties: Type.Array(
      exactly({
        ...table('name', 'relationship', 'amount', 'outstanding_principal', 'description'),
        date: nullableType(Day),
      }),
    ),
  }),
} as const

type Shown = { readonly [S in DisclosureSection]: Static<(typeof SECTIONS)[S]> | null }

const optionalSections = Object.fromEntries(
  Object.entries(SECTIONS).map(([name, schema]) => [name, Type.Optional(nullableType(schema))]),
)

export const OneDisclosures = exactly({
  data: exactly(
    {
      id: idOf('company'),
      type: Type.Literal('company_disclosures'),
      attributes: exactly({
        offering_id: idOf('offering'),
        filing: exactly({
          exemption: oneOf(['reg_cf', 'ecsp']),
          sec_filing_url: nullableType(Url),
          filed: Type.Boolean(),
          statement_date: nullableType(Day),
          fiscal_year_end: nullableType(Type.String({ examples: ['--12-31'] })),
        }),
        ...optionalSections,
      }),
    },
    'CompanyDisclosures',
  ),
  meta: exactly(FETCHED_AT),
})

type Parts = {
  readonly company: string
  readonly round: RoundRow
  /** The offerings that the viewer sees. The id of a prior offering is shown only if the offering is one of these. */
  readonly visible: ReadonlySet<string>
  readonly disclosures: Disclosures
  readonly sections: ReadonlySet<DisclosureSection>
  readonly origin: string
}

/** The requested sections. "Section hidden by the company on the site: null." */
export function disclosuresRecord({ company, round, visible, disclosures, sections, origin }: Parts) {
  const { filing, ...filed } = disclosures.sections
  const hidden = new Set(disclosures.hidden)
  const all = sectionsOf(filed, { currency: round.currency, visible, origin })
  const wanted = [...sections].map((name) => [name, hidden.has(name) ? null : all[name]])
  return {
    id: company,
    type: 'company_disclosures' as const,
    attributes: {
      offering_id: disclosures.offering,
      filing: {
        exemption: round.exemption,
        sec_filing_url: absoluteUrl(origin, filing.sec_filing_url ?? null),
        filed: filing.filed,
        statement_date: filing.statement_date ?? null,
        fiscal_year_end: filing.fiscal_year_end ?? null,
      },
      ...Object.fromEntries(wanted),
    },
  }
}

type Around = { readonly currency: string; readonly visible: ReadonlySet<string>; readonly origin: string }

function sectionsOf(filed: Omit<Filing, 'filing'>, { currency, visible, origin }: Around): Shown {
  const { business = {}, financial_statements = {}, current_position = {} } = filed
  const employees = business.employees ?? null
  const documents = (list: Filing['investment_documents'] = []) =>
    list.map(({ name, url }) => ({ name: name ?? null, url: absoluteUrl(origin, url) }))
  const people = (filed.people ?? []).map(personOf)
  return {
    business: { ...nulls(business, 'legal_name', 'legal_form', 'jurisdiction', 'incorporated_on'), employees },
    financial_statements: Object.fromEntries(
      FISCAL_YEARS.flatMap((year) => {
        const figures = financial_statements[year]
        return figures === undefined ? [] : [[year, fiscalOf(figures, currency)]]
      }),
    ),
    ratios: { ...ratiosOf(financial_statements.most_recent ?? {}, employees), currency },
    current_position: {
      ...nulls(current_position, 'cash_on_hand_cents', 'cash_on_hand_as_of', 'average_monthly_revenue_cents'),
      ...nulls(current_position, 'average_monthly_cost_of_goods_cents', 'average_monthly_expenses_cents'),
      ...nulls(current_position, 'average_monthly_burn_cents'),
      currency,
    },
    financial_condition: filed.financial_condition ?? null,
    financial_statement_documents: documents(filed.financial_statement_documents),
    investment_documents: documents(filed.investment_documents),
    risks: [...(filed.risks ?? [])],
    use_of_funds: (filed.use_of_funds ?? []).map((use) => ({ ...nulls(use, 'if_raised_cents', 'plan'), currency })),
    directors: people.filter(({ director }) => director),
    officers: people.filter(({ officer }) => officer),
    ...tablesOf(filed, visible),
  }
}

type Tables = 'voting_power' | 'capital_structure' | 'prior_offerings' | 'outstanding_notes' | 'outstanding_debts'

function tablesOf(
  filed: Omit<Filing, 'filing'>,
  visible: ReadonlySet<string>,
): Pick<Shown, Tables | 'related_parties'> {
  const { outstanding_debts: debts = {}, related_parties: related = {} } = filed
  return {
    voting_power: (filed.voting_power ?? []).map((row) => nulls(row, 'name', 'holding', 'voting_power_percent')),
    capital_structure: (filed.capital_structure ?? []).map((row) =>
      nulls(row, 'class_of_security', 'authorized', 'outstanding', 'voting_rights', 'other_rights'),
    ),
    prior_offerings: (filed.prior_offerings ?? []).map((row) => ({
      ...nulls(row, 'date', 'exemption', 'security_type', 'amount_sold', 'use_of_proceeds'),
      offering_id: row.offering && visible.has(row.offering) ? row.offering : null,
    })),
    outstanding_notes: (filed.outstanding_notes ?? []).map((row) => ({
      ...nulls(row, 'amount', 'outstanding_principal', 'valuation_cap', 'interest_rate_percent', 'discount_percent'),
      ...nulls(row, 'maturity_date', 'description'),
      uncapped: row.uncapped ?? false,
    })),
    outstanding_debts: {
      note: debts.note ?? null,
      items: (debts.items ?? []).map((row) =>
        nulls(row, 'original_amount', 'outstanding_principal', 'current_with_payments', 'maturity_date', 'description'),
      ),
    },
    related_parties: {
      description: related.description ?? null,
      parties: (related.parties ?? []).map((row) =>
        nulls(row, 'name', 'relationship', 'amount', 'date', 'outstanding_principal', 'description'),
      ),
    },
  }
}

function fiscalOf(year: FiscalYear, currency: string): Static<typeof Fiscal> {
  return { ...nulls(year, ...FISCAL_FIGURES), currency }
}

function personOf({ director = false, officer = false, ...person }: FiledPerson): Static<typeof Person> {
  return { ...nulls(person, 'name', 'titles', 'since'), director, officer }
}

/** These fields of the row and no others. A field is null if it was not filed. */
function nulls<T extends object, const K extends keyof T>(row: T, ...keys: readonly K[]) {
  const shown = keys.map((key) => [key, row[key] ?? null])
  return Object.fromEntries(shown) as { [F in K]-?: Exclude<T[F], undefined> | null }
}
