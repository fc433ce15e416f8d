import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { requireFund } from './create-syndicate.ts'
import type { SyndicateSettings } from './syndicate.ts'
import { lockSettings, updateSettings } from './syndicate-store.ts'

/** What is not named stays as it is. Applies to whoever joins from now on; nobody's membership changes by it. */
export async function updateSyndicate(
  tx: Tx,
  { id, changes }: { readonly id: Id<'syndicate'>; readonly changes: Partial<SyndicateSettings> },
  occasion: Occasion,
): Promise<void> {
  const before = await lockSettings(tx, id)
  if (before === null) throw new UnknownReference('id', id)
  await requireFund(tx, changes)
  await updateSettings(tx, { id, settings: { ...before, ...changes }, at: occasion.occurredAt })
}
