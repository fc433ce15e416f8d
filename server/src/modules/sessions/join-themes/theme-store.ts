import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Appearance } from '../join-session.ts'

/** Whose themes: an app's own, for its forms on one syndicate. */
export type Owner = { readonly app: Id<'app'>; readonly syndicate: Id<'syndicate'> }

export type JoinTheme = Appearance & {
  readonly id: Id<'joinTheme'>
  readonly version: number
  readonly name: string
  readonly created_at: WorldTime
}

const SHOWN = 'id, version, name, accent, paper, ink, corners, created_at'

const INSERT = statement(
  'join_themes.insert',
  `insert into join_themes (id, version, app_id, syndicate_id, name, accent, paper, ink, corners)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

export async function insertTheme(
  tx: Tx,
  { app, syndicate }: Owner,
  theme: Omit<JoinTheme, 'created_at'>,
): Promise<void> {
  const { id, version, name, accent, paper, ink, corners } = theme
  await tx.run(INSERT, [id, version, app, syndicate, name, accent, paper, ink, corners])
}

const FIND = statement<JoinTheme>(
  'join_themes.find',
  `select ${SHOWN} from join_themes
    where syndicate_id = $1 and app_id = $2 and id = $3 and ($4::int is null or version = $4)
    order by version desc limit 1`,
)

/** This version, or the newest. Null for what is not theirs. */
export async function findTheme(
  queries: WorldQueries,
  { app, syndicate }: Owner,
  { id, version }: { readonly id: Id<'joinTheme'>; readonly version?: number | undefined },
): Promise<JoinTheme | null> {
  return queries.maybeOne(FIND, [syndicate, app, id, version ?? null])
}

const LOCK = statement<{ id: Id<'joinTheme'> }>(
  'join_themes.lock',
  'select id from join_themes where syndicate_id = $1 and app_id = $2 and id = $3 and version = 1 for no key update',
)

/** Who makes the next version holds the first. False for what is not theirs. */
export async function lockTheme(tx: Tx, { app, syndicate }: Owner, id: Id<'joinTheme'>): Promise<boolean> {
  return (await tx.maybeOne(LOCK, [syndicate, app, id])) !== null
}

const LIST = statement<JoinTheme>(
  'join_themes.list',
  `select distinct on (id) ${SHOWN} from join_themes
    where syndicate_id = $1 and app_id = $2 order by id, version desc`,
)

/** Each as its newest version is, the oldest theme first. */
export async function listThemes(queries: WorldQueries, { app, syndicate }: Owner): Promise<readonly JoinTheme[]> {
  return queries.many(LIST, [syndicate, app])
}

const LOCK_SYNDICATE = statement<{ id: Id<'syndicate'> }>(
  'join_themes.lock_syndicate',
  'select id from syndicates where id = $1 for no key update',
)

/** So that two at once cannot make one theme too many. */
export async function lockSyndicateOfThemes(tx: Tx, syndicate: Id<'syndicate'>): Promise<void> {
  await tx.one(LOCK_SYNDICATE, [syndicate])
}
