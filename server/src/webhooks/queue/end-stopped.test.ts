import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tx } from '#system/postgres/database.ts'
import { type DeliveryStage, type Endpoint, openDeliveryStage } from '../deliver/testing/delivery-stage.ts'
import { fanOut } from '../fan-out/fan-out.ts'
import { cancelDeliveries, endStopped, OPENED_AT_ONCE } from './stop-deliveries.ts'
import { openDeliveryBatches, ownWorld } from './store.ts'
import { packAll } from './testing/pack-store.ts'

let stage: DeliveryStage
beforeAll(async () => {
  stage = await openDeliveryStage()
})
afterAll(() => stage.close())

const SIZE = 2
/** How many delivery batches are not opened yet after the stop and the first call of `endStopped`. */
const LEFT = 3
const COUNT = SIZE * (2 * OPENED_AT_ONCE + LEFT)

const world = () => stage.db.databases.test

/** Opens delivery batches, as an engine may do at any time. */
async function openNewest(endpoint: Endpoint): Promise<void> {
  const ids = (await stage.deliveryBatches(endpoint)).slice(-LEFT).flatMap((members) => members.slice(-1))
  await world().transaction((tx) => openDeliveryBatches(ownWorld(tx), ids))
}

/** A transaction that calls `happens` once, after the first query that follows the cancellation of deliveries. */
function interrupted(tx: Tx, happens: () => Promise<void>): Tx {
  let isCanceled = false
  let isOver = false
  const after = async <T>(response: Promise<T>): Promise<T> => {
    const looked = await response
    if (isCanceled && !isOver) {
      isOver = true
      await happens()
    }
    return looked
  }
  return {
    ...tx,
    one: (statement, values) => after(tx.one(statement, values)),
    many: (statement, values) => after(tx.many(statement, values)),
    run: async (statement, values) => {
      const count = await tx.run(statement, values)
      isCanceled ||= statement.name === 'webhooks.cancel_queued'
      return count
    },
  }
}

test('a stop is not finished while delivery batches are opened between the two queries of endStopped', async () => {
  const app = await stage.app()
  const endpoint = await stage.endpoint(app, 'https://hooks.example.com/')
  const events = await stage.happen(app, COUNT)
  await world().transaction(async (tx) => {
    await fanOut(tx, 1_000)
    await packAll(tx, events, SIZE)
  })
  await world().transaction((tx) => cancelDeliveries.inWorld(tx, [app.installation]))
  const end = (happens: () => Promise<void>) => world().transaction((tx) => endStopped(interrupted(tx, happens), 1_000))
  await end(() => openNewest(endpoint))
  expect(await stage.deliveryBatches(endpoint)).toEqual([])
  expect(await stage.queue(endpoint)).toHaveLength(LEFT * SIZE)
  while (await end(async () => {}));
  expect(await stage.queue(endpoint)).toEqual([])
  expect(await stage.history(endpoint)).toHaveLength(COUNT)
})
