import {
  address,
  currency,
  type Decoder,
  date,
  decimal,
  type Fields,
  flag,
  id,
  listOf,
  nullable,
  object,
  oneOf,
  optional,
  record,
  text,
  unionOf,
  utc,
  whole,
} from './decode.ts'
import { cents, maybeCents, maybeText } from './newest-terms.ts'
import { FILED_TABLES } from './older-content.ts'

/** Pitch, disclosures, updates and questions of a company in version 2026-11-01. */

const maybeDate = nullable(date)
const maybeDecimal = nullable(decimal)

const links = optional(listOf(object({ text: maybeText, url: address })))
const block = (type: string, keys: Fields) => object({ type: oneOf(type), ...keys })
const BLOCK = unionOf({
  heading: block('heading', { level: whole, text, links }),
  paragraph: block('paragraph', { text, links }),
  list: block('list', { ordered: flag, start: optional(whole), items: listOf(text), links }),
  image: block('image', { url: address, link: optional(address), alt: maybeText, filename: maybeText }),
  video: block('video', {
    url: address,
    link: optional(address),
    provider: oneOf('youtube', 'vimeo', 'wistia', 'loom', 'upload', 'other'),
  }),
  footnote: block('footnote', { number: whole, text }),
})
export const PITCH = record(id('co_'), 'company_pitch', {
  offering_id: nullable(id('ofr_')),
  title: text,
  url: address,
  authored_by: oneOf('company', 'platform'),
  disclaimer: maybeText,
  story: object({
    blocks: listOf(BLOCK),
    image_count: whole,
    video_count: whole,
    inline_images_omitted: whole,
    character_count: whole,
  }),
  perks: nullable(
    object({
      offering_id: nullable(id('ofr_')),
      currency,
      described_in_pitch: flag,
      tiers: listOf(object({ qualifying_amount_cents: cents, currency, description: maybeText })),
    }),
  ),
})

/** Returns `<name>_cents` for each name, and their currency. */
const money = (...names: readonly string[]): Fields => ({
  ...Object.fromEntries(names.map((name) => [`${name}_cents`, maybeCents])),
  currency,
})
const fiscalYear = optional(
  object(
    money(
      ...['total_assets', 'cash_and_equivalents', 'accounts_receivable', 'short_term_debt', 'long_term_debt'],
      ...['revenue', 'cost_of_goods_sold', 'taxes_paid', 'net_income'],
    ),
  ),
)
const percents = (...names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [`${name}_percent`, maybeDecimal]))
const texts = (...names: readonly string[]): Decoder =>
  object(Object.fromEntries(names.map((name) => [name, maybeText])))
const documents = nullable(listOf(object({ name: maybeText, url: address })))
const people = nullable(
  listOf(object({ name: maybeText, titles: maybeText, since: nullable(whole), director: flag, officer: flag })),
)
export const DISCLOSURES = record(id('co_'), 'company_disclosures', {
  ...FILED_TABLES,
  offering_id: id('ofr_'),
  filing: object({
    exemption: oneOf('reg_cf', 'ecsp'),
    sec_filing_url: nullable(address),
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
  financial_statements: nullable(object({ most_recent: fiscalYear, prior: fiscalYear, prior_prior: fiscalYear })),
  ratios: nullable(
    object({
      ...percents('net_margin', 'gross_margin', 'return_on_assets', 'debt_to_assets', 'cash_to_assets'),
      ...money('revenue_per_employee'),
    }),
  ),
  current_position: nullable(
    object({
      cash_on_hand_as_of: maybeDate,
      ...money('cash_on_hand', 'average_monthly_revenue', 'average_monthly_cost_of_goods'),
      ...money('average_monthly_expenses', 'average_monthly_burn'),
    }),
  ),
  financial_condition: maybeText,
  financial_statement_documents: documents,
  investment_documents: documents,
  risks: nullable(listOf(text)),
  use_of_funds: nullable(listOf(object({ ...money('if_raised'), plan: maybeText }))),
  directors: people,
  officers: people,
  voting_power: nullable(listOf(texts('name', 'holding', 'voting_power_percent'))),
  capital_structure: nullable(
    listOf(texts('class_of_security', 'authorized', 'outstanding', 'voting_rights', 'other_rights')),
  ),
})

export const UPDATE = record(id('upd_'), 'company_update', {
  kind: text,
  title: maybeText,
  excerpt: maybeText,
  content: maybeText,
  published_at: utc,
  pinned: flag,
  visibility: oneOf('public', 'investors', 'community', 'founders', 'private'),
  author: nullable(object({ name: maybeText })),
  comments_count: whole,
  likes_count: whole,
  url: address,
})

/**
 * The record has no id of a person outside the company's team, because the id would link the person's public name to
 * records that must not show who the person is.
 */
const team = object({ id: id('usr_'), name: text, role: maybeText, team: flag })
const outsider = object({ id: nullable(oneOf()), name: maybeText, role: maybeText, team: flag })
const PERSON: Decoder = {
  faults: (value, path) => {
    const isTeam = (value as { team?: unknown } | null)?.team === true
    return (isTeam ? team : outsider).faults(value, path)
  },
}
export const QUESTION = record(id('cmt_'), 'company_question', {
  question: text,
  asked_at: utc,
  asked_by: PERSON,
  likes_count: whole,
  highlighted: flag,
  answered_by_team: flag,
  match: nullable(oneOf('question', 'answer')),
  answers: listOf(
    object({
      id: id('cmt_'),
      in_reply_to: id('cmt_'),
      answer: text,
      answered_at: utc,
      answered_by: PERSON,
      likes_count: whole,
    }),
  ),
  answers_count: whole,
  url: address,
})
