import { notFound } from '#kernel/errors.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { isKnownTo } from './known-company-store.ts'

/** "Unknown company: 404." */
export async function knownCompany(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  company: string | undefined,
): Promise<Id<'company'> | null> {
  if (company === undefined) return null
  const id = parseId('company', company)
  if (id === null || !(await isKnownTo(queries, syndicate, id)))
    throw notFound(`${company} is not for ${syndicate} to see`)
  return id
}
