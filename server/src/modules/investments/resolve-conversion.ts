import type { Id } from '#kernel/ids.ts'
import type { Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { writeSuccessor } from './conversion-store.ts'
import type { Which } from './investment.ts'
import { refuseStep } from './step-rules.ts'
import { lockSuccessor } from './successor.ts'

/** Names the successor of a conversion that had none. No move and no event: it was converted before. */
export async function resolveConversion(
  tx: Tx,
  { id, to }: Which & { readonly to: Id<'investment'> },
  _occasion: Occasion,
): Promise<void> {
  await lockSuccessor(tx, { id, to })
  if (!(await writeSuccessor(tx, id, to))) await refuseStep(tx, id, 'resolve_conversion')
}
