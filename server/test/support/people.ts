import { worldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { type NewUser, registerUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'

const REGISTERED = { occurredAt: worldTime('2026-01-01T00:00:00.000000Z') }

/** An active user, whose address is their own. */
export async function makeUser(tx: Tx, overrides: Partial<NewUser> = {}): Promise<Id<'user'>> {
  const id = overrides.id ?? newId('user')
  await registerUser(tx, { name: 'Ada Lovelace', email: `${id}@example.org`, ...overrides, id }, REGISTERED)
  return id
}
