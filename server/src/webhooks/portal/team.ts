import { EDITORS, findApp, rejectStopped, requireTeam, type Seat } from '#access/apps/index.ts'
import { type AuditEntry, recordAudit } from '#access/audit/index.ts'
import { rejectEnded } from '#access/organizations/index.ts'
import { notFound } from '#kernel/errors.ts'
import { WORLDS } from '#kernel/world.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import type { Manager } from '../endpoints/endpoint.ts'

/**
 * A person on the app's team manages all endpoints of the app in both modes. The app does not need a scope for webhooks,
 * because the team could add one to the app at any time. 404 for other people.
 */
export async function teamManager(queries: PlatformQueries, seat: Seat): Promise<Manager> {
  await requireTeam(queries, seat, EDITORS)
  return { app: seat.app, world: 'live', worlds: WORLDS, installation: null, usersToo: true }
}

/** Like `teamManager`, for a change, which is rejected once the organization has ended. */
export async function changingManager(queries: PlatformQueries, seat: Seat, event: string): Promise<Manager> {
  return (await managerAndApp(queries, seat, event)).manager
}

/**
 * Like `changingManager`, for a request that sends something. A token of a stopped app is rejected before any route runs,
 * but a person's session is not. So the app's state is checked here: all deliveries of a stopped app would be canceled.
 */
export async function sendingManager(queries: PlatformQueries, seat: Seat, event: string): Promise<Manager> {
  const { manager, app } = await managerAndApp(queries, seat, event)
  rejectStopped(app.state, event, 'nothing is sent to its endpoints')
  return manager
}

async function managerAndApp(queries: PlatformQueries, seat: Seat, event: string) {
  const manager = await teamManager(queries, seat)
  const app = await findApp(queries, seat.app)
  if (app === null) throw notFound(`app ${seat.app} is unknown`)
  rejectEnded({ state: app.organization_state }, event)
  return { manager, app }
}

/** Records the change in the app's history, without URLs: partners put secrets into them. */
export async function recordChange(
  tx: PlatformTx,
  { account, app }: Seat,
  action: string,
  details: NonNullable<AuditEntry['details']>,
): Promise<void> {
  await recordAudit(tx, { actor: account, action: `webhook_endpoint.${action}`, subject: app, details })
}
