import { type Static, Type } from 'typebox'
import { findConnection, findInstallations } from '#access/installations/index.ts'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { idOf } from '#http/schema-fields.ts'
import type { InstallationCaller, UserCaller } from '#kernel/caller.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { ApiError, notFound } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { cancelJoinSession, createJoinSession, type JoinSessionInput } from '../join-session.ts'
import { lockJoinSession, lockPersonAt } from '../join-session-store.ts'
import { acceptedOrigins, acceptedReturnUrl } from '../session-input.ts'
import { endingOthersToo } from '../session-jobs.ts'
import { nowAndLater } from '../store.ts'
import { overridden, rejectUnreadable } from './appearance.ts'
import {
  HOURS_DEFAULT,
  JoinSessionSchema,
  minting,
  NewJoinSession,
  OneJoinSession,
  reading,
  sessionRecord,
  TAG,
} from './schemas.ts'
import {
  findSessionRecord,
  findTheme,
  knowledgeOf,
  type Owner,
  type OwnSession,
  type SessionRecord,
  sessionRecords,
} from './store.ts'

export type JoinApiDeps = {
  readonly cursors: CursorSealer
  readonly origin: () => string
  readonly links: PageLinks
}

const PATH = '/syndicates/:syndicate_id/join_sessions'
const ONE = `${PATH}/:join_session_id`
const Syndicate = Type.Object({ syndicate_id: idOf('syndicate') })
const Session = Type.Object({ syndicate_id: idOf('syndicate'), join_session_id: idOf('joinSession') })

export const joinApiRoutes = ({ cursors, origin, links }: JoinApiDeps): Route[] => [
  route({
    operation: 'createJoinSession',
    method: 'POST',
    path: PATH,
    summary: 'Create a join session',
    description: 'Creates a link, or an embedded form, by which a person joins a syndicate. Beta.',
    tag: TAG,
    action: 'join_sessions.create',
    access: minting,
    schema: { params: Syndicate, body: NewJoinSession, response: { 201: OneJoinSession } },
    transaction: async ({ tx, caller, params: { syndicate_id: syndicate }, body: wanted, requestId }) => {
      await requireSyndicate(tx, caller, syndicate)
      const owner = { app: caller.appId, syndicate }
      const made = await mintJoinSession(tx, { owner, caller, wanted }, requestId)
      return { status: 201, body: { data: sessionRecord(made, { origin: origin(), links, world: tx.world }) } }
    },
  }),
  route({
    operation: 'listJoinSessions',
    method: 'GET',
    path: PATH,
    summary: 'List join sessions',
    description: 'Beta. Returns the join sessions that the app created for this syndicate, newest first.',
    tag: TAG,
    access: reading,
    schema: { params: Syndicate, query: Type.Object(pageQuery()), response: { 200: listOf(JoinSessionSchema) } },
    handler: async ({ db, caller, params: { syndicate_id: syndicate }, query }) => {
      await requireSyndicate(db.reads, caller, syndicate)
      const { appId: app } = caller
      const size = pageSize(query.per_page)
      const kind = { kind: `join_sessions/${syndicate}/${app}`, version: 1 }
      const [before = null] = openCursor(cursors, kind, query.cursor) ?? []
      const at = { before: before === null ? null : String(before), limit: size + 1 }
      const body = page({
        ...{ rows: await sessionRecords(db.reads, { app, syndicate }, at), size },
        item: (session) => sessionRecord(session, { origin: origin(), links, world: db.world }),
        next: ({ id }) => cursors.seal(kind, [id]),
      })
      return { status: 200, body }
    },
  }),
  route({
    operation: 'getJoinSession',
    method: 'GET',
    path: ONE,
    summary: 'Get a join session',
    description: 'Returns a join session that the app created, with its current status. Beta.',
    tag: TAG,
    access: reading,
    schema: { params: Session, response: { 200: OneJoinSession } },
    handler: async ({ db, caller, params: { syndicate_id: syndicate, join_session_id: id } }) => {
      await requireSyndicate(db.reads, caller, syndicate)
      const found = await findSessionRecord(db.reads, { id, app: caller.appId, syndicate })
      if (found === null) throw notFound(`${id} is not a join session of this app on this syndicate`)
      return { status: 200, body: { data: sessionRecord(found, { origin: origin(), links, world: db.world }) } }
    },
  }),
  route({
    operation: 'cancelJoinSession',
    method: 'DELETE',
    path: ONE,
    summary: 'Cancel a join session',
    description:
      'Cancels a join session that is open or waits for approval. Repeating the request changes nothing and succeeds. Beta.',
    tag: TAG,
    action: 'join_sessions.cancel',
    access: minting,
    schema: { params: Session, response: { 200: OneJoinSession } },
    transaction: async ({ tx, caller, params: { syndicate_id: syndicate, join_session_id: id }, requestId }) => {
      await requireSyndicate(tx, caller, syndicate)
      const canceled = await cancelAsApp(tx, { id, app: caller.appId, syndicate }, requestId)
      return { status: 200, body: { data: sessionRecord(canceled, { origin: origin(), links, world: tx.world }) } }
    },
  }),
]

/** "Before completion". Canceling twice changes nothing; a session that ended otherwise cannot be canceled. */
async function cancelAsApp(tx: Tx, wanted: OwnSession, cause: string): Promise<SessionRecord> {
  await ownSession(tx, wanted)
  await lockPersonAt(tx, wanted.id, null)
  await lockJoinSession(tx, wanted.id)
  const session = await ownSession(tx, wanted)
  if (session.status === 'canceled') return session
  if (session.status !== 'open' && session.status !== 'pending_approval') throw notCancelable(session)
  const { now: occurredAt } = await nowAndLater(tx, 0)
  const occasion = { cause, occurredAt, caused: [] }
  const end = () => cancelJoinSession(tx, wanted, occasion)
  await endingOthersToo(tx, { id: wanted.id, which: 'all', end }, occasion)
  return ownSession(tx, wanted)
}

async function ownSession(tx: Tx, wanted: OwnSession): Promise<SessionRecord> {
  const session = await findSessionRecord(tx, wanted)
  if (session === null) throw notFound(`${wanted.id} is not a join session of this app on this syndicate`)
  return session
}

function notCancelable({ status }: SessionRecord): ApiError {
  return new ApiError('session_not_cancelable', {
    public: `This join session is ${status} and can no longer be canceled.`,
    remediation: 'If you need another link, create a new session.',
    details: { status },
  })
}

type Wanted = Static<typeof NewJoinSession>

type Minting = { readonly owner: Owner; readonly caller: MintingCaller; readonly wanted: Wanted }

const RETURN_URL = { field: 'return_url', answered: ['join_session_id', 'status'] } as const

/** A new session of this app for this syndicate, without a user. */
async function mintJoinSession(tx: Tx, minting: Minting, cause: string): Promise<SessionRecord> {
  const { owner, caller, wanted } = minting
  const { return_url, metadata } = wanted
  const id = newId('joinSession')
  const returnUrl =
    return_url == null ? {} : { returnUrl: acceptedReturnUrl(return_url, { ...RETURN_URL, world: tx.world }) }
  const embedded = await embeddedAs(tx, owner, wanted.embed)
  const { now, later } = await nowAndLater(tx, wanted.expires_in_hours ?? HOURS_DEFAULT)
  const session: JoinSessionInput = {
    id,
    syndicateId: owner.syndicate,
    appId: owner.app,
    installationId: await installationOf(tx, caller),
    ...returnUrl,
    ...embedded,
    ...(metadata == null ? {} : { metadata }),
    expiresAt: later,
  }
  await createJoinSession(tx, session, { cause, occurredAt: now, caused: [] })
  const made = await findSessionRecord(tx, { id, ...owner })
  if (made === null) throw new Error(`the new session ${id} is missing`)
  return made
}

/** The installation that gives the app the right to this session: its installation on the syndicate, or the manager's connection. */
async function installationOf(tx: Tx, caller: MintingCaller): Promise<Id<'installation'>> {
  if (caller.kind === 'installation') return caller.installationId
  const connection = await findConnection(tx, caller.userId, caller.appId)
  if (connection === null) throw new ApiError('invalid_token', { public: 'The user has disconnected the app.' })
  return connection.id
}

type Embedded = Pick<JoinSessionInput, 'theme' | 'frame'>

/** "Populated for embedded sessions pinning a partner theme". An embedded session without a theme looks like our own pages. */
async function embeddedAs(tx: Tx, owner: Owner, embed: Wanted['embed']): Promise<Embedded> {
  if (embed == null) return {}
  const origins = acceptedOrigins(embed.origins, tx.world)
  if (embed.theme == null) return { frame: { origins, appearance: null } }
  const { id, version, overrides } = embed.theme
  const theme = await findTheme(tx, owner, { id, version: version ?? undefined })
  if (theme === null) throw notFound(`${id} is not a theme of this app on this syndicate, or not in that version`)
  const { appearance, fingerprint } = overridden(theme, overrides ?? {})
  rejectUnreadable(appearance, 'embed.theme.overrides.')
  return { theme: { id, version: theme.version, override_fingerprint: fingerprint }, frame: { origins, appearance } }
}

export type MintingCaller = UserCaller | InstallationCaller

/**
 * "User tokens of managers and installation tokens of that syndicate alone." For other callers: 403 for a
 * syndicate they may see (published, or related to them), 404 otherwise.
 */
export async function requireSyndicate(
  queries: WorldQueries,
  caller: MintingCaller,
  syndicate: Id<'syndicate'>,
): Promise<void> {
  const [installation] = caller.kind === 'installation' ? await findInstallations(queries, [caller.installationId]) : []
  if (installation?.target.type === 'syndicate' && installation.target.id === syndicate) return
  const acting = installation?.target.type === 'user' ? installation.target.id : null
  const knowledge = await knowledgeOf(queries, syndicate, caller.kind === 'user' ? caller.userId : acting)
  if (knowledge === null) throw notFound(`there is no ${syndicate}`)
  if (knowledge.runs && caller.kind === 'user') return
  throw knowledge.known || knowledge.runs ? notTheirs() : notFound(`this caller may not see ${syndicate}`)
}

function notTheirs(): ApiError {
  return new ApiError('forbidden', {
    public: 'The user or installation of this token does not manage the syndicate.',
    remediation: 'Use the token of an installation on this syndicate, or the token of a user who manages it.',
  })
}
