import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { fanOut } from '../fan-out/fan-out.ts'
import { type DeliveryStage, openDeliveryStage } from './testing/delivery-stage.ts'

let stage: DeliveryStage
beforeAll(async () => {
  stage = await openDeliveryStage()
})
afterAll(() => stage.close())

async function listening() {
  const [app, at] = [await stage.app(), await webhookReceiver()]
  onTestFinished(() => at.close())
  return { app, at, endpoint: await stage.endpoint(app, at.url) }
}

/**
 * The world's database, whose transactions begin only once the test calls `letGo`. In this test the engine opens
 * transactions only to release lanes.
 */
function withHeldRelease() {
  const { test: world } = stage.db.databases
  const [begun, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let releases = 0
  const db: WorldDatabase = {
    ...world,
    transaction: async (work) => {
      releases += 1
      begun.resolve()
      await mayGoOn.promise
      return world.transaction(work)
    },
  }
  return { db, begun: begun.promise, letGo: mayGoOn.resolve, releases: () => releases }
}

test('a lane that gets work while its worker releases another lane stays leased, and nothing is sent twice', async () => {
  const both = [await listening(), await listening()]
  const releasing = withHeldRelease()
  for (const { app } of both) await stage.happen(app)
  await stage.db.databases.test.transaction((tx) => fanOut(tx, 10))
  const engine = stage.engine({ lingerMs: 300 }, { db: releasing.db })
  await Promise.all(both.map(({ at }) => at.waitFor(1)))
  // Both lanes are idle now, and the engine is releasing the first one.
  await releasing.begun
  const response = Promise.withResolvers<number>()
  for (const { app, at } of both) {
    at.answerWith(() => response.promise)
    await stage.events(app)
  }
  engine.wake()
  await Promise.race(both.map(({ at }) => at.waitFor(2)))
  releasing.letGo()
  // If the second lane had been released too, there would be a second transaction.
  await Promise.all(both.map(({ at }) => at.waitFor(2)))
  expect(releasing.releases()).toBe(1)
  response.resolve(204)
  for (const { at, endpoint } of both) {
    await stage.untilEnded(endpoint, 2)
    expect(new Set(at.received.map(({ headers }) => headers['webhook-id'])).size).toBe(at.received.length)
  }
})
