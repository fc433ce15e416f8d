import type { WallClock } from '#kernel/clock.ts'
import type { World } from '#kernel/world.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { PUBLIC_ONLY, type Reach } from '#system/outbound/reach.ts'
import { outboundSender } from '#system/outbound/sender.ts'
import type { WebhookRouteDeps } from '#webhooks/http.ts'
import { signatureHeaderOf } from '#webhooks/index.ts'
import type { Config } from './config.ts'

/** "On in the embedded default": an operator with a PostgreSQL of their own has other machines on the network. */
export function allowsLoopback({ allowLoopbackWebhooks, databaseUrl }: Config): boolean {
  return allowLoopbackWebhooks === null ? databaseUrl === null : allowLoopbackWebhooks === 'on'
}

/** Where each world may send. Live never sends to this machine, and neither world to the service itself. */
export function webhookReach(loopback: boolean, own: () => readonly string[]): Readonly<Record<World, Reach>> {
  return { test: { ...PUBLIC_ONLY, loopback, own }, live: { ...PUBLIC_ONLY, own } }
}

/** What is known of the service's addresses before it listens. */
export function configuredOrigins({ baseUrl, host, port }: Config): readonly string[] {
  const name = host.includes(':') ? `[${host}]` : host
  return [...(baseUrl === null ? [] : [baseUrl]), `http://${name}:${port}`]
}

export type WebhookParts = Pick<WebhookRouteDeps, 'settings' | 'sending'>

type From = { readonly keys: Keyring; readonly brand: string; readonly loopback: boolean } & {
  readonly clock: WallClock
  readonly own: () => readonly string[]
}

/** What the API needs to speak of webhooks and to send tests; deliveries are the workers'. */
export function webhookParts({ keys, brand, loopback, clock, own }: From): WebhookParts {
  const reach = webhookReach(loopback, own)
  return {
    settings: { secrets: sealedBox(keys('webhook-secrets')), reach },
    sending: {
      senders: { test: outboundSender({ reach: reach.test }), live: outboundSender({ reach: reach.live }) },
      signatureHeader: signatureHeaderOf(brand),
      clock,
    },
  }
}
