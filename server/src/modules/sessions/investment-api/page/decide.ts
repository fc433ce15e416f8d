import { signInAddress } from '#http/browser/return-to.ts'
import { facts, notice } from '#http/pages/blocks.ts'
import { actions, button, form } from '#http/pages/elements.ts'
import { type Html, type HtmlValue, html } from '#http/pages/html.ts'
import { moment } from '#http/pages/moment.ts'
import { placeWords, returnPlace } from '#http/pages/return-place.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { lockUser } from '#modules/people/index.ts'
import type { ReferralSettings } from '#modules/referrals/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { amountField, amountShown, rangeWords, readAmount, refuseOutOfRange } from '../../checkout/amount.ts'
import { checkoutAddress } from '../../checkout/checkout-address.ts'
import { checkoutWords } from '../../checkout/checkout-words.ts'
import { type Answer, away, framed, refusal, UNKNOWN_LINK } from '../../checkout/frame.ts'
import { instead, whereOnward } from '../../checkout/instead.ts'
import { playInvestment } from '../../checkout/play-investment.ts'
import { type TestButton, testButtons } from '../../checkout/test-buttons.ts'
import { isTooLate, type Wrong, wrongAmount, wrongOf, wrongSummary } from '../../checkout/wrong.ts'
import { completeInvestmentSession } from '../../complete-investment-session.ts'
import { abandonInvestmentSession, resumeInvestmentSession } from '../../end-investment-session.ts'
import type { FundingStatus, KycStatus } from '../../investment-session.ts'
import { lockedInvestmentSession } from '../../move-investment-session.ts'
import { type Progress, reportProgress } from '../../report-progress.ts'
import { startInvestmentSession } from '../../start-investment-session.ts'
import { claimInvestmentSession, nowAndLater } from '../../store.ts'
import { type Arrived, arrive, type SessionPageDeps, type Visit } from './arrive.ts'
import { endedPage, isEnded } from './ended-page.ts'
import { findPageSession } from './page-store.ts'

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

type TestMove = 'succeed' | 'card_declined' | 'insufficient_funds' | 'identity_failed' | 'leave'

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
async function playMove(tx: Tx, played: Played): Promise<void> {
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

type Shown = { readonly arrived: Arrived; readonly checkoutUrl: string | null; readonly wrong?: Wrong | undefined }

/** The one page of a session: what is offered, who asks, and the one thing to do next. */
function sessionPage({ arrived, checkoutUrl, wrong }: Shown): Answer {
  if (isEnded(arrived)) return endedPage(arrived)
  const { frame, told, asking, found: session, world } = arrived
  const words = checkoutWords(told)
  const content = [
    html`<p>You are asked whether you want to ${words.ask} <bdi>${told.companyName}</bdi>. It is your decision alone: nobody can make it for you.</p>`,
    told.told,
    about(arrived),
    instead(arrived, checkoutUrl) ?? next(arrived, wrong),
  ]
  const leadsTo = world === 'test' ? session.successUrl : checkoutUrl
  return framed(frame, {
    ...(wrong === undefined ? {} : { status: wrong.status }),
    title: `${told.companyName}: your ${words.noun}`,
    asking,
    first: [wrongSummary(wrong), progress(arrived)],
    content,
    leadsTo,
  })
}

function about({ found: session, told }: Arrived): Html {
  const { allocation, expiresAt, now, successUrl } = session
  const amount =
    allocation === null
      ? html`You choose<span class="hint">${rangeWords(told)}</span>`
      : html`${amountShown(allocation, told.currency)}<span class="hint">Fixed for this link.</span>`
  return facts([
    ['Your amount', amount],
    ['This link expires', moment(expiresAt, Date.parse(now))],
    ...(successUrl === null ? [] : [['Afterwards you go to', placeWords(returnPlace(successUrl))] as const]),
  ])
}

/** What the checks came to so far, as the partner reads it too. */
const KYC_WORDS: Readonly<Record<KycStatus, string | null>> = {
  pending: 'Your identity is being checked.',
  passed: null,
  failed: 'Your identity could not be confirmed. You can try again.',
}
const FUNDING_WORDS: Readonly<Record<FundingStatus, string | null>> = {
  pending: 'Your payment is on its way.',
  succeeded: null,
  card_declined: 'Your card was declined. You can try again.',
  insufficient_funds: 'There was not enough money in the account. You can try again.',
}

function next(arrived: Arrived, wrong: Wrong | undefined): Html {
  const testing = arrived.world === 'test' && arrived.found.status === 'in_progress'
  return testing ? tests(arrived, wrong) : onward(arrived)
}

function progress({ found: { kyc, funding } }: Arrived): HtmlValue {
  const said = [kyc === null ? null : KYC_WORDS[kyc], funding === null ? null : FUNDING_WORDS[funding]]
  return said.filter((words) => words !== null).map((words) => notice(words, 'warning'))
}

/** A form and no link: what follows links ahead of people must not begin anything. */
function onward(arrived: Arrived): Html {
  const { found, frame } = arrived
  const label = found.status === 'abandoned' ? 'Continue where you left off' : 'Continue'
  const content = [actions(button({ label, name: 'do', value: 'continue' })), whereOnward(arrived)]
  return form({ action: frame.address, csrf: frame.csrf, content })
}

const OTHERS: readonly TestButton[] = [
  { value: 'card_declined', label: 'card declined' },
  { value: 'insufficient_funds', label: 'insufficient funds' },
  { value: 'identity_failed', label: 'identity check failed' },
]
const LEAVE: TestButton = { value: 'leave', label: 'leave without finishing' }

function tests({ frame, told, found: session }: Arrived, wrong: Wrong | undefined): Html {
  const asked = session.allocation === null && amountField(told, wrongAmount(wrong))
  // Nothing is paid for a reservation, and nobody is checked.
  const others = told.testingTheWaters ? [LEAVE] : [...OTHERS, LEAVE]
  return testButtons({ action: frame.address, csrf: frame.csrf, told, asked, others })
}
