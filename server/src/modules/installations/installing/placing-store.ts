import type { Id } from '#kernel/ids.ts'
import type { Tx, WorldQueries } from '#system/postgres/database.ts'
import { statement } from '#system/postgres/statement.ts'
import type { InstallationState } from '../installation-states.ts'
import type { InstallTarget } from './standing-store.ts'
import type { InstallerTier } from './tier-asked.ts'

export type Placement = {
  readonly id: Id<'installation'>
  readonly appId: Id<'app'>
  readonly target: InstallTarget
  readonly tier: InstallerTier
  readonly scopes: readonly string[]
  readonly state: InstallationState
  readonly installedByRole: string
  readonly installedByUserId: Id<'user'>
}

/** The unique indexes decide: of two at once the second waits here, and writes nothing once the first has committed. */
const PLACE = statement(
  'installations.place',
  `insert into installations
     (id, app_id, target_type, company_id, syndicate_id, tier, scopes, state, installed_by_role, installed_by_user_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   on conflict do nothing`,
)

/** False where the app has an active installation on the target. */
export async function placeInstallation(tx: Tx, placed: Placement): Promise<boolean> {
  const { type, id } = placed.target
  const written = await tx.run(PLACE, [
    placed.id,
    placed.appId,
    type,
    type === 'company' ? id : null,
    type === 'syndicate' ? id : null,
    placed.tier,
    placed.scopes,
    placed.state,
    placed.installedByRole,
    placed.installedByUserId,
  ])
  return written === 1
}

type Active = { readonly id: Id<'installation'>; readonly targetId: string }

/** Each target by the index of its kind: an app may have very many installations, and a target very few. */
const ACTIVE_ON = statement<Active>(
  'installations.active_on',
  `select id, company_id as "targetId" from installations
    where app_id = $1 and state = 'active' and company_id = any($2)
   union all
   select id, syndicate_id from installations
    where app_id = $1 and state = 'active' and syndicate_id = any($2)`,
)

/** The active installations of an app on these targets, by the target's id. */
export async function activeOn(
  queries: WorldQueries,
  app: Id<'app'>,
  targets: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, Id<'installation'>>> {
  const rows = await queries.many(ACTIVE_ON, [app, targets.map(({ id }) => id)])
  return new Map(rows.map(({ id, targetId }) => [targetId, id]))
}
