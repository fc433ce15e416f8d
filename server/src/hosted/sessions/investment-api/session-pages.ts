import { actions, linkButton, moment } from '#pages/elements.ts'
import type { LinkVisit } from '#pages/hosted-page.ts'
import { type HtmlValue, html } from '#pages/html.ts'
import { placeWords, returnPlace } from '#pages/return-place.ts'
import { checkoutWords } from '../checkout/checkout.ts'
import { type CheckoutDeps, type CheckoutEntry, type GuardedEntry, guardEntry } from '../checkout/entry-guard.ts'
import { type CheckoutAnswer, framed } from '../checkout/frame.ts'
import type { InvestmentSessionState } from '../investment-session-states.ts'
import { findPageSession, type PageSession } from './store.ts'

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
    content: html`<p>It was good until ${moment(session.endedAt ?? session.expiresAt, Date.parse(session.now))}. ${nothingDone(
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
export function nothingDone({
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
export function endedPage(entry: SessionEntry): CheckoutAnswer {
  const { title, content } = WORDS[entry.found.status as Ended](entry)
  const { frame, requestingApp } = entry
  return framed(frame, { title, requestingApp, content })
}

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
