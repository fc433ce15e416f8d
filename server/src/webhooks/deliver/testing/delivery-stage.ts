import { expect } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { type SealedBox, sealedBox } from '#system/crypto/sealed-box.ts'
import { anApp } from '#test/apps.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { standStill } from '#test/world-clock.ts'
import type { EndpointNotice, NotifyTeam } from '../../disabling/failing-endpoints.ts'
import { fanOut } from '../../fan-out/fan-out.ts'
import { type Form, packAll, WAITING } from '../../queue/testing/pack-store.ts'
import { newWebhookSecret, sealSecret } from '../../signature.ts'
import type { DeliveryEngine } from '../engine.ts'
import type { EngineParts } from '../engine-parts.ts'
import { type EngineSettings, SLOTS_MAX } from '../settings.ts'
import { POLL, testEngine } from './test-engine.ts'

type EndpointId = Id<'webhookEndpoint'>

/** The slots of a new lane. */
const NEW_SLOTS = 8

export const SEALING_SECRET = 'the sealing secret of the delivery engine’s tests'

/**
 * Endpoints are inserted as rows, events go through the real fan-out, and engines run as in a worker. Everything is in
 * the test world, whose clock only moves with `advance`.
 */
export type DeliveryStage = {
  readonly db: TestDatabase
  readonly box: SealedBox
  /** The notices to the team, in order. */
  readonly notices: readonly EndpointNotice[]
  readonly notify: NotifyTeam
  /** An app on a company of its own, with the scope for its events. */
  app(): Promise<App>
  endpoint(app: App, url: string): Promise<Endpoint>
  /** Records this many `offering.opened` events of the app's company, fans them out, and returns their ids, oldest first. */
  events(app: App, count?: number): Promise<readonly Id<'event'>[]>
  /** Like `events`, but without the fan-out. */
  happen(app: App, count?: number): Promise<readonly Id<'event'>[]>
  /** Starts an engine. It is stopped after the test at the latest. */
  engine(changes?: Partial<EngineSettings>, parts?: Partial<EngineParts>): DeliveryEngine
  advance(interval: string): Promise<void>
  lane(endpoint: Endpoint): Promise<LaneRow>
  /** The waiting deliveries, in the queue or in delivery batches. */
  queue(endpoint: Endpoint): Promise<readonly QueueRow[]>
  /** The members of each delivery batch of the endpoint. */
  deliveryBatches(endpoint: Endpoint): Promise<readonly (readonly Id<'delivery'>[])[]>
  history(endpoint: Endpoint): Promise<readonly HistoryRow[]>
  /** Waits until this many of the endpoint's deliveries have ended. */
  untilEnded(endpoint: Endpoint, count: number): Promise<readonly HistoryRow[]>
  close(): Promise<void>
}

export type App = {
  readonly id: Id<'app'>
  readonly company: Id<'company'>
  readonly installation: Id<'installation'>
}
export type Endpoint = { readonly id: EndpointId; readonly secret: string }

export type LaneRow = {
  readonly state: string
  readonly owner: string | null
  readonly slots: number
  readonly by_id: boolean
  readonly next_due_at: Date | null
  readonly failing_since: Date | null
  readonly last_delivery_status: string | null
}
export type QueueRow = { readonly id: Id<'delivery'>; readonly event_id: Id<'event'>; readonly attempt: number }
export type HistoryRow = QueueRow & {
  readonly state: string
  readonly reason: string | null
  readonly attempts: readonly { readonly response_code: number | null; readonly error: string | null }[]
}

/**
 * `in delivery batches`: after fan-out the stage packs all deliveries into batches, and lanes start at the speed at
 * which they send batches.
 */
export async function openDeliveryStage(form: Form = 'in the queue'): Promise<DeliveryStage> {
  const db = await testDatabase()
  await standStill(db)
  const box = sealedBox(keyring(SEALING_SECRET)('webhook-secrets'))
  const notices: EndpointNotice[] = []
  const notify: NotifyTeam = async (_tx, notice) => {
    notices.push(notice)
  }
  const world = db.databases.test
  const history = async ({ id }: Endpoint) =>
    db.sql<HistoryRow>(
      `select id, event_id, state, reason, attempts, jsonb_array_length(attempts) as attempt
         from test.delivery_history where endpoint_id = $1 order by ended_at, id`,
      [id],
    )
  async function happen(app: App, count = 1): Promise<readonly Id<'event'>[]> {
    const made = Array.from({ length: count }, () => newId('event'))
    const data = { offering: newId('offering'), status: 'open', company: { name: 'A', url: 'a' } }
    await db.sql(
      `with made as (
         insert into test.events (id, name, occurred_at, company_id, data)
         select id, 'offering.opened', test.world_now(), $2, $3 from unnest($1::text[]) id returning id)
       insert into test.event_queue (event_id) select id from made order by id`,
      [made, app.company, JSON.stringify(data)],
    )
    return made
  }
  return {
    db,
    box,
    notices,
    notify,
    async app() {
      const id = await anApp(db, { scopes: ['read:companies'] })
      const company = await world.transaction((tx) => makeCompany(tx))
      const installation = newId('installation')
      await db.sql(
        `insert into test.installations (id, app_id, target_type, company_id, tier, scopes, installed_by_role)
         values ($1, $2, 'company', $3, 'founder', '{read:companies}', 'founder')`,
        [installation, id, company],
      )
      return { id, company, installation }
    },
    async endpoint(app, url) {
      const id = newId('webhookEndpoint')
      const secret = newWebhookSecret()
      await db.sql(
        `insert into platform.webhook_endpoints (id, app_id, world, url, events, subscribed_at, secret)
         values ($1, $2, 'test', $3, '{offering.opened}', array[clock_timestamp()], $4)`,
        [id, app.id, url, sealSecret(box, id, secret)],
      )
      const slots = form === 'in delivery batches' ? SLOTS_MAX : NEW_SLOTS
      await db.sql('insert into test.webhook_lanes (endpoint_id, slots) values ($1, $2)', [id, slots])
      return { id, secret }
    },
    happen,
    async events(app, count = 1) {
      const made = await happen(app, count)
      await world.transaction(async (tx) => {
        await fanOut(tx, 1_000)
        if (form === 'in delivery batches') await packAll(tx, made)
      })
      return made
    },
    engine: (changes = {}, parts = {}) => testEngine({ db: world, secrets: box, notify, changes, ...parts }),
    async advance(interval) {
      await db.sql('update test.world_clock set ahead = ahead + $1::interval', [interval])
    },
    async lane({ id }) {
      const [lane] = await db.sql<LaneRow>(
        `select state, owner, slots, by_id, next_due_at, failing_since, last_delivery_status
           from test.webhook_lanes where endpoint_id = $1`,
        [id],
      )
      if (lane === undefined) throw new Error(`${id} has no lane`)
      return lane
    },
    queue: ({ id }) =>
      db.sql<QueueRow>(`select id, event_id, attempt from ${WAITING} q where endpoint_id = $1 order by id`, [id]),
    deliveryBatches: async ({ id }) =>
      (
        await db.sql<{ delivery_ids: readonly Id<'delivery'>[] }>(
          'select delivery_ids from test.delivery_parcels where endpoint_id = $1 order by id',
          [id],
        )
      ).map(({ delivery_ids }) => delivery_ids),
    history,
    async untilEnded(endpoint, count) {
      await expect.poll(async () => (await history(endpoint)).length, POLL).toBe(count)
      return history(endpoint)
    },
    close: () => db.close(),
  }
}
