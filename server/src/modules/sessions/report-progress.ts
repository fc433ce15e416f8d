import type { Id } from '#kernel/ids.ts'
import { illegalTransition } from '#kernel/state-machine.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { FundingStatus, KycStatus } from './investment-session.ts'
import {
  INVESTMENT_SESSION_MACHINE,
  type InvestmentSessionMove,
  type InvestmentSessionState,
} from './investment-session-states.ts'
import { lockedInvestmentSession } from './move-investment-session.ts'
import { setProgress } from './store.ts'

export type Progress = {
  readonly id: Id<'investmentSession'>
  readonly kycStatus?: KycStatus
  readonly fundingStatus?: FundingStatus
}

/** What the recipient's checks and payment have come to, within a flow that has begun. Moves nothing and is no event. */
export async function reportProgress(tx: Tx, { id, kycStatus, fundingStatus }: Progress): Promise<void> {
  const { status } = await lockedInvestmentSession(tx, id)
  if (status !== 'in_progress' && status !== 'abandoned') throw notUnderWay(status)
  await setProgress(tx, id, { kycStatus: kycStatus ?? null, fundingStatus: fundingStatus ?? null })
}

function notUnderWay(from: InvestmentSessionState) {
  type Move = InvestmentSessionMove | 'progress'
  return illegalTransition<InvestmentSessionState, Move>(INVESTMENT_SESSION_MACHINE, { from, move: 'progress' })
}
