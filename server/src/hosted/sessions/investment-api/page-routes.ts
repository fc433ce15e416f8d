import { Type } from 'typebox'
import { lockUser } from '#access/people/index.ts'
import { visitor } from '#http/access.ts'
import { signInAddress } from '#http/browser/return-to.ts'
import { type Route, route } from '#http/route.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { away, type LinkVisit, refusalPage } from '#pages/hosted-page.ts'
import type { ReferralSettings } from '#referrals/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { checkoutAddress, playInvestment, readAmount, rejectOutOfRange } from '../checkout/checkout.ts'
import { type CheckoutResponse, isTooLate, UNKNOWN_LINK, wrongOf } from '../checkout/frame.ts'
import {
  abandonInvestmentSession,
  completeInvestmentSession,
  lockedInvestmentSession,
  type Progress,
  reportProgress,
  resumeInvestmentSession,
  startInvestmentSession,
} from '../investment-session.ts'
import { claimInvestmentSession, nowAndLater } from '../store.ts'
import {
  declinedPage,
  guardSessionPage,
  isEnded,
  type SessionEntry,
  type SessionPageDeps,
  sessionPage,
} from './session-pages.ts'
import { findPageSession } from './store.ts'

async function showSession(deps: SessionPageDeps, visit: LinkVisit): Promise<CheckoutResponse> {
  const guarded = await guardSessionPage(deps, visit)
  return 'answer' in guarded ? guarded.answer : sessionPage({ ...deps, entry: guarded.entry })
}

const MOVES = [
  'continue',
  'decline',
  'succeed',
  'card_declined',
  'insufficient_funds',
  'identity_failed',
  'leave',
] as const
type Decision = { readonly do: (typeof MOVES)[number]; readonly amount?: string }

async function decideSession(
  deps: SessionPageDeps,
  visit: LinkVisit & { readonly body: Decision },
): Promise<CheckoutResponse> {
  const guarded = await guardSessionPage(deps, visit)
  if ('answer' in guarded) return guarded.answer
  const { entry } = guarded
  // If the person cannot continue, the page says why.
  if (isEnded(entry) || entry.offeringSummary.status !== 'open') return sessionPage({ ...deps, entry })
  const { do: move, amount } = visit.body
  if (move === 'decline') return declinedPage(entry)
  if (entry.world === 'test' && entry.userId === null) return withoutUser(deps, entry)
  if (move === 'continue') return continueSession(deps, entry, visit.requestId)
  // "Completed only through the host or the sandbox's marked buttons": the live world has no such buttons.
  if (entry.world === 'live') return refusalPage(UNKNOWN_LINK, entry.frame)
  return play(deps, entry, { move, typed: amount, requestId: visit.requestId })
}

/** For a visitor without a sandbox user. A visitor who is signed in sees the reason, because signing in again would not help. */
function withoutUser(deps: SessionPageDeps, entry: SessionEntry): CheckoutResponse {
  const { person, address } = entry.frame
  return person === null ? away(signInAddress(address)) : sessionPage({ ...deps, entry })
}

/** "Recipient opened the link and began the hosted flow": this happens only once, even if the person presses again. */
async function continueSession(
  deps: SessionPageDeps,
  entry: SessionEntry,
  requestId: string,
): Promise<CheckoutResponse> {
  const { world, found: session, frame } = entry
  if (world === 'live' && deps.checkoutUrl === null) return sessionPage({ ...deps, entry })
  const begun = await deps.databases[world].transaction((tx) => begin(tx, entry, requestId))
  if (!begun || world === 'test' || deps.checkoutUrl === null) return away(frame.address)
  const places = { session: session.id, offering: session.offering, success_url: session.successUrl }
  return away(checkoutAddress(deps.checkoutUrl, { ...places, return_url: deps.origin() + frame.address }))
}

/** False if the session has ended or got another user since the request read it. The browser then loads the page again. */
async function begin(tx: Tx, { found: { id }, userId }: SessionEntry, requestId: string): Promise<boolean> {
  if (userId !== null) await lockUser(tx, 'user', userId)
  await lockedInvestmentSession(tx, id)
  const session = await findPageSession(tx, id)
  if (session === null || (session.user !== null && session.user !== userId)) return false
  const occasion = { cause: requestId, occurredAt: session.now, caused: [] }
  if (session.status === 'pending') await startInvestmentSession(tx, { id, ...startedBy(userId) }, occasion)
  else if (session.status === 'abandoned') await resumeInvestmentSession(tx, { id }, occasion)
  else if (session.status !== 'in_progress') return false
  if (userId !== null) await claimInvestmentSession(tx, id, userId)
  return true
}

const startedBy = (userId: Id<'user'> | null) => (userId === null ? {} : { userId })

type DecidePressed = { readonly move: TestMove; readonly typed: string | undefined; readonly requestId: string }

/** The sandbox's buttons. */
async function play(
  deps: SessionPageDeps,
  entry: SessionEntry,
  { move, typed, requestId }: DecidePressed,
): Promise<CheckoutResponse> {
  const { found: session, offeringSummary, userId, frame } = entry
  try {
    const amount = move === 'succeed' ? (session.allocation ?? readAmount(typed, offeringSummary)) : null
    if (amount !== null) rejectOutOfRange(amount, offeringSummary)
    const { crediting } = deps.referrals
    const played = { id: session.id, move, amount, userId, requestId, crediting }
    await deps.databases.test.transaction((tx) => playMove(tx, played))
    return away(move === 'succeed' && session.successUrl !== null ? session.successUrl : frame.address)
  } catch (error) {
    if (isTooLate(error)) return away(frame.address)
    const wrong = wrongOf(error, typed)
    if (wrong === null) throw error
    return sessionPage({ ...deps, entry, wrong })
  }
}

type TestMove = 'succeed' | 'card_declined' | 'insufficient_funds' | 'identity_failed' | 'leave'

type Played = {
  readonly id: Id<'investmentSession'>
  readonly move: TestMove
  readonly amount: Cents | null
  readonly userId: Id<'user'> | null
  readonly requestId: string
  readonly crediting: ReferralSettings
}

const PROGRESS_OF: Readonly<Record<Exclude<TestMove, 'leave'>, Omit<Progress, 'id'>>> = {
  succeed: { kycStatus: 'passed', fundingStatus: 'succeeded' },
  card_declined: { kycStatus: 'passed', fundingStatus: 'card_declined' },
  insufficient_funds: { kycStatus: 'passed', fundingStatus: 'insufficient_funds' },
  identity_failed: { kycStatus: 'failed' },
}

/** Calls the use cases that the facts of the host's checkout call in the live world. */
async function playMove(tx: Tx, played: Played): Promise<void> {
  const { id, move, amount, userId, requestId, crediting } = played
  if (userId !== null) await lockUser(tx, 'user', userId)
  const session = await lockedInvestmentSession(tx, id)
  const { now: occurredAt } = await nowAndLater(tx, 0)
  const occasion = { cause: requestId, occurredAt, caused: [] }
  if (move === 'leave') return abandonInvestmentSession(tx, { id }, occasion)
  await reportProgress(tx, { id, ...PROGRESS_OF[move] })
  const investor = session.user_id ?? userId
  if (move !== 'succeed' || amount === null || investor === null) return
  const investment = { offering: session.offering_id, investor, amount_cents: amount }
  const investmentId = await playInvestment(tx, investment, { occasion, crediting })
  await completeInvestmentSession(tx, { id, investmentId }, occasion)
}

const Link = Type.Object({ link: Type.String({ maxLength: 100, description: 'The last part of the session’s url.' }) })
const Pressed = Type.Object({
  do: Type.Unsafe<Decision['do']>(Type.Enum([...MOVES], { type: 'string' })),
  amount: Type.Optional(Type.String({ maxLength: 30 })),
})
const Page = Type.String()

const COMMON = {
  path: '/invest/session/:link',
  alias: false,
  tag: 'Investment sessions',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  access: visitor(
    'Everyone who has the link may open it. A link for an account also needs a sign-in with that account.',
  ),
} as const
const responses = { 200: Page, 303: Type.Null(), 403: Page, 404: Page, 409: Page, 422: Page }

/** The page where the person decides. GET changes nothing; only the form starts the session. */
export const sessionPageRoutes = (deps: SessionPageDeps): Route[] => [
  route({
    ...COMMON,
    operation: 'showInvestmentSession',
    method: 'GET',
    documented: true,
    summary: 'Show an investment session page',
    description: 'The hosted page of an investment session, which opens at the session’s link.',
    schema: { params: Link, response: responses },
    handler: (visit) => showSession(deps, visit),
  }),
  route({
    ...COMMON,
    operation: 'decideInvestmentSession',
    method: 'POST',
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Submit the person’s choice',
    schema: { params: Link, body: Pressed, response: responses },
    handler: (visit) => decideSession(deps, visit),
  }),
]
