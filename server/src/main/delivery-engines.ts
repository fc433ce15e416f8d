import { once } from 'node:events'
import { systemClock } from '#kernel/clock.ts'
import { WORLDS, type World } from '#kernel/world.ts'
import { notifyTeam } from '#notices/index.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import type { Log } from '#system/log.ts'
import type { Metrics } from '#system/metrics.ts'
import { outboundSender } from '#system/outbound/sender.ts'
import type { Databases } from '#system/postgres/database.ts'
import { deliveryEngine, disableGone, ENGINE_DEFAULTS, signatureHeaderOf } from '#webhooks/index.ts'
import { webhookReach } from './webhook-parts.ts'
import type { WorkerSettings } from './worker-settings.ts'

export type DeliveryEngines = {
  /** Until the signal, and then until what is under way is finished. */
  run(signal: AbortSignal): Promise<void>
  kick(world: World): void
}

type Around = { readonly databases: Databases; readonly log: Log; readonly metrics: Metrics }

/** One for each world, with a sender of its own: what may be reached differs between the two. */
export function deliveryEngines(settings: WorkerSettings, { databases, log, metrics }: Around): DeliveryEngines {
  const secrets = sealedBox(keyring(settings.secret, settings.previousSecrets)('webhook-secrets'))
  const reach = webhookReach(settings.loopbackWebhooks, () => settings.ownOrigins)
  const senders = { test: outboundSender({ reach: reach.test }), live: outboundSender({ reach: reach.live }) }
  const engineOf = (world: World) =>
    deliveryEngine({
      ...{ db: databases[world], sender: senders[world], secrets, log, metrics },
      ...{ clock: systemClock, random: Math.random, settings: ENGINE_DEFAULTS },
      signatureHeader: signatureHeaderOf(settings.brand),
      onGone: (endpoint) => databases[world].transaction((tx) => disableGone(tx, endpoint, notifyTeam)),
    })
  const engines = { test: engineOf('test'), live: engineOf('live') }
  return {
    async run(signal) {
      for (const world of WORLDS) engines[world].start()
      if (!signal.aborted) await once(signal, 'abort')
      await Promise.all(WORLDS.map((world) => engines[world].stop()))
      await Promise.all(WORLDS.map((world) => senders[world].close()))
    },
    kick: (world) => engines[world].kick(),
  }
}
