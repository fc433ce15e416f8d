import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { operatorAudit } from '#access/audit/index.ts'
import { type ProbeApp, serveProbes } from '#http/testing/probe-app.ts'
import { newId } from '#kernel/ids.ts'
import type { World } from '#kernel/world.ts'
import { keyring } from '#system/crypto/keyring.ts'
import { cursorSealer, sealedBox } from '#system/crypto/sealed-box.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import type { FactRules } from '../apply-fact.ts'
import { type FactType, factTable } from '../fact-type.ts'
import { factRoutes } from '../http.ts'

export type Outcome = {
  readonly id: string | null
  readonly status: string
  readonly events: readonly { readonly id: string; readonly event: string }[]
  readonly error?: {
    readonly type: string
    readonly message: string
    readonly field?: string
    readonly code?: string
    readonly details?: Readonly<Record<string, unknown>>
  }
}

export type Feed = {
  readonly db: TestDatabase
  readonly app: ProbeApp
  post(body: string, world?: World, contentType?: string): Promise<Response>
  /** Sends facts as a JSON array and expects a 200. */
  send(facts: readonly unknown[], world?: World): Promise<readonly Outcome[]>
  get(id: string, world?: World): Promise<Response>
}

/** Serves the feed over HTTP on a real database, for the tests of one file. */
export function serveFeed(types: readonly FactType[], more: Pick<FactRules, 'refusedLimit'> = {}): () => Feed {
  let feed: Feed
  beforeAll(async () => {
    feed = await open(types, more)
  })
  afterAll(async () => {
    await feed.app.close()
    await feed.db.close()
  })
  return () => feed
}

async function open(types: readonly FactType[], more: Pick<FactRules, 'refusedLimit'>): Promise<Feed> {
  const db = await testDatabase()
  const actor = newId('operatorKey')
  const rules = { table: factTable(types), settings: FACT_SETTINGS, ...more }
  const cursors = cursorSealer(sealedBox(keyring(randomBytes(32).toString('hex'))('cursors')))
  const app = await serveProbes(factRoutes(rules, cursors), {
    ports: {
      operatorAudit: operatorAudit(db.databases.platform),
      databases: db.databases,
      authenticate: async (bearer) => {
        const world = bearer === 'ok_test_key' ? 'test' : bearer === 'ok_live_key' ? 'live' : null
        return world === null
          ? null
          : { kind: 'operator', world, actor, name: 'Feed', role: 'admin', reason: 'A test', session: null }
      },
    },
  })
  const bearer = (world: World) => ({ authorization: `Bearer ok_${world}_key` })
  const post = (body: string, world: World = 'test', contentType = 'application/json') =>
    fetch(`${app.url}/platform/facts`, {
      method: 'POST',
      headers: { ...bearer(world), 'content-type': contentType },
      body,
    })
  return {
    db,
    app,
    post,
    send: async (facts, world) => {
      const response = await post(JSON.stringify(facts), world)
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${response.status} ${text}`)
      return (JSON.parse(text) as { data: readonly Outcome[] }).data
    },
    get: (id, world = 'test') =>
      fetch(`${app.url}/platform/facts/${encodeURIComponent(id)}`, { headers: bearer(world) }),
  }
}
