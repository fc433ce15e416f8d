import { notFound } from '#kernel/errors.ts'
import type { PlatformQueries } from '#system/postgres/database.ts'
import type { Place } from './require-member.ts'
import { membershipRecord } from './schemas.ts'
import { organizationsOf } from './store.ts'

/** An organization as one of its team sees it. */
export async function showMembership(queries: PlatformQueries, { organization, account }: Place) {
  const membership = (await organizationsOf(queries, account)).find(({ id }) => id === organization)
  if (membership === undefined) throw notFound(`${account} is not on the team of ${organization}`)
  return { data: membershipRecord(membership) }
}
