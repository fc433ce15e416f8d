import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cancelInvestment, hideInvestment } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { clientToken, idsOf, type LedgerStage, openLedgerStage, PII, refusal } from './testing/ledger-stage.ts'

let stage: LedgerStage
beforeAll(async () => {
  stage = await openLedgerStage()
})
afterAll(() => stage.close())

describe('the audience of GET /investments', () => {
  test('a user token reads the companies that the user edits, installed there or not, and the user’s own investments everywhere', async () => {
    const [here, there, elsewhere] = [await stage.raising(), await stage.raising(), await stage.raising()]
    const user = await stage.user()
    await stage.role(here.company, user, 'editor')
    await stage.role(there.company, user, 'admin')
    const mine = await stage.invest(elsewhere.offering, user)
    const seen = [await stage.invest(here.offering), await stage.invest(there.offering), mine]
    await stage.invest(elsewhere.offering)
    await stage.publish()
    const get = await stage.asUser(user)
    expect(idsOf(await get('/investments'))).toEqual(seen.toSorted())
  })

  test('a user token of an employee or a former editor reads no investments of the company', async () => {
    const { company, offering } = await stage.raising()
    const [employee, former] = [await stage.user(), await stage.user()]
    await stage.role(company, employee, 'employee')
    await stage.role(company, former, 'admin')
    await stage.noRole(company, former, 'admin')
    await stage.invest(offering)
    await stage.publish()
    expect(idsOf(await (await stage.asUser(employee))('/investments'))).toEqual([])
    expect(idsOf(await (await stage.asUser(former))('/investments'))).toEqual([])
  })

  test('a user token of a person with two roles at a company reads each record once', async () => {
    const { company, offering, founder } = await stage.raising()
    await stage.role(company, founder, 'admin')
    const made = [await stage.invest(offering), await stage.invest(offering)]
    await stage.publish()
    expect(idsOf(await (await stage.asUser(founder))('/investments'))).toEqual(made.toSorted())
  })

  test('a company installation reads exactly its company’s investments, and not the installer’s own', async () => {
    const [here, there] = [await stage.raising(), await stage.raising()]
    const seen = [await stage.invest(here.offering), await stage.invest(here.offering)]
    await stage.invest(there.offering, here.founder)
    await stage.publish()
    expect(idsOf(await (await stage.asInstalledOn(here.company))('/investments'))).toEqual(seen.toSorted())
  })

  test('a user installation reads only the user’s own investments, even if the user edits companies', async () => {
    const { offering, founder } = await stage.raising()
    const other = await stage.raising()
    await stage.invest(offering)
    const mine = await stage.invest(other.offering, founder)
    await stage.publish()
    expect(idsOf(await (await stage.asInstalledOn(founder))('/investments'))).toEqual([mine])
  })

  test('a syndicate installation gets 403 forbidden on every route', async () => {
    const { company, offering } = await stage.raising()
    const id = await stage.invest(offering)
    const get = await stage.asInstalledOn(await stage.syndicate())
    for (const path of [
      '/investments',
      `/investments/${id}`,
      `/companies/${company}/investments/changes`,
      `/offerings/${offering}/stats`,
    ]) {
      expect(refusal(await get(path)), path).toEqual([403, 'forbidden'])
    }
  })

  test('client credentials and publishable keys get 403 insufficient_scope, an unknown token 401', async () => {
    const paths = ['/investments', `/investments/inv_${'0'.repeat(24)}`, `/offerings/ofr_${'0'.repeat(24)}/stats`]
    const holders = [await clientToken(stage), stage.client.test.keyId]
    for (const path of [...paths, `/companies/co_${'0'.repeat(24)}/investments/changes`]) {
      for (const holder of holders) {
        expect(refusal(await stage.bearer(holder)(path)), path).toEqual([403, 'insufficient_scope'])
      }
      expect(refusal(await stage.bearer('at_test_unknown')(path)), path).toEqual([401, 'invalid_token'])
    }
  })

  test('without read:investments a user and an installation get 403 insufficient_scope, which names the scope', async () => {
    const { company, founder } = await stage.raising()
    for (const get of [
      await stage.asUser(founder, ['read:companies']),
      await stage.asInstalledOn(company, ['read:companies', 'read:profile']),
    ]) {
      const response = await get('/investments')
      expect(refusal(response)).toEqual([403, 'insufficient_scope'])
      expect(response.error.message).toContain('read:investments')
    }
  })

  test('a revoked token of an installation gets 401, although the target of the installation is cached', async () => {
    const { company } = await stage.raising()
    const get = await stage.asInstalledOn(company)
    expect((await get('/investments')).status).toBe(200)
    await stage.db.sql(
      `update test.access_tokens set revoked_at = now()
        where installation_id = (select id from test.installations where company_id = $1)`,
      [company],
    )
    expect(refusal(await get('/investments'))).toEqual([401, 'invalid_token'])
  })

  test('a token of the live world reads nothing of the test world', async () => {
    const here = await stage.raising()
    const live = await stage.raising('live')
    const [id, mine] = [await stage.invest(here.offering), await stage.invest(live.offering, undefined, 'live')]
    await stage.publish()
    await stage.publish('live')
    const get = await stage.asUser(live.founder, ['read:investments'], 'live')
    expect(idsOf(await get('/investments'))).toEqual([mine])
    expect(refusal(await get(`/investments/${id}`))).toEqual([404, 'not_found'])
    expect(refusal(await get(`/investments?company_id=${here.company}`))).toEqual([404, 'not_found'])
    expect(refusal(await get(`/offerings/${here.offering}/stats`))).toEqual([404, 'not_found'])
    expect(refusal(await get(`/companies/${here.company}/investments/changes`))).toEqual([404, 'not_found'])
  })
})

describe('investor identity', () => {
  const IDENTITY = ['name', 'email', 'bio']

  test('is absent, and not null, without read:investors:pii', async () => {
    const { company, offering, founder } = await stage.raising()
    await stage.invest(offering)
    await stage.publish()
    for (const get of [await stage.asUser(founder), await stage.asInstalledOn(company)]) {
      const [record] = (await get('/investments')).list
      expect(Object.keys(record?.investor ?? {})).toEqual(['id', 'deactivated', 'via_entity'])
      expect(record).not.toHaveProperty('message')
      expect(record).not.toHaveProperty('external_username')
    }
  })

  test('is present with read:investors:pii, for a founder’s token and for an installation’s', async () => {
    const { company, offering, founder } = await stage.raising()
    await stage.invest(offering)
    await stage.publish()
    for (const get of [await stage.asUser(founder, PII), await stage.asInstalledOn(company, PII)]) {
      const [record] = (await get('/investments')).list
      expect(Object.keys(record?.investor ?? {})).toEqual(expect.arrayContaining(IDENTITY))
      expect(record).toHaveProperty('message')
    }
  })

  test('is always present on the investor’s own records, and without read:investors:pii only there', async () => {
    const { offering, founder } = await stage.raising()
    const mine = await stage.invest(offering, founder)
    await stage.invest(offering)
    await stage.publish()
    const { list } = await (await stage.asUser(founder))('/investments')
    expect(list.map(({ id, investor }) => [id === mine, 'email' in (investor ?? {})])).toEqual(
      expect.arrayContaining([
        [true, true],
        [false, false],
      ]),
    )
  })
})

describe('an investment that the company no longer sees', () => {
  test('is one record with all fields for an investor who also edits the company', async () => {
    const { company, offering, founder } = await stage.raising()
    const mine = await stage.invest(offering, founder)
    await stage.publish()
    const get = await stage.asUser(founder)
    const { list, meta } = await get('/investments')
    expect(list.map(({ id, visible }) => [id, visible])).toEqual([[mine, true]])
    await stage.arrange((tx) => cancelInvestment(tx, { id: mine }, occasionAt()))
    await stage.publish()
    const sync = await get(`/investments?cursor=${meta.next_cursor}`)
    expect(sync.list.map(({ visible, status, investor }) => [visible, status, 'email' in (investor ?? {})])).toEqual([
      [false, 'canceled', true],
    ])
    expect((await get('/investments')).list.map(({ status }) => status)).toEqual(['canceled'])
    const asCompany = await (await stage.asInstalledOn(company))('/investments')
    expect(asCompany.list).toEqual([])
  })

  test('is a full record for the investor and a tombstone for the company', async () => {
    const { company, offering } = await stage.raising()
    const investor = await stage.user()
    const id = await stage.invest(offering, investor)
    await stage.publish()
    const [asCompany, asInvestor] = [await stage.asInstalledOn(company), await stage.asUser(investor)]
    const cursors = [await asCompany('/investments'), await asInvestor('/investments')].map(
      ({ meta }) => meta.next_cursor,
    )
    await stage.arrange((tx) => hideInvestment(tx, { id }, occasionAt()))
    await stage.publish()
    const [seen] = (await asCompany(`/investments?cursor=${cursors[0]}`)).list
    expect(Object.keys(seen ?? {}).toSorted()).toEqual(['cursor', 'id', 'observed_at', 'reason', 'visible'])
    const [own] = (await asInvestor(`/investments?cursor=${cursors[1]}`)).list
    expect([own?.visible, own?.status]).toEqual([false, 'active'])
  })
})
