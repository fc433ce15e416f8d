import { UnknownReference } from '#kernel/errors.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Which } from './investment.ts'
import { setHidden } from './step-store.ts'

/** The company no longer sees it; the investor does. Hiding what is hidden changes nothing. */
export async function hideInvestment(tx: Tx, { id }: Which, _occasion: Occasion): Promise<void> {
  if (!(await setHidden(tx, id, true))) throw new UnknownReference('id', id)
}

export async function unhideInvestment(tx: Tx, { id }: Which, _occasion: Occasion): Promise<void> {
  if (!(await setHidden(tx, id, false))) throw new UnknownReference('id', id)
}
