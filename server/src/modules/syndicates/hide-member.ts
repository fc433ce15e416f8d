import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { setHidden } from './directory-store.ts'

type Named = { readonly id: Id<'membership'> }

/** "Hide and restore change only what the directory shows": no state, no event, and again is as good as once. */
export async function hideMember(tx: Tx, { id }: Named, { occurredAt: at }: Occasion): Promise<void> {
  if (!(await setHidden(tx, { id, hidden: true, at }))) throw new UnknownReference('id', id)
}

export async function restoreMember(tx: Tx, { id }: Named, { occurredAt: at }: Occasion): Promise<void> {
  if (!(await setHidden(tx, { id, hidden: false, at }))) throw new UnknownReference('id', id)
}
