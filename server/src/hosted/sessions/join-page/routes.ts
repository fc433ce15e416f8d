import { Type } from 'typebox'
import { lockActiveUser } from '#access/people/index.ts'
import { open, visitor } from '#http/access.ts'
import { signInAddress } from '#http/browser/return-to.ts'
import { type Route, route } from '#http/route.ts'
import { pagePolicy } from '#http/security-headers.ts'
import { ApiError, type ErrorType, notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { facts } from '#pages/blocks.ts'
import { away, type LinkVisit } from '#pages/hosted-page.ts'
import { type Html, html } from '#pages/html.ts'
import { page } from '#pages/layout.ts'
import { brandName, type ShownBrand } from '#pages/platform-brand.ts'
import type { Tx } from '#system/postgres/database.ts'
import { themeStyle } from '../join-api/appearance.ts'
import { type JoinApiDeps, joinApiRoutes } from '../join-api/routes.ts'
import { TAG } from '../join-api/schemas.ts'
import { findPageSession, type PageSession, personAtSyndicate } from '../join-api/store.ts'
import { joinThemeRoutes } from '../join-api/theme-routes.ts'
import { awaitApproval, completeJoinSession, expireJoinSession, markIneligible, signIn } from '../join-session.ts'
import type { JoinSessionState } from '../join-session-states.ts'
import { lockJoinSession } from '../join-session-store.ts'
import { endingOthersToo } from '../session-jobs.ts'
import { type Way, wayOf } from './eligibility.ts'
import {
  FRAME_PATH,
  followLink,
  guardJoinPage,
  JOIN_PATH,
  type JoinEntry,
  type JoinPageDeps,
  type JoinResponse,
  joinAddress,
  STYLE_PATH,
  styleAddress,
} from './entry-guard.ts'
import { names, returnResponse } from './offer-page.ts'
import { CONTINUE, pageFor, showJoin } from './show-page.ts'

const LINK_CHARS_MAX = 200
const WAY_CHARS_MAX = 40
const Link = Type.Object({ link: Type.String({ maxLength: LINK_CHARS_MAX }) })
const JoinForm = Type.Object({ way: Type.String({ maxLength: WAY_CHARS_MAX }) })

const Page = Type.String()
const responses = { 200: Page, 303: Type.Null(), 403: Page, 404: Page, 409: Page }

const PAGE = { alias: false, tag: TAG, errorsAs: 'page', contentType: 'text/html; charset=utf-8' } as const
const VISITED = { ...PAGE, access: visitor('An app sends people here before they have signed in.') } as const

const joinPageRoutes = (deps: JoinPageDeps): Route[] => [
  route({
    ...VISITED,
    operation: 'showJoin',
    method: 'GET',
    path: JOIN_PATH,
    summary: 'Show a join session page',
    description: 'Shows the page to which an app sends a person to join a syndicate.',
    schema: { params: Link, response: responses },
    handler: (request) => showJoin(deps, request),
  }),
  route({
    ...VISITED,
    operation: 'decideJoin',
    method: 'POST',
    path: JOIN_PATH,
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Submit the person’s decision',
    schema: { params: Link, body: JoinForm, response: responses },
    handler: (request) => decideJoin(deps, request),
  }),
  route({
    ...PAGE,
    operation: 'showJoinForm',
    method: 'GET',
    path: FRAME_PATH,
    summary: 'Show an embedded join form',
    description: 'The first step of an embedded join session, for a frame in the app’s own site.',
    access: open(
      'Other sites show it in a frame, so it reads no cookie and changes nothing. Its link cannot be guessed.',
    ),
    schema: { params: Link, response: responses },
    handler: ({ params: { link } }) => showForm(deps, link),
  }),
  route({
    operation: 'readJoinFormStyle',
    method: 'GET',
    path: STYLE_PATH,
    alias: false,
    tag: TAG,
    summary: 'Get embedded join form styles',
    description: 'The style sheet of an embedded join session.',
    access: open('The style sheet contains only colours and no personal data.'),
    contentType: 'text/css; charset=utf-8',
    schema: { params: Link, response: { 200: Type.String() } },
    handler: async ({ params: { link } }) => {
      const appearance = await formStyle(deps, link)
      if (appearance === null) throw notFound('no embedded session with a theme')
      return { status: 200, body: themeStyle(appearance) }
    },
  }),
]

/**
 * The first step of an embedded session. Another site shows it inside its page, so it reads no cookie, has no form and shows nothing
 * about the visitor: only the app and the syndicate, with the names of its managers. The person continues in a window of our own site.
 */
async function showForm(deps: JoinPageDeps, link: string): Promise<JoinResponse> {
  const found = await followLink(deps, link)
  const origins = found?.session.frameOrigins ?? null
  if (found === null || origins === null) return { status: 404, body: nothingHere(deps.brand) }
  const { session, app, world } = found
  const { name, tagline, managers } = session.syndicate
  const usable = session.status === 'open' && app.state === 'active' && session.app_has_access
  const main = html`<section class="stack"><h1>Join <bdi>${name}</bdi></h1>${tagline !== null && html`<p>${tagline}</p>`}</section>
${usable ? joinLink({ ...found, link }, deps.brand) : OVER}
${managers.length > 0 && facts([['Run by', names(managers)]])}`
  const theme = session.appearance === null ? null : styleAddress(link)
  return {
    status: 200,
    body: page({ title: `Join ${name}`, main, brand: deps.brand, world, embedded: true, theme }),
    headers: { 'Content-Security-Policy': pagePolicy({ frameAncestors: origins }) },
  }
}

function joinLink({ app, link }: Pick<JoinEntry, 'app' | 'link'>, brand: ShownBrand): Html {
  const where = brandName(brand)
  return html`<div class="actions"><a class="button primary" href="${joinAddress(link)}" target="_blank" rel="noopener">Continue at ${where}</a><a href="">I have finished there</a></div>
<p class="small muted">A window of ${where} opens. You sign in and decide there. <bdi>${app.name}</bdi> sees who you are only after you press Continue in that window. Joining invests nothing.</p>`
}

const OVER = html`<p><strong>This form has been used, or is no longer open.</strong> You can ask the people who run this site for another.</p>`

function nothingHere(brand: ShownBrand): string {
  const main = html`<h1>There is no form here</h1><p>The address is not complete, or it belongs to a session without an embedded form.</p>`
  return page({ title: 'There is no form here', main, brand, embedded: true })
}

/** Null for an invalid link or a session without a theme. */
async function formStyle({ databases, links }: JoinPageDeps, link: string) {
  const opened = links.open('joinSession', link)
  if (opened === null) return null
  return (await findPageSession(databases[opened.world].reads, opened.id))?.appearance ?? null
}

type Deciding = LinkVisit & {
  /** The value that the page's button sends. */
  readonly body: { readonly way: string }
}

/** Runs the action of a page’s button. The first page sets the session’s user; later pages require it. */
async function decideJoin(deps: JoinPageDeps, visit: Deciding): Promise<JoinResponse> {
  const guarded = await guardJoinPage(deps, visit)
  if ('answer' in guarded) return guarded.answer
  const { entry } = guarded
  if (entry.person === null) return away(signInAddress(joinAddress(entry.link)))
  const done = await finish(deps, entry, { way: visit.body.way, cause: visit.requestId })
  if (done !== null) return afterwards(entry, done)
  const again = await guardJoinPage(deps, visit)
  return 'answer' in again ? again.answer : pageFor(deps, visit, { entry: again.entry, pressed: true })
}

function afterwards({ session, link }: JoinEntry, status: JoinSessionState): JoinResponse {
  const returnsToPage = status === 'open' || session.returnUrl === null
  return away(returnsToPage ? joinAddress(link) : returnResponse(session.returnUrl, session.id, status))
}

/** Errors that a concurrent change causes: the page is rendered again with the current state. */
const LOOK_AGAIN: ReadonlySet<ErrorType> = new Set(['illegal_transition', 'validation_error', 'not_found'])

type Pressed = { readonly way: string; readonly cause: string }

/** Returns the session's new state. Null if the button's action was no longer possible and was not done. */
async function finish(deps: JoinPageDeps, entry: JoinEntry, pressed: Pressed): Promise<JoinSessionState | null> {
  const { person, world, session } = entry
  if (person === null) return null
  try {
    return await deps.databases[world].transaction((tx) =>
      finishAs(tx, { id: session.id, userId: person.userId, ...pressed }),
    )
  } catch (error) {
    if (error instanceof ApiError && LOOK_AGAIN.has(error.type)) return null
    throw error
  }
}

type Finishing = Pressed & { readonly id: Id<'joinSession'>; readonly userId: Id<'user'> }

/** Locks the person, then the session, before reading them. */
async function finishAs(tx: Tx, { id, userId, way: shown, cause }: Finishing): Promise<JoinSessionState | null> {
  await lockActiveUser(tx, 'user', userId)
  await lockJoinSession(tx, id)
  const session = await findPageSession(tx, id)
  if (session === null || !session.app_has_access) return null
  if (session.due) {
    await expireJoinSession(tx, { id }, { cause: 'clock', occurredAt: session.expiresAt, caused: [] })
    return null
  }
  if (session.status !== 'open') return null
  if (shown === CONTINUE) {
    await signIn(tx, { id, userId }, { cause, occurredAt: session.now, caused: [] })
    return 'open'
  }
  if (session.userId !== userId) return null
  const way = wayOf(await personAtSyndicate(tx, session.syndicate.id, userId))
  return way === shown ? act(tx, session, { way, userId, cause }) : null
}

type Acting = { readonly way: Way; readonly userId: Id<'user'>; readonly cause: string }

async function act(tx: Tx, { id, now }: PageSession, { way, userId, cause }: Acting): Promise<JoinSessionState> {
  const occasion = { cause, occurredAt: now, caused: [] }
  switch (way) {
    case 'join':
    case 'member':
      // The new member's other waiting sessions end too.
      await endingOthersToo(
        tx,
        { id, which: 'all', end: () => completeJoinSession(tx, { id, userId }, occasion) },
        occasion,
      )
      return 'joined'
    case 'apply':
    case 'applied':
      await awaitApproval(tx, { id, userId }, occasion)
      return 'pending_approval'
    default:
      await markIneligible(tx, { id, reason: way, userId }, occasion)
      return 'ineligible'
  }
}

export type JoinRouteDeps = JoinApiDeps & JoinPageDeps

/** All routes of join sessions: API, pages and themes. */
export const joinRoutes = (deps: JoinRouteDeps): Route[] => [
  ...joinApiRoutes(deps),
  ...joinThemeRoutes(deps),
  ...joinPageRoutes(deps),
]
