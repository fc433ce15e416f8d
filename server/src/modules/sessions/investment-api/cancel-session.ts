import { ApiError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { allowedMoves } from '#kernel/state-machine.ts'
import type { Tx } from '#system/postgres/database.ts'
import { cancelInvestmentSession } from '../end-investment-session.ts'
import { INVESTMENT_SESSION_MACHINE, type InvestmentSessionState } from '../investment-session-states.ts'
import { lockedInvestmentSession } from '../move-investment-session.ts'
import { nowAndLater } from '../times-store.ts'
import { requireSession } from './open-session.ts'
import type { PartnerSide } from './partner-side.ts'
import type { SessionRow } from './session-sql-store.ts'
import { isCreatedHere } from './session-store.ts'

type Canceling = { readonly side: PartnerSide; readonly id: Id<'investmentSession'>; readonly requestId: string }

/**
 * "Canceled by the creating partner": with a token of the company or syndicate on which the app created the session. From the
 * session's company the app reads what it created elsewhere, and does not cancel it. "DELETE 200 (pending, in_progress, abandoned; repeat ok; else 422 session_not_cancelable)."
 */
export async function cancelSession(tx: Tx, { side, id, requestId }: Canceling): Promise<SessionRow> {
  await requireSession(tx, side, id)
  if (!(await isCreatedHere(tx, side, id))) throw createdElsewhere()
  await lockedInvestmentSession(tx, id)
  const { status } = await requireSession(tx, side, id)
  if (status !== 'canceled') {
    if (!allowedMoves(INVESTMENT_SESSION_MACHINE, status).includes('cancel')) throw notCancelable(status)
    const { now: occurredAt } = await nowAndLater(tx, 0)
    await cancelInvestmentSession(tx, { id }, { cause: requestId, occurredAt, caused: [] })
  }
  return requireSession(tx, side, id)
}

function createdElsewhere(): ApiError {
  return new ApiError('forbidden', {
    public: 'The app created this session through another installation.',
    remediation: 'Cancel it with a token of the company or syndicate on which the app created it.',
  })
}

function notCancelable(status: InvestmentSessionState): ApiError {
  return new ApiError('session_not_cancelable', {
    public: `The session is ${status}: there is nothing left to cancel.`,
    remediation: 'Read it again. Only pending, in_progress and abandoned sessions can be canceled.',
    details: { status },
  })
}
