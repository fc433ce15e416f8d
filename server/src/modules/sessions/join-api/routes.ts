import { Type } from 'typebox'
import { listOf, openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound } from '#kernel/errors.ts'
import type { PageLinks } from '#system/crypto/page-link.ts'
import { cancelAsApp } from './cancel-as-app.ts'
import { idOf, minting, reading, TAG } from './fields.ts'
import { mintJoinSession } from './mint-join-session.ts'
import { findSessionRecord, sessionRecords } from './record-store.ts'
import { JoinSessionSchema, NewJoinSession, OneJoinSession, sessionRecord } from './schemas.ts'
import { requireSyndicate } from './who-may.ts'

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
    description: 'Beta. Returns the join sessions that the app created for this syndicate, the newest first.',
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
      if (found === null) throw notFound(`${id} is no join session of this app on this syndicate`)
      return { status: 200, body: { data: sessionRecord(found, { origin: origin(), links, world: db.world }) } }
    },
  }),
  route({
    operation: 'cancelJoinSession',
    method: 'DELETE',
    path: ONE,
    summary: 'Cancel a join session',
    description:
      'Cancels a join session before the person is a member. Repeating the request changes nothing and succeeds. Beta.',
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
