import type { PlatformRole } from '#kernel/caller.ts'
import type { Id } from '#kernel/ids.ts'
import type { PlatformQueries, WorldDatabase } from '#system/postgres/database.ts'
import { platformStatement, shortStatement, statement } from '#system/postgres/statement.ts'

/** A use of a session is recorded at most once in this time. */
const TOUCHED_EVERY = "interval '1 minute'"

export type StaffSessionRow = {
  readonly account_id: Id<'account'>
  readonly name: string
  readonly role: PlatformRole | null
  readonly has_factor: boolean
  /** Real time; null if the person must first prove their second factor in this session, for the first time or again. */
  readonly ends_at: string | null
  readonly unseen_lately: boolean
}

/**
 * Runs for every request of the staff: finds the session by its primary key, with the account's role and factors. So from the next request
 * on, a revoked role, a disabled account and an ended session are rejected.
 */
const FIND = shortStatement<StaffSessionRow>(
  'accounts.find_staff_session',
  `select s.account_id, a.name, a.staff_role as role,
          exists (select from platform.account_totp t where t.account_id = a.id)
            or exists (select from platform.account_passkeys p where p.account_id = a.id) as has_factor,
          case when s.factor_at + make_interval(hours => $2) > clock_timestamp()
                and greatest(s.staff_seen_at, s.factor_at) + make_interval(mins => $3) > clock_timestamp()
               then least(s.factor_at + make_interval(hours => $2), s.expires_at) end as ends_at,
          coalesce(s.staff_seen_at < clock_timestamp() - ${TOUCHED_EVERY}, true) as unseen_lately
     from platform.sign_in_sessions s join platform.accounts a on a.id = s.account_id
    where s.hash = $1 and s.kind = 'browser' and s.expires_at > clock_timestamp() and a.disabled_at is null`,
)

type Limits = { readonly hours: number; readonly idleMinutes: number }

export async function findStaffSession(
  db: WorldDatabase,
  hash: Buffer,
  { hours, idleMinutes }: Limits,
): Promise<StaffSessionRow | null> {
  const [session] = await db.short(FIND, [hash, hours, idleMinutes])
  return session ?? null
}

/** Checks the time again, so that only one of many concurrent requests writes. */
const TOUCH = statement(
  'accounts.touch_staff_session',
  `update platform.sign_in_sessions set staff_seen_at = clock_timestamp()
    where hash = $1 and coalesce(staff_seen_at < clock_timestamp() - ${TOUCHED_EVERY}, true)`,
)

export async function touchStaffSession(db: WorldDatabase, hash: Buffer): Promise<void> {
  await db.reads.run(TOUCH, [hash])
}

/** Times are real time, as text. */
export type StaffRow = {
  readonly id: Id<'account'>
  readonly email: string
  readonly name: string
  readonly staff_role: PlatformRole
  readonly has_factor: boolean
  readonly disabled_at: string | null
}

/** Few accounts have a role, and an index finds them. */
const LIST = platformStatement<StaffRow>(
  'accounts.list_staff',
  `select a.id, a.email, a.name, a.staff_role, a.disabled_at,
          exists (select from platform.account_totp t where t.account_id = a.id)
            or exists (select from platform.account_passkeys p where p.account_id = a.id) as has_factor
     from platform.accounts a where a.staff_role is not null and a.id > $1 order by a.id limit $2`,
)

export async function listStaff(
  queries: PlatformQueries,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<readonly StaffRow[]> {
  return queries.many(LIST, [after, limit])
}
