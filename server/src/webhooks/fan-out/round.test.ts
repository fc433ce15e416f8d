import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WorldDatabase } from '#system/postgres/database.ts'
import { fanOutRound } from './fan-out.ts'
import { type FanStage, openFanStage } from './testing/stage.ts'

let stage: FanStage
beforeEach(async () => {
  stage = await openFanStage()
})
afterEach(() => stage.close())

const NOTHING = { tookSome: false, mayHaveMore: false }
const SOME = { tookSome: true, mayHaveMore: false }

/** The world's database, and how many transactions were opened on it. */
function counted(): { readonly world: WorldDatabase; readonly opened: () => number } {
  const { test: world } = stage.db.databases
  let opened = 0
  const transaction: WorldDatabase['transaction'] = (work) => {
    opened++
    return world.transaction(work)
  }
  return { world: { ...world, transaction }, opened: () => opened }
}

async function anEventForSomebody() {
  const app = await stage.app()
  await stage.listen(app)
  const company = await stage.company()
  await stage.install(app, { company }, ['read:companies'])
  await stage.happen('offering.opened', { companyId: company })
  return app
}

test('a round opens a transaction only if events wait', async () => {
  const { world, opened } = counted()
  expect(await fanOutRound(world)).toEqual(NOTHING)
  expect(opened()).toBe(0)
  const app = await anEventForSomebody()
  expect(await fanOutRound(world)).toEqual(SOME)
  expect(opened()).toBe(1)
  expect(await fanOutRound(world)).toEqual(NOTHING)
  expect(opened()).toBe(1)
  expect(await stage.deliveries(app)).toHaveLength(1)
})

test('a deferred event is taken at its retry time, not before, even if no other event waits', async () => {
  const { world, opened } = counted()
  const app = await anEventForSomebody()
  await stage.db.sql(
    `with gone as (delete from test.event_queue returning event_id)
     insert into test.deferred_events (event_id, app_id, tried_at)
     select event_id, $1, clock_timestamp() + interval '1 hour' from gone`,
    [app],
  )
  expect(await fanOutRound(world)).toEqual(NOTHING)
  expect(opened()).toBe(0)
  await stage.db.sql(`update test.deferred_events set tried_at = clock_timestamp() - interval '1 second'`)
  expect(await fanOutRound(world)).toEqual(SOME)
  expect(await stage.deliveries(app)).toHaveLength(1)
})
