import type { DemoCompany, Team } from './companies.ts'
import type { Person } from './people.ts'
import { stream } from './streams.ts'
import { DAY_MS, type Timeline } from './timeline.ts'

/** What the investor one can sign in as has on the watchlist, a company that asked not to be promoted among them. */
const WATCHED = [
  'brightkiln',
  'tidewell',
  'plumbline-robotics',
  'hearth-and-hinge',
  'skipjack-ferries',
  'kleinwerk',
  'mendable',
]

/** Watchlists: long for a few, short for most; now and then a person loses interest. */
export function tellFollows(timeline: Timeline, { people, team }: { people: readonly Person[]; team: Team }): void {
  const chance = stream('follows')
  const companies = [...team.keys()]
  for (const person of people) {
    const count = person.part === null ? Math.floor(4 * chance.next() * chance.next()) : chance.between(2, 4)
    const watched = person.part === 'investor' ? companies.filter(isWatched) : chance.sample(companies, count)
    for (const company of watched) {
      const since = Math.min(118, company.created - 1, person.registered - 1)
      const atMs = timeline.ago(since * chance.next())
      const follow = { company: company.id, user: person.id }
      timeline.tell(atMs, 'company.followed', follow)
      if (chance.happens(0.05)) timeline.tell(atMs + chance.between(1, 20) * DAY_MS, 'company.unfollowed', follow)
    }
  }
}

function isWatched({ story }: DemoCompany): boolean {
  return WATCHED.includes(story.slug)
}
