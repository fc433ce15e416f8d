import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { lockUser } from '#modules/people/index.ts'
import type { ReferralSettings } from '#modules/referrals/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { playInvestment } from '../../checkout/play-investment.ts'
import { completeInvestmentSession } from '../../complete-investment-session.ts'
import { abandonInvestmentSession } from '../../end-investment-session.ts'
import { lockedInvestmentSession } from '../../move-investment-session.ts'
import { type Progress, reportProgress } from '../../report-progress.ts'
import { nowAndLater } from '../../times-store.ts'

export type TestMove = 'succeed' | 'card_declined' | 'insufficient_funds' | 'identity_failed' | 'leave'

type Played = {
  readonly id: Id<'investmentSession'>
  readonly move: TestMove
  readonly amount: Cents | null
  readonly userId: Id<'user'> | null
  readonly requestId: string
  readonly crediting: ReferralSettings
}

const CAME_TO: Readonly<Record<Exclude<TestMove, 'leave'>, Omit<Progress, 'id'>>> = {
  succeed: { kycStatus: 'passed', fundingStatus: 'succeeded' },
  card_declined: { kycStatus: 'passed', fundingStatus: 'card_declined' },
  insufficient_funds: { kycStatus: 'passed', fundingStatus: 'insufficient_funds' },
  identity_failed: { kycStatus: 'failed' },
}

/** What the host's checkout would have told us, in the test world: by the same use cases as its facts. */
export async function playMove(tx: Tx, played: Played): Promise<void> {
  const { id, move, amount, userId, requestId, crediting } = played
  if (userId !== null) await lockUser(tx, 'user', userId)
  const session = await lockedInvestmentSession(tx, id)
  const { now: occurredAt } = await nowAndLater(tx, 0)
  const occasion = { cause: requestId, occurredAt, caused: [] }
  if (move === 'leave') return abandonInvestmentSession(tx, { id }, occasion)
  await reportProgress(tx, { id, ...CAME_TO[move] })
  const investor = session.user_id ?? userId
  if (move !== 'succeed' || amount === null || investor === null) return
  const investment = { offering: session.offering_id, investor, amount_cents: amount }
  const investmentId = await playInvestment(tx, investment, { occasion, crediting })
  await completeInvestmentSession(tx, { id, investmentId }, occasion)
}
