import type { Id } from '@portico/server/kernel/ids.ts'
import type { DemoCompany } from './companies.ts'
import { type Path, SYNDICATES, type SyndicateStory } from './content/syndicates.ts'
import type { DemoOffering } from './offerings.ts'
import { emailName, type Person } from './people.ts'
import { idAgo, type Random, stream } from './random.ts'
import { DAY_MS, type Timeline } from './timeline.ts'

export type DemoSyndicate = {
  readonly id: Id<'syndicate'>
  readonly story: SyndicateStory
  readonly managers: readonly Person[]
  /** The managers, and every person who ever joined, applied or was invited. */
  readonly known: ReadonlySet<Person>
}

type SyndicateInput = {
  readonly people: readonly Person[]
  readonly companies: readonly DemoCompany[]
  readonly offerings: readonly DemoOffering[]
}

export function addSyndicates(timeline: Timeline, input: SyndicateInput): readonly DemoSyndicate[] {
  const random = stream('syndicates')
  return SYNDICATES.map((story) => {
    const id = idAgo(random, 'syndicate', story.founded)
    const managers = managersOf(input.people, random, story)
    addSyndicate(timeline, { id, story, managers }, input)
    const known = addMembers(timeline, { id, story, managers }, { people: input.people, random })
    return { id, story, managers, known }
  })
}

type NewSyndicate = Omit<DemoSyndicate, 'known'>

function managersOf(people: readonly Person[], random: Random, story: SyndicateStory): readonly Person[] {
  const { founded, runWith } = story
  const main = people.filter(({ demoRole }) => demoRole === 'manager')
  const partners = people.filter(({ demoRole, registered }) => demoRole === null && registered > founded + 5)
  const coManagers = people.filter(({ demoRole }) => demoRole !== null && demoRole === runWith)
  return [...main, random.pick(partners), ...coManagers]
}

function addSyndicate(
  timeline: Timeline,
  { id, story, managers }: NewSyndicate,
  { companies, offerings }: SyndicateInput,
): void {
  const fund = companies.find(({ story: { slug } }) => slug === 'harbor-street-climate-fund')
  const at = timeline.ago(story.founded)
  timeline.add(at, 'syndicate.created', {
    id,
    name: story.name,
    slug: story.slug,
    created_by: managers[0]?.id,
    tagline: story.tagline,
    description: story.description,
    published: true,
    launched: true,
    auto_approval: story.joining === 'automatic',
    requires_accreditation: story.accredited,
    fund_required: story.joining === 'fund',
    ...(story.joining === 'fund' ? { fund: FUND } : {}),
  })
  managers.forEach((manager) => {
    const permission = manager.demoRole === null ? 'operator' : 'full_access'
    timeline.add(at + 60_000, 'syndicate.manager_set', { syndicate: id, user: manager.id, permission })
  })
  if (story.joining === 'fund' && fund !== undefined) {
    const since = Math.max(at, timeline.ago(fund.created)) + DAY_MS
    timeline.add(since, 'syndicate.updated', { id, primary_fund_company: fund.id })
  }
  for (const { slug, round } of story.deals) {
    const deal = offerings.find(
      ({ company, plan }) => company.story.slug === slug && company.story.rounds[round] === plan,
    )
    if (deal === undefined) throw new Error(`no round ${round} of ${slug}`)
    timeline.add(timeline.ago(deal.plan.opened - 3), 'syndicate.deal_added', { syndicate: id, offering: deal.id })
  }
}

const FUND = {
  type: 'traditional_fund',
  require_minimum_investment: true,
  minimum_investment_amount_cents: 1_000_000,
}

function addMembers(
  timeline: Timeline,
  { id: syndicate, story, managers }: NewSyndicate,
  { people, random }: { readonly people: readonly Person[]; readonly random: Random },
): ReadonlySet<Person> {
  const investor = people.filter(({ demoRole }) => demoRole === 'investor')
  const eligible = people.filter(({ demoRole, accreditation, registered }) => {
    return demoRole === null && registered > 130 && (!story.accredited || accreditation !== 'none')
  })
  const paths = Object.entries(story.paths).flatMap(([path, count]) => Array<Path>(count).fill(path as Path))
  const applicants = random.sample(
    eligible.filter((person) => !managers.includes(person)),
    paths.length - 1,
  )
  // The demo's investor is first in the list, and the first path is `member`, so the investor is a member of every syndicate.
  const joining = [...investor, ...applicants]
  joining.forEach((person, at) => {
    const days = Math.min(story.founded - 5, 118) * (0.25 + 0.75 * random.next())
    const membership = idAgo(random, 'membership', days)
    const invitee = `${emailName(person.name)}@members.example`
    const steps = stepsOf(paths[at] ?? 'member', story.joining, {
      id: membership,
      syndicate,
      user: person.id,
      email: at % 2 === 0 ? person.email : invitee,
      manager: managers[0]?.id ?? person.id,
    })
    addSteps(timeline, steps, { days, syndicate, membership })
    const joined = steps.some(({ type }) => type === 'membership.joined' || type === 'membership.approved')
    if (joined && random.happens(0.4)) addProfile(timeline, { membership, syndicate, days: days - 16 }, random)
  })
  return new Set([...managers, ...joining])
}

type MembershipTime = {
  readonly days: number
  readonly syndicate: Id<'syndicate'>
  readonly membership: Id<'membership'>
}

function addSteps(timeline: Timeline, steps: readonly MembershipStep[], time: MembershipTime): void {
  const about = { changed: [time.membership], referred: [time.syndicate] }
  for (const { afterDays, type, data } of steps) timeline.add(timeline.ago(time.days - afterDays), type, data, about)
}

const INTERESTS = ['climate', 'food', 'health', 'robotics', 'housing', 'music', 'education', 'hardware']
const HELP = ['hiring', 'retail', 'regulation', 'pricing', 'press', 'manufacturing', 'introductions']

function addProfile(timeline: Timeline, { membership, syndicate, days }: MembershipTime, random: Random): void {
  const profile = {
    interests: random.sample(INTERESTS, random.between(1, 3)),
    stage_preferences: random.sample(['pre-seed', 'seed', 'growth'], 1),
    tags: random.sample(HELP, random.between(1, 2)),
  }
  const data = { id: membership, public_on_syndicate_profile: random.happens(0.6), profile }
  timeline.add(timeline.ago(days), 'membership.profile_changed', data, { referred: [syndicate] })
}

type MembershipStep = { readonly afterDays: number; readonly type: string; readonly data: object }

type MembershipIds = {
  readonly id: Id<'membership'>
  readonly syndicate: Id<'syndicate'>
  readonly user: Id<'user'>
  /** The address to which the invitation is sent. */
  readonly email: string
  readonly manager: Id<'user'>
}

/** Returns the steps of a person's membership. All of them happen before the change of the profile, which is on day 16. */
function stepsOf(path: Path, joining: SyndicateStory['joining'], who: MembershipIds): readonly MembershipStep[] {
  const { id } = who
  const move = (afterDays: number, name: string, data: object = {}): MembershipStep => ({
    afterDays,
    type: `membership.${name}`,
    data: { id, ...data },
  })
  const apply = (afterDays: number) => move(afterDays, 'applied', { syndicate: who.syndicate, user: who.user })
  const approve = (afterDays: number) => move(afterDays, 'approved', { approved_by: who.manager })
  const join = (afterDays: number) => move(afterDays, 'joined', { syndicate: who.syndicate, user: who.user })
  const invite = (afterDays: number, name: 'invited' | 'reinvited'): MembershipStep => ({
    afterDays,
    type: `membership.${name}`,
    data: { syndicate: who.syndicate, email: who.email, invited_by: who.manager },
  })
  const joinSteps = {
    approval: [apply(0), approve(2)],
    automatic: [join(0)],
    fund: [apply(0), approve(2), move(6, 'joined')],
  }[joining]
  const paths: Readonly<Record<Path, readonly MembershipStep[]>> = {
    member: joinSteps,
    left: [...joinSteps, move(12, 'left')],
    removed: [...joinSteps, move(12, 'removed')],
    returned: [...joinSteps, move(10, 'left'), move(15, 'joined')],
    pending: [apply(0)],
    declined: [apply(0), move(3, 'declined')],
    applied_again: [apply(0), move(3, 'declined'), apply(14)],
    withdrawn: [apply(0), move(4, 'withdrawn')],
    invited: [invite(0, 'invited')],
    reinvited: [invite(0, 'invited'), invite(9, 'reinvited')],
    joined_on_invitation: [
      invite(0, 'invited'),
      move(2, 'joined', { syndicate: who.syndicate, user: who.user, invited_email: who.email }),
    ],
    approved: [apply(0), approve(2)],
    payment_failed: [...joinSteps, move(11, 'payment_failed')],
    paid_later: [...joinSteps, move(11, 'payment_failed'), move(15, 'joined')],
  }
  return paths[path]
}
