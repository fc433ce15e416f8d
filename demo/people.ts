import type { Accreditation } from '@portico/server/access/people/index.ts'
import type { Id } from '@portico/server/kernel/ids.ts'
import { BIOGRAPHIES, ORIGINS, STREETS } from './content/people.ts'
import { type Town, town } from './content/towns.ts'
import { idAgo, type Random, stream } from './random.ts'
import { type DemoRole, SIGN_IN_PEOPLE } from './sign-in-people.ts'
import { type Timeline, timeText } from './timeline.ts'

const PEOPLE_COUNT = 300

/** The first fact, the registration of the founder, happened this many days before the demo was created. */
export const FIRST_FACT_DAYS = 900

export type Person = {
  readonly id: Id<'user'>
  readonly name: string
  readonly email: string
  readonly home: Town
  readonly accreditation: Accreditation
  /** Days before the demo was created. */
  readonly registered: number
  readonly bio: string | null
  readonly demoRole: DemoRole | null
}

/** Adds all people: first the five whom visitors can sign in as, then strangers from many countries. */
export function addPeople(timeline: Timeline): readonly Person[] {
  const random = stream('people')
  const people = [...signInPeople(random), ...strangers(random)]
  for (const person of people) addPerson(timeline, person, random)
  return people
}

function signInPeople(random: Random): Person[] {
  return SIGN_IN_PEOPLE.map(({ demoRole, name, email, home, accreditation, bio }, at) => {
    const registered = FIRST_FACT_DAYS - at
    return {
      id: idAgo(random, 'user', registered),
      name,
      email,
      home: town(home),
      accreditation,
      registered,
      bio,
      demoRole,
    }
  })
}

function strangers(random: Random): Person[] {
  const people = new Map<string, Person>()
  while (people.size < PEOPLE_COUNT - SIGN_IN_PEOPLE.length) {
    const origin = random.pick(ORIGINS)
    const name = `${random.pick(origin.givenNames)} ${random.pick(origin.familyNames)}`
    const home = town(random.pick(origin.homes))
    const registered = random.between(125, 880) + random.next()
    const email = `${emailName(name)}@${random.pick(['example.com', 'example.net', 'example.org'])}`
    const accreditation = random.weighted({ none: 58, self_attested: 24, verified: 18 })
    const id = idAgo(random, 'user', registered)
    const bio = random.happens(0.6) ? random.pick(BIOGRAPHIES) : null
    // Names are unique, because two people with the same name would have the same username.
    if (!people.has(name)) people.set(name, { id, name, email, home, accreditation, registered, bio, demoRole: null })
  }
  return [...people.values()]
}

function addPerson(timeline: Timeline, person: Person, random: Random): void {
  const { id, name, email, home, accreditation } = person
  const [firstName = name] = name.split(' ')
  const registeredAt = timeline.ago(person.registered)
  timeline.add(registeredAt, 'user.registered', {
    id,
    name,
    first_name: firstName,
    legal_name: random.happens(0.1)
      ? `${firstName} ${random.pick('ABCDEFGHJKLMPRSTW'.split(''))}. ${restOf(name)}`
      : name,
    email,
    username: emailName(name),
    bio: person.bio,
    location: home,
    location_hidden: random.happens(0.08),
    address: random.happens(0.75) ? addressIn(home, random) : null,
    accreditation,
    certified_at: accreditation === 'none' ? null : timeText(registeredAt),
  })
}

function addressIn({ city, state, country }: Town, random: Random) {
  const line1 = `${random.between(2, 980)} ${random.pick(STREETS)}`
  const postal_code = String(random.between(10_000, 98_999))
  const within = state === null ? {} : { state }
  return {
    line1,
    ...(random.happens(0.25) ? { line2: `Unit ${random.between(1, 40)}` } : {}),
    city,
    ...within,
    postal_code,
    country,
  }
}

function restOf(name: string): string {
  return name.split(' ').slice(1).join(' ')
}

/** Replacements of letters that Unicode does not decompose into a plain letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', ı: 'i', ß: 'ss', æ: 'ae', đ: 'd' }

/** Returns `zofia.zielinski` for `Zofia Zieliński`. */
export function emailName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[łøıßæđ]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z]+/g, '.')
}
