import { UnknownReference } from '#kernel/errors.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Check, CheckState, Which } from './investment.ts'
import { setCheckState } from './step-store.ts'

/** How far one of the four checks has come. Any state may follow any: a passed check can turn out to be wrong. */
export async function setCheck(
  tx: Tx,
  { id, check, state }: Which & { readonly check: Check; readonly state: CheckState },
  _occasion: Occasion,
): Promise<void> {
  if (!(await setCheckState(tx, id, check, state))) throw new UnknownReference('id', id)
}
