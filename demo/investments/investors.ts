import type { Chance } from '../chance.ts'
import type { Team } from '../companies.ts'
import { type DemoOffering, testsTheWaters } from '../offerings.ts'
import type { Person } from '../people.ts'
import type { Timeline } from '../timeline.ts'

export type Invited = ReadonlyMap<DemoOffering, readonly Person[]>

/** Invited two days before the round opens, if it is not for everybody. */
export function tellInvitations(
  timeline: Timeline,
  offerings: readonly DemoOffering[],
  { people, team, chance }: { people: readonly Person[]; team: Team; chance: Chance },
): Invited {
  const invited = new Map<DemoOffering, readonly Person[]>()
  for (const offering of offerings) {
    const { plan, company } = offering
    if (plan.invited === undefined) continue
    const insiders = new Set(team.get(company)?.map(({ person }) => person))
    const eligible = people.filter(
      (person) => person.part === null && !insiders.has(person) && mayTakePart(offering, person),
    )
    const guests = [...people.filter(({ part }) => part === 'investor'), ...chance.sample(eligible, plan.invited - 1)]
    guests.forEach(({ id }, at) => {
      timeline.tell(timeline.ago(plan.opened + 2 - at / 1_000), 'offering.user_invited', { id: offering.id, user: id })
    })
    invited.set(offering, guests)
  }
  return invited
}

const EUROPEAN_UNION = new Set(['AT', 'BE', 'DE', 'DK', 'ES', 'FR', 'IT', 'NL', 'PL', 'PT', 'SE'])

/** What the exemption asks of those who take part. */
export function mayTakePart({ plan }: DemoOffering, { home, accreditation }: Person): boolean {
  if (plan.exemption === 'reg_s') return home.country !== 'US'
  if (plan.exemption === 'ecsp') return EUROPEAN_UNION.has(home.country)
  const needsAccreditation = plan.accreditedOnly === true || plan.exemption === 'reg_d_506b'
  return accreditation !== 'none' || !needsAccreditation
}

const AMOUNTS = [100, 200, 250, 300, 500, 500, 750, 1_000, 1_000, 1_500, 2_000, 2_500, 5_000, 10_000]

/** In whole units: mostly small, at least the round’s minimum, in multiples a person would type. */
export function amountFor(chance: Chance, { plan }: DemoOffering): number {
  const possible = AMOUNTS.filter((amount) => amount >= plan.min && amount <= plan.min * 20)
  const usual = possible.length === 0 ? plan.min * chance.pick([1, 1, 2, 2, 4]) : chance.pick(possible)
  return testsTheWaters(plan) ? Math.max(plan.min, usual) : usual
}
