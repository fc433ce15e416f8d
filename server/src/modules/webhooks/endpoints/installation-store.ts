import { type Id, newId } from '#kernel/ids.ts'
import { inEach, type World } from '#kernel/world.ts'
import type { Target } from '#modules/installations/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { platformStatement } from '#system/postgres/statement.ts'

/** The row belongs to the installations, and is only held and read. */
type Row = { readonly state: 'active' | 'revoked'; readonly target_type: Target['type'] }

/** Whoever revokes it updates the row first and looks for its endpoints next: they see ours, or we see theirs. */
const LOCK = inEach((world) =>
  platformStatement<Row>(
    `webhooks.lock_installation_${world}`,
    `select state, target_type from ${world}.installations where app_id = $1 and id = $2 for share`,
  ),
)

const STATE = inEach((world) =>
  platformStatement<Row>(
    `webhooks.installation_state_${world}`,
    `select state, target_type from ${world}.installations where app_id = $1 and id = $2`,
  ),
)

export type InstallationPlace = {
  readonly app: Id<'app'>
  readonly world: World
  readonly installation: Id<'installation'>
}

/** Null for what is no installation of this app in this world. */
export async function lockInstallation(
  tx: PlatformTx,
  { app, world, installation }: InstallationPlace,
): Promise<Row | null> {
  await tx.maybeOne(LOCK[world], [app, installation])
  return tx.maybeOne(STATE[world], [app, installation])
}

/** What an installation is on, active or not. */
export async function findTargetType(
  tx: PlatformTx,
  { app, world, installation }: InstallationPlace,
): Promise<Target['type'] | null> {
  return (await tx.maybeOne(STATE[world], [app, installation]))?.target_type ?? null
}

/** The version is the one with which the delivery is rendered. */
const QUEUE_CREATED = inEach((world) =>
  platformStatement(
    `webhooks.queue_installation_created_${world}`,
    `insert into ${world}.delivery_queue (id, event_id, installation_id, endpoint_id, api_version, due_at)
     select $1, e.id, e.installation_id, $2, $3, ${world}.world_now() from ${world}.events e
      where e.installation_id = $4 and e.name = 'installation.created'`,
  ),
)

const WAKE = inEach((world) =>
  platformStatement(
    `webhooks.wake_new_lane_${world}`,
    `update ${world}.webhook_lanes set next_due_at = ${world}.world_now() where endpoint_id = $1`,
  ),
)

export type OwnCreation = {
  readonly world: World
  readonly endpoint: Id<'webhookEndpoint'>
  readonly installation: Id<'installation'>
  readonly version: string
}

/** Queues the installation's own event, if it is still kept. The lane was made in this transaction: nobody else has it. */
export async function queueInstallationCreated(tx: PlatformTx, own: OwnCreation): Promise<void> {
  const { world, endpoint, installation, version } = own
  const queued = await tx.run(QUEUE_CREATED[world], [newId('delivery'), endpoint, version, installation])
  if (queued > 0) await tx.run(WAKE[world], [endpoint])
}
