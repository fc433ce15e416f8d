import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '../connection/api.ts'
import type { Connection } from '../connection/connection.ts'
import { EXIT, Failure } from '../failure.ts'
import { type Forwarded, forward } from './forward.ts'
import type { PlaceFile } from './place.ts'
import { readStream, StreamBroken, type StreamMessage } from './stream.ts'

/** An event as the stream sends it. */
export type StreamEvent = {
  readonly id: string
  readonly attributes: {
    readonly event: string
    readonly mode: string
    readonly installation_id: string | null
    readonly created_at: string
    readonly redelivery_of: string | null
    readonly payload: Readonly<Record<string, unknown>>
  }
}

export type ListenReport =
  | { readonly kind: 'ready'; readonly resumed: boolean }
  | { readonly kind: 'lost'; readonly reason: string; readonly retryMs: number }
  | { readonly kind: 'back' }
  | { readonly kind: 'place_lost'; readonly reason: string }
  | { readonly kind: 'waiting'; readonly reason: string }
  | { readonly kind: 'receiver_back' }
  | { readonly kind: 'event'; readonly event: StreamEvent; readonly forwarded: Forwarded | null }

export type Listening = {
  readonly connection: Connection
  readonly places: PlaceFile
  readonly types: readonly string[]
  readonly forwardTo: string | null
  readonly secret: string
  readonly signal: AbortSignal
  readonly report: (report: ListenReport) => void
}

/** The service sends something every 15 seconds; three times as long without anything is a dead connection. */
const SILENCE_MS = 45_000
const RETRY_MS = [1_000, 2_000, 5_000, 10_000, 30_000]
const RECEIVER_RETRY_MS = 1_000

/**
 * Reads the event stream and forwards each event, until the signal. States: connecting → reading → (broken → waiting →
 * connecting)…; every change of state is reported. The place is stored after an event was handled, so that a killed process
 * goes on with the event that it did not finish.
 */
export async function listen(listening: Listening): Promise<void> {
  const { signal, report } = listening
  let failures = 0
  let wasReady = false
  const onReady = (resumed: boolean) => {
    report(wasReady ? { kind: 'back' } : { kind: 'ready', resumed })
    wasReady = true
    failures = 0
  }
  while (!signal.aborted) {
    const broken = await readOnce(listening, onReady).catch((error: unknown) =>
      reasonToRetry(error, wasReady, listening),
    )
    if (signal.aborted) return
    if (broken === 'place lost') continue
    const retryMs = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0
    failures += 1
    report({ kind: 'lost', reason: broken, retryMs })
    await pause(retryMs, signal)
  }
}

/** Throws what trying again does not mend. A first connection that fails is a mistake to mend; later ones are waited for. */
async function reasonToRetry(
  error: unknown,
  wasReady: boolean,
  { places, signal, report }: Listening,
): Promise<string> {
  if (signal.aborted) return 'stopped'
  if (isPlaceLost(error, places)) {
    report({ kind: 'place_lost', reason: error.message })
    await places.save({ last_event_id: null, pending: null })
    return 'place lost'
  }
  if (!wasReady || !isPassing(error)) throw error
  return sentenceOf(error)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {})
}

/** Reads one connection to its end, and says why it ended. It is ready once the place where it begins is stored. */
async function readOnce(listening: Listening, onReady: (resumed: boolean) => void): Promise<string> {
  const { connection, places, types, signal } = listening
  let header = 'Wefunder-Signature'
  let isReady = false
  const opening = {
    place: places.place.last_event_id,
    ...{ types, signal },
    silenceMs: SILENCE_MS,
    onOpen: (headers: Headers) => {
      header = signatureHeader(headers) ?? header
    },
  }
  for await (const message of readStream(connection, opening)) {
    if (message.name === 'end') return endOf(message)
    if (message.data !== undefined) await handle(listening, JSON.parse(message.data), header)
    const resumed = places.place.last_event_id !== null
    if (message.id !== undefined)
      await places.save({ last_event_id: message.id, ...(message.data === undefined ? {} : { pending: null }) })
    if (!isReady) onReady(resumed)
    isReady = true
  }
  return 'the service closed the connection'
}

/** Every response names the API's version in a header of the platform's name: `Wefunder-Version`. */
function signatureHeader(headers: Headers): string | null {
  const [name] = [...headers.keys()].filter((each) => /^[a-z0-9]+-version$/.test(each))
  if (name === undefined) return null
  return `${name.charAt(0).toUpperCase()}${name.slice(1, -'-version'.length)}-Signature`
}

function endOf({ data = '{}' }: StreamMessage): string {
  const { reason }: { reason?: string } = JSON.parse(data)
  if (reason === 'server_closing') return 'the service is restarting'
  throw new Failure('The service ended the stream, because the credential is no longer valid.', {
    exit: EXIT.credential,
    type: reason ?? 'stream_ended',
    remedy: 'Was the key revoked or rotated, or the app suspended or disabled? portico whoami shows what is used.',
  })
}

async function handle(listening: Listening, event: StreamEvent, header: string): Promise<void> {
  const { forwardTo, report } = listening
  const forwarded = forwardTo === null ? null : await deliver(listening, forwardTo, { event, header })
  report({ kind: 'event', event, forwarded })
}

type Delivering = { readonly event: StreamEvent; readonly header: string }

/** While nothing listens at the address the event waits, and with it all that follow: none of them is lost. */
async function deliver(listening: Listening, url: string, { event, header }: Delivering): Promise<Forwarded> {
  const { places, secret, signal, report } = listening
  const key = [event.id, event.attributes.installation_id, event.attributes.redelivery_of].join(' ')
  const known = places.place.pending
  const deliveryId = known?.event === key ? known.delivery_id : `dlv_${randomBytes(12).toString('hex')}`
  await places.save({ pending: { event: key, delivery_id: deliveryId } })
  const body = Buffer.from(JSON.stringify(event.attributes.payload))
  let waited = false
  for (;;) {
    const timestampSeconds = Math.floor(Date.now() / 1_000)
    const forwarded = await forward(url, { header, secret, deliveryId, timestampSeconds, body }, signal)
    if (forwarded.outcome !== 'refused' || signal.aborted) {
      signal.throwIfAborted()
      if (waited) report({ kind: 'receiver_back' })
      return forwarded
    }
    if (!waited) report({ kind: 'waiting', reason: forwarded.reason })
    waited = true
    await pause(RECEIVER_RETRY_MS, signal)
  }
}

function isPlaceLost(error: unknown, places: PlaceFile): error is Refusal {
  return (
    error instanceof Refusal && (error.status === 410 || error.status === 400) && places.place.last_event_id !== null
  )
}

/** Broken connections, a service that restarts or is busy. */
function isPassing(error: unknown): boolean {
  if (error instanceof Refusal) return error.status === 429 || error.status >= 500
  if (error instanceof Failure) return error.exit === EXIT.unreachable
  return error instanceof StreamBroken || error instanceof TypeError || isNetworkError(error)
}

function isNetworkError(error: unknown): boolean {
  return error instanceof Error && ('code' in error || error.cause !== undefined)
}

function sentenceOf(error: unknown): string {
  if (error instanceof Failure || error instanceof StreamBroken) return error.message.replace(/\.$/, '')
  return 'the connection broke'
}
