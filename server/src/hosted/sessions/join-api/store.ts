import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { Appearance, IneligibleReason, JoinSessionState } from '../join-session-states.ts'

/**
 * Whether the app of a session `j` still stands at its syndicate: it is installed there, by whichever installation, or the
 * manager whose own token made the session manages it still and has the app connected. The rows belong to others, and are
 * only read.
 */
export const APP_STANDS = `exists (
  select from installations i
   where i.app_id = j.app_id and i.state = 'active'
     and (i.syndicate_id = j.syndicate_id
          or exists (select from installations made
                       join syndicate_managers g on g.user_id = made.user_id and g.syndicate_id = j.syndicate_id
                      where made.id = j.installation_id and made.user_id = i.user_id)))`

/** How a user, or nobody in particular, stands with a syndicate. The rows belong to others, and are only read. */
type Knowledge = {
  readonly runs: boolean
  /** They may know that it is there. */
  readonly known: boolean
}

const KNOWLEDGE = statement<Knowledge>(
  'join_sessions.who_may',
  `select exists (select from syndicate_managers m where m.syndicate_id = s.id and m.user_id = $2) as runs,
          s.published or exists (select from memberships m where m.syndicate_id = s.id and m.user_id = $2) as known
     from syndicates s where s.id = $1`,
)

/** Null where there is no such syndicate. */
export async function knowledgeOf(
  queries: WorldQueries,
  syndicate: Id<'syndicate'>,
  user: Id<'user'> | null,
): Promise<Knowledge | null> {
  return queries.maybeOne(KNOWLEDGE, [syndicate, user])
}

/** Which session of whom: an app reads what it made itself, under the syndicate it made it for. */
export type OwnSession = {
  readonly id: Id<'joinSession'>
  readonly app: Id<'app'>
  readonly syndicate: Id<'syndicate'>
}

export type SessionRecord = {
  readonly id: Id<'joinSession'>
  readonly syndicate: Id<'syndicate'>
  readonly status: JoinSessionState
  readonly ineligible_reason: IneligibleReason | null
  readonly user_id: Id<'user'> | null
  readonly user_name: string | null
  readonly membership_id: Id<'membership'> | null
  readonly theme_id: string | null
  readonly theme_version: number | null
  readonly theme_override_fingerprint: string | null
  readonly frame_origins: string[] | null
  readonly return_url: string | null
  readonly metadata: string
  /** Its link leads somewhere. */
  readonly stands: boolean
  readonly created_at: WorldTime
  readonly expires_at: WorldTime
}

/** A session is over when its time is up, even if no worker has expired it yet. */
const RECORD = `
   select j.id, j.syndicate_id as syndicate,
          case when j.status in ('open', 'pending_approval') and j.expires_at <= world_now() then 'expired'
               else j.status end as status,
          j.ineligible_reason, j.user_id, u.name as user_name, j.membership_id, j.theme_id, j.theme_version,
          j.theme_override_fingerprint, j.frame_origins, j.return_url, j.metadata, j.created_at, j.expires_at,
          ${APP_STANDS} as stands
     from join_sessions j left join users u on u.id = j.user_id`

const FIND = statement<SessionRecord>(
  'join_sessions.record',
  `${RECORD} where j.id = $1 and j.app_id = $2 and j.syndicate_id = $3`,
)

/** Null for a session of another app. */
export async function findSessionRecord(
  queries: WorldQueries,
  { id, app, syndicate }: OwnSession,
): Promise<SessionRecord | null> {
  return queries.maybeOne(FIND, [id, app, syndicate])
}

const LIST = statement<SessionRecord>(
  'join_sessions.list',
  `${RECORD} where j.app_id = $1 and j.syndicate_id = $2 and j.id < $3::text collate "C"
    order by j.id desc limit $4`,
)

/** Every id begins with a letter, and this is after all of them. */
const START = '~'

/** What an app made for a syndicate, the newest first. */
export async function sessionRecords(
  queries: WorldQueries,
  { app, syndicate }: Omit<OwnSession, 'id'>,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<readonly SessionRecord[]> {
  return queries.many(LIST, [app, syndicate, before ?? START, limit])
}

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

const THEME_FIND = statement<JoinTheme>(
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
  return queries.maybeOne(THEME_FIND, [syndicate, app, id, version ?? null])
}

const LOCK = statement<{ id: Id<'joinTheme'> }>(
  'join_themes.lock',
  'select id from join_themes where syndicate_id = $1 and app_id = $2 and id = $3 and version = 1 for no key update',
)

/** Who makes the next version holds the first. False for what is not theirs. */
export async function lockTheme(tx: Tx, { app, syndicate }: Owner, id: Id<'joinTheme'>): Promise<boolean> {
  return (await tx.maybeOne(LOCK, [syndicate, app, id])) !== null
}

const THEME_LIST = statement<JoinTheme>(
  'join_themes.list',
  `select distinct on (id) ${SHOWN} from join_themes
    where syndicate_id = $1 and app_id = $2 order by id, version desc`,
)

/** Each as its newest version is, the oldest theme first. */
export async function listThemes(queries: WorldQueries, { app, syndicate }: Owner): Promise<readonly JoinTheme[]> {
  return queries.many(THEME_LIST, [syndicate, app])
}

const LOCK_SYNDICATE = statement<{ id: Id<'syndicate'> }>(
  'join_themes.lock_syndicate',
  'select id from syndicates where id = $1 for no key update',
)

/** So that two at once cannot make one theme too many. */
export async function lockSyndicateOfThemes(tx: Tx, syndicate: Id<'syndicate'>): Promise<void> {
  await tx.one(LOCK_SYNDICATE, [syndicate])
}
