import { onTestFinished } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { openLog } from '#system/log.ts'
import { outboundSender } from '#system/outbound/sender.ts'
import { PATIENT_LIMITS } from '#system/outbound/testing/patient-limits.ts'
import { disableGone, type NotifyTeam } from '../../disabling/failing-endpoints.ts'
import { type DeliveryEngine, deliveryEngine } from '../engine.ts'
import type { EngineParts } from '../engine-parts.ts'
import { ENGINE_DEFAULTS, type EngineSettings } from '../settings.ts'

/** Polls often, without a limit of its own: a slow machine may need the whole time of the test. */
export const POLL = { interval: 10 }

/** Shorter intervals than in production, so that tests are fast. Polls stay far apart, because tests wake the engine. */
const QUICK: EngineSettings = {
  ...ENGINE_DEFAULTS,
  busyMs: 10,
  idleMs: 50,
  lingerMs: 20,
  renewMs: 200,
  // Longer than a machine can stall: a worker that loses a lane sends its requests in progress again.
  leaseSeconds: 120,
}

type Settings = Pick<EngineParts, 'db' | 'secrets'> &
  Partial<EngineParts> & { readonly tell?: NotifyTeam; readonly changes?: Partial<EngineSettings> }

/**
 * An engine as in a worker, which sends to loopback. It is started, and stopped after the test if the test has not
 * stopped it.
 */
export function testEngine({ tell = async () => {}, changes = {}, ...parts }: Settings): DeliveryEngine {
  const { db } = parts
  const sender = outboundSender({ addressPolicy: { loopback: true, ranges: [] }, limits: PATIENT_LIMITS })
  const engine = deliveryEngine({
    sender,
    clock: systemClock,
    random: () => 0.5,
    signatureHeader: 'Wefunder-Signature',
    settings: { ...QUICK, ...changes },
    onGone: (endpoint) => db.transaction((tx) => disableGone(tx, endpoint, tell)),
    log: openLog('silent'),
    metrics: { delivery: () => {} },
    ...parts,
  })
  engine.start()
  onTestFinished(async () => {
    await engine.stop()
    await sender.close()
  })
  return engine
}
