import type { Version } from '#http/versions.ts'
import { type Id, newIdBody } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { EVENT_EXAMPLES } from '#modules/events/http.ts'
import {
  carriesInstallation,
  type EventName,
  type StoredEvent,
  TEST_EVENT_PREFIX,
  TEST_INSTALLATION_PREFIX,
} from '#modules/events/index.ts'
import { envelopeText } from './envelope-text.ts'
import { investorRights } from './investor-rights.ts'
import type { ReceivingInstallation } from './receiver.ts'
import { visibleData } from './visible-data.ts'

export type Example = {
  readonly event: EventName
  readonly world: World
  /** The one that the endpoint is bound to; null for an endpoint of the whole app. */
  readonly installation: Pick<ReceivingInstallation, 'id' | 'target' | 'scopes'> | null
  /** What the app declares. */
  readonly appScopes: readonly string[]
  readonly version: Version
  readonly nowMs: number
  /** By the clock of the endpoint's world. */
  readonly createdAt: string
}

/**
 * The body of a test: fake records, seen with the rights of the endpoint's installation, or of an installation on a
 * company that holds all the app declares, which created the session where it is about one. There is nobody whom a fake event could concern, so nobody is refused it.
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

/** The fake record in the form of a stored event, so that it goes the way of every other. */
function exampleEvent(name: EventName): StoredEvent {
  const { occurred_at = '', ...data } = EVENT_EXAMPLES[name] as {
    readonly occurred_at?: string
    readonly [key: string]: unknown
  }
  const id = TEST_EVENT_PREFIX as Id<'event'>
  return { id, name, created_at: occurred_at, occurred_at, data: JSON.stringify(data), identity: null }
}
