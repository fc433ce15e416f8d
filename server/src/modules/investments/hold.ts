import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { HeldInvestment } from './investment.ts'
import { findStatus, tryHold, tryHoldWithOffering } from './store.ts'

/**
 * One attempt may find that the investment moved to another offering while it waited; it holds the investment then, so the
 * next finds it where it is. The one before may have looked a moment before the investment was there at all.
 */
const TRIES_MAX = 3

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

async function insistOn<T>(
  tx: Tx,
  id: Id<'investment'>,
  attempt: (tx: Tx, id: Id<'investment'>) => Promise<T | null>,
): Promise<T> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const held = await attempt(tx, id)
    if (held !== null) return held
    if ((await findStatus(tx, id)) === null) throw new UnknownReference('id', id)
  }
  throw new Error(`investment ${id} is held and has no totals`)
}
