import { notFound } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { findApp } from '#modules/apps/index.ts'
import type { Subscription } from '#modules/events/index.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import type { EndpointSettings } from './create-endpoint.ts'
import type { Endpoint } from './endpoint.ts'
import { acceptedUrl } from './endpoint-url.ts'
import { lockEndpoint, lockForSending, requireEndpoint } from './lock-endpoint.ts'
import type { Manager } from './manager.ts'
import { enableRows, findTargetType, removeRows, updateEndpointRow } from './store.ts'
import { refuseUnreachable, withoutRepeats } from './subscribable.ts'

type EndpointId = Id<'webhookEndpoint'>

export type EndpointChange = {
  readonly url?: string | undefined
  readonly events?: readonly Subscription[] | undefined
}

/** "PATCH events replaces the whole list; omitted, unchanged." Deliveries of an event start when it is subscribed to. */
export async function updateEndpoint(
  tx: PlatformTx,
  manager: Manager,
  {
    id,
    change,
    settings,
  }: { readonly id: EndpointId; readonly change: EndpointChange; readonly settings: EndpointSettings },
): Promise<Endpoint> {
  const before = await lockEndpoint(tx, manager, id)
  const url = change.url === undefined ? before.url : acceptedUrl(change.url, settings.reach[before.world])
  const events = change.events === undefined ? before.events : withoutRepeats(change.events)
  if (change.events !== undefined) await requireReachable(tx, before, events)
  await updateEndpointRow(tx, id, { url, events })
  return requireEndpoint(tx, manager, id)
}

async function requireReachable(tx: PlatformTx, endpoint: Endpoint, events: readonly Subscription[]): Promise<void> {
  const app = await findApp(tx, endpoint.app_id)
  if (app === null) throw notFound(`app ${endpoint.app_id} is unknown`)
  const { app_id, world, installation_id: installation } = endpoint
  const found = installation === null ? null : await findTargetType(tx, { app: app_id, world, installation })
  refuseUnreachable({ events, version: app.api_version, target: found })
}

/** "Resumes oldest first, ramping up." Idempotent: one that is enabled stays as it is. */
export async function reenableEndpoint(tx: PlatformTx, manager: Manager, id: EndpointId): Promise<Endpoint> {
  const endpoint = await lockForSending(tx, manager, id)
  if (endpoint.state === 'enabled') return endpoint
  await enableRows(tx, endpoint)
  return requireEndpoint(tx, manager, id)
}

/** "DELETE stops deliveries at once; kept as removed; not restorable." */
export async function removeEndpoint(tx: PlatformTx, manager: Manager, id: EndpointId): Promise<void> {
  await removeRows(tx, await lockEndpoint(tx, manager, id))
}
