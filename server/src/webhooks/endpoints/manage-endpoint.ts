import { findApp, lockLiveApp, NOTICE_HOURS_BEFORE_EXPIRY } from '#access/apps/index.ts'
import type { CountEnabledEndpoints, EndpointEffects, EndpointChange as ScopeChange } from '#access/oauth/http.ts'
import type { ScopeName } from '#access/scopes/index.ts'
import { coveredBy, EVENT_CATALOGUE, type EventName, type Subscription } from '#events/index.ts'
import { ApiError, notFound, validationError } from '#kernel/errors.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'
import type { AddressPolicy } from '#system/outbound/address.ts'
import { judgeUrl } from '#system/outbound/judge-url.ts'
import type { PlatformQueries, PlatformTx } from '#system/postgres/database.ts'
import { newWebhookSecret, sealSecret } from '../signature.ts'
import type { Manager } from './endpoint.ts'
import { type Endpoint, rejectUnreachable, withoutRepeats } from './endpoint.ts'
import { boundTo, lockEndpoint, lockForSending, requireActive, requireEndpoint, worldFor } from './manager.ts'
import {
  eraseAllSecrets,
  eraseExpired,
  lockExpired,
  lockRemovedWithSecret,
  takeExpiringSecrets,
} from './secret-store.ts'
import {
  countEndpoints,
  enableRows,
  findTargetType,
  insertEndpoint,
  insertLane,
  listEnabled,
  queueInstallationCreated,
  removeRows,
  updateEndpointRow,
} from './store.ts'

export type EndpointSettings = {
  /** Seals the signing secrets (`webhook-secrets`). */
  readonly secrets: SealedBox
  /** Allowed addresses, by world. */
  readonly addressPolicy: Readonly<Record<World, AddressPolicy>>
}

export type WantedEndpoint = {
  readonly url: string
  readonly events: readonly Subscription[]
  readonly mode?: World | undefined
  readonly installation_id?: Id<'installation'> | null | undefined
}

/** The result of creation and rotation: no other response contains the secret. */
export type EndpointWithSecret = { readonly endpoint: Endpoint; readonly secret: string }

/** Locks the app first, so that concurrent requests cannot exceed the quota, and then the installation. */
export async function createEndpoint(
  tx: PlatformTx,
  manager: Manager,
  { wanted, settings }: { readonly wanted: WantedEndpoint; readonly settings: EndpointSettings },
): Promise<EndpointWithSecret> {
  const world = worldFor(manager, wanted.mode)
  const installation = boundTo(manager, wanted.installation_id)
  const url = acceptedUrl(wanted.url, settings.addressPolicy[world])
  const events = withoutRepeats(wanted.events)
  const app = await lockLiveApp(tx, manager.app, 'create_webhook_endpoint')
  const target = installation === null ? null : await requireActive(tx, { app: app.id, world, installation })
  rejectUnreachable({ events, version: app.api_version, target })
  rejectBeyondQuota(await countEndpoints(tx, { app_id: app.id, world }), world)
  const id = newId('webhookEndpoint')
  const secret = newWebhookSecret()
  const sealed = sealSecret(settings.secrets, id, secret)
  await insertEndpoint(tx, { id, app_id: app.id, world, installation_id: installation, url, events, secret: sealed })
  await insertLane(tx, { id, world })
  // An endpoint receives no event from before its creation, except installation.created: no endpoint can be bound to an
  // installation before the installation exists.
  if (installation !== null && events.includes('installation.created')) {
    await queueInstallationCreated(tx, { world, endpoint: id, installation, version: app.api_version })
  }
  return { endpoint: await requireEndpoint(tx, manager, id), secret }
}

type EndpointId = Id<'webhookEndpoint'>

type EndpointChange = {
  readonly url?: string | undefined
  readonly events?: readonly Subscription[] | undefined
}

/**
 * "PATCH events replaces the whole list; omitted, unchanged." An endpoint receives only events that were recorded after
 * it subscribed to them.
 */
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
  const url = change.url === undefined ? before.url : acceptedUrl(change.url, settings.addressPolicy[before.world])
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
  rejectUnreachable({ events, version: app.api_version, target: found })
}

/** "Resumes oldest first, ramping up." Idempotent. */
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

/** "Quota 10 per app and mode." Disabled endpoints count; removed endpoints and those of revoked installations do not. */
export const ENDPOINTS_MAX = 10

function rejectBeyondQuota(count: number, mode: World): void {
  if (count < ENDPOINTS_MAX) return
  const message = `has ${ENDPOINTS_MAX} endpoints of this app, the maximum`
  throw new ApiError('validation_error', {
    public: `This app has ${ENDPOINTS_MAX} ${mode} endpoints, which is as many as it can have.`,
    remediation: 'Delete an endpoint that is not used any more, or subscribe an existing endpoint to more events.',
    details: { fields: [{ field: 'mode', code: 'quota_reached', message }] },
  })
}

/**
 * "`https` to public addresses only". The host name is not resolved here: it may resolve later, and every connection
 * checks the address again. The URL is stored as written, with the scheme in lower case.
 */
function acceptedUrl(url: string, addressPolicy: AddressPolicy): string {
  const verdict = judgeUrl(url, addressPolicy)
  if (!verdict.allowed) throw validationError([{ field: 'url', code: verdict.why, message: verdict.message }])
  return url.replace(/^[a-z]+:/i, (scheme) => scheme.toLowerCase())
}

/**
 * Erases expired secrets and those of removed endpoints, because only an attacker could still use them. Returns the number of endpoints.
 */
export async function eraseSecrets(tx: PlatformTx, limit: number): Promise<number> {
  const removed = await lockRemovedWithSecret(tx, limit)
  if (removed.length > 0) await eraseAllSecrets(tx, removed)
  const expired = await lockExpired(tx, limit - removed.length)
  if (expired.length > 0) await eraseExpired(tx, expired)
  return removed.length + expired.length
}

/** A replaced signing secret that will end soon. */
export type SecretNotice = {
  readonly kind: 'webhook_endpoint.secret_expiring'
  readonly app: Id<'app'>
  readonly world: World
  readonly endpoint: Id<'webhookEndpoint'>
  readonly url: string
  /** Real time. */
  readonly expiresAt: string
}

/**
 * Runs in the transaction that marks the secret as notified. The notices module depends on the webhooks module, so
 * `main` passes the function of the notices module.
 */
export type NotifyOfSecret = (tx: PlatformTx, notice: SecretNotice) => Promise<void>

/** Notifies the team of each replaced signing secret that will end soon, once per secret. Returns the number of secrets. */
export async function noticeExpiringSigningSecrets(
  tx: PlatformTx,
  limit: number,
  notify: NotifyOfSecret,
): Promise<number> {
  const secrets = await takeExpiringSecrets(tx, NOTICE_HOURS_BEFORE_EXPIRY, limit)
  for (const { expires_at: expiresAt, ...at } of secrets) {
    await notify(tx, { kind: 'webhook_endpoint.secret_expiring', ...at, expiresAt })
  }
  return secrets.length
}

/** The effects of a change of the app's scopes on its endpoints. An app has few endpoints, so all are read. */
export async function previewEndpoints(
  queries: PlatformQueries,
  { app, apiVersion, world, disconnected, carried, left }: ScopeChange,
): Promise<EndpointEffects> {
  const enabled = await listEnabled(queries, app, world)
  const ending = new Set<string>(disconnected)
  const staying = enabled.filter(({ installation_id: id }) => id === null || !ending.has(id))
  const loses = (name: EventName) => isWithin(name, carried) && !isWithin(name, left)
  return {
    enabled: enabled.length,
    disabled: enabled.length - staying.length,
    losingEvents: staying.filter(({ events }) => coveredBy(events, apiVersion).some(loses)).length,
  }
}

/** Whether an installation with these scopes could receive the event. */
function isWithin(name: EventName, carried: ReadonlySet<ScopeName>): boolean {
  return EVENT_CATALOGUE[name].audience.some(({ scope }) => scope === null || carried.has(scope as ScopeName))
}

export const countEnabledEndpoints: CountEnabledEndpoints = async (queries, app, world) =>
  (await listEnabled(queries, app, world)).length
