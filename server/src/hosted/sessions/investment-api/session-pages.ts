import { facts, notice } from '#pages/blocks.ts'
import { actions, button, decisionBar, form, linkButton, moment } from '#pages/elements.ts'
import type { LinkVisit } from '#pages/hosted-page.ts'
import { type Html, type HtmlValue, html } from '#pages/html.ts'
import { placeWords, returnPlace } from '#pages/return-place.ts'
import {
  amountField,
  amountShown,
  checkoutWords,
  rangeWords,
  type TestButton,
  testButtons,
} from '../checkout/checkout.ts'
import {
  type CheckoutDeps,
  type CheckoutEntry,
  type GuardedEntry,
  guardEntry,
  instead,
  whereOnward,
} from '../checkout/entry-guard.ts'
import { type CheckoutResponse, framed, type Wrong, wrongAmount, wrongSummary } from '../checkout/frame.ts'
import type { FundingStatus, InvestmentSessionState, KycStatus } from '../investment-session-states.ts'
import { findPageSession, type PageSession } from './store.ts'

export type SessionPageDeps = CheckoutDeps
export type SessionEntry = CheckoutEntry<PageSession>

const UNFINISHED: ReadonlySet<string> = new Set(['pending', 'in_progress', 'abandoned'])

export function guardSessionPage(deps: SessionPageDeps, visit: LinkVisit): Promise<GuardedEntry<PageSession>> {
  return guardEntry(deps, visit, {
    kind: 'investmentSession',
    path: '/invest/session',
    find: findPageSession,
    about: (session) => ({ ...session, owner: session.user, unfinished: UNFINISHED.has(session.status) }),
  })
}

type Shown = { readonly entry: SessionEntry; readonly checkoutUrl: string | null; readonly wrong?: Wrong | undefined }

/** The page of a session: the offering, the app that asks, and the next step. */
export function sessionPage({ entry, checkoutUrl, wrong }: Shown): CheckoutResponse {
  if (isEnded(entry)) return endedPage(entry)
  const { frame, offeringSummary, requestingApp, found: session, world } = entry
  const words = checkoutWords(offeringSummary)
  const other = instead(entry, checkoutUrl)
  const content = [html`<p>Only you decide this.</p>`, offeringSummary.html, about(entry), other ?? next(entry, wrong)]
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

/**
 * The amount is shown before the risk, because the decision is about the amount. A phone shows both together with the
 * button.
 */
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

/** The results of the checks so far. The partner sees them too. */
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
  const notes = [kyc === null ? null : KYC_WORDS[kyc], funding === null ? null : FUNDING_WORDS[funding]]
  return notes.filter((words) => words !== null).map((words) => notice(words, 'warning'))
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

/** A person who declines changes nothing: the session stays open until it expires, and the partner gets no event. */
export function declinedPage(entry: SessionEntry): CheckoutResponse {
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
  const amountInput = session.allocation === null && amountField(offeringSummary, wrongAmount(wrong))
  // A reservation has no payment and no identity check, so neither can fail.
  const others = offeringSummary.testingTheWaters ? [LEAVE] : [...OTHERS, LEAVE]
  return testButtons({ action: frame.address, csrf: frame.csrf, offeringSummary, amountInput, others })
}

type Ended = Extract<InvestmentSessionState, 'completed' | 'expired' | 'canceled'>
type EndedText = { readonly title: string; readonly content: HtmlValue }

const WORDS: Readonly<Record<Ended, (entry: SessionEntry) => EndedText>> = {
  completed: ({ offeringSummary, found: { successUrl } }) => ({
    title: checkoutWords(offeringSummary).done,
    content: html`<p>It is with <bdi>${offeringSummary.companyName}</bdi>, and there is nothing more to do here.</p>${
      successUrl !== null && actions(linkButton('Continue', successUrl, 'primary'))
    }${successUrl !== null && html`<p class="small muted">You will be at ${placeWords(returnPlace(successUrl))}.</p>`}`,
  }),
  expired: ({ offeringSummary, requestingApp, found: session, world }) => ({
    title: 'This link has expired',
    content: html`<p>It was valid until ${moment(session.endedAt ?? session.expiresAt, Date.parse(session.now))}. ${nothingDone(
      { offeringSummary, found: session, world },
    )}</p><p>If you still want to ${checkoutWords(offeringSummary).verb}, ask ${senderOf(requestingApp)} for a new one.</p>`,
  }),
  canceled: ({ offeringSummary, requestingApp, found, world }) => ({
    title: 'This link was withdrawn',
    content: html`<p>${requestingApp === null ? 'The sender' : html`<bdi>${requestingApp.app.name}</bdi>`} took it back. ${nothingDone(
      { offeringSummary, found, world },
    )}</p><p>If you did not expect that, ask ${senderOf(requestingApp)}.</p>`,
  }),
}

/** A person who continued to the host's checkout may have invested there; only the host knows. */
function nothingDone({
  offeringSummary,
  found,
  world,
}: Pick<SessionEntry, 'offeringSummary' | 'found' | 'world'>): HtmlValue {
  return world === 'live' && found.startedAt !== null ? null : checkoutWords(offeringSummary).nothingDone
}

function senderOf(requestingApp: SessionEntry['requestingApp']): HtmlValue {
  return requestingApp === null ? 'the sender' : html`<bdi>${requestingApp.app.organization.name}</bdi>`
}

export function isEnded({ found: { status } }: SessionEntry): boolean {
  return status in WORDS
}

/** The page of an ended session; the offering is not shown again. */
function endedPage(entry: SessionEntry): CheckoutResponse {
  const { title, content } = WORDS[entry.found.status as Ended](entry)
  const { frame, requestingApp } = entry
  return framed(frame, { title, requestingApp, content })
}
