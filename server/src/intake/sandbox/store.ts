import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'

const LATER = statement<{ at: WorldTime }>('sandbox.later', 'select $1::timestamptz + make_interval(hours => $2) as at')

/** PostgreSQL adds the hours, because a JavaScript Date would lose microseconds. */
export async function hoursAfter(queries: WorldQueries, time: WorldTime, hours: number): Promise<WorldTime> {
  return (await queries.one(LATER, [time, hours])).at
}

export type FoundedCompany = {
  readonly id: Id<'company'>
  readonly name: string
  /** An open offering that accepts investments; null if there is none. */
  readonly offering: Id<'offering'> | null
}

/** The companies of which user $1 is a founder. */
const FOUNDED = `select company_id from company_people where user_id = $1 and role = 'founder' and ended_at is null`

const FOUNDED_ONE = statement<FoundedCompany>(
  'sandbox.founded_company',
  `select c.id, c.name, o.id as offering
     from companies c
     left join lateral (
       select id from offerings where company_id = c.id and status = 'open' and not testing_the_waters order by id limit 1
     ) o on true
    where c.id in (${FOUNDED}) and c.kind = 'company'
    order by o.id is null, c.id limit 1`,
)

/** A company that the user founded, preferably one with an open offering; null if they founded none. */
export async function findFoundedCompany(queries: WorldQueries, user: Id<'user'>): Promise<FoundedCompany | null> {
  return queries.maybeOne(FOUNDED_ONE, [user])
}

type OpenOffering = {
  readonly id: Id<'offering'>
  readonly company_id: Id<'company'>
  readonly company_name: string
  readonly testing_the_waters: boolean
}

const NEARBY = statement<OpenOffering>(
  'sandbox.nearby_offerings',
  `select o.id, o.company_id, c.name as company_name, o.testing_the_waters
     from offerings o join companies c on c.id = o.company_id
    where o.status = 'open' and o.company_id in (
      ${FOUNDED}
      union
      (select i.company_id from installations i
        where i.app_id = $2 and i.state = 'active' and i.company_id is not null order by i.id desc limit $3))
    order by o.id desc limit $3`,
)

type Nearby = { readonly user: Id<'user'> | null; readonly app: Id<'app'>; readonly limit: number }

/** Open offerings of companies that the person founded or where the app is installed, listed in the catalogue or not. */
export async function nearbyOfferings(
  queries: WorldQueries,
  { user, app, limit }: Nearby,
): Promise<readonly OpenOffering[]> {
  return queries.many(NEARBY, [user, app, limit])
}

const INVESTORS = statement<{ id: Id<'user'>; name: string }>(
  'sandbox.investors_of_founder',
  `select u.id, u.name from users u
    where u.deactivated_at is null
      and u.id in (select i.investor_id from investments i where i.company_id in (${FOUNDED}))
    order by u.id desc limit $2`,
)

/** The investors of the companies that the user founded, newest users first. A founder also sees these names on the platform. */
export async function investorsOfFounder(queries: WorldQueries, user: Id<'user'>, limit: number) {
  return queries.many(INVESTORS, [user, limit])
}

const MANAGED = statement<{ id: Id<'syndicate'> }>(
  'sandbox.managed_syndicates',
  'select syndicate_id as id from syndicate_managers where user_id = $1 order by syndicate_id desc limit $2',
)

export async function managedSyndicates(queries: WorldQueries, user: Id<'user'>, limit: number) {
  return queries.many(MANAGED, [user, limit])
}
