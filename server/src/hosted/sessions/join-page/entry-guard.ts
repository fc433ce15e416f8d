import { type AppDescription, describeApp } from '#access/apps/index.ts'
import { findUserOfAccount } from '#access/installations/index.ts'
import type { Browser } from '#http/browser/cookies.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { card } from '#pages/blocks.ts'
import { signedInAs } from '#pages/elements.ts'
import { html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import type { ShownBrand } from '#pages/platform-brand.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { findPageSession, type PageSession } from '../join-api/store.ts'

export type JoinPageDeps = {
  readonly databases: Readonly<Record<World, WorldDatabase>>
  readonly links: PageLinks
  readonly brand: ShownBrand
}

/** A valid link with its session, and the person who opened it. */
export type JoinEntry = {
  readonly world: World
  readonly link: string
  readonly session: PageSession
  readonly app: AppDescription
  /** Null: not signed in. */
  readonly person: (AccountCaller & { readonly userId: Id<'user'> }) | null
}

/** Either the page can be shown, or the response is decided already. */
export type GuardedJoin = { readonly entry: JoinEntry } | { readonly answer: Answer }

/** Checks everything on every visit, also on the one that submits the decision. */
export async function guardJoinPage(deps: JoinPageDeps, visit: Visit): Promise<GuardedJoin> {
  const found = await followLink(deps, visit.params.link)
  const { brand } = deps
  const around = { brand, requestId: visit.requestId, world: found?.world ?? null, link: visit.params.link }
  const refuse = (why: Refusal) => ({ answer: refusalAnswer(why, { ...around, visit }) })
  if (found === null) return refuse('unknown_link')
  const { session, app, world } = found
  const underWay = session.status === 'open' || session.status === 'pending_approval'
  if (underWay && (app.state !== 'active' || !session.stands)) return refuse('app_gone')
  const entry = { ...found, link: visit.params.link, person: null }
  if (visit.caller === null) return { entry }
  const user = await findUserOfAccount(deps.databases[world].reads, visit.caller.accountId)
  if (user === null || user.deactivated) return refuse(user === null ? 'nobody_here' : 'deactivated')
  return { entry: { ...entry, person: { ...visit.caller, userId: user.userId } } }
}

type Found = Pick<JoinEntry, 'world' | 'session' | 'app'>

/** Null for an invalid link, or a session that no app created. */
export async function followLink({ databases, links }: JoinPageDeps, link: string): Promise<Found | null> {
  const opened = links.open('joinSession', link)
  if (opened === null) return null
  const { world, id } = opened
  const { reads } = databases[world]
  const session = await findPageSession(reads, id)
  const app = session === null ? null : await describeApp(reads, session.appId)
  return session === null || app === null ? null : { world, session, app }
}

type Refusal = 'unknown_link' | 'app_gone' | 'nobody_here' | 'deactivated' | 'somebody_else'

type Words = {
  readonly status: 403 | 404
  readonly title: string
  readonly message: string
  readonly remediation: string
}

const ANOTHER_ACCOUNT = 'If you have another account, sign in with that one.'

const WORDS: Readonly<Record<Refusal, Words>> = {
  unknown_link: {
    status: 404,
    title: 'This link leads nowhere',
    message: 'It is not complete, or was never made here. Nothing happened.',
    remediation: 'Go back to where you found it and try again, or ask the people there for another.',
  },
  app_gone: {
    status: 403,
    title: 'This link no longer works',
    message: 'The app that made it may no longer sign people up to the syndicate. Nothing happened.',
    remediation: 'Ask the people who run the syndicate how to join.',
  },
  nobody_here: {
    status: 403,
    title: 'You cannot join with this account',
    message: 'The account you are signed in with is not known in the part of the platform this link belongs to.',
    remediation: ANOTHER_ACCOUNT,
  },
  deactivated: {
    status: 403,
    title: 'You cannot join with this account',
    message: 'The account you are signed in with was deactivated. Nothing happened.',
    remediation: ANOTHER_ACCOUNT,
  },
  somebody_else: {
    status: 403,
    title: 'This link is another person’s',
    message: 'Each link is for one person, and another account has used this one. Nothing happened.',
    remediation: `${ANOTHER_ACCOUNT} If not, go back to where you found the link and ask for one of your own.`,
  },
}

type Around = {
  readonly brand: ShownBrand
  readonly requestId: string
  readonly world: World | null
  readonly link: string
  readonly visit: Pick<Visit, 'caller' | 'browser'>
}

/** The page for a visitor who cannot continue; it never redirects. */
export function refusalAnswer(why: Refusal, { brand, requestId, world, link, visit }: Around): Answer {
  const { status, title, message, remediation } = WORDS[why]
  const { caller: person, browser } = visit
  const other = person !== null && signedInAs({ person, csrf: browser.csrf, returnTo: joinAddress(link) })
  const main = card(
    html`<h1>${title}</h1><p>${message}</p><p>${remediation}</p>`,
    why !== 'unknown_link' && other,
    html`<p class="request-id">Request <code>${requestId}</code></p>`,
  )
  return { status, body: page({ title, main, brand, world }) }
}

/** A request for a link, signed in or not. */
export type Visit = {
  readonly params: { readonly link: string }
  readonly caller: AccountCaller | null
  readonly browser: Browser
  readonly requestId: string
}

/** A page, or where to go instead. */
export type Answer =
  | {
      readonly status: 200 | 403 | 404 | 409
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
    }
  | { readonly status: 303; readonly body: null; readonly headers: { readonly Location: string } }

export function away(location: string): Answer {
  return { status: 303, body: null, headers: { Location: location } }
}

/** The page on which a person joins; never in a frame. */
export const JOIN_PATH = '/join/:link'
/** The first step of an embedded session, which its origins may show in a frame, and its looks. */
export const FRAME_PATH = '/join/:link/form'
export const STYLE_PATH = '/join/:link/form/theme.css'

export const joinAddress = (link: string): string => JOIN_PATH.replace(':link', encodeURIComponent(link))
export const styleAddress = (link: string): string => STYLE_PATH.replace(':link', encodeURIComponent(link))
