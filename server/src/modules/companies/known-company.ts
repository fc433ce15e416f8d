import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { findKind } from './store.ts'
import type { CompanyKind } from './vocabulary.ts'

/** No lock: a company is never deleted and never changes its kind. `field` is where the caller named it. */
export async function requireCompany(
  queries: WorldQueries,
  field: string,
  id: Id<'company'>,
): Promise<{ readonly kind: CompanyKind }> {
  const kind = await findKind(queries, id)
  if (kind === null) throw new UnknownReference(field, id)
  return { kind }
}
