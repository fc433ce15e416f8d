import { UnknownReference } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { transition } from '#kernel/state-machine.ts'
import { appendEvent, type Occasion } from '#modules/events/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { investmentSessionEvent } from './investment-session-event.ts'
import { INVESTMENT_SESSION_MACHINE, type InvestmentSessionMove } from './investment-session-states.ts'
import { type InvestmentSessionRow, lockInvestmentSession, updateInvestmentSession } from './store.ts'

type Set = { readonly user_id?: Id<'user'>; readonly investment_id?: Id<'investment'> }
type Attempted = {
  readonly id: Id<'investmentSession'>
  readonly move: InvestmentSessionMove
  /** What the move sets beside the state; asked for only once the table allows the move. */
  readonly set?: (session: InvestmentSessionRow) => Promise<Set>
}

/** Carries out a row of the table: the new state, its times, and exactly its events. */
export async function moveInvestmentSession(tx: Tx, { id, move, set }: Attempted, occasion: Occasion): Promise<void> {
  const session = await lockedInvestmentSession(tx, id)
  const { to, events } = transition(INVESTMENT_SESSION_MACHINE, { from: stateAt(session, move, occasion), move })
  const moved = { ...session, ...(await set?.(session)), status: to }
  await updateInvestmentSession(tx, moved, {
    startedAt: to === 'in_progress' ? occasion.occurredAt : null,
    endedAt: ENDED.has(to) ? occasion.occurredAt : null,
  })
  for (const name of events) await appendEvent(tx, investmentSessionEvent(name, moved, occasion.occurredAt), occasion)
}

/**
 * What happens at the time it was to expire, or later, happens to an expired session, though no worker may have come by
 * yet: whoever read it as expired never sees it come back. What happened before and is only told later still counts.
 */
function stateAt(session: InvestmentSessionRow, move: InvestmentSessionMove, { occurredAt }: Occasion) {
  const unfinished = !ENDED.has(session.status)
  return unfinished && move !== 'expire' && occurredAt >= session.expires_at ? 'expired' : session.status
}

/** Abandoned is none of them: the recipient may come back. */
const ENDED: ReadonlySet<string> = new Set(['completed', 'expired', 'canceled'])

export async function lockedInvestmentSession(tx: Tx, id: Id<'investmentSession'>): Promise<InvestmentSessionRow> {
  const session = await lockInvestmentSession(tx, id)
  if (session === null) throw new UnknownReference('id', id)
  return session
}
