import { actions, linkButton } from '#http/pages/elements.ts'
import { type HtmlValue, html } from '#http/pages/html.ts'
import { moment } from '#http/pages/moment.ts'
import { placeWords, returnPlace } from '#http/pages/return-place.ts'
import { checkoutWords } from '../checkout/checkout.ts'
import {
  type CheckoutDeps,
  type CheckoutEntry,
  type GuardedEntry,
  guardEntry,
  type Visit,
} from '../checkout/entry-guard.ts'
import { type Answer, framed } from '../checkout/frame.ts'
import type { InvestmentSessionState } from '../investment-session-states.ts'
import { findPageSession, type PageSession } from './store.ts'

type Ended = Extract<InvestmentSessionState, 'completed' | 'expired' | 'canceled'>
type Told = { readonly title: string; readonly content: HtmlValue }

const WORDS: Readonly<Record<Ended, (entry: SessionEntry) => Told>> = {
  completed: ({ told, found: { successUrl } }) => ({
    title: checkoutWords(told).done,
    content: html`<p>It is with <bdi>${told.companyName}</bdi>, and there is nothing more to do here.</p>${
      successUrl !== null && actions(linkButton('Go on', successUrl, 'primary'))
    }${successUrl !== null && html`<p class="small muted">You will be at ${placeWords(returnPlace(successUrl))}.</p>`}`,
  }),
  expired: ({ told, asking, found: session, world }) => ({
    title: 'This link has expired',
    content: html`<p>It was good until ${moment(session.endedAt ?? session.expiresAt, Date.parse(session.now))}. ${nothingDone(
      { told, found: session, world },
    )}</p><p>If you still want to ${checkoutWords(told).verb}, ask ${senderOf(asking)} for a new one.</p>`,
  }),
  canceled: ({ told, asking, found, world }) => ({
    title: 'This link was withdrawn',
    content: html`<p>${asking === null ? 'The sender' : html`<bdi>${asking.app.name}</bdi>`} took it back. ${nothingDone(
      { told, found, world },
    )}</p><p>If you did not expect that, ask ${senderOf(asking)}.</p>`,
  }),
}

/** A person who went on to the host's checkout may have invested there; only the host knows. */
function nothingDone({ told, found, world }: Pick<SessionEntry, 'told' | 'found' | 'world'>): HtmlValue {
  return world === 'live' && found.startedAt !== null ? null : checkoutWords(told).nothingDone
}

function senderOf(asking: SessionEntry['asking']): HtmlValue {
  return asking === null ? 'the sender' : html`<bdi>${asking.app.organization.name}</bdi>`
}

export function isEnded({ found: { status } }: SessionEntry): boolean {
  return status in WORDS
}

/** The page of an ended session; the offering is not shown again. */
export function endedPage(entry: SessionEntry): Answer {
  const { title, content } = WORDS[entry.found.status as Ended](entry)
  const { frame, asking } = entry
  return framed(frame, { title, asking, content: html`<h2>${title}</h2>${content}` })
}

export type SessionPageDeps = CheckoutDeps
export type SessionEntry = CheckoutEntry<PageSession>

const UNFINISHED: ReadonlySet<string> = new Set(['pending', 'in_progress', 'abandoned'])

export function guardSessionPage(deps: SessionPageDeps, visit: Visit): Promise<GuardedEntry<PageSession>> {
  return guardEntry(deps, visit, {
    kind: 'investmentSession',
    path: '/invest/session',
    find: findPageSession,
    about: (session) => ({ ...session, owner: session.user, unfinished: UNFINISHED.has(session.status) }),
  })
}
