import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { IneligibleReason } from '../join-session.ts'
import type { JoinSessionState } from '../join-session-states.ts'
import { APP_STANDS } from './app-stands-store.ts'

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

/** Null for what somebody else made. */
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
