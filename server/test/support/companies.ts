import { worldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import { createCompany, type NewCompany } from '#market/companies/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { nextId } from '#test/later-ids.ts'

const CREATED = { occurredAt: worldTime('2026-01-01T00:00:00.000000Z') }

/** Creates a company with its own page. `{ kind: 'fund' }` makes it a fund. */
export async function makeCompany(tx: Tx, overrides: Partial<NewCompany> = {}): Promise<Id<'company'>> {
  const id = overrides.id ?? nextId('company')
  await createCompany(tx, { name: 'Analytical Engines', page_url: `/${id}`, ...overrides, id }, CREATED)
  return id
}
