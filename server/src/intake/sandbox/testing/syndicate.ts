import { type Id, newId } from '#kernel/ids.ts'
import { createSyndicate, type SyndicateSettings, setManager } from '#market/syndicates/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeUser } from '#test/people.ts'

type Made = { readonly syndicate: Id<'syndicate'>; readonly manager: Id<'user'> }

/** A syndicate that requires a manager's approval unless the settings change that. */
export async function makeSyndicate(tx: Tx, settings: Partial<SyndicateSettings> = {}): Promise<Made> {
  const syndicate = newId('syndicate')
  const manager = await makeUser(tx, { name: 'Mary Manager' })
  const named = { name: 'Engine Backers', slug: syndicate.toLowerCase(), ...settings }
  await createSyndicate(tx, { id: syndicate, settings: named }, occasionAt())
  await setManager(tx, { syndicateId: syndicate, userId: manager, permission: 'full_access' }, occasionAt())
  return { syndicate, manager }
}

export const FUND = { type: 'traditional_fund', require_minimum_investment: false } as const
