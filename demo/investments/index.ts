import type { Team } from '../companies.ts'
import { ENTITIES, MESSAGES } from '../content/pages.ts'
import { type DemoOffering, testsTheWaters } from '../offerings.ts'
import type { Person } from '../people.ts'
import { type Random, stream } from '../random.ts'
import { DAY_MS, type Timeline } from '../timeline.ts'
import { type Application, addExecution, addInvitations, applicationsTo, recordsOf } from './applications.ts'
import { type Course, stepsOf } from './courses.ts'

export type { Application } from './applications.ts'

type Scene = { readonly people: readonly Person[]; readonly team: Team; readonly leaving: ReadonlySet<Person> }

export function addInvestments(
  timeline: Timeline,
  offerings: readonly DemoOffering[],
  scene: Scene,
): readonly Application[] {
  const random = stream('investments')
  const invited = addInvitations(timeline, offerings, { ...scene, random })
  const applications: Application[] = []
  for (const offering of offerings) {
    const convertsReservations = offering.plan.converted !== undefined
    const earlier = applications.filter((other) => convertsReservations && other.offering.raise === offering.raise)
    applications.push(...applicationsTo(offering, { ...scene, invited, random }, earlier))
  }
  const identified = new Set(random.sample(scene.people, scene.people.length * 0.8))
  // The order is chronological, because a person who was identified in one investment is identified in all later ones.
  for (const application of applications.toSorted((a, b) => b.days - a.days)) {
    addInvestment(timeline, application, { random, identified })
  }
  return applications
}

type InvestmentState = { readonly random: Random; readonly identified: Set<Person> }

function addInvestment(timeline: Timeline, application: Application, { random, identified }: InvestmentState): void {
  const { id, offering, investor, units, course } = application
  const at = timeline.ago(application.days)
  const about = recordsOf(application)
  const reservation = testsTheWaters(offering.plan)
  // A reservation is not binding, so it needs no check and no signature.
  const isIdentified = reservation || identified.has(investor)
  const isSigned = reservation || (course !== 'unsigned' && course !== 'unpaid' && random.happens(0.97))
  const amountCents = units * 100
  const creation = {
    ...{ id, offering: offering.id, investor: investor.id, amount_cents: amountCents, currency: offering.currency },
    ...(reservation ? {} : passedChecks(application, { identity: isIdentified, signature: isSigned })),
    ...optionalTexts(investor, random),
  }
  timeline.add(at, 'investment.created', creation, about)
  for (const { afterMs, type, data } of stepsOf(course, {
    amountCents,
    random,
    identified: isIdentified,
    signed: isSigned,
  })) {
    timeline.add(at + afterMs, type, { id, ...data }, about)
  }
  if (!reservation && course !== 'unpaid') identified.add(investor)
  if (course === 'executed') addExecution(timeline, application, random)
  addConversion(timeline, application, random)
}

const FINAL: ReadonlySet<Course> = new Set(['executed', 'confirmed', 'raised', 'hidden'])

/** The checks that were passed with the commitment. An investment is confirmed only after its accreditation check. */
function passedChecks(
  { offering, course }: Application,
  passed: Readonly<Record<'identity' | 'signature', boolean>>,
): object {
  const accreditation = offering.plan.accreditedOnly === true && FINAL.has(course)
  const names = Object.entries({ ...passed, accreditation }).filter(([, has]) => has)
  return Object.fromEntries(names.map(([name]) => [name, 'passed']))
}

function optionalTexts({ name }: Person, random: Random): object {
  const family = name.split(' ').at(-1)
  return {
    ...(random.happens(0.06) ? { entity_name: `${family} ${random.pick(ENTITIES)}` } : {}),
    ...(random.happens(0.14) ? { message: random.pick(MESSAGES) } : {}),
  }
}

/**
 * Converts the reservation that this investment follows, if there is one. Sometimes a second fact names the investment
 * a day later.
 */
function addConversion(timeline: Timeline, application: Application, random: Random): void {
  const { id, days, follows } = application
  if (follows === null) return
  const at = timeline.ago(days) + 1_000
  const about = recordsOf(application)
  const late = random.happens(0.12)
  timeline.add(at, 'investment.converted', { id: follows.id, to: late ? null : id }, about)
  if (late) timeline.add(at + DAY_MS, 'investment.conversion_resolved', { id: follows.id, to: id }, about)
}
