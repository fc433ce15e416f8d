import { expect, test } from 'vitest'
import { checkSignature } from '#test/webhook-signature.ts'
import { envelopeOf, referralServices } from './referral-partner.ts'

/** Tests docs/referrals.md against a real process. */

test('moving the clock over three Mondays publishes three weeks, each once, with signed webhooks', async () => {
  const { receiver, start } = await referralServices()
  const { demo, partner } = await start()
  const secret = await partner.listen(`${receiver.url}/hooks`)
  const { id, attributes } = await partner.code()
  await partner.invest(attributes.code, { first: 0, count: 7 })

  await partner.pass('P21D')
  const received = await receiver.waitFor(3)
  for (const { headers, body } of received) {
    const header = String(headers['wefunder-signature'])
    expect(checkSignature(secret, { header, body, nowSeconds: Date.now() / 1_000 })).toBe('valid')
  }
  for (const envelope of received.map(envelopeOf)) {
    expect(envelope).toMatchObject({ event: 'referral_cohorts.published', mode: 'test' })
    expect(envelope).not.toHaveProperty('installation')
  }
  const publishedWeeks = received.map((delivery) => envelopeOf(delivery).data.week).sort()

  const weeks = await partner.stats(id)
  expect(weeks.map(({ week }) => week)).toEqual(publishedWeeks.toReversed())
  expect(new Set(publishedWeeks).size).toBe(3)
  const [third, second, first] = weeks
  expect([second?.companies, third?.companies]).toEqual([[], []])
  expect(first).toMatchObject({ k: 5, companies: [{ company: demo.ids.company, detail: 'ranges' }] })
  expect(first?.companies[0]?.credited?.investors).toEqual({ min: 5, max: 9 })
  const counts = { through_week: third?.week, investors: { min: 5, max: 9 } }
  expect((await partner.find(id)).attributes.counts).toEqual(counts)

  // The next Monday publishes one more week and does not publish the others again. Earlier responses stay the same.
  await partner.invest(attributes.code, { first: 7, count: 3 })
  await partner.pass('P7D')
  const all = (await receiver.waitFor(4)).map(envelopeOf)
  expect(new Set(all.map(({ data: { week } }) => week)).size).toBe(4)
  const later = await partner.stats(id)
  expect(later.slice(1)).toEqual(weeks)
  expect(later[0]?.companies).toEqual([])
  expect(receiver.received).toHaveLength(4)
})
