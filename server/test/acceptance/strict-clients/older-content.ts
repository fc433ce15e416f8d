import {
  address,
  type Decoder,
  date,
  decimal,
  flag,
  id,
  listOf,
  nullable,
  object,
  oneOf,
  optional,
  record,
  text,
  time,
  unionOf,
  whole,
} from './decode.ts'
import { EXEMPTION } from './older-terms.ts'

/** Pitch, disclosures, updates and questions of a company, as libraries for versions before 2026-11-01 decode them. */

const maybeText = nullable(text)
const maybeTime = nullable(time)
const maybeDate = nullable(date)
const maybeDecimal = nullable(decimal)

const links = optional(listOf(object({ text: optional(maybeText), url: address })))
const block = (type: string, keys: Readonly<Record<string, Decoder>>) => object({ type: oneOf(type), ...keys })
export const PITCH = record(id('co_'), 'company_pitch', {
  offering_id: nullable(id('ofr_')),
  title: text,
  url: maybeText,
  authored_by: oneOf('company', 'wefunder'),
  disclaimer: maybeText,
  story: object({
    blocks: listOf(
      unionOf({
        heading: block('heading', { level: whole, text, links }),
        paragraph: block('paragraph', { text, links }),
        list: block('list', { ordered: flag, start: optional(whole), items: listOf(text), links }),
        image: block('image', {
          url: address,
          link: optional(text),
          alt: optional(maybeText),
          filename: optional(maybeText),
        }),
        video: block('video', {
          url: address,
          link: optional(text),
          provider: oneOf('youtube', 'vimeo', 'wistia', 'loom', 'upload', 'other'),
        }),
        footnote: block('footnote', { number: whole, text }),
      }),
    ),
    image_count: whole,
    video_count: whole,
    inline_images_omitted: whole,
    character_count: whole,
  }),
  perks: nullable(
    object({
      offering_id: nullable(id('ofr_')),
      currency: text,
      described_in_pitch: flag,
      tiers: listOf(object({ qualifying_amount: decimal, description: maybeText })),
    }),
  ),
})

const fiscalYear = object(
  Object.fromEntries(
    [
      ...['total_assets', 'cash_and_equivalents', 'accounts_receivable', 'short_term_debt', 'long_term_debt'],
      ...['revenue', 'cost_of_goods_sold', 'taxes_paid', 'net_income'],
    ].map((name) => [name, maybeDecimal]),
  ),
)
const document = object({ name: maybeText, url: text })
const person = object({ name: maybeText, titles: maybeText, since: nullable(whole), director: flag, officer: flag })
/** Tables of the filing. They are the same in every version, because free text stays as filed. */
export const FILED_TABLES = {
  prior_offerings: nullable(
    listOf(
      object({
        date: maybeDate,
        exemption: maybeText,
        security_type: maybeText,
        amount_sold: maybeText,
        use_of_proceeds: maybeText,
        offering_id: nullable(id('ofr_')),
      }),
    ),
  ),
  outstanding_notes: nullable(
    listOf(
      object({
        amount: maybeText,
        outstanding_principal: maybeText,
        valuation_cap: maybeText,
        uncapped: flag,
        interest_rate_percent: maybeText,
        discount_percent: maybeText,
        maturity_date: maybeDate,
        description: maybeText,
      }),
    ),
  ),
  outstanding_debts: nullable(
    object({
      note: maybeText,
      items: listOf(
        object({
          original_amount: maybeText,
          outstanding_principal: maybeText,
          current_with_payments: nullable(flag),
          maturity_date: maybeDate,
          description: maybeText,
        }),
      ),
    }),
  ),
  related_parties: nullable(
    object({
      description: maybeText,
      parties: listOf(
        object({
          name: maybeText,
          relationship: maybeText,
          amount: maybeText,
          date: maybeDate,
          outstanding_principal: maybeText,
          description: maybeText,
        }),
      ),
    }),
  ),
}

export const DISCLOSURES = record(id('co_'), 'company_disclosures', {
  offering_id: id('ofr_'),
  filing: object({
    exemption: EXEMPTION,
    sec_filing_url: maybeText,
    filed: flag,
    statement_date: maybeDate,
    fiscal_year_end: maybeText,
  }),
  business: nullable(
    object({
      legal_name: maybeText,
      legal_form: maybeText,
      jurisdiction: maybeText,
      incorporated_on: maybeDate,
      employees: nullable(whole),
    }),
  ),
  financial_statements: nullable(
    object({ most_recent: optional(fiscalYear), prior: optional(fiscalYear), prior_prior: optional(fiscalYear) }),
  ),
  ratios: nullable(
    object({
      net_margin_percent: maybeDecimal,
      gross_margin_percent: maybeDecimal,
      return_on_assets_percent: maybeDecimal,
      debt_to_assets_percent: maybeDecimal,
      cash_to_assets_percent: maybeDecimal,
      revenue_per_employee: maybeDecimal,
    }),
  ),
  current_position: nullable(
    object({
      cash_on_hand: maybeDecimal,
      cash_on_hand_as_of: maybeDate,
      average_monthly_revenue: maybeDecimal,
      average_monthly_cost_of_goods: maybeDecimal,
      average_monthly_expenses: maybeDecimal,
      average_monthly_burn: maybeDecimal,
    }),
  ),
  financial_condition: maybeText,
  financial_statement_documents: nullable(listOf(document)),
  investment_documents: nullable(listOf(document)),
  risks: nullable(listOf(text)),
  use_of_funds: nullable(listOf(object({ if_raised: maybeDecimal, plan: maybeText }))),
  directors: nullable(listOf(person)),
  officers: nullable(listOf(person)),
  voting_power: nullable(listOf(object({ name: maybeText, holding: maybeText, voting_power_percent: maybeText }))),
  capital_structure: nullable(
    listOf(
      object({
        class_of_security: maybeText,
        authorized: maybeText,
        outstanding: maybeText,
        voting_rights: maybeText,
        other_rights: maybeText,
      }),
    ),
  ),
  ...FILED_TABLES,
})

export const UPDATE = record(text, 'company_update', {
  kind: text,
  title: maybeText,
  excerpt: maybeText,
  content: maybeText,
  published_at: maybeTime,
  pinned: flag,
  visibility: nullable(oneOf('public', 'investors', 'community', 'founders', 'private')),
  author: nullable(object({ name: maybeText })),
  comments_count: whole,
  likes_count: whole,
  url: maybeText,
})

const asker = object({ id: nullable(id('usr_')), name: maybeText, role: maybeText, team: flag })
export const QUESTION = record(id('cmt_'), 'company_question', {
  question: maybeText,
  asked_at: maybeTime,
  asked_by: asker,
  likes_count: whole,
  highlighted: flag,
  answered_by_team: flag,
  match: optional(nullable(oneOf('question', 'answer'))),
  answers: listOf(
    object({ id: id('cmt_'), answer: maybeText, answered_at: maybeTime, answered_by: asker, likes_count: whole }),
  ),
  url: maybeText,
})
