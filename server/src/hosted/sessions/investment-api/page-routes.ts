import { Type } from 'typebox'
import { lockUser } from '#access/people/index.ts'
import { visitor } from '#http/access.ts'
import { signInAddress } from '#http/browser/return-to.ts'
import { type Route, route } from '#http/route.ts'
import type { Id } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { facts, notice } from '#pages/blocks.ts'
import { actions, button, decisionBar, form, linkButton, moment } from '#pages/elements.ts'
import { away, type LinkVisit, refusalPage } from '#pages/hosted-page.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { placeWords, returnPlace } from '#pages/return-place.ts'
import type { ReferralSettings } from '#referrals/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import {
  amountField,
  amountShown,
  checkoutAddress,
  checkoutWords,
  playInvestment,
  rangeWords,
  readAmount,
  rejectOutOfRange,
  type TestButton,
  testButtons,
} from '../checkout/checkout.ts'
import { instead, whereOnward } from '../checkout/entry-guard.ts'
import {
  type CheckoutAnswer,
  framed,
  isTooLate,
  UNKNOWN_LINK,
  type Wrong,
  wrongAmount,
  wrongOf,
  wrongSummary,
} from '../checkout/frame.ts'
import {
  abandonInvestmentSession,
  completeInvestmentSession,
  lockedInvestmentSession,
  type Progress,
  reportProgress,
  resumeInvestmentSession,
  startInvestmentSession,
} from '../investment-session.ts'
import type { FundingStatus, KycStatus } from '../investment-session-states.ts'
import { claimInvestmentSession, nowAndLater } from '../store.ts'
import {
  endedPage,
  guardSessionPage,
  isEnded,
  nothingDone,
  type SessionEntry,
  type SessionPageDeps,
} from './ended-page.ts'
import { findPageSession } from './store.ts'

async function showSession(deps: SessionPageDeps, visit: LinkVisit): Promise<CheckoutAnswer> {
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
): Promise<CheckoutAnswer> {
  const guarded = await guardSessionPage(deps, visit)
  if ('answer' in guarded) return guarded.answer
  const { entry } = guarded
  // The page says why the person cannot continue.
  if (isEnded(entry) || entry.offeringSummary.status !== 'open') return sessionPage({ ...deps, entry })
  const { do: move, amount } = visit.body
  if (move === 'decline') return declinedPage(entry)
  if (entry.world === 'test' && entry.userId === null) return nobodyYet(deps, entry)
  if (move === 'continue') return goOn(deps, entry, visit.requestId)
  // "Completed only through the host or the sandbox's marked buttons": there are none in the live world.
  if (entry.world === 'live') return refusalPage(UNKNOWN_LINK, entry.frame)
  return play(deps, entry, { move, typed: amount, requestId: visit.requestId })
}

/** For a visitor without a sandbox user. If they are signed in, the page says so: signing in again would not help. */
function nobodyYet(deps: SessionPageDeps, entry: SessionEntry): CheckoutAnswer {
  const { person, address } = entry.frame
  return person === null ? away(signInAddress(address)) : sessionPage({ ...deps, entry })
}

/** "Recipient opened the link and began the hosted flow": counted once, even if they press again. */
async function goOn(deps: SessionPageDeps, entry: SessionEntry, requestId: string): Promise<CheckoutAnswer> {
  const { world, found: session, frame } = entry
  if (world === 'live' && deps.checkoutUrl === null) return sessionPage({ ...deps, entry })
  const begun = await deps.databases[world].transaction((tx) => begin(tx, entry, requestId))
  if (!begun || world === 'test' || deps.checkoutUrl === null) return away(frame.address)
  const places = { session: session.id, offering: session.offering, success_url: session.successUrl }
  return away(checkoutAddress(deps.checkoutUrl, { ...places, return_url: deps.origin() + frame.address }))
}

/** False if the session has ended or got another user since it was read; the page then says so. */
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
): Promise<CheckoutAnswer> {
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

const CAME_TO: Readonly<Record<Exclude<TestMove, 'leave'>, Omit<Progress, 'id'>>> = {
  succeed: { kycStatus: 'passed', fundingStatus: 'succeeded' },
  card_declined: { kycStatus: 'passed', fundingStatus: 'card_declined' },
  insufficient_funds: { kycStatus: 'passed', fundingStatus: 'insufficient_funds' },
  identity_failed: { kycStatus: 'failed' },
}

/** Plays the facts that the host's checkout would send, in the test world, with the same use cases. */
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

type Shown = { readonly entry: SessionEntry; readonly checkoutUrl: string | null; readonly wrong?: Wrong | undefined }

/** The one page of a session: what is offered, who asks, and the one thing to do next. */
function sessionPage({ entry, checkoutUrl, wrong }: Shown): CheckoutAnswer {
  if (isEnded(entry)) return endedPage(entry)
  const { frame, offeringSummary, requestingApp, found: session, world } = entry
  const words = checkoutWords(offeringSummary)
  const other = instead(entry, checkoutUrl)
  const content = [
    html`<p>It is your decision alone.</p>`,
    offeringSummary.html,
    about(entry),
    other ?? next(entry, wrong),
  ]
  const leadsTo = world === 'test' ? session.successUrl : checkoutUrl
  return framed(frame, {
    ...(wrong === undefined ? {} : { status: wrong.status }),
    title: `${offeringSummary.companyName}: your ${words.noun}`,
    question: html`Do you want to ${words.ask} <bdi>${offeringSummary.companyName}</bdi>?`,
    lead: [sum(entry), offeringSummary.status === 'open' && notice(words.risk, 'warning')],
    requestingApp,
    first: [wrongSummary(wrong), progress(entry)],
    content,
    leadsTo,
  })
}

/** The amount comes first: it is what the person decides about. The risk follows, in view with the button on a phone. */
function sum({ found: { allocation }, offeringSummary }: SessionEntry): Html {
  return allocation === null
    ? html`<p>You choose the amount. <span class="hint">${rangeWords(offeringSummary)}</span></p>`
    : html`<p class="sum">${amountShown(allocation, offeringSummary.currency)}<span class="hint">Fixed for this link.</span></p>`
}

function about({ found: session }: SessionEntry): Html {
  const { expiresAt, now, successUrl } = session
  return facts([
    ['This link expires', moment(expiresAt, Date.parse(now))],
    ...(successUrl === null ? [] : [['Afterwards you go to', placeWords(returnPlace(successUrl))] as const]),
  ])
}

/** The results of the checks so far, which the partner sees too. */
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

function next(entry: SessionEntry, wrong: Wrong | undefined): Html {
  const testing = entry.world === 'test' && entry.found.status === 'in_progress'
  return testing ? tests(entry, wrong) : onward(entry)
}

function progress({ found: { kyc, funding } }: SessionEntry): HtmlValue {
  const said = [kyc === null ? null : KYC_WORDS[kyc], funding === null ? null : FUNDING_WORDS[funding]]
  return said.filter((words) => words !== null).map((words) => notice(words, 'warning'))
}

/** A form instead of a link, because programs that prefetch links must not start the session. */
function onward(entry: SessionEntry): Html {
  const { found, frame } = entry
  const label = found.status === 'abandoned' ? 'Continue where you left off' : 'Continue'
  const go = button({ label, name: 'do', value: 'continue' })
  const no = button({ label: 'No, thank you', kind: 'secondary', name: 'do', value: 'decline' })
  const content = [decisionBar(go, no), whereOnward(entry)]
  return form({ action: frame.address, csrf: frame.csrf, content })
}

/** Saying no changes nothing: the session ends at its time, and the partner gets no event. */
function declinedPage(entry: SessionEntry): CheckoutAnswer {
  const { frame, requestingApp, offeringSummary, found: session } = entry
  const content = [
    html`<p>${nothingDone(entry)} You can close this page.</p>`,
    html`<p>The link expires ${moment(session.expiresAt, Date.parse(session.now))}. Until then you can change your mind.</p>`,
    actions(linkButton('Back to the offer', frame.address)),
  ]
  return framed(frame, { title: `You said no to ${offeringSummary.companyName}`, requestingApp, content })
}

const OTHERS: readonly TestButton[] = [
  { value: 'card_declined', label: 'card declined' },
  { value: 'insufficient_funds', label: 'insufficient funds' },
  { value: 'identity_failed', label: 'identity check failed' },
]
const LEAVE: TestButton = { value: 'leave', label: 'leave without finishing' }

function tests({ frame, offeringSummary, found: session }: SessionEntry, wrong: Wrong | undefined): Html {
  const asked = session.allocation === null && amountField(offeringSummary, wrongAmount(wrong))
  // A reservation has no payment and no identity check, so neither can fail.
  const others = offeringSummary.testingTheWaters ? [LEAVE] : [...OTHERS, LEAVE]
  return testButtons({ action: frame.address, csrf: frame.csrf, offeringSummary, asked, others })
}

const Link = Type.Object({ link: Type.String({ maxLength: 100, description: 'As the session’s url has it.' }) })
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
  access: visitor('Every holder of the link may open it; where it is for an account, that account signs in.'),
} as const
const answers = { 200: Page, 303: Type.Null(), 403: Page, 404: Page, 409: Page, 422: Page }

/** The page where the person decides. GET changes nothing; only the form starts the session. */
export const sessionPageRoutes = (deps: SessionPageDeps): Route[] => [
  route({
    ...COMMON,
    operation: 'showInvestmentSession',
    method: 'GET',
    documented: true,
    summary: 'Show an investment session page',
    description: 'The hosted page of an investment session, to which the session’s link leads.',
    schema: { params: Link, response: answers },
    handler: (visit) => showSession(deps, visit),
  }),
  route({
    ...COMMON,
    operation: 'decideInvestmentSession',
    method: 'POST',
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Submit the person’s choice',
    schema: { params: Link, body: Pressed, response: answers },
    handler: (visit) => decideSession(deps, visit),
  }),
]
