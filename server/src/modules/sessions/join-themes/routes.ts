import { Type } from 'typebox'
import { listOf, pageQuery, shortListPage } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { idOf, minting, reading, TAG } from '../join-api/fields.ts'
import { type MintingCaller, requireSyndicate } from '../join-api/who-may.ts'
import { changeTheme, createTheme } from './change-themes.ts'
import { NewTheme, OneTheme, ThemeChange, ThemeSchema, themeRecord } from './schemas.ts'
import { listThemes, type Owner } from './theme-store.ts'

const PATH = '/syndicates/:syndicate_id/join_themes'
const Syndicate = Type.Object({ syndicate_id: idOf('syndicate') })
const Theme = Type.Object({ syndicate_id: idOf('syndicate'), theme_id: idOf('joinTheme') })

const ownerOf = ({ appId: app }: MintingCaller, syndicate: Owner['syndicate']): Owner => ({ app, syndicate })

/** How an app's embedded forms look, version by version. */
export const joinThemeRoutes = ({ cursors }: { readonly cursors: CursorSealer }): Route[] => [
  route({
    operation: 'listJoinThemes',
    method: 'GET',
    path: PATH,
    summary: 'List join themes',
    description: 'Returns all of the app’s themes for its forms on a syndicate, each in its newest version.',
    tag: TAG,
    access: reading,
    schema: { params: Syndicate, query: Type.Object(pageQuery()), response: { 200: listOf(ThemeSchema) } },
    handler: async ({ db, caller, params: { syndicate_id: syndicate }, query, behaviour: { unpagedLists: lists } }) => {
      await requireSyndicate(db.reads, caller, syndicate)
      const body = shortListPage({
        ...{ query, lists, cursors, kind: { kind: `join_themes/${syndicate}/${caller.appId}`, version: 1 } },
        rows: await listThemes(db.reads, ownerOf(caller, syndicate)),
        place: ({ id }) => [id],
        item: (theme) => themeRecord(theme, syndicate),
      })
      return { status: 200, body }
    },
  }),
  route({
    operation: 'createJoinTheme',
    method: 'POST',
    path: PATH,
    summary: 'Create a join theme',
    description: 'Creates a theme for embedded forms, in its first version.',
    tag: TAG,
    action: 'join_themes.create',
    access: minting,
    schema: { params: Syndicate, body: NewTheme, response: { 201: OneTheme } },
    transaction: async ({ tx, caller, params: { syndicate_id: syndicate }, body }) => {
      await requireSyndicate(tx, caller, syndicate)
      const theme = await createTheme(tx, ownerOf(caller, syndicate), body)
      return { status: 201, body: { data: themeRecord(theme, syndicate) } }
    },
  }),
  route({
    operation: 'updateJoinTheme',
    method: 'PATCH',
    path: `${PATH}/:theme_id`,
    summary: 'Update a join theme',
    description: 'Creates the next version of a theme. Existing sessions keep the version they are pinned to.',
    tag: TAG,
    action: 'join_themes.update',
    access: minting,
    schema: { params: Theme, body: ThemeChange, response: { 200: OneTheme } },
    transaction: async ({ tx, caller, params: { syndicate_id: syndicate, theme_id: id }, body }) => {
      await requireSyndicate(tx, caller, syndicate)
      const theme = await changeTheme(tx, ownerOf(caller, syndicate), { id, ...body })
      return { status: 200, body: { data: themeRecord(theme, syndicate) } }
    },
  }),
]
