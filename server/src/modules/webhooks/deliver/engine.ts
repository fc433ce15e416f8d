import { setTimeout as wait } from 'node:timers/promises'
import { newIdBody } from '#kernel/ids.ts'
import { type AtWork, type EngineParts, newBells } from './engine-parts.ts'
import { HeldLanes } from './held-lanes.ts'
import { Leases } from './leases.ts'
import { SendRounds } from './send-rounds.ts'

export type DeliveryEngine = {
  start(): void
  /** Something may have become due: look now and not at the next poll. */
  kick(): void
  /** Takes nothing more, lets what is under way finish, and leaves its lanes to others. */
  stop(): Promise<void>
}

const TIDY_MS = 200
const AFTER_FAILURE_MS = 1_000

/**
 * Sends what is due in one world. Lanes are leased, each to one worker at a time, and read without writing; everything
 * is sent outside of transactions and recorded in batches. Polling finds all there is; a kick only makes it sooner.
 */
export function deliveryEngine(parts: EngineParts): DeliveryEngine {
  const { db, settings, log } = parts
  const lease = { owner: `worker_${newIdBody()}`, seconds: settings.leaseSeconds }
  const at: AtWork = { ...parts, lease, lanes: new HeldLanes(settings), bells: newBells() }
  const leases = new Leases(at)
  const sending = new SendRounds(at)
  const stopping = new AbortController()
  let running: Promise<unknown> | null = null

  /** Runs until the stop; a failing round is told of and never ends the loop. */
  async function loop(name: string, round: () => Promise<void>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await round()
      } catch (error) {
        log.error({ world: db.world, round: name, err: error }, 'sending deliveries failed; it will be tried again')
        await wait(AFTER_FAILURE_MS, undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  /** Apart from everything else: a lane that somebody has locked must not cost the others their leases. */
  async function renewRound(): Promise<void> {
    await at.bells.renew.wait(settings.renewMs)
    await leases.renew()
  }

  async function tidyRound(): Promise<void> {
    await at.bells.tidy.wait(TIDY_MS)
    await sending.health.write()
    await leases.letGoIdle()
  }

  async function finish(): Promise<void> {
    await sending.drain(settings.drainMs)
    await leases.letGoAll()
  }

  return {
    start() {
      running ??= Promise.all([
        loop('lease', () => leases.round()),
        loop('send', () => sending.round()),
        loop('renew', renewRound),
        loop('tidy', tidyRound),
      ])
    },
    kick: () => at.bells.lease.ring(),
    async stop() {
      stopping.abort()
      for (const bell of Object.values(at.bells)) bell.ring()
      await running
      await finish().catch((error: unknown) => log.warn({ err: error }, 'lanes are left to run out of their leases'))
    },
  }
}
