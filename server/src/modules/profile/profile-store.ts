import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { WorldDatabase, WorldQueries } from '#system/postgres/database.ts'
import { shortStatement, statement } from '#system/postgres/statement.ts'

/** What a person's profile shows; their legal name, postal address and accreditation are no part of it. */
export type ProfileRow = {
  readonly name: string
  readonly first_name: string | null
  readonly email: string
  readonly username: string | null
  readonly bio: string | null
  readonly avatar_url: string | null
  readonly city: string | null
  readonly state: string | null
  readonly country: string | null
  readonly created_at: WorldTime
  readonly certified_at: WorldTime | null
}

const PROFILE = `
  select name, first_name, email, username, bio, avatar_url, city, state, country, created_at, certified_at
    from users where id = $1 and deactivated_at is null`

const READ = shortStatement<ProfileRow>('profile.read', PROFILE)
const READ_IN = statement<ProfileRow>('profile.read_in', PROFILE)

/** Null for who has left. */
export async function readProfile(db: WorldDatabase, user: Id<'user'>): Promise<ProfileRow | null> {
  return (await db.short(READ, [user]))[0] ?? null
}

/** The same with what this transaction has written. */
export async function readProfileIn(queries: WorldQueries, user: Id<'user'>): Promise<ProfileRow | null> {
  return queries.maybeOne(READ_IN, [user])
}

const NOW = statement<{ now: WorldTime }>('profile.world_now', 'select world_now() as now')

/** When what this request does happens. */
export async function worldNow(queries: WorldQueries): Promise<WorldTime> {
  return (await queries.one(NOW)).now
}
