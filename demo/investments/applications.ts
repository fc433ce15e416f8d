import type { Id } from '@portico/server/kernel/ids.ts'
import type { Team } from '../companies.ts'
import type { RoundPlan } from '../content/story.ts'
import { type DemoOffering, testsTheWaters } from '../offerings.ts'
import type { Person } from '../people.ts'
import { idAgo, type Random } from '../random.ts'
import { type About, MINUTE_MS, type Timeline } from '../timeline.ts'
import { type Course, chooseCourse, FIRST_CLOSING_DAYS } from './courses.ts'

/** A person's investment or reservation. */
export type Application = {
  readonly id: Id<'investment'>
  readonly offering: DemoOffering
  readonly investor: Person
  readonly units: number
  /** Days before the demo was created. */
  readonly days: number
  readonly course: Course
  /** The reservation that was converted into this investment. Null if there was none. */
  readonly follows: Application | null
}

/**
 * Returns the records that each fact of an application uses, for `wavesOf`. The fact changes the investor's total in the raise.
 * No fact that changes the offering or the investor may be applied at the same time.
 */
export function recordsOf({ offering, investor, follows }: Application): About {
  const offerings = follows === null ? [offering.id] : [offering.id, follows.offering.id]
  return { changed: [`${offering.raise} ${investor.id}`], referred: [...offerings, investor.id] }
}

export type Investors = {
  readonly people: readonly Person[]
  readonly team: Team
  readonly invited: Invited
  /**
   * The people who leave the platform. They invest only early: more than `LEAVERS_BEFORE` days before the demo was
   * created.
   */
  readonly leaving: ReadonlySet<Person>
  readonly random: Random
}

/**
 * Every course ends within six days. So the last investment of a round with an end is made at least six days before
 * the end.
 */
const COURSE_DAYS = 6
const LEAVERS_BEFORE = 60

export function applicationsTo(
  offering: DemoOffering,
  investors: Investors,
  earlier: readonly Application[],
): readonly Application[] {
  const followers = earlier
    .filter(({ course }) => course === 'converted')
    .map((before) => followUp(before, offering, investors))
  const stakes = stakesIn(offering, investors)
  const rest = offering.plan.count - followers.length - stakes.length
  const eligible = eligibleFor(offering, investors)
  const strangers = Array.from({ length: rest }, (_, at) =>
    strangerApplication(offering, { ...investors, people: eligible }, at),
  )
  return [...followers, ...stakes, ...strangers]
}

function followUp(before: Application, offering: DemoOffering, { random }: Investors): Application {
  const days = offering.plan.opened - 0.05 - 2 * random.next()
  const course = chooseCourse(random, offering.plan, days)
  const { investor, units } = before
  return {
    ...newIdAt(random, days),
    offering,
    investor,
    units: Math.max(units, offering.plan.min),
    course,
    follows: before,
  }
}

function stakesIn(offering: DemoOffering, { people, random }: Investors): Application[] {
  const { slug, rounds } = offering.company.story
  const investor = people.find(({ demoRole }) => demoRole === 'investor')
  if (investor === undefined) return []
  return PORTFOLIO.filter((stake) => stake.slug === slug && rounds[stake.round] === offering.plan).map((stake) => {
    const { first, last } = windowOf(offering)
    const days = first - stake.when * (first - last)
    return { ...newIdAt(random, days), offering, investor, units: stake.units, course: stake.course, follows: null }
  })
}

function strangerApplication(offering: DemoOffering, investors: Investors, at: number): Application {
  const { random } = investors
  const { first, last } = windowOf(offering)
  // Nearly half of the people invest early in the round, and the others at any time.
  const days = first - (first - last) * (random.happens(0.45) ? cubed(random.next()) : random.next())
  const investor = investorFor(investors, days)
  const course = conversionCourse(offering, at) ?? chooseCourse(random, offering.plan, days)
  return { ...newIdAt(random, days), offering, investor, units: amountFor(random, offering), course, follows: null }
}

/**
 * The plan of another round of the raise may say how many of this round's reservations it converts. Then the first
 * reservations are converted, until that number is reached. The next three reservations are converted too, but no fact
 * names their investments.
 */
function conversionCourse({ plan, company }: DemoOffering, at: number): Course | null {
  const next = company.story.rounds.find(
    (other) => other.raise !== undefined && other.raise === plan.raise && other.converted,
  )
  if (next?.converted === undefined || next === plan || plan.intended === undefined) return null
  const portfolioCount = PORTFOLIO.filter(
    (stake) => stake.slug === company.story.slug && stake.course === 'converted',
  ).length
  const converting = next.converted - portfolioCount
  if (at < converting) return 'converted'
  return at < converting + 3 ? 'unresolved' : null
}

/** When the offering gets its first and its last investment, in days before the demo was created. */
function windowOf({ plan }: DemoOffering): { readonly first: number; readonly last: number } {
  const end = plan.canceled ?? plan.closing
  return { first: plan.opened - 0.02, last: end === undefined ? 0.05 : end + COURSE_DAYS }
}

/**
 * The people without a demo role who may invest in the offering. `investorFor` adds the checks that depend on the day
 * of an investment.
 */
function eligibleFor(offering: DemoOffering, { people, team, invited }: Investors): readonly Person[] {
  const insiders = new Set(team.get(offering.company)?.map(({ person }) => person))
  return (invited.get(offering) ?? people).filter(
    (person) => person.demoRole === null && !insiders.has(person) && mayTakePart(offering, person),
  )
}

/** Prefers the end of the list, so that a few people invest in nearly every round and most people in a few rounds. */
function investorFor({ people: eligible, leaving, random }: Investors, days: number): Person {
  const pool = eligible.filter(
    (person) => person.registered > days + 1 && (days > LEAVERS_BEFORE || !leaving.has(person)),
  )
  return random.pick(pool.slice(Math.floor(pool.length * 0.75 * squared(random.next()))))
}

function newIdAt(random: Random, days: number): { readonly id: Id<'investment'>; readonly days: number } {
  return { id: idAgo(random, 'investment', days), days }
}

// Multiplications return the same bits on every machine, unlike a power function.
const squared = (x: number) => x * x
const cubed = (x: number) => x * x * x

type Invited = ReadonlyMap<DemoOffering, readonly Person[]>

/** Invites people to each private round, two days before it opens. */
export function addInvitations(
  timeline: Timeline,
  offerings: readonly DemoOffering[],
  { people, team, random }: { people: readonly Person[]; team: Team; random: Random },
): Invited {
  const invited = new Map<DemoOffering, readonly Person[]>()
  for (const offering of offerings) {
    const { plan, company } = offering
    if (plan.invited === undefined) continue
    const insiders = new Set(team.get(company)?.map(({ person }) => person))
    const eligible = people.filter(
      (person) => person.demoRole === null && !insiders.has(person) && mayTakePart(offering, person),
    )
    const guests = [
      ...people.filter(({ demoRole }) => demoRole === 'investor'),
      ...random.sample(eligible, plan.invited - 1),
    ]
    guests.forEach(({ id }, at) => {
      timeline.add(timeline.ago(plan.opened + 2 - at / 1_000), 'offering.user_invited', { id: offering.id, user: id })
    })
    invited.set(offering, guests)
  }
  return invited
}

const EUROPEAN_UNION = new Set(['AT', 'BE', 'DE', 'DK', 'ES', 'FR', 'IT', 'NL', 'PL', 'PT', 'SE'])

/** Whether the person meets the requirements of the exemption. */
function mayTakePart({ plan }: DemoOffering, { home, accreditation }: Person): boolean {
  if (plan.exemption === 'reg_s') return home.country !== 'US'
  if (plan.exemption === 'ecsp') return EUROPEAN_UNION.has(home.country)
  const needsAccreditation = plan.accreditedOnly === true || plan.exemption === 'reg_d_506b'
  return accreditation !== 'none' || !needsAccreditation
}

const AMOUNTS = [100, 200, 250, 300, 500, 500, 750, 1_000, 1_000, 1_500, 2_000, 2_500, 5_000, 10_000]

/** Returns an amount in whole units. Most amounts are small and round, and none is below the round’s minimum. */
function amountFor(random: Random, { plan }: DemoOffering): number {
  const possible = AMOUNTS.filter((amount) => amount >= plan.min && amount <= plan.min * 20)
  const usual = possible.length === 0 ? plan.min * random.pick([1, 1, 2, 2, 4]) : random.pick(possible)
  return testsTheWaters(plan) ? Math.max(plan.min, usual) : usual
}

/**
 * Executes an investment: contracts are countersigned and funds are released at the end of the round, or in the first closing
 * of a round that continues.
 */
export function addExecution(timeline: Timeline, application: Application, random: Random): void {
  const { id, offering, investor, units } = application
  const { plan } = offering
  const about = recordsOf(application)
  const at = releasedAt(timeline, plan, random)
  timeline.add(at, 'investment.executed', { id }, about)
  const { security } = plan
  // Shares and contracts are reported for the demo's investor, whose portfolio needs shares, and for some other people.
  if (security?.type !== 'equity' || (investor.demoRole === null && random.happens(0.6))) return
  const contracts = [{ name: 'Subscription agreement', override_amount_cents: null, early_bird: random.happens(0.3) }]
  const details = { id, shares: sharesFor(units, security.price), contracts }
  timeline.add(at + MINUTE_MS, 'investment.details_changed', details, about)
}

function releasedAt(timeline: Timeline, plan: RoundPlan, random: Random): number {
  if (plan.closing === undefined || plan.closed === undefined) {
    return timeline.ago(FIRST_CLOSING_DAYS) + random.between(0, 240) * MINUTE_MS
  }
  return timeline.ago(plan.closing - (plan.closing - plan.closed) * (0.1 + 0.8 * random.next()))
}

const SHARE_DECIMALS = 4

function sharesFor(units: number, price: string): { readonly count: string; readonly average_price: string } {
  const count = (units / Number(price)).toFixed(SHARE_DECIMALS).replace(/\.?0+$/, '')
  return { count, average_price: price }
}

export type Stake = {
  readonly slug: string
  /** The index of the company’s round. */
  readonly round: number
  readonly course: Course
  readonly units: number
  /** The time within the round: 0 is its first investment, 1 is its last (see `windowOf`). */
  readonly when: number
}

/** The investments and reservations of the demo's investor, in many different states. */
const PORTFOLIO: readonly Stake[] = [
  stake('brightkiln', 0, 'converted', 1_000, 0.2),
  stake('brightkiln', 1, 'confirmed', 2_500, 0.55),
  stake('tidewell', 0, 'executed', 1_500, 0.1),
  stake('heatharbor', 0, 'confirmed', 840, 0.5),
  stake('driftless-solar-commons', 0, 'executed', 500, 0.15),
  stake('kelpline', 0, 'reserved', 600, 0.4),
  stake('marrow-and-rye', 0, 'confirmed', 300, 0.5),
  stake('fathom-foods', 0, 'executed', 925, 0.2),
  stake('cantilever-health', 0, 'ready', 10_000, 0.8),
  stake('ferrous-diagnostics', 0, 'executed', 2_400, 0.3),
  stake('lantern-sleep', 0, 'canceled', 500, 0.4),
  stake('quietude', 0, 'unpaid', 250, 0.7),
  stake('foxglove-games', 0, 'confirmed', 200, 0.3),
  stake('cobalt-reef', 0, 'confirmed', 25_000, 0.5),
  stake('vireo-aerospace', 0, 'paying', 1_200, 0.97),
  stake('wayfound', 0, 'executed', 1_000, 0.2),
  stake('grainshare', 0, 'executed', 750, 0.4),
  stake('lumen-street', 0, 'executed', 400, 0.3),
  stake('tallgrass-festival', 0, 'confirmed', 200, 0.3),
  stake('main-street-makers-fund', 0, 'executed', 1_000, 0.1),
  stake('harbor-street-climate-fund', 0, 'confirmed', 25_000, 0.4),
  stake('trailhead-commons', 0, 'zeroed', 300, 0.3),
]

function stake(slug: string, round: number, course: Course, units: number, when: number): Stake {
  return { slug, round, course, units, when }
}
