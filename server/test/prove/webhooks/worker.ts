import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '#kernel/clock.ts'
import { notifyTeam } from '#notices/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { type SealedBox, sealedBox } from '#system/crypto/sealed-box.ts'
import type { Log } from '#system/log.ts'
import { type OutboundSender, outboundSender } from '#system/outbound/sender.ts'
import type { PlatformDatabase, WorldDatabase } from '#system/postgres/database.ts'
import {
  deliveryEngine,
  disableGone,
  ENGINE_DEFAULTS,
  fanOutRound,
  turnHistory,
  watchFailing,
} from '#webhooks/index.ts'
import type { Random } from '../random.ts'

export const SIGNATURE_HEADER = 'Wefunder-Signature'

export function secretsBox(sealingSecret: string): SealedBox {
  return sealedBox(keyring(sealingSecret)('webhook-secrets'))
}

/**
 * Limits shorter than in production, so that a hanging receiver or a dead worker costs a moment instead of 15 seconds.
 */
const SETTINGS = {
  ...ENGINE_DEFAULTS,
  ...{ busyMs: 25, idleMs: 50, lingerMs: 20, renewMs: 300, leaseSeconds: 2, drainMs: 1_000 },
}
const LIMITS = { connectMs: 500, totalMs: 500, bodyMs: 200, tickMs: 50 }

export function soakSender(): OutboundSender {
  return outboundSender({ addressPolicy: { loopback: true, ranges: [] }, limits: LIMITS })
}

export type WorkerParts = {
  readonly db: WorldDatabase
  readonly platform: PlatformDatabase
  readonly sender: OutboundSender
  readonly sealingSecret: string
  readonly random: Random
  readonly log: Log
}

export type Worker = { stop(): Promise<void> }

const FAN_OUT_BATCH_MAX = 20

/**
 * Runs the tasks of a worker that make, send and store deliveries: fan-out in small batches, sending, checking failing
 * endpoints, rotating the history.
 */
export function startWorker({ db, platform, sender, sealingSecret, random, log }: WorkerParts): Worker {
  const stopping = new AbortController()
  const engine = deliveryEngine({
    ...{ db, sender, log, clock: systemClock, random: () => random.below(1_000) / 1_000, settings: SETTINGS },
    secrets: secretsBox(sealingSecret),
    signatureHeader: SIGNATURE_HEADER,
    onGone: (endpoint) => db.transaction((tx) => disableGone(tx, endpoint, notifyTeam)),
    metrics: { delivery: () => {} },
  })
  const loop = async (pauseMs: number, round: () => Promise<unknown>) => {
    while (!stopping.signal.aborted) {
      await round().catch((error: unknown) => log.error({ err: error }, 'a round of the worker failed'))
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const loops = Promise.all([
    loop(40, async () => {
      const { tookSome } = await fanOutRound(db, 1 + random.below(FAN_OUT_BATCH_MAX))
      if (tookSome) engine.wake()
    }),
    loop(100, () => db.transaction((tx) => watchFailing(tx, 100, notifyTeam))),
    loop(1_000, () => platform.transaction((tx) => turnHistory(tx, 'test'))),
  ])
  engine.start()
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([loops, engine.stop()])
    },
  }
}
