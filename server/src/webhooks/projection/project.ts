import type { EventName } from '#events/index.ts'
import type { Version } from '#http/versions.ts'
import type { World } from '#kernel/world.ts'
import {
  type EntitlementQuestion,
  entitlement,
  type NotEntitled,
  type ProjectedEvent,
  type ReceivingInstallation,
} from './entitlement.ts'
import { type DataOf, type InvestorRights, investorRights, visibleData } from './visible-data.ts'

export type Projecting = EntitlementQuestion & {
  readonly event: ProjectedEvent
  /** The app's version at fan-out. */
  readonly version: Version
  readonly mode: World
  /** A cache for events that go to many receivers. */
  readonly dataOf?: DataOf | undefined
}

/** The body to sign and send, or the reason for none. */
export type Projected = { readonly body: string } | { readonly refused: NotEntitled }

export type ProjectingDelivery = Omit<Projecting, 'event'> & {
  /** Null if the event was deleted. */
  readonly event: ProjectedEvent | null
  /** Whether the endpoint is subscribed to this event now. */
  readonly subscribed: boolean
}

export function projectDelivery(delivery: ProjectingDelivery): Projected {
  const { event, subscribed, app, installation, version, mode, dataOf } = delivery
  if (event === null) return { refused: 'event_expired' }
  // "PATCH events replaces the whole list": events that are not in the list any more are not sent, however long they waited.
  return subscribed ? project({ event, app, installation, version, mode, dataOf }) : { refused: 'unsubscribed' }
}

/**
 * Renders an event for a receiver at every send, with the receiver's current rights. A delivery stores no body, so data that
 * the receiver lost access to never leaves through the queue.
 */
export function project(projecting: Projecting): Projected {
  const { event, app, installation, version, mode, dataOf = visibleData } = projecting
  const audience = entitlement({ event, app, installation })
  if (typeof audience === 'string') return { refused: audience }
  const data = dataOf(event, { rights: rightsOf(event, installation), version })
  return {
    body: envelopeText({
      id: event.id,
      event: event.name,
      createdAt: event.created_at,
      mode,
      installation: installation && { id: installation.id, target: installation.target },
      data,
    }),
  }
}

function rightsOf({ created_by }: ProjectedEvent, installation: ReceivingInstallation | null): InvestorRights {
  if (installation === null) return { email: false, totals: false, identityFields: false, recipient: false }
  const { id, target, scopes } = installation
  return investorRights({ target: target.type, scopes, creator: created_by === id })
}

type EnvelopeParts = {
  readonly id: string
  readonly event: EventName
  readonly createdAt: string
  readonly mode: World
  /** Null for events about the app itself: the envelope then has no installation block. */
  readonly installation: object | null
  /** JSON text. */
  readonly data: string
}

/** The body of a delivery. No text outside `data` can contain a character that JSON escapes. */
export function envelopeText({ id, event, createdAt, mode, installation, data }: EnvelopeParts): string {
  const block = installation === null ? '' : `"installation":${JSON.stringify(installation)},`
  return `{"id":"${id}","event":"${event}","created_at":"${createdAt}","mode":"${mode}",${block}"data":${data}}`
}
