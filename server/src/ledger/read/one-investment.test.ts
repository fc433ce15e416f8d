import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { cancelInvestment, changeAmount, hideInvestment } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { type LedgerStage, openLedgerStage, PII, refusal } from './testing/ledger-stage.ts'

let stage: LedgerStage
beforeAll(async () => {
  stage = await openLedgerStage()
})
afterAll(() => stage.close())

describe('GET /investments/{id}', () => {
  test('returns the current record; meta says whether the published record is the same', async () => {
    const { company, offering } = await stage.raising()
    const id = await stage.invest(offering)
    const get = await stage.asInstalledOn(company)
    const before = await get(`/investments/${id}`)
    expect(before.meta).toEqual({ source: 'current', published_matches: false })
    await stage.publish()
    const published = await get(`/investments/${id}`)
    const [listed] = (await get('/investments')).list
    expect(published.meta).toEqual({
      source: 'current',
      published_matches: true,
      published_observed_at: listed?.observed_at,
    })
    expect(published.data).toEqual({ ...listed, observed_at: published.data.observed_at })
    await stage.arrange((tx) => changeAmount(tx, { id, amount_cents: 90_000 as Cents }, occasionAt()))
    const changed = await get(`/investments/${id}`)
    expect([changed.data.amounts?.['committed_cents'], changed.meta['published_matches']]).toEqual([90_000, false])
  })

  test('shows users all their own investments with identity, also canceled and hidden ones', async () => {
    const { offering } = await stage.raising()
    const investor = await stage.user()
    const [canceled, hidden] = [await stage.invest(offering, investor), await stage.invest(offering, investor)]
    await stage.arrange((tx) => cancelInvestment(tx, { id: canceled }, occasionAt()))
    await stage.arrange((tx) => hideInvestment(tx, { id: hidden }, occasionAt()))
    for (const get of [await stage.asUser(investor), await stage.asInstalledOn(investor)]) {
      const responses = [await get(`/investments/${canceled}`), await get(`/investments/${hidden}`)]
      expect(responses.map(({ data }) => [data.status, data.visible, 'email' in (data.investor ?? {})])).toEqual([
        ['canceled', false, true],
        ['active', false, true],
      ])
    }
  })

  test('shows investments of other people with identity only with read:investors:pii', async () => {
    const { founder, offering } = await stage.raising()
    const id = await stage.invest(offering)
    const [without, withPii] = [await stage.asUser(founder), await stage.asUser(founder, PII)]
    expect((await without(`/investments/${id}`)).data.investor).not.toHaveProperty('name')
    expect((await withPii(`/investments/${id}`)).data.investor).toHaveProperty('name')
  })

  test('404 for the company if the investment is hidden, canceled or another company’s; for strangers; for an unknown id', async () => {
    const { company, founder, offering } = await stage.raising()
    const other = await stage.raising()
    const [hidden, canceled, foreign] = [
      await stage.invest(offering),
      await stage.invest(offering),
      await stage.invest(other.offering),
    ]
    await stage.arrange((tx) => hideInvestment(tx, { id: hidden }, occasionAt()))
    await stage.arrange((tx) => cancelInvestment(tx, { id: canceled }, occasionAt()))
    await stage.publish()
    const readers = [await stage.asUser(founder), await stage.asInstalledOn(company)]
    for (const get of readers) {
      for (const id of [hidden, canceled, foreign, newId('investment')]) {
        expect(refusal(await get(`/investments/${id}`))).toEqual([404, 'not_found'])
      }
    }
    const seen = await stage.invest(offering)
    const employee = await stage.user()
    await stage.role(company, employee, 'employee')
    for (const get of [
      await stage.asUser(employee),
      await stage.asInstalledOn(founder),
      await stage.asInstalledOn(other.company),
    ]) {
      expect(refusal(await get(`/investments/${seen}`))).toEqual([404, 'not_found'])
    }
  })

  test('403 insufficient_scope without read:investments', async () => {
    const { founder, offering } = await stage.raising()
    const id = await stage.invest(offering)
    const get = await stage.asUser(founder, ['read:companies'])
    expect(refusal(await get(`/investments/${id}`))).toEqual([403, 'insufficient_scope'])
  })
})
