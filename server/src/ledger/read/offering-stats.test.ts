import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { cancelInvestment, confirmInvestment } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { offeringStats } from './routes.ts'
import { type LedgerStage, openLedgerStage, readAll, refusal } from './testing/ledger-stage.ts'

let stage: LedgerStage
beforeAll(async () => {
  stage = await openLedgerStage()
})
afterAll(() => stage.close())

const pathOf = (offering: string) => `/offerings/${offering}/stats`

describe('GET /offerings/{id}/stats', () => {
  test('returns count, committed and raised by status, which agree with a listing of the offering', async () => {
    const { company, founder, offering } = await stage.raising()
    const ids = [await stage.invest(offering), await stage.invest(offering), await stage.invest(offering)]
    const [confirmed, canceled] = ids
    if (confirmed === undefined || canceled === undefined) throw new Error('there are three')
    await stage.arrange((tx) => confirmInvestment(tx, { id: confirmed }, occasionAt('2026-03-01T00:00:00.000000Z')))
    await stage.arrange((tx) => cancelInvestment(tx, { id: canceled }, occasionAt()))
    await stage.publish()
    const sums = { count: 2, committed_cents: 50_000, raised_cents: 25_000 }
    for (const get of [await stage.asUser(founder), await stage.asInstalledOn(company)]) {
      const { data, meta } = await get(pathOf(offering))
      expect(data).toEqual({ offering, company, currency: 'usd', by_status: { active: sums }, total: sums })
      expect(meta['source']).toBe('published')
      const { rows } = await readAll(get, `/investments?offering_id=${offering}`)
      const committed = rows.reduce((sum, { amounts }) => sum + Number(amounts?.['committed_cents']), 0)
      expect([rows.length, committed]).toEqual([sums.count, sums.committed_cents])
    }
  })

  test('returns sums above 2^53 as exact whole numbers', async () => {
    const { company, offering } = await stage.raising()
    const most = '9007199254740900'
    await stage.db.sql(
      `insert into test.offering_stats (offering_id, status, count, committed_cents, raised_cents)
       values ($1, 'active', 3, 3 * ${most}::numeric, 1), ($1, 'executed', 1, ${most}, ${most})`,
      [offering],
    )
    const { data } = await (await stage.asInstalledOn(company))(pathOf(offering))
    expect(data['total']).toMatchObject({ count: 4 })
    const text = String(
      (await offeringStats(stage.db.databases.test.reads, { kind: 'company', company }, offering)).text,
    )
    expect(text.match(/"committed_cents" ?: ?\d+/g)?.map((field) => field.replace(/\D+/, ''))).toEqual([
      String(3n * BigInt(most)),
      most,
      String(4n * BigInt(most)),
    ])
    expect(text).toContain(String(BigInt(most) + 1n))
  })

  test('returns no status for an offering without investments', async () => {
    const { founder, offering } = await stage.raising()
    const { data } = await (await stage.asUser(founder))(pathOf(offering))
    expect(data['by_status']).toEqual({})
    expect(data['total']).toEqual({ count: 0, committed_cents: 0, raised_cents: 0 })
  })

  test('403 forbidden for a person who can see the offering but not edit its company; 404 for a person who cannot see it', async () => {
    const { company, founder, offering } = await stage.raising()
    const other = await stage.raising()
    const listed = await stage.offering(company, { listed: true })
    const [investor, stranger] = [await stage.user(), await stage.user()]
    await stage.invest(offering, investor)
    const asStranger = await stage.asUser(stranger)
    expect(refusal(await (await stage.asUser(investor))(pathOf(offering)))).toEqual([403, 'forbidden'])
    expect(refusal(await asStranger(pathOf(listed)))).toEqual([403, 'forbidden'])
    expect(refusal(await asStranger(pathOf(offering)))).toEqual([404, 'not_found'])
    expect(refusal(await asStranger(pathOf(newId('offering'))))).toEqual([404, 'not_found'])
    expect(refusal(await (await stage.asInstalledOn(other.company))(pathOf(listed)))).toEqual([403, 'forbidden'])
    expect(refusal(await (await stage.asInstalledOn(other.company))(pathOf(offering)))).toEqual([404, 'not_found'])
    expect(refusal(await (await stage.asInstalledOn(founder))(pathOf(offering)))).toEqual([403, 'forbidden'])
  })

  test('403 insufficient_scope without read:investments', async () => {
    const { founder, offering } = await stage.raising()
    const get = await stage.asUser(founder, ['read:companies'])
    expect(refusal(await get(pathOf(offering)))).toEqual([403, 'insufficient_scope'])
  })
})
