import { expect, test } from 'vitest'
import { envelopeOf, referralServices } from '../../acceptance/referral-partner.ts'
import { proofRun } from '../long-proof.ts'

/** The proof starts the service twice, on a machine that runs other tests at the same time. */
const LONG = { timeout: 240_000 }

test(
  'a service killed while it publishes many weeks continues, and publishes each week once with one event each',
  LONG,
  async () => {
    const weeksCount = proofRun().isShort ? 12 : 52
    const { receiver, start } = await referralServices()
    const killed = await start()
    await killed.partner.listen(`${receiver.url}/hooks`)
    const { id, attributes } = await killed.partner.code()
    await killed.partner.invest(attributes.code, { first: 0, count: 6 })
    await killed.partner.pass(`P${weeksCount}W`)
    await receiver.waitFor(1)
    await killed.service.end('SIGKILL')

    const { partner } = await start()
    await expect.poll(async () => (await partner.stats(id)).length).toBe(weeksCount)
    const weeks = (await partner.stats(id)).map(({ week }) => week)
    // After a kill a receiver may get a delivery twice. Deliveries with the same event id are one event.
    const events = () => new Map(receiver.received.map(envelopeOf).map((envelope) => [envelope.id, envelope.data.week]))
    await expect.poll(() => events().size).toBeGreaterThanOrEqual(weeksCount)
    expect([...events().values()].sort()).toEqual(weeks.toSorted())
  },
)
