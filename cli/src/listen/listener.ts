import { setTimeout as wait } from 'node:timers/promises'
import { type Api, type Client, GoneError, InvalidRequestError, type StreamStatus } from '@portico/sdk'
import type { EventTypes } from '../option-values.ts'
import { type Forwarded, forward } from './forward.ts'
import type { PlaceFile } from './place.ts'
import { newDeliveryId } from './signature.ts'

export type ListenReport =
  | { readonly kind: 'ready'; readonly resumed: boolean }
  | { readonly kind: 'lost'; readonly reason: string; readonly retryMs: number }
  | { readonly kind: 'back' }
  | { readonly kind: 'place_lost'; readonly reason: string }
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'receiver_back' }
  | { readonly kind: 'event'; readonly event: Api.Event; readonly forwarded: Forwarded | null }

export type Listening = {
  readonly client: Client
  readonly places: PlaceFile
  readonly types: EventTypes
  readonly forwardTo: string | null
  readonly secret: string
  /** `Wefunder-Signature` */
  readonly signatureHeader: string
  readonly signal: AbortSignal
  readonly report: (report: ListenReport) => void
}

/** The service sends something every 15 seconds. After three times as long without anything the connection is dead. */
const SILENCE_MS = 45_000
const RETRY_MS = 1_000
const RECEIVER_RETRY_MS = 1_000

/**
 * Reads the event stream and forwards each event, until the signal aborts. The place is stored after an event was
 * handled, so that a killed process continues with the event that it did not finish. Every change of the connection is
 * reported.
 */
export async function listen(listening: Listening): Promise<void> {
  const { places, signal, report } = listening
  while (!signal.aborted) {
    try {
      await read(listening)
    } catch (error) {
      if (!isPlaceLost(error) || places.place.last_event_id === null) throw error
      report({ kind: 'place_lost', reason: error.message })
      await places.save({ last_event_id: null, pending: null })
    }
  }
}

async function read(listening: Listening): Promise<void> {
  const { client, places, types, signal, forwardTo, report } = listening
  const failing = new AbortController()
  const stream = client.streamEvents({
    after: places.place.last_event_id ?? undefined,
    ...(types.length === 0 ? {} : { types }),
    ...{ signal: AbortSignal.any([signal, failing.signal]), silenceMs: SILENCE_MS, retryMs: RETRY_MS },
    onStatus: statusReporter(listening, (error) => failing.abort(error)),
  })
  for await (const { cursor, event } of stream) {
    const forwarded = forwardTo === null ? null : await deliver(listening, forwardTo, event)
    if (signal.aborted) return
    await places.save({ last_event_id: cursor, pending: null })
    report({ kind: 'event', event, forwarded })
  }
  if (failing.signal.aborted) throw failing.signal.reason
}

/**
 * The listener is ready once its starting place is stored: later events are not missed, even if it is killed. If it cannot
 * be stored, `fail` is called.
 */
function statusReporter({ places, report }: Listening, fail: (error: unknown) => void): (status: StreamStatus) => void {
  let wasReady = false
  const first = async (cursor: string | undefined) => {
    const resumed = places.place.last_event_id !== null
    if (!resumed && cursor !== undefined) await places.save({ last_event_id: cursor })
    report({ kind: 'ready', resumed })
  }
  return (status) => {
    if (status.state === 'waiting') {
      report({ kind: 'lost', reason: status.reason.replace(/\.$/, ''), retryMs: status.retryInMs })
    } else if (status.state === 'open') {
      if (wasReady) report({ kind: 'back' })
      else void first(status.cursor).catch(fail)
      wasReady = true
    }
  }
}

/** The place is too old, or belongs to another database. */
function isPlaceLost(error: unknown): error is GoneError | InvalidRequestError {
  return error instanceof GoneError || error instanceof InvalidRequestError
}

/** While no program listens at the address, the event waits, and all later ones with it. None is lost. */
async function deliver(listening: Listening, url: string, event: Api.Event): Promise<Forwarded> {
  const { places, secret, signal, signatureHeader: header, report } = listening
  const key = [event.id, event.attributes.installation_id, event.attributes.redelivery_of].join(' ')
  const known = places.place.pending
  const deliveryId = known?.event === key ? known.delivery_id : newDeliveryId()
  await places.save({ pending: { event: key, delivery_id: deliveryId } })
  const body = Buffer.from(JSON.stringify(event.attributes.payload))
  let waited = false
  for (;;) {
    const timestampSeconds = Math.floor(Date.now() / 1_000)
    const forwarded = await forward(url, { header, secret, deliveryId, timestampSeconds, body }, signal)
    if (forwarded.outcome !== 'refused' || signal.aborted) {
      if (waited && !signal.aborted) report({ kind: 'receiver_back' })
      return forwarded
    }
    if (!waited) report({ kind: 'waiting', reason: forwarded.reason })
    waited = true
    await wait(RECEIVER_RETRY_MS, undefined, { signal }).catch(() => {})
  }
}
