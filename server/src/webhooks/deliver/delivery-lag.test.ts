import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fanOutRound } from '../fan-out/fan-out.ts'
import { type FanStage, openFanStage } from '../fan-out/testing/stage.ts'
import { deliveryLagSeconds } from './store.ts'

let stage: FanStage
beforeEach(async () => {
  stage = await openFanStage()
})
afterEach(() => stage.close())

const lag = () => deliveryLagSeconds(stage.db.databases.test)
const HOUR = 3_600

/** Records an event that an endpoint will receive. */
async function anEvent(): Promise<void> {
  const app = await stage.app()
  const company = await stage.company()
  await stage.install(app, { company }, ['read:companies'])
  await stage.listen(app)
  await stage.happen('offering.opened', { companyId: company })
}

describe('the lag of deliveries', () => {
  test('is 0 while nothing waits', async () => {
    expect(await lag()).toBe(0)
  })

  test('is the age of the oldest event that fan-out has not processed', async () => {
    await anEvent()
    await stage.db.sql(`update test.events set recorded_at = recorded_at - interval '1 hour'`)
    expect(await lag()).toBeGreaterThanOrEqual(HOUR)
  })

  describe('after fan-out', () => {
    const lane = (change: string) =>
      stage.db.sql(`update test.webhook_lanes set next_due_at = next_due_at - interval '1 hour', ${change}`)

    beforeEach(async () => {
      await anEvent()
      await fanOutRound(stage.db.databases.test)
    })

    test('is the time for which a due lane has waited for a worker', async () => {
      await lane('owner = null')
      expect(await lag()).toBeGreaterThanOrEqual(HOUR)
    })

    test.each([
      [
        'a worker leases the lane, because the receiver determines the speed',
        `owner = 'w', lease_until = now() + interval '1 minute'`,
      ],
      ['its receiver fails, because retries wait on purpose', 'failing_since = now()'],
      ['it is paused', `paused_until = now() + interval '1 hour'`],
      ['it is disabled', `state = 'disabled'`],
    ])('leaves an endpoint out if %s', async (_, change) => {
      await lane(change)
      expect(await lag()).toBe(0)
    })
  })
})
