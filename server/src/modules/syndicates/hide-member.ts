import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { lockMembership } from './membership-store.ts'
import { setHidden } from './store.ts'

type Named = { readonly id: Id<'membership'> }

/** "Hide and restore change only what the directory shows": no state, no event. False when it was so already. */
export async function hideMember(tx: Tx, { id }: Named, { occurredAt: at }: Occasion): Promise<boolean> {
  return show(tx, { id, hidden: true, at })
}

export async function restoreMember(tx: Tx, { id }: Named, { occurredAt: at }: Occasion): Promise<boolean> {
  return show(tx, { id, hidden: false, at })
}

async function show(tx: Tx, shown: Parameters<typeof setHidden>[1]): Promise<boolean> {
  if ((await lockMembership(tx, shown.id)) === null) throw new UnknownReference('id', shown.id)
  return setHidden(tx, shown)
}
