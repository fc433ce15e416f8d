import { Webhook } from 'standardwebhooks'
import { Value } from 'typebox/value'
import { expect } from 'vitest'
import { envelopeSchema, testEnvelopeSchema } from '#events/http.ts'
import { EVENT_NAMES, type EventName } from '#events/index.ts'
import { systemClock } from '#kernel/clock.ts'
import { newId } from '#kernel/ids.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { sealedBox } from '#system/crypto/sealed-box.ts'
import { openLog } from '#system/log.ts'
import { outboundSender } from '#system/outbound/sender.ts'
import { PATIENT_LIMITS } from '#system/outbound/testing/patient-limits.ts'
import { publishAll } from '#test/ledger.ts'
import type { ServiceInProcess } from '#test/service-in-process.ts'
import { type Received, webhookReceiver } from '#test/webhook-receiver.ts'
import { checkSignature } from '#test/webhook-signature.ts'
import { deliveryEngine, ENGINE_DEFAULTS, fanOutRound, placeRound } from '#webhooks/index.ts'
import { consent } from '../flow.ts'
import { INSTALLING, type Target } from '../installing.ts'
import type { Fields, Send } from '../sender.ts'
import { type App, openStage, type Person, type Stage } from '../stage.ts'

export type Envelope = {
  readonly id: string
  readonly event: EventName
  readonly created_at: string
  readonly mode: string
  readonly installation?: { readonly id: string; readonly target: Fields | null; readonly test?: boolean }
  readonly data: Fields
}

export type Listener = {
  readonly id: string
  readonly secret: string
  /** Returns all deliveries in the order of created_at, once no more are due. Each was verified by both schemes. */
  received(): Promise<readonly Envelope[]>
}

type Listening = { readonly events?: readonly EventName[]; readonly installation_id?: string }

/** The service with its workers, which receives facts from the host platform and calls partners' servers. */
export type EventStage = Stage & {
  /** Creates an app that any person can install and whose owner manages its endpoints. */
  partner(scopes: readonly string[]): Promise<App>
  /** Returns the API with which the app's owner manages its endpoints. */
  manage(app: App): Promise<Send>
  listen(app: App, listening?: Listening): Promise<Listener>
  /** Installs the app as this person, with all declared scopes. Returns the installation's id. */
  install(app: App, person: Person, on: Target): Promise<string>
  /** Publishes, fans out and delivers all events. */
  settle(): Promise<void>
}

const MANAGING = ['write:webhooks']

export async function openEventStage(): Promise<EventStage> {
  const stage = await openStage()
  const worker = startWorker(stage.service)
  const closing: (() => Promise<void>)[] = []
  const managers = new Map<string, Send>()
  /** One team for all apps, because sign-up and sign-in take longer than most tests. */
  const team = await stage.team()

  const manage: EventStage['manage'] = async ({ id, key, team: { owner } }) => {
    const known = managers.get(id)
    if (known !== undefined) return known
    const { access_token } = await consent(stage, key, owner, { scope: MANAGING.join(' ') })
    const send = stage.api(access_token)
    managers.set(id, send)
    return send
  }
  return {
    ...stage,
    manage,
    settle: worker.settle,
    partner: (scopes) =>
      stage.app({ scopes: [...new Set([...scopes, ...INSTALLING, ...MANAGING])], approved: true, team }),
    listen: async (app, { events = EVENT_NAMES, ...more } = {}) => {
      // Changes of earlier tests are published first, so that the new endpoint does not receive their events.
      await worker.settle()
      const receiver = await webhookReceiver()
      closing.push(() => receiver.close())
      const body = { url: `${receiver.url}/hook`, events, ...more }
      const { status, data } = await (await manage(app))('POST', '/webhook_endpoints', body)
      expect(status).toBe(201)
      const secret = String(data.attributes['secret'])
      const received = async () => {
        await worker.settle()
        return receiver.received.map((each) => verified(each, secret)).toSorted(byTime)
      }
      return { id: data.id, secret, received }
    },
    install: async ({ key }, person, on) => {
      const { access_token } = await consent(stage, key, person, { scope: INSTALLING.join(' ') })
      const { status, data } = await stage.api(access_token)('POST', '/installations', on)
      expect(status).toBe(201)
      return data.id
    },
    close: async () => {
      await worker.stop()
      for (const close of closing) await close()
      await stage.close()
    },
  }
}

/** The workers' jobs in the test world. The delivery engine always runs, the other jobs only in `settle`. */
function startWorker({ db, secret }: ServiceInProcess) {
  const world = db.databases.test
  const sender = outboundSender({ addressPolicy: { loopback: true, ranges: [] }, limits: PATIENT_LIMITS })
  const engine = deliveryEngine({
    ...{ db: world, sender, secrets: sealedBox(keyring(secret)('webhook-secrets')), log: openLog('error') },
    ...{ clock: systemClock, random: () => 0.5, metrics: { delivery: () => {} }, onGone: async () => {} },
    ...{
      settings: { ...ENGINE_DEFAULTS, busyMs: 10, idleMs: 50, leaseSeconds: 120 },
      signatureHeader: 'Wefunder-Signature',
    },
  })
  engine.start()
  // Eight or more deliveries to a working endpoint wait in a batch, outside the queue.
  const waiting = async () =>
    (await db.sql('select id from test.delivery_queue union all select id from test.delivery_parcels')).length
  return {
    settle: async () => {
      await publishAll(world)
      while ((await fanOutRound(world)).tookSome);
      while (await placeRound(world));
      engine.wake()
      await expect.poll(waiting, { interval: 10 }).toBe(0)
    },
    stop: async () => {
      await engine.stop()
      await sender.close()
    },
  }
}

/**
 * Verifies a delivery as a receiver does: the signature of Standard Webhooks with a third-party library, our own
 * signature, and the body against the published schema.
 */
function verified({ headers, body }: Received, secret: string): Envelope {
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const envelope = new Webhook(secret).verify(body.toString(), headers as Record<string, string>) as Envelope
  expect(checkSignature(secret, { header: String(headers['wefunder-signature']), body, nowSeconds })).toBe('valid')
  const schema = envelope.id.startsWith('evt_test_') ? testEnvelopeSchema : envelopeSchema
  expect(Value.Errors(schema(envelope.event), envelope), envelope.event).toEqual([])
  return envelope
}

/** "Delivery is at-least-once and unordered." */
const byTime = (a: Envelope, b: Envelope) => (a.created_at < b.created_at ? -1 : 1)

/** Returns the envelopes with these event names. */
export function named(envelopes: readonly Envelope[], ...names: readonly EventName[]): readonly Envelope[] {
  return envelopes.filter(({ event }) => names.includes(event))
}

export const eventsIn = (envelopes: readonly Envelope[]): readonly EventName[] => envelopes.map(({ event }) => event)

const DOLLARS = { currency: 'usd', exemption: 'reg_cf' }
const EUROS = { currency: 'eur', exemption: 'ecsp' }

export type NewOffering = { readonly in?: 'dollars' | 'euros'; readonly raise?: string; readonly waters?: boolean }

/** Creates an open offering of the company. */
export async function anOffering(stage: Stage, company: string, offering: NewOffering = {}): Promise<string> {
  const id = newId('offering')
  const terms = offering.in === 'euros' ? EUROS : DOLLARS
  await stage.sendFact('offering.created', {
    ...{ id, company, ...terms, testing_the_waters: offering.waters === true },
    ...(offering.waters === true ? {} : { security: { type: 'safe', terms: { valuation_cap: '8000000' } } }),
    ...(offering.raise === undefined ? {} : { raise: offering.raise }),
  })
  await stage.sendFact('offering.opened', { id })
  return id
}

export type NewInvestment = {
  readonly offering: string
  readonly investor: Person
  readonly cents?: number
  readonly currency?: string
  readonly message?: string
}

export async function anInvestment(stage: Stage, made: NewInvestment): Promise<string> {
  const id = newId('investment')
  const { offering, investor, cents = 25_000, currency = 'usd', message } = made
  const terms = { amount_cents: cents, currency, ...(message === undefined ? {} : { message }) }
  await stage.sendFact('investment.created', { id, offering, investor: investor.user, ...terms })
  return id
}
