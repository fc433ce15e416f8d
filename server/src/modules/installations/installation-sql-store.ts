import type { WorldTime } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { Installation, Target, Tier } from './installation.ts'
import type { InstallationState } from './installation-states.ts'

/**
 * What ends installations runs on a world's own connection, where names are bare, and on the platform's, which names the
 * schema: these texts are one and the same but for that.
 */
export type Schema = '' | `${World}.`

export type InstallationRow = {
  readonly id: Id<'installation'>
  readonly app_id: Id<'app'>
  readonly target_type: Target['type']
  readonly target_id: string
  readonly target_name: string | null
  readonly tier: Tier
  readonly scopes: readonly string[]
  readonly taken_scopes: readonly string[]
  readonly by_default: boolean
  readonly state: InstallationState
  readonly installed_at: WorldTime
  readonly installed_by_role: string
  readonly revoked_at: WorldTime | null
  readonly revoked_by_role: string | null
}

export const findText = (schema: Schema) => `
  select i.id, i.app_id, i.target_type, coalesce(i.company_id, i.syndicate_id, i.user_id) as target_id,
         coalesce(c.name, s.name) as target_name, i.tier, i.scopes, i.taken_scopes, i.by_default, i.state,
         i.installed_at, i.installed_by_role, i.revoked_at, i.revoked_by_role
    from ${schema}installations i
    left join ${schema}companies c on c.id = i.company_id left join ${schema}syndicates s on s.id = i.syndicate_id
   where i.id = any($1) order by i.id`

export function installationOf(row: InstallationRow): Installation {
  return {
    id: row.id,
    appId: row.app_id,
    // The row's constraint says that the id is of this kind, and that a company and a syndicate have a name.
    target: { type: row.target_type, id: row.target_id, name: row.target_name } as Target,
    tier: row.tier,
    scopes: row.scopes,
    takenScopes: row.taken_scopes,
    byDefault: row.by_default,
    state: row.state,
    installedAt: row.installed_at,
    installedByRole: row.installed_by_role,
    revokedAt: row.revoked_at,
    revokedByRole: row.revoked_by_role,
  }
}

/** Taken under the lock, the time is after everything that was waited for. */
export const endText = (schema: Schema) => `
  update ${schema}installations
     set state = 'revoked', revoked_at = ${schema}world_now(), revoked_by_role = $2, superseded = $3
   where id = any($1)`

export const supersededText = (schema: Schema) => `
  select distinct earlier.id
    from ${schema}installations ended
    join ${schema}installations earlier on earlier.user_id = ended.user_id and earlier.app_id = ended.app_id
   where ended.id = any($1) and earlier.superseded`
