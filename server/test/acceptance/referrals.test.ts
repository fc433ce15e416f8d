import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Received, webhookReceiver } from '#test/webhook-receiver.ts'
import { judgeSignature } from '#test/webhook-signature.ts'
import { demoData } from './data-directory.ts'
import { type Demo, type Envelope, referralPartner } from './referral-partner.ts'
import { startService } from './service.ts'

/** Knows of referral codes what docs/referrals.md says, and speaks to a real process. */

/** A service of the test's own with its demo world, and whoever is started after it on the same data. */
async function services() {
  const data = await demoData(onTestFinished)
  const receiver = await webhookReceiver()
  onTestFinished(() => receiver.close())
  const start = async () => {
    const service = await startService({ PORT: '0', PORTICO_DATA: data, LOG_LEVEL: 'warn', PORTICO_DEMO: 'on' })
    const demo: Demo = JSON.parse(await readFile(join(data, 'demo.json'), 'utf8'))
    return { service, demo, partner: referralPartner(demo) }
  }
  return { receiver, start }
}

const envelopeOf = ({ body }: Received): Envelope => JSON.parse(body.toString())

test('moving the clock over three Mondays publishes three weeks, each once, told by webhooks that verify', async () => {
  const { receiver, start } = await services()
  const { demo, partner } = await start()
  const secret = await partner.listen(`${receiver.url}/hooks`)
  const { id, attributes } = await partner.code()
  await partner.invest(attributes.code, { first: 0, count: 7 })

  await partner.pass('P21D')
  const received = await receiver.waitFor(3)
  for (const { headers, body } of received) {
    const header = String(headers['wefunder-signature'])
    expect(judgeSignature(secret, { header, body, nowSeconds: Date.now() / 1_000 })).toBe('valid')
  }
  for (const envelope of received.map(envelopeOf)) {
    expect(envelope).toMatchObject({ event: 'referral_cohorts.published', mode: 'test' })
    expect(envelope).not.toHaveProperty('installation')
  }
  const told = received.map((delivery) => envelopeOf(delivery).data.week).sort()

  const weeks = await partner.stats(id)
  expect(weeks.map(({ week }) => week)).toEqual(told.toReversed())
  expect(new Set(told).size).toBe(3)
  const [third, second, first] = weeks
  expect([second?.companies, third?.companies]).toEqual([[], []])
  expect(first).toMatchObject({ k: 5, companies: [{ company: demo.ids.company, detail: 'ranges' }] })
  expect(first?.companies[0]?.credited?.investors).toEqual({ min: 5, max: 9 })
  const counts = { through_week: third?.week, investors: { min: 5, max: 9 } }
  expect((await partner.find(id)).attributes.counts).toEqual(counts)

  // The next Monday brings one more and none of the others again; what was read before is the same.
  await partner.invest(attributes.code, { first: 7, count: 3 })
  await partner.pass('P7D')
  const all = (await receiver.waitFor(4)).map(envelopeOf)
  expect(new Set(all.map(({ data: { week } }) => week)).size).toBe(4)
  const later = await partner.stats(id)
  expect(later.slice(1)).toEqual(weeks)
  expect(later[0]?.companies).toEqual([])
  expect(receiver.received).toHaveLength(4)
})

test('a service killed while it publishes a year of weeks goes on where it was: each week once, and one event each', async () => {
  const YEAR_WEEKS = 52
  const { receiver, start } = await services()
  const killed = await start()
  await killed.partner.listen(`${receiver.url}/hooks`)
  const { id, attributes } = await killed.partner.code()
  await killed.partner.invest(attributes.code, { first: 0, count: 6 })
  await killed.partner.pass(`P${YEAR_WEEKS}W`)
  await receiver.waitFor(1)
  await killed.service.end('SIGKILL')

  const { partner } = await start()
  await expect.poll(async () => (await partner.stats(id)).length).toBe(YEAR_WEEKS)
  const weeks = (await partner.stats(id)).map(({ week }) => week)
  // A delivery may come twice, after a kill; an event is one and the same by its id.
  const events = () => new Map(receiver.received.map(envelopeOf).map((envelope) => [envelope.id, envelope.data.week]))
  await expect.poll(() => events().size).toBeGreaterThanOrEqual(YEAR_WEEKS)
  expect([...events().values()].sort()).toEqual(weeks.toSorted())
})
