import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { holdApp } from '#modules/apps/index.ts'
import type { Subscription } from '#modules/events/index.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'
import type { Reach } from '#system/outbound/reach.ts'
import type { PlatformTx } from '#system/postgres/database.ts'
import { boundTo, requireActive } from './bound-installation.ts'
import type { Endpoint } from './endpoint.ts'
import { acceptedUrl } from './endpoint-url.ts'
import { requireEndpoint } from './lock-endpoint.ts'
import { type Manager, worldFor } from './manager.ts'
import { refuseBeyondQuota } from './quota.ts'
import { newWebhookSecret, sealSecret } from './secrets.ts'
import { countEndpoints, insertEndpoint, insertLane, queueInstallationCreated } from './store.ts'
import { refuseUnreachable, withoutRepeats } from './subscribable.ts'

/** What endpoints are made and judged with. */
export type EndpointSettings = {
  /** Seals their secrets (`webhook-secrets`). */
  readonly secrets: SealedBox
  /** Where may be sent to, by world. */
  readonly reach: Readonly<Record<World, Reach>>
}

export type WantedEndpoint = {
  readonly url: string
  readonly events: readonly Subscription[]
  readonly mode?: World | undefined
  readonly installation_id?: Id<'installation'> | null | undefined
}

/** The secret is in this answer and nowhere else. */
export type EndpointWithSecret = { readonly endpoint: Endpoint; readonly secret: string }

/** Holds the app, so that of several at once for the last place one gets it, and then the installation it is for. */
export async function createEndpoint(
  tx: PlatformTx,
  manager: Manager,
  { wanted, settings }: { readonly wanted: WantedEndpoint; readonly settings: EndpointSettings },
): Promise<EndpointWithSecret> {
  const world = worldFor(manager, wanted.mode)
  const installation = boundTo(manager, wanted.installation_id)
  const url = acceptedUrl(wanted.url, settings.reach[world])
  const events = withoutRepeats(wanted.events)
  const app = await holdApp(tx, manager.app, 'create_webhook_endpoint')
  const target = installation === null ? null : await requireActive(tx, { app: app.id, world, installation })
  refuseUnreachable({ events, version: app.api_version, target })
  refuseBeyondQuota(await countEndpoints(tx, { app_id: app.id, world }), world)
  const id = newId('webhookEndpoint')
  const secret = newWebhookSecret()
  const sealed = sealSecret(settings.secrets, id, secret)
  await insertEndpoint(tx, { id, app_id: app.id, world, installation_id: installation, url, events, secret: sealed })
  await insertLane(tx, { id, world })
  // The one event of before its creation that an endpoint receives: no endpoint can be bound before the installation exists.
  if (installation !== null && events.includes('installation.created')) {
    await queueInstallationCreated(tx, { world, endpoint: id, installation, version: app.api_version })
  }
  return { endpoint: await requireEndpoint(tx, manager, id), secret }
}
