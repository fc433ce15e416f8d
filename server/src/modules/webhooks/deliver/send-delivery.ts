import type { WallClock } from '#kernel/clock.ts'
import type { World } from '#kernel/world.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'
import type { Outcome } from '#system/outbound/outcome.ts'
import type { OutboundSender } from '#system/outbound/sender.ts'
import { deliveryRequest } from '../delivery-request.ts'
import { projectRow } from '../projection/projected-store.ts'
import { type Random, verdictOf } from '../retry/retry-policy.ts'
import type { Signing } from '../signature/sign-delivery.ts'
import { attemptOf } from './attempt.ts'
import type { DueDelivery } from './due-store.ts'
import type { Recorded } from './record-store.ts'
import { signingSecrets } from './signing-secrets.ts'

export type Sending = {
  readonly world: World
  readonly sender: OutboundSender
  readonly secrets: SealedBox
  readonly clock: WallClock
  readonly random: Random
  readonly signatureHeader: string
  /** Cuts off what is under way. */
  readonly signal: AbortSignal
}

/** What came of it, and what the receiver did; null where nothing was sent to it. */
export type Sent = { readonly recorded: Recorded; readonly outcome: Outcome | null }

/** One attempt: seen with the rights of this moment, signed with its own timestamp, judged by the retry policy. */
export function deliverySender(sending: Sending): (due: DueDelivery) => Promise<Sent> {
  const { world, sender, clock, random, signatureHeader, signal } = sending
  const secretsOf = signingSecrets(sending.secrets)

  function signing({ id, endpoint_id, secret, previous_secret }: DueDelivery, body: Buffer): Signing {
    return {
      signatureHeader,
      secrets: secretsOf({ id: endpoint_id, secret, previous_secret }),
      deliveryId: id,
      timestampSeconds: Math.floor(clock.now() / 1_000),
      body,
    }
  }

  return async (due) => {
    const projected = projectRow(due, world)
    if ('refused' in projected) return { recorded: canceled(due, projected.refused), outcome: null }
    const request = deliveryRequest(due.url, signing(due, Buffer.from(projected.body)))
    const outcome = await sender.send({ ...request, signal })
    return { recorded: recordOf(due, outcome, random), outcome }
  }
}

function canceled({ id }: DueDelivery, reason: string): Recorded {
  return { id, state: 'canceled', reason, afterSeconds: null, attempt: null }
}

function recordOf(due: DueDelivery, outcome: Outcome, random: Random): Recorded {
  const verdict = verdictOf(outcome, due.attempt + 1, random)
  return {
    id: due.id,
    state: verdict.kind,
    reason: null,
    afterSeconds: verdict.kind === 'again' ? verdict.afterSeconds : null,
    attempt: attemptOf(outcome, due.now),
  }
}
