import { Type } from 'typebox'
import { listOf, pageQuery, shortListPage } from '#http/pagination.ts'
import { type Route, route } from '#http/route.ts'
import { idOf } from '#http/schema-fields.ts'
import type { CursorSealer } from '#kernel/cursor.ts'
import { notFound, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Appearance } from '../join-session-states.ts'
import { type AppearanceChange, normalised, rejectUnreadable, withChanges } from './appearance.ts'
import { type MintingCaller, requireSyndicate } from './routes.ts'
import { minting, NewTheme, OneTheme, reading, TAG, ThemeChange, ThemeSchema, themeRecord } from './schemas.ts'
import {
  findTheme,
  insertTheme,
  type JoinTheme,
  listThemes,
  lockSyndicateOfThemes,
  lockTheme,
  type Owner,
} from './store.ts'

const PATH = '/syndicates/:syndicate_id/join_themes'
const Syndicate = Type.Object({ syndicate_id: idOf('syndicate') })
const Theme = Type.Object({ syndicate_id: idOf('syndicate'), theme_id: idOf('joinTheme') })

const ownerOf = ({ appId: app }: MintingCaller, syndicate: Owner['syndicate']): Owner => ({ app, syndicate })

/** Routes for the themes of an app's embedded forms. */
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
    description:
      'Creates the next version of a theme, unless nothing changes. Existing sessions keep the version they are pinned to.',
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

/** The default look of our own pages, without the platform's own accent. */
const AT_FIRST: Appearance = { accent: '#0f5a43', paper: '#fdfdfb', ink: '#1c2321', corners: 'rounded' }

const THEMES_MAX = 20
const VERSIONS_MAX = 1_000

type ThemeInput = AppearanceChange & { readonly name: string }

/** Omitted values are those of `AT_FIRST`. */
async function createTheme(tx: Tx, owner: Owner, input: ThemeInput): Promise<JoinTheme> {
  const appearance = withChanges(AT_FIRST, normalised(input))
  rejectUnreadable(appearance, '')
  await lockSyndicateOfThemes(tx, owner.syndicate)
  if ((await listThemes(tx, owner)).length >= THEMES_MAX) {
    throw validationError([{ field: 'name', code: 'too_many', message: `exceeds the maximum of ${THEMES_MAX} themes` }])
  }
  const id = newId('joinTheme')
  await insertTheme(tx, owner, { id, version: 1, name: input.name, ...appearance })
  return knownTheme(tx, owner, { id })
}

/** Creates the next version; sessions keep the version that they are pinned to. A change without effect creates no version. */
async function changeTheme(
  tx: Tx,
  owner: Owner,
  { id, ...change }: Partial<ThemeInput> & { readonly id: Id<'joinTheme'> },
): Promise<JoinTheme> {
  if (!(await lockTheme(tx, owner, id))) throw notFound(`${id} is not a theme of this app on this syndicate`)
  const before = await knownTheme(tx, owner, { id })
  const after = { ...before, name: change.name ?? before.name, ...withChanges(before, normalised(change)) }
  rejectUnreadable(after, '')
  if (same(before, after)) return before
  if (before.version >= VERSIONS_MAX) {
    throw validationError([
      { field: 'id', code: 'too_many', message: 'has the maximum number of versions: create another theme' },
    ])
  }
  await insertTheme(tx, owner, { ...after, version: before.version + 1 })
  return knownTheme(tx, owner, { id })
}

function same(one: JoinTheme, other: JoinTheme): boolean {
  return (['name', 'accent', 'paper', 'ink', 'corners'] as const).every((field) => one[field] === other[field])
}

async function knownTheme(tx: Tx, owner: Owner, wanted: Parameters<typeof findTheme>[2]): Promise<JoinTheme> {
  const theme = await findTheme(tx, owner, wanted)
  if (theme === null) throw notFound(`${wanted.id} is not a theme of this app on this syndicate`)
  return theme
}
