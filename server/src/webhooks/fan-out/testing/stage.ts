import { randomBytes } from 'node:crypto'
import { INVESTOR_PII } from '#access/scopes/index.ts'
import { EVENT_EXAMPLES } from '#events/http.ts'
import { appendEvent, EVENT_NAMES, type EventName, type NewEvent, type Subscription } from '#events/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import type { Tx } from '#system/postgres/database.ts'
import { anApp, type MadeUpApp } from '#test/apps.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { projectRow } from '../../projection/projected-store.ts'
import { type Form, packAll } from '../../queue/testing/pack-store.ts'
import { fanOut } from '../fan-out.ts'
import { queuedFor } from './queued-store.ts'

type App = Id<'app'>
type InstallationId = Id<'installation'>
type Fields = Readonly<Record<string, unknown>>

export type Place =
  | { readonly company: Id<'company'> }
  | { readonly syndicate: Id<'syndicate'> }
  | { readonly user: Id<'user'> }

export type Listening = {
  readonly events?: readonly Subscription[]
  readonly boundTo?: InstallationId
  readonly state?: 'enabled' | 'disabled' | 'removed'
  readonly world?: World
}

/** A delivery as the engine would send it now: its envelope, or the reason why the engine would cancel it. */
export type Sent = {
  readonly id: Id<'delivery'>
  readonly endpoint: Id<'webhookEndpoint'>
  readonly installation: InstallationId | null
  readonly version: string
  readonly refused: string | null
  readonly envelope: Fields & { readonly data: Fields }
}

/**
 * Inserts rows: apps and endpoints in any state that a test needs, and active installations. Records events with the
 * events module.
 */
export type FanStage = {
  readonly db: TestDatabase
  arrange<T>(work: (tx: Tx) => Promise<T>, world?: World): Promise<T>
  app(app?: MadeUpApp): Promise<App>
  company(): Promise<Id<'company'>>
  syndicate(): Promise<Id<'syndicate'>>
  user(): Promise<Id<'user'>>
  install(app: App, on: Place, scopes: readonly string[], world?: World): Promise<InstallationId>
  listen(app: App, listening?: Listening): Promise<Id<'webhookEndpoint'>>
  happen(name: EventName, subject: NewEvent['subject'], more?: Partial<NewEvent>): Promise<void>
  /** Fans out all events in small batches, and returns the deliveries that wait for these apps. */
  deliveries(...apps: readonly App[]): Promise<Sent[]>
  close(): Promise<void>
}

/** `in delivery batches`: after fan-out the stage packs all deliveries into batches. */
export async function openFanStage(form: Form = 'in the queue'): Promise<FanStage> {
  const db = await testDatabase()
  const arrange: FanStage['arrange'] = (work, world = 'test') => db.databases[world].transaction(work)
  return {
    db,
    arrange,
    app: (app) => anApp(db, app),
    company: () => arrange((tx) => makeCompany(tx)),
    syndicate: () => arrange((tx) => makeSyndicate(tx)),
    user: () => arrange((tx) => makeUser(tx)),
    install: (app, on, scopes, world = 'test') => insertInstallation(db, { app, on, scopes, world }),
    listen: (app, listening = {}) => insertEndpoint(db, app, listening),
    happen: (name, subject, more = {}) =>
      arrange((tx) => {
        const occasion = occasionAt()
        const { occurred_at, ...data } = EVENT_EXAMPLES[name] as Fields
        return appendEvent(tx, { name, subject, occurredAt: occasion.occurredAt, data, ...more }, occasion)
      }),
    deliveries: async (...apps) => {
      while ((await arrange((tx) => fanOut(tx, 3))) > 0);
      if (form === 'in delivery batches') await arrange((tx) => packAll(tx, null))
      return (await queuedFor(db.databases.test.reads, apps)).map((row) => {
        const projected = projectRow(row, 'test')
        const envelope = JSON.parse('body' in projected ? projected.body : '{"data":{}}')
        return {
          id: row.id,
          endpoint: row.endpoint_id,
          installation: row.installation_id,
          version: row.api_version,
          refused: 'refused' in projected ? projected.refused : null,
          envelope,
        }
      })
    },
    close: () => db.close(),
  }
}

const TIERS = { company: 'founder', syndicate: 'manager', user: 'user' }

type NewRow = {
  readonly app: App
  readonly on: Place
  readonly scopes: readonly string[]
  readonly world: World
}

async function insertInstallation(db: TestDatabase, { app, on, scopes, world }: NewRow): Promise<InstallationId> {
  const id = newId('installation')
  const [type, target] = Object.entries(on)[0] as ['company' | 'syndicate' | 'user', string]
  const piiBy = type !== 'syndicate' && scopes.includes(INVESTOR_PII) ? 'approval' : null
  await db.sql(
    `insert into ${world}.installations (id, app_id, target_type, ${type}_id, tier, scopes, pii_by, installed_by_role)
     values ($1, $2, $3, $4, $5, $6, $7, 'founder')`,
    [id, app, type, target, TIERS[type], scopes, piiBy],
  )
  return id
}

async function insertEndpoint(db: TestDatabase, app: App, listening: Listening): Promise<Id<'webhookEndpoint'>> {
  const { events = EVENT_NAMES, boundTo = null, state = 'enabled', world = 'test' } = listening
  const id = newId('webhookEndpoint')
  const reason = state === 'disabled' ? 'failing' : null
  await db.sql(
    `insert into platform.webhook_endpoints
       (id, app_id, world, installation_id, url, events, subscribed_at, state, disabled_reason, secret)
     values ($1, $2, $3, $4, 'https://receiver.example.org/', $5,
             array_fill(clock_timestamp(), array[cardinality($5::text[])]), $6, $7, $8)`,
    [id, app, world, boundTo, events, state, reason, randomBytes(32)],
  )
  await db.sql(`insert into ${world}.webhook_lanes (endpoint_id, state) values ($1, $2)`, [id, state])
  return id
}
