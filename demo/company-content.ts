import { type DemoCompany, logoPath, type Team } from './companies.ts'
import { MEMO_DISCLAIMER, PERKS, PITCH_TITLES, POINTING_PERK, POSTS, pitchHtml, RISKS } from './content/pages.ts'
import type { DemoOffering } from './offerings.ts'
import type { Person } from './people.ts'
import { idAgo, type Random, stream } from './random.ts'
import { type Timeline, timeText } from './timeline.ts'

type ContentInput = { readonly team: Team; readonly offerings: readonly DemoOffering[] }

/** Adds the content of the companies' pages: pitches, perks, disclosures and posts. */
export function addCompanyContent(timeline: Timeline, { team, offerings }: ContentInput): void {
  const random = stream('content')
  for (const [company, members] of team) {
    const people = members.map(({ person }) => person)
    addPitch(timeline, company, random)
    for (const offering of offerings.filter((each) => each.company === company)) {
      addPerks(timeline, offering, random)
      addDisclosures(timeline, { offering, people, random })
    }
    addPosts(timeline, { company, people, random })
  }
}

/**
 * The founder's company has every kind of content except a memo of the platform. About one in eight of the other companies
 * has a memo.
 */
const isFoundersCompany = ({ story }: DemoCompany) => story.slug === 'brightkiln'

function addPitch(timeline: Timeline, company: DemoCompany, random: Random): void {
  const { id, story, created } = company
  const memo = !isFoundersCompany(company) && random.happens(0.12)
  const video = random.happens(0.3) || isFoundersCompany(company)
  timeline.add(timeline.ago(created - 0.5), 'company.pitch_published', {
    company: id,
    title: random.pick(PITCH_TITLES)(story),
    story_html: pitchHtml(story, { logo: logoPath(id), video }),
    ...(memo ? { authored_by: 'platform', disclaimer: MEMO_DISCLAIMER } : {}),
  })
}

/**
 * How many days ago the content of an offering was published: a day before the offering opened, or a day ago if it has not
 * opened yet. The offering itself was created at least two days earlier.
 */
const preparedDays = ({ plan }: DemoOffering) => Math.max(plan.opened, 0) + 1

function addPerks(timeline: Timeline, offering: DemoOffering, random: Random): void {
  const hasPointingPerk = random.happens(0.1)
  if (!random.happens(0.75) && !isFoundersCompany(offering.company)) return
  const tiers = PERKS.map(([units, description]) => ({
    qualifying_amount_cents: units * 100,
    description: hasPointingPerk && !isFoundersCompany(offering.company) ? POINTING_PERK : description,
  }))
  timeline.add(timeline.ago(preparedDays(offering)), 'offering.perks_set', { offering: offering.id, tiers })
}

type FilingInput = { readonly offering: DemoOffering; readonly people: readonly Person[]; readonly random: Random }

/** Adds disclosures to rounds under Reg CF and ECSP. A round that tests the waters has not filed any yet. */
function addDisclosures(timeline: Timeline, { offering, people, random }: FilingInput): void {
  const { id, plan, company } = offering
  if (!['reg_cf', 'ecsp'].includes(plan.exemption) || plan.security === null) return
  const { story, created } = company
  const day = (days: number) => timeText(timeline.ago(days)).slice(0, 10)
  const year = fiscalYear(random, plan.target)
  const [first, ...others] = people
  timeline.add(timeline.ago(preparedDays(offering)), 'offering.disclosures_filed', {
    offering: id,
    filing: {
      filed: true,
      sec_filing_url: `https://filings.example/form-c/${story.slug}`,
      statement_date: day(created + 30),
      fiscal_year_end: '--12-31',
    },
    ...(random.happens(0.15) ? { hidden: ['voting_power'] } : {}),
    business: {
      legal_name: `${story.name}, Inc.`,
      legal_form: 'Corporation',
      jurisdiction: plan.exemption === 'ecsp' ? 'EU' : 'DE',
      incorporated_on: day(created + 700),
      employees: random.between(3, 40),
    },
    financial_statements: { most_recent: year, prior: yearBefore(year) },
    current_position: {
      cash_on_hand_cents: random.between(20_000, 900_000) * 100,
      cash_on_hand_as_of: day(preparedDays(offering) + 5),
      average_monthly_revenue_cents: Math.round(year.revenue_cents / 12),
      average_monthly_expenses_cents: Math.round((year.revenue_cents - year.net_income_cents) / 12),
    },
    financial_condition:
      `${story.about}\n\nRevenue comes from customers who pay on delivery. The company expects to break even within two ` +
      'years if orders grow as planned.',
    investment_documents: [{ name: 'Subscription agreement', url: `https://filings.example/agreement/${story.slug}` }],
    financial_statement_documents: [
      { name: 'Financial statements', url: `https://filings.example/statements/${story.slug}` },
    ],
    risks: random.sample(RISKS, random.between(3, RISKS.length)).map((risk) => risk(story)),
    use_of_funds: [
      {
        if_raised_cents: Math.round(plan.target / 10) * 100,
        plan: 'Material for signed orders, and the costs of this round.',
      },
      { if_raised_cents: plan.target * 100, plan: 'The above, four people, and half a year of rent.' },
    ],
    people: [
      ...(first === undefined ? [] : [{ name: first.name, titles: 'CEO', since: 2021, director: true, officer: true }]),
      ...others.map(({ name }) => ({ name, titles: 'Director', since: 2023, director: true, officer: false })),
    ],
    voting_power:
      first === undefined
        ? []
        : [{ name: first.name, holding: '6,000,000 common shares', voting_power_percent: '60.0' }],
    capital_structure: [
      { class_of_security: 'Common', authorized: '10,000,000', outstanding: '8,200,000', voting_rights: 'Yes' },
    ],
    outstanding_debts: { note: 'The company has no debts outstanding.' },
  })
}

type Year = { readonly revenue_cents: number; readonly net_income_cents: number } & Readonly<Record<string, number>>

function fiscalYear(random: Random, target: number): Year {
  const cents = (share: number) => Math.round(target * share * (0.5 + random.next()) * 100)
  const revenue_cents = cents(0.6)
  return {
    total_assets_cents: cents(0.8),
    cash_and_equivalents_cents: cents(0.2),
    accounts_receivable_cents: cents(0.05),
    short_term_debt_cents: cents(0.04),
    long_term_debt_cents: cents(0.1),
    revenue_cents,
    cost_of_goods_sold_cents: Math.round(revenue_cents * 0.55),
    taxes_paid_cents: 0,
    net_income_cents: -cents(0.15),
  }
}

/** The figures of the year before: 70 % of this year's. */
function yearBefore(year: Year): Record<string, number> {
  return Object.fromEntries(Object.entries(year).map(([figure, cents]) => [figure, Math.round(cents * 0.7)]))
}

type PostingInput = { readonly company: DemoCompany; readonly people: readonly Person[]; readonly random: Random }

function addPosts(timeline: Timeline, { company, people, random }: PostingInput): void {
  const plans = isFoundersCompany(company) ? POSTS : random.sample(POSTS, random.between(2, 4))
  plans.forEach(({ kind, title, html, visibility }, at) => {
    const author = random.pick(people)
    const since = Math.min(100, company.created - 2, author.registered - 1)
    const days = 0.5 + (since - 0.5) * random.next()
    timeline.add(timeline.ago(days), 'company_update.published', {
      id: idAgo(random, 'update', days),
      company: company.id,
      author: author.id,
      kind,
      title: title(company.story),
      content_html: html(company.story),
      visibility,
      pinned: at === 0 && random.happens(0.4),
      likes_count: random.between(0, 40),
      comments_count: random.between(0, 9),
    })
  })
}
