import type { WallClock } from '#kernel/clock.ts'
import type { World } from '#kernel/world.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'
import type { Outcome } from '#system/outbound/outcome.ts'
import type { OutboundSender } from '#system/outbound/sender.ts'
import { type Attempt, attemptOf, internalAttempt } from '../history/delivery.ts'
import type { Projected } from '../projection/project.ts'
import { projectRow } from '../projection/projected-store.ts'
import { afterFailure, pauseSeconds, type Random, type Verdict, verdictOf } from '../retry-policy.ts'
import {
  deliveryRequest,
  openSecrets,
  type SealedSecrets,
  type Signing,
  type SigningKeys,
  signingKeys,
} from '../signature.ts'
import type { Lane } from './lane.ts'
import type { DueDelivery } from './lane-store.ts'
import type { Parcel } from './parcels/parcel.ts'
import type { Recorded } from './store.ts'

export type Sending = {
  readonly sender: OutboundSender
  readonly secrets: SealedBox
  readonly clock: WallClock
  readonly random: Random
  readonly signatureHeader: string
  /** Cuts off what is under way. */
  readonly signal: AbortSignal
}

export type Sent = {
  readonly recorded: Recorded
  /** What the receiver did; null where nothing was sent to it. */
  readonly outcome: Outcome | null
  /** World time, where it asked for nothing more before. */
  readonly pausedUntil: string | null
}

/** What of a delivery is still wanted when its answer comes. Hundreds wait for theirs, and not with all they were read with. */
type Asked = Pick<DueDelivery, 'id' | 'attempt' | 'now'>

/** What is to be sent of a delivery: to where, signed with what, and what it says to this receiver at this moment. */
export type Letter = {
  readonly url: string
  readonly secrets: SealedSecrets
  readonly projected: Projected
}

export function letterOf(due: DueDelivery, world: World): Letter {
  const { endpoint_id: id, secret, previous_secrets } = due
  return { url: due.url, secrets: { id, secret, previous_secrets }, projected: projectRow(due, world) }
}

/** One attempt: seen with the rights of this moment, signed with its own timestamp, judged by the retry policy. */
export function deliverySender(sending: Sending): (asked: Asked, letter: () => Letter) => Promise<Sent> {
  const { sender, clock, random, signatureHeader, signal } = sending
  const keysOf = keptKeys(sending.secrets)

  function signing({ id }: Asked, secrets: SealedSecrets, body: Buffer): Signing {
    return {
      signatureHeader,
      keys: keysOf(secrets),
      deliveryId: id,
      timestampSeconds: Math.floor(clock.now() / 1_000),
      body,
    }
  }

  async function sent(asked: Asked, answer: Promise<Outcome>): Promise<Sent> {
    const outcome = await answer
    return { recorded: recordOf(asked, outcome, random), outcome, pausedUntil: pausedUntil(asked, outcome) }
  }

  return async (asked, letter) => {
    const { url, secrets, projected } = letter()
    if ('refused' in projected)
      return { recorded: canceled(asked, projected.refused), outcome: null, pausedUntil: null }
    const { headers, body } = deliveryRequest(url, signing(asked, secrets, Buffer.from(projected.body)))
    return sent(asked, sender.send({ url, headers, body, signal }))
  }
}

function canceled({ id }: Asked, reason: string): Recorded {
  return { id, state: 'canceled', reason, afterSeconds: null, attempt: null }
}

/** From when the answer came; a second more for the moments between reading and sending. */
function pausedUntil({ now }: Asked, outcome: Outcome): string | null {
  const seconds = pauseSeconds(outcome)
  return seconds === 0 ? null : new Date(Date.parse(now) + outcome.durationMs + (seconds + 1) * 1_000).toISOString()
}

function recordOf(asked: Asked, outcome: Outcome, random: Random): Recorded {
  return recorded(asked, verdictOf(outcome, asked.attempt + 1, random), attemptOf(outcome, asked.now))
}

/** What could not be sent for a fault of ours counts as an attempt, and is tried again like any other. */
export function failedInside(asked: Asked, random: Random): Recorded {
  return recorded(asked, afterFailure(asked.attempt + 1, random), internalAttempt(asked.now))
}

function recorded({ id }: Asked, verdict: Verdict, attempt: Attempt): Recorded {
  const afterSeconds = verdict.kind === 'again' ? verdict.afterSeconds : null
  return { id, state: verdict.kind, reason: null, afterSeconds, attempt }
}

/** A little more than one worker has lanes. */
const KEPT_MAX = 4_000

/** What endpoints sign with. Asked for every delivery and the same until a rotation, so what was opened is kept. */
export function keptKeys(box: SealedBox): (sealed: SealedSecrets) => readonly SigningKeys[] {
  const kept = new Map<string, { readonly sealed: SealedSecrets; readonly keys: readonly SigningKeys[] }>()
  return (sealed) => {
    const before = kept.get(sealed.id)
    if (before !== undefined && isSame(before.sealed, sealed)) return before.keys
    const keys = openSecrets(box, sealed).map(signingKeys)
    if (kept.size >= KEPT_MAX) kept.clear()
    kept.set(sealed.id, { sealed: ownCopy(sealed), keys })
    return keys
  }
}

/** What came out of the database is a view into all that came with it, which must not be kept along. */
function ownCopy({ id, secret, previous_secrets }: SealedSecrets): SealedSecrets {
  const previous = previous_secrets?.map((each) => Buffer.from(each)) ?? null
  return { id, secret: Buffer.from(secret), previous_secrets: previous }
}

function isSame(a: SealedSecrets, b: SealedSecrets): boolean {
  if (!a.secret.equals(b.secret)) return false
  const [before, now] = [a.previous_secrets ?? [], b.previous_secrets ?? []]
  return before.length === now.length && before.every((each, place) => now[place]?.equals(each))
}

/** A delivery that was taken up, out of the queue or out of a parcel. */
export type Taken = {
  readonly lane: Lane
  readonly asked: Asked
  /** Null for one of the queue. */
  readonly parcel: Parcel | null
  readonly letter: () => Letter
}
