import type { Id } from '@portico/server/kernel/ids.ts'
import { addConversations, addFollows } from './community.ts'
import { addCompanies, type DemoCompany, type Team } from './companies.ts'
import { addCompanyContent } from './company-content.ts'
import { type Application, addInvestments } from './investments/index.ts'
import { addOfferings, type DemoOffering } from './offerings.ts'
import { addPeople, type Person } from './people.ts'
import { stream } from './random.ts'
import { addInvestmentSessions, addJoinSessions } from './sessions.ts'
import { type DemoRole, SIGN_IN_PEOPLE, type SignInPerson } from './sign-in-people.ts'
import { addSyndicates, type DemoSyndicate } from './syndicates.ts'
import { type DemoFact, Timeline } from './timeline.ts'

/**
 * A person whom visitors can sign in as, with the companies whose team the person is on and the syndicates that the
 * person manages.
 */
export type DemoPerson = SignInPerson & {
  readonly id: Id<'user'>
  readonly companies: readonly Id<'company'>[]
  readonly syndicates: readonly Id<'syndicate'>[]
}

export type DemoIds = {
  readonly company: Id<'company'>
  readonly offering_public: Id<'offering'>
  readonly offering_private: Id<'offering'>
  readonly offering_testing_the_waters: Id<'offering'>
  readonly offering_accredited: Id<'offering'>
  readonly company_not_promoted: Id<'company'>
  readonly syndicate: Id<'syndicate'>
  readonly investment: Id<'investment'>
}

export type DemoWorld = {
  /** The facts in chronological order. */
  readonly facts: readonly DemoFact[]
  readonly people: Readonly<Record<DemoRole, DemoPerson>>
  readonly ids: DemoIds
}

/**
 * Returns a whole platform as the facts that its host would send. The facts are always the same except for their
 * dates, which have a fixed distance to `nowMs`.
 */
export function demoWorld(nowMs: number): DemoWorld {
  const timeline = new Timeline(nowMs)
  const people = addPeople(timeline)
  const team = addCompanies(timeline, people)
  const leaving = chooseLeavers(people, team)
  const remaining = people.filter((person) => !leaving.has(person))
  const companies = [...team.keys()]
  const offerings = addOfferings(timeline, companies)
  const applications = addInvestments(timeline, offerings, { people, team, leaving })
  addCompanyContent(timeline, { team, offerings })
  addConversations(timeline, { people: remaining, team })
  addFollows(timeline, { people: remaining, team })
  addPortfolio(timeline, { companies, offerings, applications })
  const syndicates = addSyndicates(timeline, { people: remaining, companies, offerings })
  addJoinSessions(timeline, syndicates, remaining)
  addInvestmentSessions(timeline, { people: remaining, offerings, applications })
  for (const { id } of leaving) timeline.add(timeline.ago(LEFT_DAYS), 'user.deactivated', { id })
  return {
    facts: timeline.facts(),
    people: peopleOf(people, team, syndicates),
    ids: idsOf({ team, offerings, syndicates, applications }),
  }
}

const LEAVERS = 3
const LEFT_DAYS = 9

/** Chooses the people who leave the platform: the last people in the list who have no demo role and are on no team. */
function chooseLeavers(people: readonly Person[], team: Team): ReadonlySet<Person> {
  const teamMembers = new Set([...team.values()].flat().map(({ person }) => person))
  return new Set(people.filter((person) => person.demoRole === null && !teamMembers.has(person)).slice(-LEAVERS))
}

function peopleOf(people: readonly Person[], team: Team, syndicates: readonly DemoSyndicate[]): DemoWorld['people'] {
  const entries = SIGN_IN_PEOPLE.map((signIn): [DemoRole, DemoPerson] => {
    const person = people.find(({ demoRole }) => demoRole === signIn.demoRole)
    if (person === undefined) throw new Error(`no person has the demo role ${signIn.demoRole}`)
    const ownTeams = [...team].filter(([, members]) => members.some((member) => member.person === person))
    const ownSyndicates = syndicates.filter(({ managers }) => managers.includes(person))
    const companies = ownTeams.map(([company]) => company.id)
    return [signIn.demoRole, { ...signIn, id: person.id, companies, syndicates: ownSyndicates.map(({ id }) => id) }]
  })
  return Object.fromEntries(entries) as Record<DemoRole, DemoPerson>
}

type WorldRecords = {
  readonly team: Team
  readonly offerings: readonly DemoOffering[]
  readonly syndicates: readonly DemoSyndicate[]
  readonly applications: readonly Application[]
}

function idsOf({ team, offerings, syndicates, applications }: WorldRecords): DemoIds {
  const company = (slug: string) => required([...team.keys()].find(({ story }) => story.slug === slug)).id
  const round = (slug: string, at: number) =>
    required(
      offerings.find(
        (offering) => offering.company.story.slug === slug && offering.company.story.rounds[at] === offering.plan,
      ),
    )
  const investment = applications.find(
    ({ offering, investor, follows }) =>
      investor.demoRole === 'investor' && offering === round('brightkiln', 1) && follows === null,
  )
  return {
    company: company('brightkiln'),
    offering_public: round('brightkiln', 1).id,
    offering_private: round('cobalt-reef', 0).id,
    offering_testing_the_waters: round('kelpline', 0).id,
    offering_accredited: round('cantilever-health', 0).id,
    company_not_promoted: company('hearth-and-hinge'),
    syndicate: required(syndicates.find(({ story }) => story.joining === 'approval')).id,
    investment: required(investment).id,
  }
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the demo lacks a record that its file must contain')
  return value
}

type PortfolioInput = {
  readonly companies: readonly DemoCompany[]
  readonly offerings: readonly DemoOffering[]
  readonly applications: readonly Application[]
}

/** Adds the outcomes of investments (valuations, acquisitions, failures and sales), and the holdings of the funds. */
function addPortfolio(timeline: Timeline, { companies, offerings, applications }: PortfolioInput): void {
  const random = stream('portfolio')
  const roundOf = (slug: string) => offerings.find(({ company }) => company.story.slug === slug)?.id
  for (const [slug, days, value] of VALUATIONS) {
    timeline.add(timeline.ago(days), 'portfolio.valued', { offering: roundOf(slug), ...value })
  }
  for (const [slug, days, exit] of EXITS) {
    timeline.add(timeline.ago(days), 'portfolio.exited', { offering: roundOf(slug), ...exit })
  }
  const executed = applications.filter(({ course, offering, investor }) => {
    return course === 'executed' && offering.company.story.slug === 'grainshare' && investor.demoRole === null
  })
  for (const { id, offering } of random.sample(executed, 4)) {
    timeline.add(
      timeline.ago(random.between(2, 12)),
      'portfolio.sold',
      { investment: id, multiple: '1.15' },
      { changed: [offering.company.id] },
    )
  }
  const company = (slug: string) => companies.find(({ story }) => story.slug === slug)?.id
  for (const [fund, held, status, days] of HOLDINGS) {
    timeline.add(timeline.ago(days), 'fund.holding_set', { fund: company(fund), company: company(held), status })
  }
}

const VALUATIONS: readonly (readonly [slug: string, days: number, value: object])[] = [
  ['wayfound', 40, { share_price: '1.05' }],
  ['grainshare', 30, { share_price: '11.20' }],
  ['grainshare', 8, { share_price: '11.80' }],
  ['ferrous-diagnostics', 9, { share_price: '1.24' }],
  ['fjordlab', 7, { share_price: '10.90' }],
  ['second-shift', 12, { multiple: '1.1' }],
  ['tidewell', 10, { multiple: '1.2' }],
  ['fathom-foods', 11, { share_price: '2.15' }],
  ['lumen-street', 45, { multiple: '0.6' }],
  ['driftless-solar-commons', 6, { multiple: '1.04' }],
]

const EXITS: readonly (readonly [slug: string, days: number, exit: object])[] = [
  ['wayfound', 15, { status: 'exited', reason: 'acquisition', multiple: '2.35' }],
  ['lumen-street', 19, { status: 'failed', reason: 'winding_down', multiple: '0.12' }],
]

const HOLDINGS: readonly (readonly [fund: string, held: string, status: string, days: number])[] = [
  ['harbor-street-climate-fund', 'brightkiln', 'active', 55],
  ['harbor-street-climate-fund', 'tidewell', 'active', 50],
  ['harbor-street-climate-fund', 'heatharbor', 'active', 47],
  ['harbor-street-climate-fund', 'loamworks', 'active', 30],
  ['harbor-street-climate-fund', 'holzweg', 'active', 21],
  ['harbor-street-climate-fund', 'vireo-aerospace', 'active', 14],
  ['harbor-street-climate-fund', 'lumen-street', 'failed', 18],
  ['main-street-makers-fund', 'marrow-and-rye', 'active', 44],
  ['main-street-makers-fund', 'copperline-brewing', 'active', 36],
  ['main-street-makers-fund', 'pine-barrens-records', 'active', 20],
  ['main-street-makers-fund', 'wayfound', 'exited', 14],
]
