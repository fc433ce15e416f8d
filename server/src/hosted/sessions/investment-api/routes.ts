import { heldBy } from '#http/access.ts'
import { page, pagePlaces, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { InstallationCaller } from '#kernel/caller.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError, notFound, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { parseCents } from '#kernel/money.ts'
import { allowedMoves } from '#kernel/state-machine.ts'
import type { World } from '#kernel/world.ts'
import { readOffering } from '#market/offerings/index.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import type { Tx } from '#system/postgres/database.ts'
import { outOfRange, rangeOf } from '../checkout/checkout.ts'
import { cancelInvestmentSession, createInvestmentSession, lockedInvestmentSession } from '../investment-session.ts'
import { INVESTMENT_SESSION_MACHINE, type InvestmentSessionState } from '../investment-session-states.ts'
import { acceptedReturnUrl } from '../session-input.ts'
import { nowAndLater } from '../store.ts'
import { lockRecipient, partnerSide, readRecipient, requireTaking, underField } from './partner-request.ts'
import {
  HOURS_DEFAULT,
  NewSession,
  NewSessionThere,
  OneSession,
  OneSessionWithEvents,
  SessionList,
  SessionParam,
  SessionQuery,
  SpvParam,
  type Wanted,
} from './schemas.ts'
import {
  eventsOf,
  findActive,
  findSession,
  isCreatedHere,
  listSessions,
  type Owner,
  type PartnerSide,
  type Recipient,
  type SessionRow,
  waitForTurn,
} from './store.ts'

export type InvestmentSessionDeps = Addresses & { readonly cursors: CursorSealer }

const read = { tag: 'Investment sessions', access: heldBy(['installation'], 'read:investment_sessions') } as const
const write = { tag: 'Investment sessions', access: heldBy(['installation'], 'write:investment_sessions') } as const
const PATH = '/partner/investment_sessions'

/**
 * Routes by which an app sends a known person to a hosted checkout and reads the outcome. None of these routes makes an
 * investment.
 */
export const investmentSessionApiRoutes = (deps: InvestmentSessionDeps): Route[] => [
  route({
    ...read,
    operation: 'listInvestmentSessions',
    method: 'GET',
    path: PATH,
    summary: 'List investment sessions',
    description:
      'Returns the investment sessions that the app created for the offerings of this company, or on this syndicate, newest first. `email` is null in sessions that another installation of the app created, unless the token holds `read:investors:pii`.',
    schema: { query: SessionQuery, response: { 200: SessionList } },
    handler: async ({ db, caller, query, behaviour, requestId: request_id }) => {
      const side = await partnerSide(db.reads, caller)
      const kind = { kind: `investment_sessions/${side.app}/${side.target}`, version: 1 }
      const size = pageSize(query.per_page)
      const places = pagePlaces(deps.cursors, behaviour.pageCursors, kind)
      const { after, skip } = places.open(query.cursor)
      const rows = await listSessions(db.reads, side, {
        before: after === null ? null : String(after[0]),
        skip,
        spvId: query.spv_id ?? null,
        status: query.status ?? null,
        limit: size + 1,
      })
      const shown = { world: db.world, reader: readerOf(caller), addresses: deps }
      const item = (row: SessionRow) => sessionRecord(row, shown)
      const next = ({ id }: { id: string }) => places.next([id], skip + size)
      const { data, meta } = page({ rows, size, item, next })
      return { status: 200, body: { data, meta: { ...meta, request_id } } }
    },
  }),
  route({
    ...write,
    operation: 'createInvestmentSession',
    replayedAs: 'ok_before_newest',
    method: 'POST',
    path: PATH,
    summary: 'Create an investment session',
    description:
      'Creates a session that sends a person you know to the checkout of an offering. If the app has already created an active session for the same person and offering on this company or syndicate, that session is returned with status 200.',
    schema: { body: NewSession, response: { 200: OneSession, 201: OneSession } },
    transaction: (request) => opened(deps, request, request.body.investment_session),
  }),
  route({
    ...write,
    operation: 'createInvestmentSessionOfOffering',
    replayedAs: 'ok_before_newest',
    method: 'POST',
    path: '/partner/spvs/:spv_id/investment_sessions',
    summary: 'Create an offering’s investment session',
    description:
      'The older path of `POST /partner/investment_sessions`, with the offering in the path. It creates the same session.',
    schema: { params: SpvParam, body: NewSessionThere, response: { 200: OneSession, 201: OneSession } },
    transaction: async (request) => {
      const { tx, caller, params, body } = request
      // Checked here, so that the error names the path parameter and not a field of the body.
      await requireTaking(tx, await partnerSide(tx, caller), params.spv_id)
      return opened(deps, request, { ...params, ...body.investment_session })
    },
  }),
  route({
    ...read,
    operation: 'getInvestmentSession',
    method: 'GET',
    path: `${PATH}/:session_id`,
    summary: 'Get an investment session',
    description:
      'Returns an investment session with its status and its times, through the installation that created it or the app’s installation on the session’s company. `email` is null through an installation that did not create it, unless the token holds `read:investors:pii`.',
    schema: { params: SessionParam, response: { 200: OneSessionWithEvents } },
    handler: async ({ db, caller, params: { session_id: id }, requestId: request_id }) => {
      const side = await partnerSide(db.reads, caller)
      const session = await findSession(db.reads, side, id)
      if (session === null) throw notFound(`${id} is not of ${side.app} on ${side.target}`)
      const shown = { world: db.world, reader: readerOf(caller), addresses: deps }
      const { attributes, ...data } = sessionRecord(session, shown)
      const events = [...(await eventsOf(db.reads, id))]
      return { status: 200, body: { data: { ...data, attributes: { ...attributes, events } }, meta: { request_id } } }
    },
  }),
  route({
    ...write,
    operation: 'cancelInvestmentSession',
    method: 'DELETE',
    path: `${PATH}/:session_id`,
    summary: 'Cancel an investment session',
    description:
      'Cancels a session that has not ended, with a token of the company or syndicate on which the app created it. Repeating the request changes nothing and succeeds.',
    schema: { params: SessionParam, response: { 200: OneSession } },
    transaction: async ({ tx, caller, params: { session_id: id }, requestId }) => {
      const side = await partnerSide(tx, caller)
      const session = await cancelSession(tx, { side, id, requestId })
      const shown = { world: tx.world, reader: readerOf(caller), addresses: deps }
      return { status: 200, body: { data: sessionRecord(session, shown), meta: { request_id: requestId } } }
    },
  }),
]

type Request = { readonly tx: Tx; readonly caller: InstallationCaller; readonly requestId: string }

async function opened(deps: InvestmentSessionDeps, { tx, caller, requestId }: Request, wanted: Wanted) {
  const side = await partnerSide(tx, caller)
  const { session, made } = await underField('investment_session', () => openSession(tx, { side, wanted, requestId }))
  const shown = { world: tx.world, reader: readerOf(caller), addresses: deps }
  const body = { data: sessionRecord(session, shown), meta: { request_id: requestId } }
  return made ? { status: 201 as const, body } : { status: 200 as const, body }
}

type Addresses = { readonly links: PageLinks; readonly origin: () => string }

/** The path of a session's hosted page on this server. */
function sessionPath(links: PageLinks, world: World, id: string): string {
  return `/invest/session/${links.make(world, id)}`
}

/** The installation through which an app reads a session, and whether the token may read investors' identities. */
type Reader = { readonly installation: Id<'installation'>; readonly pii: boolean }

function readerOf({ installationId: installation, scopes }: InstallationCaller): Reader {
  return { installation, pii: scopes.has('read:investors:pii') }
}

type Shown = { readonly world: World; readonly reader: Reader; readonly addresses: Addresses }

/** "Through the one that did not create it, email only with read:investors:pii." */
function sessionRecord(session: SessionRow, { world, reader, addresses: { links, origin } }: Shown) {
  const { id, created_by, email, ...row } = session
  return {
    id,
    type: 'investment_session' as const,
    attributes: {
      ...row,
      email: created_by === reader.installation || reader.pii ? email : null,
      url: origin() + sessionPath(links, world, id),
      allocation_cents: parseCents(row.allocation_cents),
      metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    },
  }
}

type Canceling = { readonly side: PartnerSide; readonly id: Id<'investmentSession'>; readonly requestId: string }

/**
 * "Canceled by the creating partner": with a token of the company or syndicate on which the app created the session. With a token
 * of the session's company the app can read a session that it created elsewhere, but not cancel it. "DELETE 200 (pending,
 * in_progress, abandoned; repeat ok; else 422 session_not_cancelable)."
 */
async function cancelSession(tx: Tx, { side, id, requestId }: Canceling): Promise<SessionRow> {
  await requireSession(tx, side, id)
  if (!(await isCreatedHere(tx, side, id))) throw createdElsewhere()
  await lockedInvestmentSession(tx, id)
  const { status } = await requireSession(tx, side, id)
  if (status !== 'canceled') {
    if (!allowedMoves(INVESTMENT_SESSION_MACHINE, status).includes('cancel')) throw notCancelable(status)
    const { now: occurredAt } = await nowAndLater(tx, 0)
    await cancelInvestmentSession(tx, { id }, { cause: requestId, occurredAt, caused: [] })
  }
  return requireSession(tx, side, id)
}

function createdElsewhere(): ApiError {
  return new ApiError('forbidden', {
    public: 'The app created this session through another installation.',
    remediation: 'Cancel it with a token of the company or syndicate on which the app created it.',
  })
}

function notCancelable(status: InvestmentSessionState): ApiError {
  return new ApiError('session_not_cancelable', {
    public: `The session is ${status} and can no longer be canceled.`,
    remediation: 'Read it again. Only pending, in_progress and abandoned sessions can be canceled.',
    details: { status },
  })
}

type Opened = { readonly session: SessionRow; readonly made: boolean }
type NewSessionRequest = { readonly side: PartnerSide; readonly wanted: Wanted; readonly requestId: string }

/** Creates a session, unless the recipient has one: "an active session of the same recipient is returned instead". */
async function openSession(tx: Tx, { side, wanted, requestId }: NewSessionRequest): Promise<Opened> {
  const recipient = requireRecipient(wanted)
  const url = wanted.success_url
  const successUrl = url == null ? null : acceptedReturnUrl(url, { field: 'success_url', world: tx.world })
  await waitForTurn(tx, side, `${wanted.spv_id} ${nameOf(recipient)}`)
  await lockRecipient(tx, recipient)
  await requireTaking(tx, side, wanted.spv_id)
  await rejectOutOfRange(tx, wanted)
  const active = await findActive(tx, side, { spvId: wanted.spv_id, recipient })
  if (active !== null) return { session: await requireSession(tx, side, active), made: false }
  const id = newId('investmentSession')
  const { now, later } = await nowAndLater(tx, wanted.expires_in_hours ?? HOURS_DEFAULT)
  const occasion = { cause: requestId, occurredAt: now, caused: [] }
  const made = { id, expiresAt: later, installationId: side.installation }
  await createInvestmentSession(tx, { ...inputOf(wanted, successUrl), ...recipient, ...made }, occasion)
  return { session: await requireSession(tx, side, id), made: true }
}

async function requireSession(tx: Tx, owner: Owner, id: Id<'investmentSession'>): Promise<SessionRow> {
  const session = await findSession(tx, owner, id)
  if (session === null) throw notFound(`${id} is not of ${owner.app} on ${owner.target}`)
  return session
}

/** Rejects a fixed amount outside the offering's range, because no person could invest it. */
async function rejectOutOfRange(tx: Tx, { spv_id, allocation_cents: fixed }: Wanted): Promise<void> {
  const offering = fixed == null ? null : await readOffering(tx, spv_id)
  if (fixed == null || offering === null) return
  const message = outOfRange(fixed, rangeOf(offering))
  if (message !== null) throw validationError([{ field: 'allocation_cents', code: 'out_of_range', message }])
}

function nameOf(recipient: Recipient): string {
  return 'email' in recipient ? recipient.email.toLowerCase() : recipient.userId
}

function requireRecipient(wanted: Wanted): Recipient {
  const recipient = readRecipient(wanted)
  if (recipient !== null) return recipient
  const message = 'or platform_user_id is required: a session is for a person you know'
  throw validationError([{ field: 'email', code: 'required', message }])
}

function inputOf({ spv_id, allocation_cents, metadata, intent_id }: Wanted, successUrl: string | null) {
  const stored = { ...metadata, ...(intent_id == null ? {} : { intent_id }) }
  return {
    offeringId: spv_id,
    ...(allocation_cents == null ? {} : { allocationCents: allocation_cents }),
    ...(successUrl === null ? {} : { successUrl }),
    metadata: stored,
  }
}
