import type { World } from '#kernel/world.ts'

/**
 * What revokes many runs on a world's own connection, where names are bare, and on the platform's, which names the
 * schema. Rows are locked in the order of their keys before they change: two who revoke at once then wait for each
 * other, and never in a circle. What has expired is left as it is and not counted: a world's time only goes forward.
 */
export type Schema = '' | `${World}.`

const unexpired = (schema: Schema) => `(x.expires_at is null or x.expires_at > ${schema}world_now())`

export const codesText = (schema: Schema, which: string) => `
  update ${schema}authorization_codes d set revoked_at = clock_timestamp()
    from (select x.hash from ${schema}authorization_codes x
           where x.revoked_at is null and ${which} order by x.hash for update) theirs
   where d.hash = theirs.hash`

export const familiesText = (schema: Schema, which: string) => `
  update ${schema}refresh_families f set revoked_at = clock_timestamp(), answer = null
    from (select x.id from ${schema}refresh_families x
           where x.revoked_at is null and ${unexpired(schema)} and ${which} order by x.id for update) theirs
   where f.id = theirs.id`

export const tokensText = (schema: Schema, which: string) => `
  update ${schema}access_tokens t set revoked_at = clock_timestamp()
    from (select x.hash from ${schema}access_tokens x
           where x.revoked_at is null and ${unexpired(schema)} and ${which} order by x.hash for update) theirs
   where t.hash = theirs.hash`
