import { validationError } from '#kernel/errors.ts'
import {
  type Audience,
  coveredBy,
  EVENT_CATALOGUE,
  type EventName,
  isInCatalogue,
  isWildcard,
  type Subscription,
} from '#modules/events/index.ts'
import type { Target } from '#modules/installations/index.ts'

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

/** Whether an event can arrive at an endpoint that is bound to an installation on such a target. */
export function canArrive(name: EventName, target: TargetType): boolean {
  const { audience, reach } = EVENT_CATALOGUE[name]
  return reach === 'app_wide_and_bound' && audience.some((one) => leadsTo(one, target))
}

/** Whether an installation on such a target can be in the audience. */
export function leadsTo({ through }: Audience, target: TargetType): boolean {
  return TARGETS[through].includes(target)
}

type Wanted = {
  readonly events: readonly Subscription[]
  /** The app's pinned version. */
  readonly version: string
  /** What the endpoint's installation is on; null for an endpoint of the whole app. */
  readonly target: TargetType | null
}

/**
 * Rejects events that can never arrive, because a subscriber would wait for them: events that the app's version does not
 * have, and on a bound endpoint events that its installation's target does not receive ("installation.revoked: app-wide
 * endpoints only"). A wildcard is rejected only where it covers nothing that can arrive.
 */
export function refuseUnreachable({ events, version, target }: Wanted): void {
  for (const subscription of events) {
    const names = coveredBy([subscription], version)
    if (!isWildcard(subscription) && !isInCatalogue(subscription, version)) {
      throw refused('not_in_version', `cannot include ${subscription}, which API version ${version} does not have`)
    }
    if (target === null || names.some((name) => canArrive(name, target))) continue
    const appWide = names.every((name) => EVENT_CATALOGUE[name].reach === 'app_wide')
    throw appWide
      ? refused(
          'app_wide_only',
          `of a bound endpoint (on a ${target}) cannot include ${subscription}, which only endpoints of the whole app receive`,
        )
      : refused(
          'never_arrives',
          `of a bound endpoint cannot include ${subscription}: an installation on a ${target} never receives it`,
        )
  }
}

function refused(code: string, message: string) {
  return validationError([{ field: 'events', code, message }])
}

/** Each once, in the order given: the first is what a test sends. */
export function withoutRepeats(events: readonly Subscription[]): readonly Subscription[] {
  return [...new Set(events)]
}
