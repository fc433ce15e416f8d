import { signInAddress } from '#http/browser/return-to.ts'
import type { Id } from '#kernel/ids.ts'
import { lockUser } from '#modules/people/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { readAmount, refuseOutOfRange } from '../../checkout/amount.ts'
import { checkoutAddress } from '../../checkout/checkout-address.ts'
import { type Answer, away, refusal, UNKNOWN_LINK } from '../../checkout/frame.ts'
import { isTooLate, wrongOf } from '../../checkout/wrong.ts'
import { resumeInvestmentSession } from '../../end-investment-session.ts'
import { claimInvestmentSession } from '../../investment-session-store.ts'
import { lockedInvestmentSession } from '../../move-investment-session.ts'
import { startInvestmentSession } from '../../start-investment-session.ts'
import { type Arrived, arrive, type SessionPageDeps, type Visit } from './arrive.ts'
import { isEnded } from './ended-page.ts'
import { findPageSession } from './page-store.ts'
import { sessionPage } from './session-page.ts'
import { playMove, type TestMove } from './test-moves.ts'

export async function showSession(deps: SessionPageDeps, visit: Visit): Promise<Answer> {
  const arrival = await arrive(deps, visit)
  return 'answer' in arrival ? arrival.answer : sessionPage({ ...deps, arrived: arrival.arrived })
}

export const MOVES = ['continue', 'succeed', 'card_declined', 'insufficient_funds', 'identity_failed', 'leave'] as const
export type Decision = { readonly do: (typeof MOVES)[number]; readonly amount?: string }

export async function decideSession(
  deps: SessionPageDeps,
  visit: Visit & { readonly body: Decision },
): Promise<Answer> {
  const arrival = await arrive(deps, visit)
  if ('answer' in arrival) return arrival.answer
  const { arrived } = arrival
  // The page says why there is nothing to press any more.
  if (isEnded(arrived) || arrived.told.status !== 'open') return sessionPage({ ...deps, arrived })
  if (arrived.world === 'test' && arrived.userId === null) return nobodyYet(deps, arrived)
  const { do: move, amount } = visit.body
  if (move === 'continue') return goOn(deps, arrived, visit.requestId)
  // "Completed only through the host or the sandbox's marked buttons": there are none in the live world.
  if (arrived.world === 'live') return refusal(arrived.frame, UNKNOWN_LINK)
  return play(deps, arrived, { move, typed: amount, requestId: visit.requestId })
}

/** Who is signed in and yet nobody in the sandbox is told so by the page; signing in again would lead back here. */
function nobodyYet(deps: SessionPageDeps, arrived: Arrived): Answer {
  const { person, address } = arrived.frame
  return person === null ? away(signInAddress(address)) : sessionPage({ ...deps, arrived })
}

/** "Recipient opened the link and began the hosted flow": once, however often they press. */
async function goOn(deps: SessionPageDeps, arrived: Arrived, requestId: string): Promise<Answer> {
  const { world, found: session, frame } = arrived
  if (world === 'live' && deps.checkoutUrl === null) return sessionPage({ ...deps, arrived })
  const begun = await deps.databases[world].transaction((tx) => begin(tx, arrived, requestId))
  if (!begun || world === 'test' || deps.checkoutUrl === null) return away(frame.address)
  const places = { session: session.id, offering: session.offering, success_url: session.successUrl }
  return away(checkoutAddress(deps.checkoutUrl, { ...places, return_url: deps.origin() + frame.address }))
}

/** False where the session came to its end, or became somebody else's, since it was looked at: the page says so. */
async function begin(tx: Tx, { found: { id }, userId }: Arrived, requestId: string): Promise<boolean> {
  if (userId !== null) await lockUser(tx, 'user', userId)
  await lockedInvestmentSession(tx, id)
  const session = await findPageSession(tx, id)
  if (session === null || (session.user !== null && session.user !== userId)) return false
  const occasion = { cause: requestId, occurredAt: session.now, caused: [] }
  if (session.status === 'pending') await startInvestmentSession(tx, { id, ...whoever(userId) }, occasion)
  else if (session.status === 'abandoned') await resumeInvestmentSession(tx, { id }, occasion)
  else if (session.status !== 'in_progress') return false
  if (userId !== null) await claimInvestmentSession(tx, id, userId)
  return true
}

const whoever = (userId: Id<'user'> | null) => (userId === null ? {} : { userId })

type Pressed = { readonly move: TestMove; readonly typed: string | undefined; readonly requestId: string }

/** The sandbox's buttons. */
async function play(deps: SessionPageDeps, arrived: Arrived, { move, typed, requestId }: Pressed): Promise<Answer> {
  const { found: session, told, userId, frame } = arrived
  try {
    const amount = move === 'succeed' ? (session.allocation ?? readAmount(typed, told)) : null
    if (amount !== null) refuseOutOfRange(amount, told)
    const { crediting } = deps.referrals
    const played = { id: session.id, move, amount, userId, requestId, crediting }
    await deps.databases.test.transaction((tx) => playMove(tx, played))
    return away(move === 'succeed' && session.successUrl !== null ? session.successUrl : frame.address)
  } catch (error) {
    if (isTooLate(error)) return away(frame.address)
    const wrong = wrongOf(error, typed)
    if (wrong === null) throw error
    return sessionPage({ ...deps, arrived, wrong })
  }
}
