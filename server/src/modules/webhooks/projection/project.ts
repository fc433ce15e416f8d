import type { Version } from '#http/versions.ts'
import type { World } from '#kernel/world.ts'
import type { EventName } from '#modules/events/index.ts'
import {
  type Asking,
  entitlement,
  type NotEntitled,
  type ProjectedEvent,
  type ReceivingInstallation,
} from './entitlement.ts'
import { type DataOf, type InvestorRights, investorRights, visibleData } from './visible-data.ts'

export type Projecting = Asking & {
  readonly event: ProjectedEvent
  /** The app's at fan-out. */
  readonly version: Version
  readonly mode: World
  /** Where many receive it, something that makes what is the same for them once. */
  readonly dataOf?: DataOf | undefined
}

/** The bytes to sign and send, or why there are none. */
export type Projected = { readonly body: string } | { readonly refused: NotEntitled }

export type ProjectingDelivery = Omit<Projecting, 'event'> & {
  /** Null where it is no longer kept. */
  readonly event: ProjectedEvent | null
  /** Whether the endpoint is, to this event, now. */
  readonly subscribed: boolean
}

export function projectDelivery(delivery: ProjectingDelivery): Projected {
  const { event, subscribed, app, installation, version, mode, dataOf } = delivery
  if (event === null) return { refused: 'event_expired' }
  // "PATCH events replaces the whole list": what is not in it any more is not sent any more, however long it waited.
  return subscribed ? project({ event, app, installation, version, mode, dataOf }) : { refused: 'unsubscribed' }
}

/**
 * What a receiver is told of an event, decided at every send from the event and from what the receiver may see at that
 * moment: a delivery stores no body, so that what was lost in the meantime never leaves through the queue.
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
  /** Null for what concerns the app as such: then the envelope has no such block. */
  readonly installation: object | null
  /** JSON text. */
  readonly data: string
}

/** The body of a delivery. None of the texts outside `data` can hold a character that JSON would have to escape. */
export function envelopeText({ id, event, createdAt, mode, installation, data }: EnvelopeParts): string {
  const block = installation === null ? '' : `"installation":${JSON.stringify(installation)},`
  return `{"id":"${id}","event":"${event}","created_at":"${createdAt}","mode":"${mode}",${block}"data":${data}}`
}
