import type { EventName } from '#events/index.ts'
import type { WallClock } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'
import type { Outcome } from '#system/outbound/outcome.ts'
import type { OutboundSender } from '#system/outbound/sender.ts'
import type { ActiveSpan, TraceCause, Tracing } from '#system/tracing.ts'
import { type Attempt, attemptOf, internalAttempt, type Recorded, statusWordOf } from '../history/delivery.ts'
import type { Projected } from '../projection/project.ts'
import { projectRow } from '../projection/projected-store.ts'
import { afterFailure, isSuccess, pauseSeconds, type Random, type Verdict, verdictOf } from '../retry-policy.ts'
import {
  deliveryRequest,
  openSecrets,
  type SealedSecrets,
  type Signing,
  type SigningKeys,
  signingKeys,
} from '../signature.ts'
import type { DeliveryBatch } from './batches/delivery-batch.ts'
import type { Lane } from './lane.ts'
import type { DueDelivery } from './store.ts'

export type Sending = {
  readonly sender: OutboundSender
  readonly secrets: SealedBox
  readonly clock: WallClock
  readonly random: Random
  readonly signatureHeader: string
  /** Aborts requests in progress. */
  readonly signal: AbortSignal
  /** Null if traces are not exported. */
  readonly tracing?: Tracing | null
  /** Whether requests of a sampled trace carry its traceparent. */
  readonly sendsTrace?: boolean
}

export type Sent = {
  readonly recorded: Recorded
  /** The outcome of the request; null if nothing was sent. */
  readonly outcome: Outcome | null
  /** The receiver requested a pause until this world time. */
  readonly pausedUntil: string | null
}

/**
 * The fields of a delivery that are needed when its answer arrives. Hundreds of requests wait at once, so the other
 * fields are not kept in memory.
 */
type Requested = Pick<DueDelivery, 'id' | 'attempt' | 'now'>

/** Where a delivery is sent, its secrets, and its body as this receiver may see it now. */
export type Payload = {
  readonly url: string
  readonly secrets: SealedSecrets
  readonly projected: Projected
  /** Null if the trace of the event is not sampled. */
  readonly trace: DeliveryTrace | null
}

export function payloadOf(due: DueDelivery, world: World): Payload {
  const { endpoint_id: id, secret, previous_secrets } = due
  const { event_id, event_name: name, event_trace: trace, app_id: app, redelivery_of } = due
  return {
    url: due.url,
    secrets: { id, secret, previous_secrets },
    projected: projectRow(due, world),
    trace: name === null ? null : causeOf({ id: event_id, name, trace, endpoint: id, app }, redelivery_of),
  }
}

/** The cause and the attributes of a delivery's span: the event's name and ids, never the receiver's address. */
type DeliveryTrace = { readonly cause: TraceCause; readonly attributes: Readonly<Record<string, string>> }

type TracedEvent = {
  readonly id: Id<'event'>
  readonly name: EventName
  readonly trace: string | null
  readonly endpoint: Id<'webhookEndpoint'>
  readonly app: Id<'app'>
}

/** A redelivery begins its own trace with a link to the event's trace, because a redelivery may be sent weeks later. */
export function causeOf(event: TracedEvent, redeliveryOf: Id<'delivery'> | null): DeliveryTrace | null {
  if (event.trace === null) return null
  return {
    cause: { traceparent: event.trace, continues: redeliveryOf === null },
    attributes: {
      'portico.event': event.name,
      'portico.event_id': event.id,
      'portico.endpoint_id': event.endpoint,
      'portico.app_id': event.app,
      ...(redeliveryOf === null ? {} : { 'portico.redelivery_of': redeliveryOf }),
    },
  }
}

/**
 * Makes one attempt. Checks, with the rights that were just read, whether the receiver may get the event, signs with a
 * new timestamp, and applies the retry policy to the outcome. The timestamp is real time in the test world too, because
 * receivers compare it with their own clock.
 */
export function deliverySender(sending: Sending): (requested: Requested, payload: () => Payload) => Promise<Sent> {
  const { sender, clock, random, signatureHeader, signal, tracing = null, sendsTrace = false } = sending
  const keysOf = cachedKeys(sending.secrets)

  function signing({ id }: Requested, secrets: SealedSecrets, body: Buffer): Signing {
    return {
      signatureHeader,
      keys: keysOf(secrets),
      deliveryId: id,
      timestampSeconds: Math.floor(clock.now() / 1_000),
      body,
    }
  }

  async function sent(requested: Requested, response: Promise<Outcome>, span: ActiveSpan | null): Promise<Sent> {
    const outcome = await (span === null ? response : answered(span, response))
    return { recorded: recordOf(requested, outcome, random), outcome, pausedUntil: pausedUntil(requested, outcome) }
  }

  return async (requested, payload) => {
    const { url, secrets, projected, trace } = payload()
    if ('refused' in projected)
      return { recorded: canceled(requested, projected.refused), outcome: null, pausedUntil: null }
    const { headers, body } = deliveryRequest(url, signing(requested, secrets, Buffer.from(projected.body)))
    const span = trace === null || tracing === null ? null : begin(tracing, requested, trace)
    const traced = span === null || !sendsTrace ? headers : { ...headers, traceparent: span.traceparent }
    return sent(requested, sender.send({ url, headers: traced, body, signal }), span)
  }
}

function begin(tracing: Tracing, { id, attempt }: Requested, { cause, attributes }: DeliveryTrace): ActiveSpan | null {
  const ids = { ...attributes, 'portico.delivery_id': id, 'portico.attempt': attempt + 1 }
  return tracing.start(`deliver ${attributes['portico.event']}`, { kind: 'CLIENT', cause, attributes: ids })
}

/** Waits for the outcome and records its status word in the span. The endpoint's health shows the same word. */
async function answered(span: ActiveSpan, response: Promise<Outcome>): Promise<Outcome> {
  try {
    const outcome = await response
    span.set({ 'portico.outcome': statusWordOf(outcome) })
    if (!isSuccess(outcome)) span.fail(statusWordOf(outcome))
    return outcome
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}

function canceled({ id }: Requested, reason: string): Recorded {
  return { id, state: 'canceled', reason, afterSeconds: null, attempt: null }
}

/** The pause begins at the answer. One second is added for the time between reading and sending. */
function pausedUntil({ now }: Requested, outcome: Outcome): string | null {
  const seconds = pauseSeconds(outcome)
  return seconds === 0 ? null : new Date(Date.parse(now) + outcome.durationMs + (seconds + 1) * 1_000).toISOString()
}

function recordOf(requested: Requested, outcome: Outcome, random: Random): Recorded {
  return recorded(requested, verdictOf(outcome, requested.attempt + 1, random), attemptOf(outcome, requested.now))
}

/** An internal error counts as a failed attempt, and the delivery is tried again. */
export function failedInside(requested: Requested, random: Random): Recorded {
  return recorded(requested, afterFailure(requested.attempt + 1, random), internalAttempt(requested.now))
}

function recorded({ id }: Requested, verdict: Verdict, attempt: Attempt): Recorded {
  const afterSeconds = verdict.kind === 'again' ? verdict.afterSeconds : null
  return { id, state: verdict.kind, reason: null, afterSeconds, attempt }
}

/** Twice the number of lanes that one worker leases by default. */
const CACHED_MAX = 4_000

/** Caches the decrypted signing keys of endpoints: every delivery needs them, and they change only at a rotation. */
export function cachedKeys(box: SealedBox): (sealed: SealedSecrets) => readonly SigningKeys[] {
  const cache = new Map<string, { readonly sealed: SealedSecrets; readonly keys: readonly SigningKeys[] }>()
  return (sealed) => {
    const before = cache.get(sealed.id)
    if (before !== undefined && isSame(before.sealed, sealed)) return before.keys
    const keys = openSecrets(box, sealed).map(signingKeys)
    if (cache.size >= CACHED_MAX) cache.clear()
    cache.set(sealed.id, { sealed: ownCopy(sealed), keys })
    return keys
  }
}

/**
 * Copies the secrets. A buffer from the driver is a view into the whole query result, and would keep all of it in
 * memory.
 */
function ownCopy({ id, secret, previous_secrets }: SealedSecrets): SealedSecrets {
  const previous = previous_secrets?.map((each) => Buffer.from(each)) ?? null
  return { id, secret: Buffer.from(secret), previous_secrets: previous }
}

function isSame(a: SealedSecrets, b: SealedSecrets): boolean {
  if (!a.secret.equals(b.secret)) return false
  const [before, now] = [a.previous_secrets ?? [], b.previous_secrets ?? []]
  return before.length === now.length && before.every((each, place) => now[place]?.equals(each))
}

/** A delivery to send, from the queue or from a delivery batch. */
export type Taken = {
  readonly lane: Lane
  readonly requested: Requested
  /** Null for a row of the queue. */
  readonly deliveryBatch: DeliveryBatch | null
  readonly payload: () => Payload
}
