import { notFound, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import type { Appearance } from '../join-session.ts'
import { type AppearanceChange, normalised, refuseUnreadable, whole } from './appearance.ts'
import {
  findTheme,
  insertTheme,
  type JoinTheme,
  listThemes,
  lockSyndicateOfThemes,
  lockTheme,
  type Owner,
} from './theme-store.ts'

/** The colours of our own pages. */
const AT_FIRST: Appearance = { accent: '#0f5a43', paper: '#fdfdfb', ink: '#1c2321', corners: 'rounded' }

const THEMES_MAX = 20
const VERSIONS_MAX = 1_000

export type ThemeInput = AppearanceChange & { readonly name: string }

/** What is left out is as on our own pages. */
export async function createTheme(tx: Tx, owner: Owner, input: ThemeInput): Promise<JoinTheme> {
  const appearance = whole(AT_FIRST, normalised(input))
  refuseUnreadable(appearance, '')
  await lockSyndicateOfThemes(tx, owner.syndicate)
  if ((await listThemes(tx, owner)).length >= THEMES_MAX) {
    throw validationError([{ field: 'name', code: 'too_many', message: `would be one theme more than ${THEMES_MAX}` }])
  }
  const id = newId('joinTheme')
  await insertTheme(tx, owner, { id, version: 1, name: input.name, ...appearance })
  return knownTheme(tx, owner, { id })
}

/** A change is the next version; what is pinned to another keeps it. A change of nothing is no version. */
export async function changeTheme(
  tx: Tx,
  owner: Owner,
  { id, ...change }: Partial<ThemeInput> & { readonly id: Id<'joinTheme'> },
): Promise<JoinTheme> {
  if (!(await lockTheme(tx, owner, id))) throw notFound(`${id} is no theme of this app on this syndicate`)
  const before = await knownTheme(tx, owner, { id })
  const after = { ...before, name: change.name ?? before.name, ...whole(before, normalised(change)) }
  refuseUnreadable(after, '')
  if (same(before, after)) return before
  if (before.version >= VERSIONS_MAX) {
    throw validationError([{ field: 'id', code: 'too_many', message: 'has all its versions: make another theme' }])
  }
  await insertTheme(tx, owner, { ...after, version: before.version + 1 })
  return knownTheme(tx, owner, { id })
}

function same(one: JoinTheme, other: JoinTheme): boolean {
  return (['name', 'accent', 'paper', 'ink', 'corners'] as const).every((field) => one[field] === other[field])
}

async function knownTheme(tx: Tx, owner: Owner, wanted: Parameters<typeof findTheme>[2]): Promise<JoinTheme> {
  const theme = await findTheme(tx, owner, wanted)
  if (theme === null) throw notFound(`${wanted.id} is no theme of this app on this syndicate`)
  return theme
}
