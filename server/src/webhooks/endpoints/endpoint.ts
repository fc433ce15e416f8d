import type { Target } from '#access/installations/index.ts'
import {
  type Audience,
  coveredBy,
  EVENT_CATALOGUE,
  type EventName,
  isInCatalogue,
  isWildcard,
  type Subscription,
} from '#events/index.ts'
import { validationError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'

export const ENDPOINT_STATES = ['enabled', 'disabled', 'removed'] as const
export type EndpointState = (typeof ENDPOINT_STATES)[number]

/**
 * failing               no success for five days
 * gone                  the endpoint responded 410
 * installation_revoked  the installation that it was bound to was revoked
 */
export const DISABLED_REASONS = ['failing', 'gone', 'installation_revoked'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** A webhook endpoint with its health. */
export type Endpoint = {
  readonly id: Id<'webhookEndpoint'>
  readonly app_id: Id<'app'>
  readonly world: World
  readonly url: string
  readonly events: readonly Subscription[]
  /** Null for an endpoint of the whole app. */
  readonly installation_id: Id<'installation'> | null
  readonly state: EndpointState
  readonly disabled_reason: DisabledReason | null
  /** World time, like failing_since and last_delivery_at. */
  readonly created_at: string
  readonly failing_since: string | null
  readonly last_delivery_at: string | null
  /** The HTTP status as text, or the kind of failure. */
  readonly last_delivery_status: string | null
}

/** Which endpoints a caller manages: all of an app, or those bound to one installation. */
export type Manager = {
  readonly app: Id<'app'>
  /** The world of the credential. */
  readonly world: World
  /** The worlds whose endpoints the caller manages. */
  readonly worlds: readonly World[]
  /** Null: all endpoints of the app. */
  readonly installation: Id<'installation'> | null
  /** Whether the caller also manages endpoints bound to users' own connections. */
  readonly usersToo: boolean
}

type TargetType = Target['type']

const TARGETS: Readonly<Record<Audience['through'], readonly TargetType[]>> = {
  company: ['company'],
  user: ['user'],
  syndicate: ['syndicate'],
  session_company: ['company'],
  session_creator: ['company', 'syndicate'],
  code_owner: ['company'],
  itself: ['company', 'syndicate', 'user'],
  proposer: ['syndicate', 'user'],
  app: [],
}

/** Whether an endpoint that is bound to an installation on a target of this type can receive the event. */
export function canArrive(name: EventName, target: TargetType): boolean {
  const { audience, endpoints } = EVENT_CATALOGUE[name]
  return endpoints === 'app_wide_and_bound' && audience.some((one) => leadsTo(one, target))
}

/** Whether the audience can include an installation on a target of this type. */
export function leadsTo({ through }: Audience, target: TargetType): boolean {
  return TARGETS[through].includes(target)
}

type Wanted = {
  readonly events: readonly Subscription[]
  /** The app's pinned version. */
  readonly version: string
  /** The target type of the endpoint's installation; null for an app-wide endpoint. */
  readonly target: TargetType | null
}

/**
 * Rejects events that can never arrive, so that no partner waits for them: events that the app's version does not
 * have and, on a bound endpoint, events that its installation's target does not receive ("installation.revoked:
 * app-wide endpoints only"). A wildcard is rejected only if it covers no event that can arrive.
 */
export function rejectUnreachable({ events, version, target }: Wanted): void {
  for (const subscription of events) {
    const names = coveredBy([subscription], version)
    if (!isWildcard(subscription) && !isInCatalogue(subscription, version)) {
      throw endpointError(
        'not_in_version',
        `cannot include ${subscription}, which API version ${version} does not have`,
      )
    }
    if (target === null || names.some((name) => canArrive(name, target))) continue
    const appWide = names.every((name) => EVENT_CATALOGUE[name].endpoints === 'app_wide')
    throw appWide
      ? endpointError(
          'app_wide_only',
          `of a bound endpoint (on a ${target}) cannot include ${subscription}, which only endpoints of the whole app receive`,
        )
      : endpointError(
          'never_arrives',
          `of a bound endpoint cannot include ${subscription}: an installation on a ${target} never receives it`,
        )
  }
}

function endpointError(code: string, message: string) {
  return validationError([{ field: 'events', code, message }])
}

/** Removes duplicates and keeps the order, because a test send without a named event uses the first subscription. */
export function withoutRepeats(events: readonly Subscription[]): readonly Subscription[] {
  return [...new Set(events)]
}
