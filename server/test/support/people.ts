import { type NewUser, registerUser } from '#access/people/index.ts'
import { worldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { nextId } from '#test/later-ids.ts'

const REGISTERED = { occurredAt: worldTime('2026-01-01T00:00:00.000000Z') }

/** Creates an active user with a unique email address. */
export async function makeUser(tx: Tx, overrides: Partial<NewUser> = {}): Promise<Id<'user'>> {
  const id = overrides.id ?? nextId('user')
  await registerUser(tx, { name: 'Ada Lovelace', email: `${id}@example.org`, ...overrides, id }, REGISTERED)
  return id
}
