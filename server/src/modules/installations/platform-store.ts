import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import type { Installation } from './installation.ts'
import { endText, findText, type InstallationRow, installationOf, supersededText } from './installation-sql-store.ts'
import { INVESTOR_PII } from './pii-grant.ts'

type InstallationId = Id<'installation'>

/** What concerns an app as a whole concerns its installations in both worlds: the world is the first argument. */
const inEach = <T>(make: (world: World) => T) => ({ test: make('test'), live: make('live') })

const LOCK_BEYOND = inEach((world) =>
  platformStatement<{ id: InstallationId }>(
    `installations.lock_beyond_${world}`,
    `select id from ${world}.installations
      where app_id = $1 and state = 'active' and (not scopes <@ $2 or scopes && $3) order by id for no key update`,
  ),
)

export type Bounds = {
  readonly app: Id<'app'>
  /** All names that what belongs to the app may still carry. */
  readonly keep: readonly string[]
  /** The names that were taken away. */
  readonly removed: readonly string[]
}

/** Those that hold more than they may, of an app whose row the transaction holds, so that no new one appears meanwhile. */
export async function lockBeyond(
  tx: PlatformTx,
  world: World,
  { app, keep, removed }: Bounds,
): Promise<Installation[]> {
  const locked = await tx.many(LOCK_BEYOND[world], [app, keep, removed])
  return findInstallationsIn(
    tx,
    world,
    locked.map(({ id }) => id),
  )
}

const FIND = inEach((world) => platformStatement<InstallationRow>(`installations.find_${world}`, findText(`${world}.`)))

export async function findInstallationsIn(
  tx: PlatformTx,
  world: World,
  ids: readonly InstallationId[],
): Promise<Installation[]> {
  return (await tx.many(FIND[world], [ids])).map(installationOf)
}

/**
 * Who made it is on the app's team today. Somebody who left it since has no more to do with the app than anybody else;
 * somebody who came to it since could grant the same at once.
 */
const madeByTeam = (world: World) => `exists (
  select from platform.account_users u
    join platform.organization_members m on m.account_id = u.account_id
    join platform.apps a on a.organization_id = m.organization_id
   where u.world = '${world}' and u.user_id = i.installed_by_user_id and a.id = i.app_id)`

const RESTING_ON_APPROVAL = inEach((world) =>
  platformStatement<{ id: InstallationId; active: boolean }>(
    `installations.resting_on_approval_${world}`,
    `select i.id, i.state = 'active' as active from ${world}.installations i
      where i.app_id = $1 and (i.state = 'active' or i.superseded) and i.target_type <> 'syndicate'
        and i.scopes @> array['${INVESTOR_PII}'] and not ${madeByTeam(world)}
      order by i.id for no key update`,
  ),
)

/**
 * The installations that show who investors are only because the platform approved the app: active ones, and replaced
 * ones, whose tokens may still be running out.
 */
export async function lockRestingOnApproval(tx: PlatformTx, world: World, app: Id<'app'>) {
  const locked = await tx.many(RESTING_ON_APPROVAL[world], [app])
  const ids = (active: boolean) => locked.filter((row) => row.active === active).map(({ id }) => id)
  return { active: await findInstallationsIn(tx, world, ids(true)), replaced: ids(false) }
}

const SET_SCOPES = inEach((world) =>
  platformStatement(
    `installations.set_scopes_${world}`,
    `update ${world}.installations i set scopes = array(select jsonb_array_elements_text(narrowed.scopes))
       from pg_catalog.jsonb_to_recordset($1::jsonb) as narrowed (id text, scopes jsonb) where i.id = narrowed.id`,
  ),
)

type Narrowed = { readonly id: InstallationId; readonly scopes: readonly string[] }

export async function setScopesIn(tx: PlatformTx, world: World, narrowed: readonly Narrowed[]): Promise<void> {
  if (narrowed.length > 0) await tx.run(SET_SCOPES[world], [JSON.stringify(narrowed)])
}

const END = inEach((world) => platformStatement(`installations.end_${world}`, endText(`${world}.`)))

export async function endRowsIn(
  tx: PlatformTx,
  world: World,
  { ids, role }: { readonly ids: readonly InstallationId[]; readonly role: string },
): Promise<void> {
  await tx.run(END[world], [ids, role, false])
}

const SUPERSEDED = inEach((world) =>
  platformStatement<{ id: InstallationId }>(`installations.superseded_${world}`, supersededText(`${world}.`)),
)

export async function findSupersededIn(
  tx: PlatformTx,
  world: World,
  ids: readonly InstallationId[],
): Promise<readonly InstallationId[]> {
  return (await tx.many(SUPERSEDED[world], [ids])).map(({ id }) => id)
}
