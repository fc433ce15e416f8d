import { UnknownReference, validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { findSuccessor, lockInvestorOf, type Successor } from './conversion-store.ts'

type Link = { readonly id: Id<'investment'>; readonly to: Id<'investment'> }

/**
 * "Moved to a successor (reservation became live investment, or moved to new offering or vehicle)." The successor is
 * another investment of the same investor that succeeds nobody else; it may be another company's, a vehicle's say.
 * Takes the investor's lock, the first in order: call it before anything else is held.
 */
export async function lockSuccessor(tx: Tx, { id, to }: Link): Promise<void> {
  const investor = await lockInvestorOf(tx, id)
  if (investor === null) throw new UnknownReference('id', id)
  const successor = await findSuccessor(tx, { to, from: id })
  if (successor === null) throw new UnknownReference('to', to)
  const wrong = whatIsWrong(successor, investor)
  if (wrong !== null) throw validationError([{ field: 'to', ...wrong }])
}

function whatIsWrong(successor: Successor, investor: Id<'user'>) {
  if (successor.investor !== investor) {
    return { code: 'other_investor', message: 'is an investment of another investor' }
  }
  if (successor.taken) return { code: 'taken', message: 'is already the successor of another investment' }
  if (successor.circular) return { code: 'circular', message: 'is this investment, or was converted into it' }
  return null
}
