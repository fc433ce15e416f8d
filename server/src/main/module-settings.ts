import { describeApp, findClient } from '#access/apps/index.ts'
import type { OnRevoked } from '#access/installations/index.ts'
import { type Around, expireOnRevoked } from '#hosted/intents/index.ts'
import type { WallClock } from '#kernel/clock.ts'
import { parseClientId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { ReferralRouteDeps } from '#referrals/http.ts'
import { type ReferralSettings, type ReleaseSettings, tokenKeyBox } from '#referrals/index.ts'
import { type Keyring, keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import type { Log } from '#system/log.ts'
import type { Metrics } from '#system/metrics.ts'
import { type AddressPolicy, PUBLIC_ONLY } from '#system/outbound/address.ts'
import { outboundSender } from '#system/outbound/sender.ts'
import type { Databases } from '#system/postgres/database.ts'
import type { Tracing, TracingSettings } from '#system/tracing.ts'
import { isShownTo } from '#views/catalog/index.ts'
import type { WebhookRouteDeps } from '#webhooks/http.ts'
import { cancelDeliveries, signatureHeaderOf } from '#webhooks/index.ts'
import type { Config } from './config.ts'
import type { WorkerSettings } from './worker-host.ts'

/**
 * Whether webhooks may be sent to this machine: "On in the embedded default". With the operator's own PostgreSQL the
 * default is off, because other services may listen on the machine's loopback network.
 */
export function allowsLoopback({ allowLoopbackWebhooks, databaseUrl }: Config): boolean {
  return allowLoopbackWebhooks === null ? databaseUrl === null : allowLoopbackWebhooks === 'on'
}

/**
 * To which addresses each world may send webhooks. Live never sends to this machine. Neither world sends to the service
 * itself.
 */
export function webhookAddressPolicy(
  loopback: boolean,
  own: () => readonly string[],
): Readonly<Record<World, AddressPolicy>> {
  return { test: { ...PUBLIC_ONLY, loopback, own }, live: { ...PUBLIC_ONLY, own } }
}

/** The service's own addresses, as far as they are known before it listens. */
export function configuredOrigins({ baseUrl, host, port }: Config): readonly string[] {
  const name = host.includes(':') ? `[${host}]` : host
  return [...(baseUrl === null ? [] : [baseUrl]), `http://${name}:${port}`]
}

/** Returns null without settings, and then does not load the library for traces. */
export async function tracingOf(
  settings: TracingSettings | null,
  around: { readonly log: Log; readonly metrics: Metrics },
): Promise<Tracing | null> {
  if (settings === null) return null
  const { openTracing } = await import('#system/open-tracing.ts')
  return openTracing(settings, around)
}

/** The registered name of the app for which a person signs in. Null if its client is unknown or not active. */
export function appNameOf(databases: Databases): (clientId: string) => Promise<string | null> {
  return async (clientId) => {
    const id = parseClientId(clientId)
    const client = id === null ? null : await findClient(databases[id.world], id.id, null)
    if (client === null || client.state !== 'active') return null
    return (await describeApp(databases[client.world].reads, client.appId))?.name ?? null
  }
}

export type WebhookParts = Pick<WebhookRouteDeps, 'settings' | 'sending'>

type From = { readonly keys: Keyring; readonly brand: string; readonly loopback: boolean } & {
  readonly clock: WallClock
  readonly own: () => readonly string[]
}

/** The webhook parts that the API needs: endpoints and test sends. The workers send deliveries. */
export function webhookParts({ keys, brand, loopback, clock, own }: From): WebhookParts {
  const addressPolicy = webhookAddressPolicy(loopback, own)
  return {
    settings: { secrets: sealedBox(keys('webhook-secrets')), addressPolicy },
    sending: {
      senders: {
        test: outboundSender({ addressPolicy: addressPolicy.test }),
        live: outboundSender({ addressPolicy: addressPolicy.live }),
      },
      signatureHeader: signatureHeaderOf(brand),
      clock,
    },
  }
}

type HappeningSettings = { readonly reinstatementGraceDays: number; readonly referrals: ReferralSettings }

/** The settings that decide the consequences of a fact or of a sandbox operation. */
export function happeningSettings(config: Config, secret: string): HappeningSettings {
  const { reinstatementGraceDays, referralModel: model, referralWindowDays: windowDays } = config
  const tokenKeys = tokenKeyBox(keyring(secret, config.previousSecrets)('referral-tokens'))
  return { reinstatementGraceDays, referrals: { model, windowDays, tokenKeys } }
}

export type ReferralParts = Pick<ReferralRouteDeps, 'rules' | 'peopleMin'> & { readonly crediting: ReferralSettings }

export function referralParts(config: Config, secret: string): ReferralParts {
  const { referrals: crediting } = happeningSettings(config, secret)
  const { brand, referralCodesMax: quota, referralPeopleMin: peopleMin } = config
  return { rules: { brand, quota }, peopleMin, crediting }
}

/** The settings for releasing a week of referral statistics. */
export function releaseSettings(settings: WorkerSettings, log: Log): ReleaseSettings {
  const { secret, previousSecrets, referralPeopleMin: peopleMin } = settings
  return {
    peopleMin,
    tokenKeys: tokenKeyBox(keyring(secret, previousSecrets)('referral-tokens')),
    onUnopened: ({ app, company }) =>
      log.error(
        { app, company },
        'a referral token key cannot be opened, so the week is published without this app and company',
      ),
  }
}

/** Callbacks that run when an installation is revoked. */
export const ON_REVOKED: readonly OnRevoked[] = [cancelDeliveries, expireOnRevoked]

/** Functions of later modules that are needed to execute an intent, in a request and in the workers. */
export const INTENT_AROUND: Around = { seesCompany: isShownTo, onRevoked: ON_REVOKED }
