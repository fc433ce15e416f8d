import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { HeldInvestment } from './investment.ts'
import { lockInvestment, tryHold, tryHoldWithOffering } from './store.ts'

/** From here until the end of the transaction nobody else moves this investment, nor another of its investor's raise. */
export function holdInvestment(tx: Tx, id: Id<'investment'>): Promise<HeldInvestment> {
  return insistOn(tx, id, tryHold)
}

/** Nor does its offering change. */
export function holdWithOffering(
  tx: Tx,
  id: Id<'investment'>,
): Promise<HeldInvestment & { readonly offering_status: string }> {
  return insistOn(tx, id, tryHoldWithOffering)
}

/**
 * That there is no row tells us nothing of the investment. Either it was not there yet, and may be by now: then we hold
 * nothing, and it may be moved as soon as we look. Or it moved while we waited. So it is locked by itself, which no move
 * can prevent, before we look again: what is held stays where it is.
 */
async function insistOn<T>(
  tx: Tx,
  id: Id<'investment'>,
  attempt: (tx: Tx, id: Id<'investment'>) => Promise<T | null>,
): Promise<T> {
  const atOnce = await attempt(tx, id)
  if (atOnce !== null) return atOnce
  if ((await lockInvestment(tx, id)) === null) throw new UnknownReference('id', id)
  const held = await attempt(tx, id)
  if (held === null) throw new Error(`investment ${id} is held and has no totals`)
  return held
}
