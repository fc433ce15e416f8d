import type { Id } from '@portico/server/kernel/ids.ts'
import type { CompanyRole } from '@portico/server/market/companies/index.ts'
import { companyPagePath } from '@portico/server/views/catalog/index.ts'
import { CLIMATE } from './content/companies/climate.ts'
import { EUROPE } from './content/companies/europe.ts'
import { FOOD } from './content/companies/food.ts'
import { HEALTH } from './content/companies/health.ts'
import { HISTORY } from './content/companies/history.ts'
import { PLACES } from './content/companies/places.ts'
import { TECHNOLOGY } from './content/companies/technology.ts'
import type { CompanyStory } from './content/story.ts'
import { town } from './content/towns.ts'
import type { Person } from './people.ts'
import { idAgo, type Random, stream } from './random.ts'
import { HOUR_MS, type Timeline, timeText } from './timeline.ts'

export type DemoCompany = {
  readonly id: Id<'company'>
  readonly story: CompanyStory
  /** Days before the demo was created. */
  readonly created: number
}

/** Returns the same list every time, because logos are created from it without a database. */
export function demoCompanies(): readonly DemoCompany[] {
  const random = stream('companies')
  return COMPANIES.map((story) => {
    const opened = Math.max(...story.rounds.map((round) => round.opened))
    const created = Math.max(opened, 20) + random.between(14, 300) + random.next()
    return { id: idAgo(random, 'company', created), story, created }
  })
}

export const logoPath = (id: Id<'company'>) => `/assets/logos/${id}.svg`

export type Team = ReadonlyMap<DemoCompany, readonly { readonly person: Person; readonly role: CompanyRole }[]>

export function addCompanies(timeline: Timeline, people: readonly Person[]): Team {
  const companies = demoCompanies()
  const team = teamOf(companies, people)
  for (const company of companies) {
    addCompany(timeline, company)
    addPastRounds(timeline, company)
    for (const { person, role } of team.get(company) ?? []) {
      // A person gets a role only after they registered.
      const days = Math.min(company.created - 0.01, person.registered - 0.5)
      timeline.add(timeline.ago(days), 'company.person_set', { company: company.id, user: person.id, role })
    }
  }
  return team
}

function addCompany(timeline: Timeline, { id, story, created }: DemoCompany): void {
  timeline.add(timeline.ago(created), 'company.created', {
    id,
    kind: story.fund ? 'fund' : 'company',
    name: story.name,
    slug: story.slug,
    tagline: story.tagline,
    page_url: companyPagePath('test', story.slug),
    logo_url: logoPath(id),
    location: town(story.town),
    industries: story.industries,
    business_models: story.models,
    promotion_opt_in: story.quiet !== true,
  })
}

function addPastRounds(timeline: Timeline, { id, story, created }: DemoCompany): void {
  if (story.past === undefined) return
  const rounds = story.past.map(({ exemption, raised, investors, closed, ran }) => ({
    exemption,
    amount_raised_cents: raised * 100,
    currency: 'usd',
    investor_count: investors,
    opened_at: timeText(timeline.ago(closed + ran)),
    closed_at: timeText(timeline.ago(closed)),
  }))
  const reportedAt = Math.max(
    timeline.ago(created) + HOUR_MS,
    timeline.ago(Math.min(...story.past.map((p) => p.closed))),
  )
  timeline.add(reportedAt, 'company.past_rounds_reported', { company: id, rounds })
}

/**
 * Chooses the team of each company. The demo's founder, editor and manager are on the teams that the story needs. All other
 * members are strangers, each on at most one team.
 */
function teamOf(companies: readonly DemoCompany[], people: readonly Person[]): Team {
  const random = stream('teams')
  const withDemoRole = (demoRole: Person['demoRole']) => people.filter((person) => person.demoRole === demoRole)
  const strangers = random.sample(
    people.filter((person) => person.demoRole === null),
    people.length,
  )
  const draw = (role: CompanyRole, count: number) => strangers.splice(0, count).map((person) => ({ person, role }))
  const team = companies.map((company, at): [DemoCompany, { person: Person; role: CompanyRole }[]] => {
    const { slug } = company.story
    const signInPeople = [
      ...(at === 0 ? withDemoRole('founder').map((person) => ({ person, role: 'founder' as const })) : []),
      ...(at <= 1 ? withDemoRole('editor').map((person) => ({ person, role: 'editor' as const })) : []),
      ...(slug === 'harbor-street-climate-fund'
        ? withDemoRole('manager').map((person) => ({ person, role: 'founder' as const }))
        : []),
    ]
    return [
      company,
      [...signInPeople, ...draw('founder', at === 0 ? 1 : founderCount(random)), ...otherRoles(random, draw)],
    ]
  })
  return new Map(team)
}

function founderCount(random: Random): number {
  return random.happens(0.35) ? 2 : 1
}

function otherRoles(
  random: Random,
  draw: (role: CompanyRole, count: number) => { person: Person; role: CompanyRole }[],
) {
  return [
    ...draw('admin', random.happens(0.2) ? 1 : 0),
    ...draw('editor', random.happens(0.25) ? 1 : 0),
    ...draw('employee', random.happens(0.4) ? 1 : 0),
  ]
}

/** All companies. The first belongs to the demo's founder. */
const COMPANIES: readonly CompanyStory[] = [
  ...CLIMATE,
  ...FOOD,
  ...HEALTH,
  ...TECHNOLOGY,
  ...PLACES,
  ...EUROPE,
  ...HISTORY,
]
