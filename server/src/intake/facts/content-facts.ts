import { Type } from 'typebox'
import { idOf, line, nullable, oneOf } from '#http/schema-fields.ts'
import type { Id } from '#kernel/ids.ts'
import {
  changeUpdate,
  DISCLOSURE_SECTIONS,
  FISCAL_FIGURES,
  fileDisclosures,
  PERK_TIERS_MAX,
  PITCH_AUTHORS,
  POSITION_FIGURES,
  publishPitch,
  publishUpdate,
  removeUpdate,
  setPerks,
  VISIBILITIES,
} from '#views/content/index.ts'
import { type FactType, factType } from './fact-type.ts'
import { AmountCents, Link, Paragraphs } from './fields.ts'

/** HTML from the host's editor. It is sanitised before it is stored. */
const Html = (max: number) => Paragraphs(max)
const STORY_CHARS_MAX = 300_000
const UPDATE_CHARS_MAX = 100_000

const maybe = <S extends Parameters<typeof nullable>[0]>(schema: S) => Type.Optional(nullable(schema))
const closed = <P extends Parameters<typeof Type.Object>[0]>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })
const listOf = <S extends Parameters<typeof nullable>[0]>(schema: S, maxItems = 100) =>
  Type.Optional(Type.Array(schema, { maxItems }))
const fields = <const K extends string, S>(keys: readonly K[], schema: S) =>
  Object.fromEntries(keys.map((key) => [key, schema])) as Record<K, S>

const Day = maybe(Type.String({ format: 'date' }))
const Short = maybe(line(500))
const Long = maybe(Paragraphs(20_000))
const Percent = maybe(Type.String({ pattern: '^-?[0-9]{1,9}(\\.[0-9]{1,6})?$' }))
/** Balance-sheet figures may be negative, and need not be whole units. */
const Figure = maybe(Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }))
const Documents = listOf(closed({ name: Short, url: Link }))
const FiscalYear = Type.Optional(closed(fields(FISCAL_FIGURES, Figure)))

const Person = closed({
  name: Short,
  titles: Short,
  since: maybe(Type.Integer({ minimum: 1800, maximum: 2200 })),
  director: Type.Optional(Type.Boolean()),
  officer: Type.Optional(Type.Boolean()),
})

const SECTIONS = {
  business: Type.Optional(
    closed({
      ...fields(['legal_name', 'legal_form', 'jurisdiction'], Short),
      incorporated_on: Day,
      employees: maybe(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
    }),
  ),
  financial_statements: Type.Optional(closed({ most_recent: FiscalYear, prior: FiscalYear, prior_prior: FiscalYear })),
  current_position: Type.Optional(closed({ ...fields(POSITION_FIGURES, Figure), cash_on_hand_as_of: Day })),
  financial_condition: Long,
  financial_statement_documents: Documents,
  investment_documents: Documents,
  risks: listOf(Paragraphs(20_000)),
  use_of_funds: listOf(closed({ if_raised_cents: Figure, plan: Long })),
  people: listOf(Person),
  voting_power: listOf(closed({ name: Short, holding: Short, voting_power_percent: Percent })),
  capital_structure: listOf(
    closed({
      ...fields(['class_of_security', 'authorized', 'outstanding', 'voting_rights'], Short),
      other_rights: Long,
    }),
  ),
  prior_offerings: listOf(
    closed({
      date: Day,
      ...fields(['exemption', 'security_type', 'amount_sold'], Short),
      use_of_proceeds: Long,
      offering: maybe(idOf('offering')),
    }),
  ),
  outstanding_notes: listOf(
    closed({
      ...fields(['amount', 'outstanding_principal', 'valuation_cap'], Short),
      uncapped: Type.Optional(Type.Boolean()),
      interest_rate_percent: Percent,
      discount_percent: Percent,
      maturity_date: Day,
      description: Long,
    }),
  ),
  outstanding_debts: Type.Optional(
    closed({
      note: Long,
      items: listOf(
        closed({
          ...fields(['original_amount', 'outstanding_principal'], Short),
          current_with_payments: maybe(Type.Boolean()),
          maturity_date: Day,
          description: Long,
        }),
      ),
    }),
  ),
  related_parties: Type.Optional(
    closed({
      description: Long,
      parties: listOf(
        closed({
          ...fields(['name', 'relationship', 'amount', 'outstanding_principal'], Short),
          date: Day,
          description: Long,
        }),
      ),
    }),
  ),
}

const COUNT_MAX = 2 ** 31 - 1
const Count = Type.Optional(Type.Integer({ minimum: 0, maximum: COUNT_MAX }))

const UPDATE_OPTIONAL = {
  title: maybe(line(300)),
  visibility: Type.Optional(oneOf(VISIBILITIES)),
  pinned: Type.Optional(Type.Boolean()),
  url: maybe(Link),
  likes_count: Count,
  comments_count: Count,
}

const COMPANY = 'co_0ExampleNounCompany00000' as Id<'company'>
const OFFERING = 'ofr_0ExampleNounOffering0000' as Id<'offering'>
const UPDATE = 'upd_0ExampleNounUpdate000000' as Id<'update'>

/** The content of a company's page: its pitch, the perks and disclosures of its rounds, and its posts. */
export const contentFacts: readonly FactType[] = [
  factType({
    type: 'company.pitch_published',
    summary:
      'The story on a company’s page, as HTML, replaces the previous one. It is sanitised and stored as blocks of text, ' +
      'pictures and videos. A memo that the platform wrote without the company is authored by `platform`.',
    data: closed({
      company: idOf('company'),
      title: maybe(line(200)),
      authored_by: Type.Optional(oneOf(PITCH_AUTHORS)),
      disclaimer: maybe(Paragraphs(2_000)),
      story_html: Html(STORY_CHARS_MAX),
    }),
    example: {
      company: COMPANY,
      title: 'Numbers, woven by steam',
      story_html:
        '<h2>The mill</h2><p>It adds in <strong>three seconds</strong>.<sup><a href="#fn1">1</a></sup></p>' +
        '<img src="https://images.example.org/mill.jpg" alt="The mill"><ol><li>Build it</li><li>Sell it</li></ol>' +
        '<p id="fn1">Measured in Marylebone.</p>',
    },
    apply: (tx, data, { occasion }) => publishPitch(tx, data, occasion),
  }),
  factType({
    type: 'offering.perks_set',
    summary:
      'What investors of an offering get in addition to the security, by amount. The list replaces the previous list.',
    data: closed({
      offering: idOf('offering'),
      tiers: Type.Array(closed({ qualifying_amount_cents: AmountCents, description: maybe(Paragraphs(5_000)) }), {
        maxItems: PERK_TIERS_MAX,
      }),
    }),
    example: {
      offering: OFFERING,
      tiers: [
        { qualifying_amount_cents: 25_000, description: 'A printed table of logarithms.' },
        { qualifying_amount_cents: 100_000, description: 'The table, signed, and a visit to the workshop.' },
      ],
    },
    apply: (tx, data) => setPerks(tx, data),
  }),
  factType({
    type: 'offering.disclosures_filed',
    summary:
      'What was filed for an offering under Reg CF or ECSP (Form C). It replaces the whole previous filing. Amounts ' +
      'in `_cents` are in the offering’s currency; other amounts are text and stay as filed. Sections in `hidden` are not shown.',
    data: closed({
      offering: idOf('offering'),
      filing: closed({
        filed: Type.Boolean(),
        sec_filing_url: maybe(Link),
        statement_date: Day,
        fiscal_year_end: maybe(Type.String({ pattern: '^--(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' })),
      }),
      hidden: listOf(oneOf(DISCLOSURE_SECTIONS), DISCLOSURE_SECTIONS.length),
      ...SECTIONS,
    }),
    example: {
      offering: OFFERING,
      filing: {
        filed: true,
        sec_filing_url: 'https://filings.example.org/form-c/1',
        statement_date: '2025-12-31',
        fiscal_year_end: '--12-31',
      },
      hidden: ['outstanding_notes'],
      business: { legal_name: 'Analytical Engines, Inc.', legal_form: 'Corporation', jurisdiction: 'DE', employees: 4 },
      financial_statements: {
        most_recent: {
          total_assets_cents: 42_000_050,
          cash_and_equivalents_cents: 12_000_000,
          revenue_cents: 30_000_000,
          net_income_cents: -4_500_025,
        },
      },
      current_position: { cash_on_hand_cents: 9_000_000, cash_on_hand_as_of: '2026-01-10' },
      risks: ['The gears may not be cut precisely enough.'],
      use_of_funds: [{ if_raised_cents: 50_000_000, plan: 'A second mill.' }],
      people: [{ name: 'Charles Babbage', titles: 'CEO', since: 2021, director: true, officer: true }],
      voting_power: [{ name: 'Charles Babbage', holding: '6,000,000 common', voting_power_percent: '60.0' }],
      outstanding_debts: { note: 'None.' },
    },
    apply: (tx, data, { occasion }) => fileDisclosures(tx, data, occasion),
  }),
  factType({
    type: 'company_update.published',
    summary:
      'A company published a post on its page. `visibility` says who reads the post: `public` (every viewer of the company; the ' +
      'default), `investors`, `community` (investors, people with a reservation, and followers), `founders` or `private` (the ' +
      'company’s editors).',
    data: closed({
      id: idOf('update'),
      company: idOf('company'),
      kind: Type.String({ pattern: '^[a-z_]{1,40}$' }),
      author: maybe(idOf('user')),
      content_html: Html(UPDATE_CHARS_MAX),
      ...UPDATE_OPTIONAL,
    }),
    example: {
      id: UPDATE,
      company: COMPANY,
      kind: 'update',
      author: 'usr_0ExampleNounFounder00000' as Id<'user'>,
      title: 'The first thousand wheels',
      content_html: '<p>They are cut, and they <em>turn</em>.</p>',
      visibility: 'investors',
    },
    apply: (tx, data, { occasion }) => publishUpdate(tx, data, occasion),
  }),
  factType({
    type: 'company_update.changed',
    summary: 'A post was edited, pinned, liked or commented on. Omitted fields do not change.',
    data: closed({ id: idOf('update'), content_html: Type.Optional(Html(UPDATE_CHARS_MAX)), ...UPDATE_OPTIONAL }),
    example: { id: UPDATE, pinned: true, visibility: 'public', likes_count: 12 },
    apply: (tx, data) => changeUpdate(tx, data),
  }),
  factType({
    type: 'company_update.removed',
    summary: 'A post was removed from the company’s page.',
    data: closed({ id: idOf('update') }),
    example: { id: UPDATE },
    apply: (tx, { id }, { occasion }) => removeUpdate(tx, id, occasion),
  }),
]
