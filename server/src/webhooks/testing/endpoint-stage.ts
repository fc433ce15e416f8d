import { randomBytes } from 'node:crypto'
import {
  type ApiResponse,
  type ApiStage,
  openApiStage,
  type Partner,
  type Send,
} from '#access/installations/testing/api-stage.ts'
import { openLimits } from '#access/limits/http.ts'
import { AS_SPECIFIED } from '#access/limits/testing/settings.ts'
import { systemClock } from '#kernel/clock.ts'
import type { Id } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { localCounter } from '#system/counting/local-counter.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { type SealedBox, sealedBox } from '#system/crypto/sealed-box.ts'
import { PUBLIC_ONLY } from '#system/outbound/address.ts'
import { outboundSender } from '#system/outbound/sender.ts'
import { aKey } from '#test/apps.ts'
import { type MovableClock, movableClock } from '#test/clock.ts'
import { webhookRoutes } from '../http.ts'
import { cancelDeliveries } from '../queue/stop-deliveries.ts'

/** The webhook routes on a real port and a real database. They send real requests, to loopback in the test world. */
export type EndpointStage = ApiStage & {
  /** The clock of the limit on test sends. */
  readonly limitClock: MovableClock
  /** Seals the secrets of endpoints. */
  readonly secrets: SealedBox
  /**
   * Creates an app with keys in both worlds. For each world it also creates a person on the app's team, and a function
   * that sends requests with that person's token.
   */
  team(scopes?: readonly string[]): Promise<Team>
}

export type Team = {
  readonly test: Partner
  readonly live: Partner
  readonly send: Readonly<Record<World, Send>>
}

export const WEBHOOK_SCOPES = ['read:webhooks', 'write:webhooks']

/** What the apps declare: the webhook scopes, and those that tests need for installations and their events. */
const DECLARED = [...WEBHOOK_SCOPES, 'read:companies', 'read:investments', 'write:installations', 'read:investors:pii']

/** The configured public address of the service. */
export const OWN = 'https://portico.example.org'

/** `loopback`: whether the test world may send to loopback. */
export async function openEndpointStage({ loopback = true } = {}): Promise<EndpointStage> {
  const addressPolicy = {
    test: { loopback, ranges: [], own: () => [OWN] },
    live: { ...PUBLIC_ONLY, own: () => [OWN] },
  }
  const senders = {
    test: outboundSender({ addressPolicy: addressPolicy.test }),
    live: outboundSender({ addressPolicy: addressPolicy.live }),
  }
  const limitClock = movableClock()
  const secrets = sealedBox(keyring(randomBytes(32).toString('hex'))('webhook-secrets'))
  const stage = await openApiStage([cancelDeliveries], ({ databases, cursors }) =>
    webhookRoutes({
      ...{ databases, cursors, log: { warn: () => {} } },
      settings: { secrets, addressPolicy },
      sending: { senders, signatureHeader: 'Wefunder-Signature', clock: systemClock },
      countTest: openLimits({ settings: AS_SPECIFIED, counter: localCounter(limitClock) }).countTest,
    }),
  )
  return {
    ...stage,
    limitClock,
    secrets,
    team: async (scopes = WEBHOOK_SCOPES) => {
      const test = await stage.partner({ scopes: DECLARED })
      const { clientId, secret } = await aKey(stage.db, test.app, { world: 'live' })
      const live: Partner = { ...test, keyId: clientId, secret, world: 'live' }
      const send = {
        test: await stage.as(test, await stage.teammate(test), scopes),
        live: await stage.as(live, await stage.teammate(live), scopes),
      }
      return { test, live, send }
    },
    close: async () => {
      await stage.close()
      await Promise.all([senders.test.close(), senders.live.close()])
    },
  }
}

export type EndpointView = {
  readonly id: Id<'webhookEndpoint'>
  readonly type: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Casts the data: responses of endpoints have another form than those of installations. */
export const endpointIn = ({ data }: ApiResponse): EndpointView => data as unknown as EndpointView
export const endpointsIn = ({ list }: ApiResponse): readonly EndpointView[] =>
  list as unknown as readonly EndpointView[]

export const refusalIn = ({ status, error }: ApiResponse): readonly [number, string] => [status, error.type]
