import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Cents } from '#kernel/money.ts'
import { cancelInvestment, changeAmount, hideInvestment, unhideInvestment } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { type FanStage, openFanStage } from '../fan-out/testing/stage.ts'

let stage: FanStage
beforeAll(async () => {
  stage = await openFanStage()
})
afterAll(() => stage.close())

/** An investment, an app on its company, and an app that its investor connected. */
async function invested() {
  const company = await stage.company()
  const investor = await stage.user()
  const [theirs, own] = [await stage.app(), await stage.app()]
  await stage.install(theirs, { company }, ['read:companies', 'read:investments', 'read:investors:pii'])
  await stage.install(own, { user: investor }, ['read:investments'])
  const offering = await stage.arrange((tx) => makeOffering(tx, { company }))
  for (const app of [theirs, own]) await stage.listen(app)
  const id = await stage.arrange((tx) => makeInvestment(tx, { offering, investor }))
  const act = <T>(move: (tx: Parameters<typeof hideInvestment>[0]) => Promise<T>) => stage.arrange(move)
  return {
    hide: () => act((tx) => hideInvestment(tx, { id }, occasionAt())),
    unhide: () => act((tx) => unhideInvestment(tx, { id }, occasionAt())),
    change: () => act((tx) => changeAmount(tx, { id, amount_cents: 50_000 as Cents }, occasionAt())),
    cancel: () => act((tx) => cancelInvestment(tx, { id }, occasionAt())),
    toCompany: async () =>
      (await stage.deliveries(theirs)).map(({ refused, envelope }) => refused ?? envelope['event']),
    toInvestor: async () => (await stage.deliveries(own)).map(({ refused, envelope }) => refused ?? envelope['event']),
  }
}

describe('an investment that is hidden from its company', () => {
  test('has its waiting deliveries to the company canceled; the investor’s own app still gets them', async () => {
    const { hide, toCompany, toInvestor } = await invested()
    expect(await toCompany()).toEqual(['investment.created'])
    await hide()
    expect(await toCompany()).toEqual(['not_visible'])
    expect(await toInvestor()).toEqual(['investment.created'])
  })

  test('has its later events queued only for the investor', async () => {
    const { hide, change, cancel, toCompany, toInvestor } = await invested()
    await hide()
    await change()
    await cancel()
    expect(await toCompany()).toEqual([])
    expect(await toInvestor()).toEqual(['investment.created', 'investment.amount_changed', 'investment.canceled'])
  })

  test('has its events sent to the company again once it is shown again', async () => {
    const { hide, unhide, change, toCompany } = await invested()
    await toCompany()
    await hide()
    await unhide()
    await change()
    expect(await toCompany()).toEqual(['investment.created', 'investment.amount_changed'])
  })

  test('differs from a canceled investment: the company receives the event of the cancellation', async () => {
    const { cancel, toCompany } = await invested()
    await cancel()
    expect(await toCompany()).toEqual(['investment.created', 'investment.canceled'])
  })
})
