import type { WallClock } from '#kernel/clock.ts'
import type { World } from '#kernel/world.ts'
import type { WebhookRouteDeps } from '#modules/webhooks/http.ts'
import { signatureHeaderOf } from '#modules/webhooks/index.ts'
import type { Keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { PUBLIC_ONLY, type Reach } from '#system/outbound/reach.ts'
import { outboundSender } from '#system/outbound/sender.ts'
import type { Config } from './config.ts'

/** "On in the embedded default": whoever brings a PostgreSQL of their own has others' machines around. */
export function allowsLoopback({ allowLoopbackWebhooks, databaseUrl }: Config): boolean {
  return allowLoopbackWebhooks === null ? databaseUrl === null : allowLoopbackWebhooks === 'on'
}

/** Where each world may send. Live never sends to this machine. */
export function webhookReach(loopback: boolean): Readonly<Record<World, Reach>> {
  return { test: { ...PUBLIC_ONLY, loopback }, live: PUBLIC_ONLY }
}

export type WebhookParts = Pick<WebhookRouteDeps, 'settings' | 'sending'>

type From = { readonly keys: Keyring; readonly brand: string; readonly loopback: boolean; readonly clock: WallClock }

/** What the API needs to speak of webhooks and to send tests; deliveries are the workers'. */
export function webhookParts({ keys, brand, loopback, clock }: From): WebhookParts {
  const reach = webhookReach(loopback)
  return {
    settings: { secrets: sealedBox(keys('webhook-secrets')), reach },
    sending: {
      senders: { test: outboundSender({ reach: reach.test }), live: outboundSender({ reach: reach.live }) },
      signatureHeader: signatureHeaderOf(brand),
      clock,
    },
  }
}
