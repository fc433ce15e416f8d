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
  /** The name of the header that contains the signature, such as `Wefunder-Signature`. */
  readonly signatureHeader: string
  readonly signal: AbortSignal
  readonly report: (report: ListenReport) => void
}

/** The service sends data at least every 15 seconds. A connection without data for three times as long is dead. */
const SILENCE_MS = 45_000
const RETRY_MS = 1_000
const RECEIVER_RETRY_MS = 1_000

/**
 * Reads the event stream and forwards each event, until the signal aborts. The place is stored after each event was
 * handled, so after a kill the next start continues with the first event that was not handled. Reports every change of
 * the connection.
 */
export async function listen(listening: Listening): Promise<void> {
  const { places, signal, report } = listening
  while (!signal.aborted) {
    try {
      await readStream(listening)
    } catch (error) {
      if (places.place.last_event_id === null || !isPlaceLost(error)) throw error
      report({ kind: 'place_lost', reason: error.message })
      await places.save({ last_event_id: null, pending: null })
    }
  }
}

async function readStream(listening: Listening): Promise<void> {
  const { client, places, types, signal, forwardTo, report } = listening
  const storeFailed = new AbortController()
  const stream = client.streamEvents({
    after: places.place.last_event_id ?? undefined,
    ...(types.length === 0 ? {} : { types }),
    ...{ signal: AbortSignal.any([signal, storeFailed.signal]), silenceMs: SILENCE_MS, retryMs: RETRY_MS },
    onStatus: statusReporter(listening, (error) => storeFailed.abort(error)),
  })
  for await (const { cursor, event } of stream) {
    const forwarded = forwardTo === null ? null : await deliver(listening, forwardTo, event)
    if (signal.aborted) return
    await places.save({ last_event_id: cursor, pending: null })
    report({ kind: 'event', event, forwarded })
  }
  if (storeFailed.signal.aborted) throw storeFailed.signal.reason
}

/**
 * The listener is ready when its starting place is stored: from then on no event is missed, even if the process is killed.
 * If the place cannot be stored, `fail` is called.
 */
function statusReporter({ places, report }: Listening, fail: (error: unknown) => void): (status: StreamStatus) => void {
  let wasReady = false
  const reportReady = async (cursor: string | undefined) => {
    const resumed = places.place.last_event_id !== null
    if (!resumed && cursor !== undefined) await places.save({ last_event_id: cursor })
    report({ kind: 'ready', resumed })
  }
  return (status) => {
    if (status.state === 'waiting') {
      report({ kind: 'lost', reason: status.reason.replace(/\.$/, ''), retryMs: status.retryInMs })
    } else if (status.state === 'open') {
      if (wasReady) report({ kind: 'back' })
      else void reportReady(status.cursor).catch(fail)
      wasReady = true
    }
  }
}

/**
 * Whether the service rejected the place: it is too old (410), or it belongs to another database (400). A 400 has the
 * same type for every mistake in a request, such as an unknown name in `--events`, so only its message shows that the
 * place is meant. With any other message the stored place stays.
 */
function isPlaceLost(error: unknown): error is GoneError | InvalidRequestError {
  if (error instanceof GoneError) return error.type === 'gone'
  return error instanceof InvalidRequestError && error.message.startsWith('The last event id ')
}

/** Forwards an event. While no program listens at the address, this event and all later ones wait, so no event is lost. */
async function deliver(listening: Listening, url: string, event: Api.Event): Promise<Forwarded> {
  const { places, secret, signal, signatureHeader: header, report } = listening
  const key = [event.id, event.attributes.installation_id, event.attributes.redelivery_of].join(' ')
  const pending = places.place.pending
  const deliveryId = pending?.event === key ? pending.delivery_id : newDeliveryId()
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
