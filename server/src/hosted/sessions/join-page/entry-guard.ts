import { type AppDescription, describeApp } from '#access/apps/index.ts'
import { findUserOfAccount } from '#access/installations/index.ts'
import type { AccountCaller } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import {
  type Frame,
  type Guarded,
  type LinkVisit,
  type PageResponse,
  type Refusal,
  refusalPage,
} from '#pages/hosted-page.ts'
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

type GuardedJoin = Guarded<JoinEntry, JoinResponse>

/** What all pages of this visit have in common. */
export function frameOf(
  { brand }: JoinPageDeps,
  { params, caller, browser, requestId }: LinkVisit,
  world: World | null,
) {
  return { brand, world, csrf: browser.csrf, person: caller, address: joinAddress(params.link), requestId }
}

/** Checks the link, the app and the account on every visit, also when the person submits a decision. */
export async function guardJoinPage(deps: JoinPageDeps, visit: LinkVisit): Promise<GuardedJoin> {
  const found = await followLink(deps, visit.params.link)
  const frame = frameOf(deps, visit, found?.world ?? null)
  const rejectEntry = (why: JoinRefusal) => ({ answer: refusalResponse(why, frame) })
  if (found === null) return rejectEntry('unknown_link')
  const { session, app, world } = found
  const underWay = session.status === 'open' || session.status === 'pending_approval'
  if (underWay && (app.state !== 'active' || !session.app_has_access)) return rejectEntry('app_gone')
  const entry = { ...found, link: visit.params.link, person: null }
  if (visit.caller === null) return { entry }
  const user = await findUserOfAccount(deps.databases[world].reads, visit.caller.accountId)
  if (user === null || user.deactivated) return rejectEntry(user === null ? 'nobody_here' : 'deactivated')
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

type JoinRefusal = 'unknown_link' | 'app_gone' | 'nobody_here' | 'deactivated' | 'somebody_else'

const ANOTHER_ACCOUNT = 'If you have another account, sign in with that one.'

const REFUSALS: Readonly<Record<JoinRefusal, Refusal<403 | 404>>> = {
  unknown_link: {
    status: 404,
    title: 'This link does not work',
    message: 'A part of the link is missing, or this site did not create it. Nothing happened.',
    remediation: 'Go back to the page where you found the link and try again, or ask the people there for a new link.',
  },
  app_gone: {
    status: 403,
    title: 'This link no longer works',
    message: 'The app that created this link is no longer allowed to invite people to the syndicate. Nothing happened.',
    remediation: 'Ask the people who run the syndicate how to join.',
  },
  nobody_here: {
    status: 403,
    title: 'You cannot join with this account',
    message: 'This link belongs to a part of the platform in which the account you are signed in with is not known.',
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

export type JoinResponse = PageResponse<200 | 403 | 404 | 409>

/** The page for a visitor who cannot continue. An unknown link gets no offer to sign in with another account. */
export function refusalResponse(why: JoinRefusal, frame: Frame): JoinResponse {
  return refusalPage(REFUSALS[why], why === 'unknown_link' ? { ...frame, person: null } : frame)
}

/** The page on which a person joins; never in a frame. */
export const JOIN_PATH = '/join/:link'
/** The first step of an embedded session, which its origins may show in a frame, and its style sheet. */
export const FRAME_PATH = '/join/:link/form'
export const STYLE_PATH = '/join/:link/form/theme.css'

export const joinAddress = (link: string): string => JOIN_PATH.replace(':link', encodeURIComponent(link))
export const styleAddress = (link: string): string => STYLE_PATH.replace(':link', encodeURIComponent(link))
