import type { Tx } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import { REPEAT_SECONDS } from './lifetimes.ts'

/** `skip locked`: whatever somebody is busy with can wait for the next round, and nobody waits for the clean-up. */
const EXPIRED_TOKENS = statement(
  'tokens.purge_expired',
  `delete from access_tokens where hash in (
     select hash from access_tokens
      where expires_at <= (select clock_timestamp() + ahead from world_clock)
      order by expires_at limit $1 for update skip locked)`,
)

/** Those that expire are gone soon anyway. */
const REVOKED_TOKENS = statement(
  'tokens.purge_revoked',
  `delete from access_tokens where hash in (
     select hash from access_tokens
      where expires_at is null and revoked_at < clock_timestamp() - interval '1 day'
      order by revoked_at limit $1 for update skip locked)`,
)

/**
 * A family goes together with the code it came from: as long as there is something that a second use of the code would
 * take away, the code is known. That is one row more for each family.
 */
const withCodesText = (which: string) => `
  with gone as (select id from refresh_families where ${which} limit $1 for update skip locked),
       codes as (delete from authorization_codes where family_id in (select id from gone))
  delete from refresh_families where id in (select id from gone)`

const EXPIRED_FAMILIES = statement(
  'tokens.purge_expired_families',
  withCodesText('expires_at <= (select clock_timestamp() + ahead from world_clock) order by expires_at'),
)

const REVOKED_FAMILIES = statement(
  'tokens.purge_revoked_families',
  withCodesText(`revoked_at < clock_timestamp() - interval '1 day' order by revoked_at`),
)

/** Those nobody used, a day later than they work: who is late hears that, and not that there was no such code. */
const UNUSED_CODES = statement(
  'tokens.purge_unused_codes',
  `delete from authorization_codes where hash in (
     select hash from authorization_codes
      where family_id is null and expires_at <= (select clock_timestamp() + ahead - interval '1 day' from world_clock)
      order by expires_at limit $1 for update skip locked)`,
)

const ANSWERS = statement(
  'tokens.purge_answers',
  `update refresh_families set answer = null where id in (
     select id from refresh_families
      where answer is not null and rotated_at < clock_timestamp() - interval '${REPEAT_SECONDS} seconds'
      order by rotated_at limit $1 for update skip locked)`,
)

/** What nobody needs any more, each at most `limit` at a time. */
export const PURGES: readonly ((tx: Tx, limit: number) => Promise<number>)[] = [
  ANSWERS,
  UNUSED_CODES,
  EXPIRED_TOKENS,
  REVOKED_TOKENS,
  EXPIRED_FAMILIES,
  REVOKED_FAMILIES,
].map((purge) => (tx, limit) => tx.run(purge, [limit]))
