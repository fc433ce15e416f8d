import { onTestFinished } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { openLog } from '#system/log.ts'
import { outboundSender } from '#system/outbound/sender.ts'
import { PATIENT_LIMITS } from '#system/outbound/testing/patient-limits.ts'
import { disableGone, type NotifyTeam } from '../../disabling/failing-endpoints.ts'
import { type DeliveryEngine, deliveryEngine } from '../engine.ts'
import type { EngineParts } from '../engine-parts.ts'
import { ENGINE_DEFAULTS, type EngineSettings } from '../settings.ts'

/** Options of `expect.poll`: poll often, without a timeout, because a slow machine may need the test's whole time. */
export const POLL = { interval: 10 }

/** Shorter intervals than in production, so that tests are fast. */
const QUICK: EngineSettings = {
  ...ENGINE_DEFAULTS,
  busyMs: 10,
  idleMs: 50,
  lingerMs: 20,
  renewMs: 200,
  // Longer than a machine can stall: after an expired lease, the requests in progress would be sent again.
  leaseSeconds: 120,
}

type Settings = Pick<EngineParts, 'db' | 'secrets'> &
  Partial<EngineParts> & { readonly notify?: NotifyTeam; readonly changes?: Partial<EngineSettings> }

/** Starts an engine like that of a worker, but one that may send to loopback. The engine is stopped after the test. */
export function testEngine({ notify = async () => {}, changes = {}, ...parts }: Settings): DeliveryEngine {
  const { db } = parts
  const sender = outboundSender({ addressPolicy: { loopback: true, ranges: [] }, limits: PATIENT_LIMITS })
  const engine = deliveryEngine({
    sender,
    clock: systemClock,
    random: () => 0.5,
    signatureHeader: 'Wefunder-Signature',
    settings: { ...QUICK, ...changes },
    onGone: (endpoint) => db.transaction((tx) => disableGone(tx, endpoint, notify)),
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
