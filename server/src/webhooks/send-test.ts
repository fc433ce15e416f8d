import { findApp } from '#access/apps/index.ts'
import { findInstallations, type Installation } from '#access/installations/index.ts'
import { ACTION_SCOPES } from '#access/scopes/index.ts'
import { EVENT_EXAMPLES } from '#events/http.ts'
import {
  carriesInstallation,
  coveredBy,
  EVENT_CATALOGUE,
  type EventName,
  type StoredEvent,
  TEST_EVENT_PREFIX,
  TEST_INSTALLATION_PREFIX,
} from '#events/index.ts'
import { knownVersion, NEWEST, type Version } from '#http/versions.ts'
import type { Scope } from '#kernel/caller.ts'
import type { WallClock } from '#kernel/clock.ts'
import { ApiError, notFound, validationError } from '#kernel/errors.ts'
import { ID_PREFIX, type Id, newIdBody } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'
import type { FailureWord } from '#system/outbound/outcome.ts'
import type { OutboundSender } from '#system/outbound/sender.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import { worldNow } from '#system/postgres/world-clock.ts'
import { canArrive, type Endpoint, leadsTo } from './endpoints/endpoint.ts'
import { findSecrets } from './endpoints/secret-store.ts'
import { givesScope, type ReceivingInstallation } from './projection/entitlement.ts'
import { envelopeText, investorRights, visibleData } from './projection/project.ts'
import { isSuccess } from './retry-policy.ts'
import { deliveryRequest, openSecrets, signingKeys } from './signature.ts'

/** What sending a test needs: the same parts as for deliveries, but in the process that serves the API. */
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
  /** Null if there was no response. `error` is null if there was a response, whatever its status. */
  readonly responseCode: number | null
  readonly error: FailureWord | null
  readonly durationMs: number
  /** The body as it was sent. */
  readonly payload: string
}

/** The receiver of a test, which decides which events can be tested. */
export type Tested = {
  readonly endpoint: Endpoint
  readonly version: Version
  readonly appScopes: readonly string[]
  /** The current state of the endpoint's installation; null for an endpoint of the whole app. */
  readonly installation: Pick<Installation, 'id' | 'scopes' | 'target'> | null
}

/**
 * "Default: the first subscribed event" that the endpoint can receive; a wildcard is replaced by the events that it
 * covers. A requested event that the endpoint would not receive is rejected, because it would test nothing. For a bound
 * endpoint this includes an event whose scope the installation lacks.
 */
export function eventToTest(tested: Tested, requested: EventName | undefined): EventName {
  const { endpoint, version, installation } = tested
  const target = installation?.target.type ?? null
  const covered = coveredBy(endpoint.events, version).filter((name) => target === null || canArrive(name, target))
  const event = requested ?? covered.find((name) => missingScope(tested, name) === null) ?? covered[0]
  if (event === undefined || !covered.includes(event)) {
    const message = `must be one that the endpoint is subscribed to: ${endpoint.events.join(', ')}`
    throw validationError([{ field: 'event', code: 'not_subscribed', message }])
  }
  const missing = missingScope(tested, event)
  if (missing !== null) throw scopeMissing(event, missing)
  return event
}

/** The scope that the event needs and the installation of a bound endpoint lacks; null if the endpoint receives the event. */
function missingScope({ installation }: Tested, name: EventName): Scope | null {
  if (installation === null) return null
  const audiences = EVENT_CATALOGUE[name].audience.filter((one) => leadsTo(one, installation.target.type))
  const wanted = audiences.flatMap(({ through, scope }): readonly (Scope | null)[] =>
    through === 'proposer' ? Object.values(ACTION_SCOPES) : [scope],
  )
  const held = wanted.some((scope) => scope === null || givesScope(installation.scopes, scope))
  return held ? null : (wanted[0] ?? null)
}

function scopeMissing(event: EventName, scope: Scope): ApiError {
  return new ApiError('scope_missing', {
    public: `The installation of this endpoint does not hold ${scope}, so this endpoint never gets ${event}.`,
    remediation: `Install the app again with ${scope}, or test another event.`,
    details: { event, scope },
  })
}

/**
 * "They pass the same projection, signature and transport … Nothing is recorded: no delivery row, no effect on endpoint
 * health." No transaction is open during the request.
 */
export async function sendTest(sending: TestSending, tested: Tested, event: EventName): Promise<TestResult> {
  const nowMs = sending.clock.now()
  const { endpoint, installation, appScopes, version } = tested
  const { world } = endpoint
  const createdAt = await worldNow(sending.databases[world].reads)
  const payload = exampleOf({ event, world, installation, appScopes, version, nowMs, createdAt })
  const sealed = await findSecrets(sending.databases.platform.reads, endpoint.id)
  if (sealed === null) throw notFound(`${endpoint.id} was removed`)
  const secrets = openSecrets(sending.secrets, sealed)
  const request = deliveryRequest(endpoint.url, {
    signatureHeader: sending.signatureHeader,
    keys: secrets.map(signingKeys),
    deliveryId: `${ID_PREFIX.delivery}test_${newIdBody(nowMs)}`,
    timestampSeconds: Math.floor(nowMs / 1_000),
    body: Buffer.from(payload),
  })
  const outcome = await sending.senders[world].send(request)
  const sent = { event, durationMs: Math.round(outcome.durationMs), payload }
  if (outcome.kind === 'failed') return { ...sent, delivered: false, responseCode: null, error: outcome.why }
  return { ...sent, delivered: isSuccess(outcome), responseCode: outcome.status, error: null }
}

export async function readTested({ databases }: TestSending, endpoint: Endpoint): Promise<Tested> {
  const app = await findApp(databases.platform.reads, endpoint.app_id)
  if (app === null) throw notFound(`app ${endpoint.app_id} is unknown`)
  const installation = await boundInstallation(databases[endpoint.world], endpoint)
  return { endpoint, installation, appScopes: app.scopes, version: knownVersion(app.api_version) ?? NEWEST }
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
    remediation: 'A reinstall is a new installation: create an endpoint for the new installation.',
  })
}

export type Example = {
  readonly event: EventName
  readonly world: World
  /** The installation that the endpoint is bound to; null for an endpoint of the whole app. */
  readonly installation: Pick<ReceivingInstallation, 'id' | 'target' | 'scopes'> | null
  /** The scopes that the app declares. */
  readonly appScopes: readonly string[]
  readonly version: Version
  readonly nowMs: number
  /** The time of the endpoint's world. */
  readonly createdAt: string
}

/**
 * The body of a test: fake records as the endpoint's installation would see them. For an endpoint of the whole app, the
 * records are shown as an installation on a company with all scopes of the app would see them. A fake event is about no
 * real person, so every caller may see the event.
 */
export function exampleOf({ event, world, installation, appScopes, version, nowMs, createdAt }: Example): string {
  const rights =
    installation === null
      ? investorRights({ target: 'company', scopes: appScopes, creator: true })
      : investorRights({ target: installation.target.type, scopes: installation.scopes, creator: true })
  return envelopeText({
    id: `${TEST_EVENT_PREFIX}${newIdBody(nowMs)}`,
    event,
    createdAt,
    mode: world,
    installation: carriesInstallation(event) ? blockOf(installation, nowMs) : null,
    data: visibleData(exampleEvent(event), { rights, version }),
  })
}

/**
 * "For an app-wide endpoint installation is {id: inst_test_..., target: null, test: true}; for an installation-bound
 * endpoint it is that installation's real block without a test key."
 */
function blockOf(installation: Example['installation'], nowMs: number): object {
  if (installation !== null) return { id: installation.id, target: installation.target }
  return { id: `${TEST_INSTALLATION_PREFIX}${newIdBody(nowMs)}`, target: null, test: true }
}

/** The fake record in the form of a stored event, so that the same code renders it. */
function exampleEvent(name: EventName): StoredEvent {
  const { occurred_at = '', ...data } = EVENT_EXAMPLES[name] as {
    readonly occurred_at?: string
    readonly [key: string]: unknown
  }
  const id = TEST_EVENT_PREFIX as Id<'event'>
  return { id, name, created_at: occurred_at, occurred_at, data: JSON.stringify(data), identity: null }
}
