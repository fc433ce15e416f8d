import type { WallClock } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { SealedBox } from '#system/crypto/sealed-box.ts'
import { WakeSignal } from '#system/job-loop.ts'
import type { Log } from '#system/log.ts'
import type { Metrics } from '#system/metrics.ts'
import type { OutboundSender } from '#system/outbound/sender.ts'
import type { WorldDatabase } from '#system/postgres/database.ts'
import type { Tracing } from '#system/tracing.ts'
import type { Random } from '../retry-policy.ts'
import type { LeasedLanes } from './leased-lanes.ts'
import type { EngineSettings } from './settings.ts'
import type { Lease } from './store.ts'

export type EngineParts = {
  readonly db: WorldDatabase
  /** The sender of this world: the allowed addresses differ between worlds. */
  readonly sender: OutboundSender
  readonly secrets: SealedBox
  readonly clock: WallClock
  readonly random: Random
  /** The brand's header, such as `Wefunder-Signature`. */
  readonly signatureHeader: string
  readonly settings: EngineSettings
  /** Called when an endpoint responds with 410: "410 disables." */
  readonly onGone: (endpoint: Id<'webhookEndpoint'>) => Promise<void>
  readonly log: Log
  readonly metrics: Pick<Metrics, 'delivery'>
  /** Null if traces are not exported. */
  readonly tracing?: Tracing | null
  /** Whether requests of a sampled trace carry its traceparent. */
  readonly sendsTrace?: boolean
}

/**
 * Wake-up signals. `lease`, `send`, `renew` and `tidy` wake the loops with these names. The send loop also waits for
 * `gathered`, and `drain` waits for `quiet`.
 */
export const newSignals = () => ({
  lease: new WakeSignal(),
  send: new WakeSignal(),
  gathered: new WakeSignal(),
  renew: new WakeSignal(),
  tidy: new WakeSignal(),
  quiet: new WakeSignal(),
})

/** State that the loops of an engine share. */
export type AtWork = EngineParts & {
  readonly lease: Lease
  readonly lanes: LeasedLanes
  readonly signals: ReturnType<typeof newSignals>
}
