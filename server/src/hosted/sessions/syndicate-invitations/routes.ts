import { Type } from 'typebox'
import { findUserOfAccount } from '#access/installations/index.ts'
import { lockActiveUser } from '#access/people/index.ts'
import { visitor } from '#http/access.ts'
import { signInAddress } from '#http/browser/return-to.ts'
import { type Route, route } from '#http/route.ts'
import { ApiError, type ErrorType } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import {
  declineInvitationMail,
  findInvitationOf,
  findOpenInvitation,
  type OpenInvitation,
} from '#market/syndicates/index.ts'
import { away, type LinkVisit } from '#pages/hosted-page.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { worldNow } from '#system/postgres/world-clock.ts'
import { personAtSyndicate } from '../join-api/store.ts'
import { wayOf } from '../join-page/eligibility.ts'
import type { JoinPageDeps } from '../join-page/entry-guard.ts'
import { joinSettlingSessions } from '../session-jobs.ts'
import {
  deadPage,
  declinedMailPage,
  type InvitationResponse,
  invitationAddress,
  invitationPage,
  joinedPage,
  type VisitorState,
} from './pages.ts'

const PATH = '/syndicate-invitations/:link'
const Page = Type.String()
const PAGE = {
  alias: false,
  tag: 'Pages',
  errorsAs: 'page',
  contentType: 'text/html; charset=utf-8',
  path: PATH,
  access: visitor('An invited person opens the link of a mail before signing in.'),
} as const
const params = Type.Object({ link: Type.String({ maxLength: 200 }) })
const response = { 200: Page, 303: Type.Null(), 403: Page, 409: Page, 410: Page }

/** The address of the link in the mail of an invitation. */
export function invitationLink(links: PageLinks, world: World, id: Id<'membership'>): string {
  return invitationAddress(links.make(world, id))
}

/**
 * The page of the link in the mail of an invitation to a syndicate. Only the person with the invited address can join
 * there.
 */
export const syndicateInvitationRoutes = (deps: JoinPageDeps): Route[] => [
  route({
    ...PAGE,
    operation: 'showSyndicateInvitation',
    method: 'GET',
    summary: 'Show a syndicate invitation',
    description:
      'Shows the page of the link in the mail of an invitation to a syndicate. Opening the page does not accept the invitation.',
    schema: { params, response },
    handler: (request) => show(deps, request),
  }),
  route({
    ...PAGE,
    operation: 'answerSyndicateInvitation',
    method: 'POST',
    accepts: ['application/x-www-form-urlencoded'],
    summary: 'Accept an invitation to a syndicate',
    description: 'Submits the answer of the invited person, who joins or asks for no more mail about the invitation.',
    schema: {
      params,
      body: Type.Object({ decision: Type.Enum(['join', 'no_mail'], { type: 'string' }) }),
      response,
    },
    handler: (request) => answer(deps, request),
  }),
]

type Entry = { readonly world: World; readonly invitation: OpenInvitation }

async function enter({ databases, links }: JoinPageDeps, link: string): Promise<Entry | null> {
  const opened = links.open('membership', link)
  if (opened === null) return null
  const invitation = await findOpenInvitation(databases[opened.world].reads, opened.id)
  return invitation === null ? null : { world: opened.world, invitation }
}

function frameOf({ brand }: JoinPageDeps, { params, caller, browser, requestId }: LinkVisit, world: World | null) {
  return { brand, world, csrf: browser.csrf, person: caller, address: invitationAddress(params.link), requestId }
}

async function show(deps: JoinPageDeps, visit: LinkVisit, pressed = false): Promise<InvitationResponse> {
  const entry = await enter(deps, visit.params.link)
  const frame = frameOf(deps, visit, entry?.world ?? null)
  if (entry === null) return deadPage(frame)
  const state = await visitorStateOf(deps, entry, visit)
  return invitationPage({ ...frame, invitation: entry.invitation, pressed }, state)
}

async function visitorStateOf({ databases }: JoinPageDeps, { world, invitation }: Entry, { caller }: LinkVisit) {
  if (caller === null) return 'signed_out'
  const { reads } = databases[world]
  const user = await findUserOfAccount(reads, caller.accountId)
  if (user === null || user.deactivated) return 'no_user'
  return userStateOf(reads, invitation, user.userId)
}

/** The person's address may have changed since the invitation. So every visit compares it with the invited address again. */
async function userStateOf(queries: WorldQueries, invitation: OpenInvitation, user: Id<'user'>): Promise<VisitorState> {
  const own = await findInvitationOf(queries, invitation.syndicateId, user)
  const way =
    own?.email === invitation.email ? wayOf(await personAtSyndicate(queries, invitation.syndicateId, user)) : null
  // An invited person joins without applying. So a person who would have to apply does not have the invited address.
  return way === null || way === 'apply' || way === 'applied' ? 'another_address' : way
}

type Answering = LinkVisit & { readonly body: { readonly decision: string } }

async function answer(deps: JoinPageDeps, visit: Answering): Promise<InvitationResponse> {
  const entry = await enter(deps, visit.params.link)
  const frame = frameOf(deps, visit, entry?.world ?? null)
  if (entry === null) return deadPage(frame)
  const { world, invitation } = entry
  if (visit.body.decision === 'no_mail') {
    await deps.databases[world].transaction((tx) => declineInvitationMail(tx, invitation.id))
    return declinedMailPage({ ...frame, invitation })
  }
  if (visit.caller === null) return away(signInAddress(frame.address))
  const user = await findUserOfAccount(deps.databases[world].reads, visit.caller.accountId)
  const joining = { invitation: invitation.id, user: user?.userId ?? null, cause: visit.requestId }
  const isMember = await deps.databases[world].transaction((tx) => join(tx, joining)).catch(lookAgain)
  return isMember ? joinedPage({ ...frame, invitation }) : show(deps, visit, true)
}

type JoiningBy = {
  readonly invitation: Id<'membership'>
  readonly user: Id<'user'> | null
  readonly cause: string
}

/**
 * Locks the person, as every decision about a membership does, and checks again. False if this person can no longer join by the
 * invitation.
 */
async function join(tx: Tx, { invitation: id, user: userId, cause }: JoiningBy): Promise<boolean> {
  if (userId === null) return false
  await lockActiveUser(tx, 'user', userId)
  const invitation = await findOpenInvitation(tx, id)
  if (invitation === null || (await userStateOf(tx, invitation, userId)) !== 'join') return false
  const { syndicateId, email: invitedEmail } = invitation
  const occasion = { cause, occurredAt: await worldNow(tx), caused: [] }
  await joinSettlingSessions(tx, { syndicateId, userId, invitedEmail }, occasion)
  return true
}

const LOOK_AGAIN: ReadonlySet<ErrorType> = new Set(['illegal_transition', 'validation_error', 'not_found'])

function lookAgain(error: unknown): false {
  if (error instanceof ApiError && LOOK_AGAIN.has(error.type)) return false
  throw error
}
