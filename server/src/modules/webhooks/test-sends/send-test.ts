import { knownVersion, NEWEST } from '#http/versions.ts'
import type { WallClock } from '#kernel/clock.ts'
import { ApiError, notFound, validationError } from '#kernel/errors.ts'
import { ID_PREFIX, newIdBody } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { findApp } from '#modules/apps/index.ts'
import type { EventName } from '#modules/events/index.ts'
import { findInstallations, type Installation } from '#modules/installations/index.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'
import type { FailureWord } from '#system/outbound/failure.ts'
import type { OutboundSender } from '#system/outbound/sender.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { deliveryRequest } from '../delivery-request.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { findSecrets } from '../endpoints/secret-store.ts'
import { openSecrets } from '../endpoints/secrets.ts'
import { exampleOf } from '../projection/example-of.ts'
import { isSuccess } from '../retry/retry-policy.ts'
import { signingKeys } from '../signature/signing-keys.ts'

/** What a test is sent with: the same as deliveries, in the process that serves the API. */
export type TestSending = {
  readonly databases: Readonly<Record<World, WorldDatabase>> & { readonly platform: PlatformDatabase }
  readonly secrets: SealedBox
  readonly senders: Readonly<Record<World, OutboundSender>>
  readonly signatureHeader: string
  readonly clock: WallClock
}

export type TestResult = {
  readonly event: EventName
  readonly delivered: boolean
  /** Null where no answer came; `error` is null where one did, whatever it was. */
  readonly responseCode: number | null
  readonly error: FailureWord | null
  readonly durationMs: number
  /** The body as it was sent. */
  readonly payload: string
}

/** "Default: the first subscribed event"; one that the endpoint would not receive is no test of it. */
export function eventToTest({ events }: Pick<Endpoint, 'events'>, asked: EventName | undefined): EventName {
  const [first] = events
  const event = asked ?? first
  if (event !== undefined && events.includes(event)) return event
  const message = `must be one that the endpoint is subscribed to: ${events.join(', ')}`
  throw validationError([{ field: 'event', code: 'not_subscribed', message }])
}

/**
 * "They pass the same projection, signature and transport … Nothing is recorded: no delivery row, no effect on endpoint
 * health." No transaction is open while it is sent.
 */
export async function sendTest(sending: TestSending, endpoint: Endpoint, event: EventName): Promise<TestResult> {
  const nowMs = sending.clock.now()
  const payload = await payloadOf(sending, endpoint, { event, nowMs })
  const secrets = openSecrets(sending.secrets, await findSecrets(sending.databases.platform.reads, endpoint.id))
  const request = deliveryRequest(endpoint.url, {
    signatureHeader: sending.signatureHeader,
    keys: secrets.map(signingKeys),
    deliveryId: `${ID_PREFIX.delivery}test_${newIdBody(nowMs)}`,
    timestampSeconds: Math.floor(nowMs / 1_000),
    body: Buffer.from(payload),
  })
  const outcome = await sending.senders[endpoint.world].send(request)
  const told = { event, durationMs: Math.round(outcome.durationMs), payload }
  if (outcome.kind === 'failed') return { ...told, delivered: false, responseCode: null, error: outcome.why }
  return { ...told, delivered: isSuccess(outcome), responseCode: outcome.status, error: null }
}

async function payloadOf(
  { databases }: TestSending,
  endpoint: Endpoint,
  { event, nowMs }: { readonly event: EventName; readonly nowMs: number },
): Promise<string> {
  const app = await findApp(databases.platform.reads, endpoint.app_id)
  if (app === null) throw notFound(`app ${endpoint.app_id} is unknown`)
  const installation = await boundInstallation(databases[endpoint.world], endpoint)
  const version = knownVersion(app.api_version) ?? NEWEST
  return exampleOf({ event, world: endpoint.world, installation, appScopes: app.scopes, version, nowMs })
}

/** "For an installation-bound endpoint it is that installation's real block." */
async function boundInstallation(
  db: WorldDatabase,
  { installation_id: id }: Endpoint,
): Promise<Pick<Installation, 'id' | 'scopes' | 'target'> | null> {
  if (id === null) return null
  const [found] = await findInstallations(db.reads, [id])
  if (found?.state === 'active') {
    const { type, id: targetId } = found.target
    return { id, scopes: found.scopes, target: { type, id: targetId } as Installation['target'] }
  }
  throw new ApiError('installation_revoked', {
    public: 'The installation of this endpoint was revoked, and nothing is sent for it any more.',
    remediation: 'A reinstall is a new installation: create an endpoint for that one.',
  })
}
