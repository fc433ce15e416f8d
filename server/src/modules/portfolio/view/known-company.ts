import { notFound } from '#kernel/errors.ts'
import { type Id, parseId } from '#kernel/ids.ts'
import { isShownTo } from '#modules/profile/index.ts'
import type { WorldQueries } from '#system/postgres/database.ts'

/**
 * "Unknown company: 404." Known is what the user can see, which what they invested in always is: of any other company
 * nobody may learn here that it exists.
 */
export async function knownCompany(
  queries: WorldQueries,
  user: Id<'user'>,
  company: string | undefined,
): Promise<Id<'company'> | null> {
  if (company === undefined) return null
  const id = parseId('company', company)
  if (id === null || !(await isShownTo(queries, user, id))) throw notFound(`${company} is not for ${user} to see`)
  return id
}
