import { Type } from 'typebox'
import { openCursor, page, pageQuery, pageSize } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { updateSyndicate } from '../update-syndicate.ts'
import { OfSyndicate } from './fields.ts'
import { bearerOf, forManagers, managerOf, type SyndicateCaller } from './managing.ts'
import { occasionOf } from './occasion-of.ts'
import type { SyndicateRouteDeps } from './route-deps.ts'
import { showSyndicate, syndicatesOfManager } from './syndicate-list-store.ts'
import { OneSyndicate, SyndicateChanges, SyndicateList, syndicateRecord } from './syndicate-record.ts'

export const syndicateSettingsRoutes = ({ cursors, origin }: SyndicateRouteDeps): Route[] => [
  route({
    operation: 'listSyndicates',
    method: 'GET',
    path: '/syndicates',
    summary: 'List syndicates',
    description:
      'Returns the syndicates that the user manages, newest first. With an installation’s token it is the syndicate on which the app is installed.',
    tag: 'Syndicates',
    access: forManagers('read:syndicates'),
    schema: { query: Type.Object(pageQuery()), response: { 200: SyndicateList } },
    handler: async ({ db, caller, query }) => {
      const kind = { kind: `syndicates/${db.world}`, version: 1 }
      const size = pageSize(query.per_page)
      const [before = null] = openCursor(cursors, kind, query.cursor) ?? []
      const rows = await listed(db, caller, { before: before === null ? null : String(before), limit: size + 1 })
      const item = (row: (typeof rows)[number]) => syndicateRecord(row, origin())
      return { status: 200, body: page({ rows, size, item, next: ({ id }) => cursors.seal(kind, [id]) }) }
    },
  }),
  route({
    operation: 'getSyndicate',
    method: 'GET',
    path: '/syndicates/:syndicate_id',
    summary: 'Get a syndicate',
    description: 'Returns a syndicate with its settings and its number of members and deals.',
    tag: 'Syndicates',
    access: forManagers('read:syndicates'),
    schema: { params: OfSyndicate, response: { 200: OneSyndicate } },
    handler: async ({ db, caller, params: { syndicate_id: id } }) => {
      await managerOf(db.reads, caller, id)
      return { status: 200, body: { data: syndicateRecord(await showSyndicate(db.reads, id), origin()) } }
    },
  }),
  route({
    operation: 'updateSyndicate',
    method: 'PATCH',
    path: '/syndicates/:syndicate_id',
    summary: 'Update a syndicate',
    description: 'Changes a syndicate’s own texts. Only the fields in the body change.',
    tag: 'Syndicates',
    access: forManagers('write:syndicates'),
    schema: { params: OfSyndicate, body: SyndicateChanges, response: { 200: OneSyndicate } },
    transaction: async ({ tx, caller, params: { syndicate_id: id }, body, requestId }) => {
      await managerOf(tx, caller, id)
      const { syndicate: changes } = body
      const unchanged = Object.keys(changes).length === 0
      if (!unchanged) await updateSyndicate(tx, { id, changes }, await occasionOf(tx, requestId))
      return { status: 200, unchanged, body: { data: syndicateRecord(await showSyndicate(tx, id), origin()) } }
    },
  }),
]

type At = Parameters<typeof syndicatesOfManager>[2]

async function listed({ reads }: WorldDatabase, caller: SyndicateCaller, at: At) {
  const bearer = await bearerOf(reads, caller)
  if ('userId' in bearer) return syndicatesOfManager(reads, bearer.userId, at)
  const { syndicateId } = bearer
  return at.before === null ? [await showSyndicate(reads, syndicateId)] : []
}
