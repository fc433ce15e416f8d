import { Check } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deactivateUser } from '#access/people/index.ts'
import { aClient, aClientToken, aUserToken, type StagedClient } from '#access/tokens/testing/stage.ts'
import { worldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { aKey } from '#test/apps.ts'
import { type ServiceInProcess, serviceInProcess } from '#test/service-in-process.ts'
import { StatsList } from '../schemas.ts'
import { type Code, type Company, referralWorld } from '../weeks/testing/referral-world.ts'

let service: ServiceInProcess
let world: ReturnType<typeof referralWorld>
beforeAll(async () => {
  service = await serviceInProcess()
  world = referralWorld(service.db)
})
afterAll(() => service.close())

const SCOPES = ['read:referral_codes', 'read:attribution:anonymized', 'read:attribution:full', 'read:investors:pii']

type Row = Readonly<Record<string, unknown>> & { readonly investor_token: string }
type Part = {
  readonly company: string
  readonly detail: string
  readonly credited?: unknown
  readonly rows: Row[]
  readonly corrections: Row[]
}
type Week = { readonly week: string; readonly k: number; readonly companies: Part[] }
type ApiResponse = {
  readonly status: number
  readonly text: string
  readonly data: Week[]
  readonly meta: Record<string, unknown>
}

/** The text of a response without the request id. */
const sayingOf = ({ text }: ApiResponse) => text.replace(/req_\w+/, '')

async function ask(bearer: string, path: string): Promise<ApiResponse> {
  const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${bearer}` } })
  const text = await response.text()
  return { status: response.status, text, ...(JSON.parse(text) as Pick<ApiResponse, 'data' | 'meta'>) }
}

/** A new token each time, because the clock moves by weeks here and a token is valid for a day. */
async function serverKey(client: StagedClient, scope = 'read:referral_codes'): Promise<string> {
  return (await aClientToken(service.db, client, [scope])).accessToken
}

type Owner = { readonly client: StagedClient; readonly code: Code; stats(query?: string): Promise<ApiResponse> }

/** An app with a code and a token of its server key. */
async function owner(): Promise<Owner> {
  const client = await aClient(service.db, { scopes: SCOPES })
  const code = await world.code(client.app)
  const stats = async (query = '') => {
    const result = await ask(await serverKey(client), `/referral_codes/${code.id}/stats${query}`)
    if (result.status === 200) expect(Check(StatsList, JSON.parse(result.text))).toBe(true)
    return result
  }
  return { client, code, stats }
}

async function install({ client }: Owner, { id }: Company, scopes: readonly string[], tier = 'founder') {
  const installation = newId('installation')
  await service.db.sql(
    `insert into test.installations (id, app_id, target_type, company_id, tier, scopes, pii_by, installed_by_role)
     values ($1, $2, 'company', $3, $4, $5, case when $5 @> array['read:investors:pii'] then 'approval' end, 'founder')`,
    [installation, client.app, id, tier, scopes],
  )
  return installation
}

const monday = async () => {
  await world.pass(1)
  await world.release()
}

const partOf = ({ data }: ApiResponse, { id }: Company, week = 0) =>
  data[week]?.companies.find((part) => part.company === id)

describe('GET /referral_codes/{id}/stats', () => {
  test('200 before anything was published: no weeks, and the current k', async () => {
    const { code, stats } = await owner()
    expect(await stats()).toMatchObject({
      status: 200,
      data: [],
      meta: { k: 5, referral_code: code.id, has_more: false },
    })
  })

  test('returns the weeks since the code was created, newest first, empty ones too', async () => {
    const { stats } = await owner()
    await world.pass(3)
    await world.release()
    const { data, meta } = await stats()
    expect(data.map(({ week }) => week)).toEqual((await world.weeks()).slice(-3).reverse())
    expect(data.map(({ companies, k }) => [companies, k])).toEqual([
      [[], 5],
      [[], 5],
      [[], 5],
    ])
    expect(meta['published_through']).toBe(data[0]?.week)
  })

  test('returns pages of weeks; a cursor works only for its code', async () => {
    const [{ stats }, other] = [await owner(), await owner()]
    await world.pass(3)
    await world.release()
    const first = await stats('?per_page=2')
    expect(first.meta).toMatchObject({ has_more: true, page_count: 2 })
    const cursor = String(first.meta['next_cursor'])
    const second = await stats(`?per_page=2&cursor=${cursor}`)
    expect(second.meta).toMatchObject({ has_more: false, page_count: 1, next_cursor: null })
    expect([...first.data, ...second.data].map(({ week }) => week)).toEqual((await world.weeks()).slice(-3).reverse())
    expect((await other.stats(`?cursor=${cursor}`)).status).toBe(400)
  })

  test.each([
    ['anonymized', 'read:attribution:anonymized'],
    ['full', 'read:attribution:full'],
  ])('returns very many rows in several pages, each row once and in the order of the tokens: %s', async (_, scope) => {
    const app = await owner()
    const [crowded, other] = [await world.company(), await world.company()]
    await world.crowd(app.code, crowded, 2_300)
    await world.credits(app.code, other, 3)
    for (const company of [crowded, other]) await install(app, company, [scope])
    await monday()
    await monday()
    const pages = [await app.stats()]
    for (let next = pages[0]?.meta['next_cursor']; next !== null; next = pages.at(-1)?.meta['next_cursor']) {
      pages.push(await app.stats(`?cursor=${next}`))
    }
    const rowsOf = ({ data }: ApiResponse) => data.flatMap(({ companies }) => companies.flatMap(({ rows }) => rows))
    expect(pages.map((page) => rowsOf(page).length)).toEqual([999, 1_000, 304])
    expect(pages.map(({ data }) => data.length)).toEqual([2, 1, 1])
    const tokens = pages.flatMap(rowsOf).map((row) => String(row['investment_token']))
    expect(new Set(tokens).size).toBe(2_303)
    const ofCrowd = pages.flatMap(({ data }) =>
      data.flatMap(({ companies }) => companies.filter(({ company }) => company === crowded.id)),
    )
    const inOrder = ofCrowd.flatMap(({ rows }) => rows.map((row) => String(row['investment_token'])))
    expect(inOrder).toHaveLength(2_300)
    expect(inOrder).toEqual([...inOrder].sort())
  })

  test('meta.request_id is the id of the request, also in a cached response', async () => {
    const { stats } = await owner()
    const ids = [(await stats()).meta['request_id'], (await stats()).meta['request_id']]
    for (const id of ids) expect(id).toMatch(/^req_/)
    expect(ids[0]).not.toBe(ids[1])
  })

  test('401 without a token; 403 for a user’s token and for a server key without the scope', async () => {
    const { client, code } = await owner()
    const path = `/referral_codes/${code.id}/stats`
    expect((await ask('at_test_nothing', path)).status).toBe(401)
    expect((await ask(await serverKey(client, 'read:public'), path)).status).toBe(403)
    const person = await aUserToken(service.db, await aClient(service.db, { scopes: ['read:profile'] }), {
      scopes: ['read:profile'],
    })
    expect((await ask(person.accessToken, path)).status).toBe(403)
  })

  test('404 for a code of another app, as for a code that does not exist', async () => {
    const [mine, theirs] = [await owner(), await owner()]
    const bearer = await serverKey(mine.client)
    const foreign = await ask(bearer, `/referral_codes/${theirs.code.id}/stats`)
    const missing = await ask(bearer, `/referral_codes/${newId('referralCode')}/stats`)
    expect(foreign.status).toBe(404)
    expect(sayingOf(foreign)).toBe(sayingOf(missing))
  })

  test('apps that send requests at the same time each read only their own data: one app its rows, the other app its ranges', async () => {
    const [rows, ranges, at] = [await owner(), await owner(), await world.company()]
    await install(rows, at, ['read:attribution:anonymized'])
    for (const { code } of [rows, ranges]) await world.credits(code, at, 11)
    await monday()
    const [withRows, withRanges] = [await serverKey(rows.client), await serverKey(ranges.client)]
    const pathOf = ({ code }: Owner) => `/referral_codes/${code.id}/stats`
    for (let turn = 0; turn < 10; turn++) {
      const [own, theirs, foreign, stolen] = await Promise.all([
        ask(withRows, pathOf(rows)),
        ask(withRanges, pathOf(ranges)),
        ask(withRows, pathOf(ranges)),
        ask(withRanges, pathOf(rows)),
      ])
      expect([own, theirs, foreign, stolen].map(({ status }) => status)).toEqual([200, 200, 404, 404])
      expect([own, theirs].map(({ meta }) => meta['referral_code'])).toEqual([rows.code.id, ranges.code.id])
      expect([partOf(own, at)?.detail, partOf(theirs, at)?.detail]).toEqual(['anonymized', 'ranges'])
    }
  })

  test('404 for a malformed code, and a concurrent valid request is not affected', async () => {
    const { client, code } = await owner()
    const bearer = await serverKey(client)
    for (const wrong of ['%00', 'rfc_short', `${code.id}0`, '%F0%9F%92%A5']) {
      const [none, own] = await Promise.all([wrong, code.id].map((id) => ask(bearer, `/referral_codes/${id}/stats`)))
      expect([none?.status, own?.status]).toEqual([404, 200])
    }
  })

  test('HEAD returns the length without a body, and the connection serves the next request', async () => {
    const { client, code } = await owner()
    const headers = { Authorization: `Bearer ${await serverKey(client)}` }
    const url = `${service.url}/referral_codes/${code.id}/stats`
    for (const method of ['HEAD', 'GET', 'HEAD', 'GET']) {
      const response = await fetch(url, { method, headers })
      const text = await response.text()
      expect([method, response.status]).toEqual([method, 200])
      expect(text.length).toBe(method === 'HEAD' ? 0 : Number(response.headers.get('content-length')))
    }
  })

  test('the lookup that runs during the token check reveals nothing: 401 or 403, for a known and an unknown code', async () => {
    const { client, code } = await owner()
    const path = `/referral_codes/${code.id}/stats`
    const ended = await serverKey(client)
    await service.db.sql('update test.access_tokens set revoked_at = now() where app_id = $1', [client.app])
    const other = await serverKey(client, 'read:public')
    for (const [bearer, status] of [
      ['at_test_nobody', 401],
      [ended, 401],
      [other, 403],
    ] as const) {
      expect((await ask(bearer, path)).status).toBe(status)
      expect((await ask(bearer, path.replace(code.id, newId('referralCode')))).status).toBe(status)
    }
  })

  test('404 with a key of the other world', async () => {
    const { client, code } = await owner()
    const { clientId: keyId, secret } = await aKey(service.db, client.app, { world: 'live' })
    const bearer = await serverKey({ app: client.app, keyId, secret, world: 'live' })
    expect((await ask(bearer, `/referral_codes/${code.id}/stats`)).status).toBe(404)
  })
})

describe('What an app reads of a company', () => {
  test('is ranges without an installation; a company with too few people is not listed', async () => {
    const { code, stats } = await owner()
    const [many, few] = [await world.company(), await world.company()]
    await world.credits(code, many, 11)
    await world.credits(code, few, 4)
    await monday()
    const result = await stats()
    expect(partOf(result, many)).toEqual({
      company: many.id,
      detail: 'ranges',
      since: result.data[0]?.week,
      credited: {
        investors: { min: 10, max: 19 },
        by_status: { active: null, reserved: null, executed: null, canceled: null, converted: null },
        by_amount_tier: { small: null, medium: null, large: null },
        by_time_to_invest: { direct: null, assisted: null, delayed: null },
      },
      corrections: null,
    })
    expect(result.text).not.toContain(few.id)
  })

  test('is anonymized rows with read:attribution:anonymized until the installation is revoked', async () => {
    const app = await owner()
    const [here, elsewhere] = [await world.company(), await world.company()]
    const [person] = await world.credits(app.code, here, 1)
    await world.credits(app.code, elsewhere, 1, person === undefined ? {} : { investor: person.investor })
    const installation = await install(app, here, ['read:attribution:anonymized'], 'editor')
    await monday()
    const result = await app.stats()
    expect(partOf(result, here)).toMatchObject({
      detail: 'anonymized',
      rows: [{ week: result.data[0]?.week, amount_tier: 'small', status: 'active', time_to_invest: 'direct' }],
      corrections: [],
    })
    expect(result.text).not.toContain(elsewhere.id)
    for (const secret of [person?.investor, person?.investment]) expect(result.text).not.toContain(secret)
    await service.db.sql(
      `update test.installations set state = 'revoked', revoked_at = test.world_now(), revoked_by_role = 'founder' where id = $1`,
      [installation],
    )
    expect((await app.stats()).data[0]?.companies).toEqual([])
  })

  test('has no rows with another scope, or with an installation of another app or on another company', async () => {
    const [app, other] = [await owner(), await owner()]
    const [here, elsewhere] = [await world.company(), await world.company()]
    await world.credits(app.code, here, 1)
    await install(app, elsewhere, ['read:attribution:anonymized'])
    await install(other, here, ['read:attribution:anonymized'])
    await monday()
    expect((await app.stats()).data[0]?.companies).toEqual([])
    await install(app, here, ['read:companies', 'read:investments'])
    expect((await app.stats()).data[0]?.companies).toEqual([])
  })

  test('has a different token for the same investor at each company', async () => {
    const app = await owner()
    const [here, elsewhere] = [await world.company(), await world.company()]
    const { investor } = await world.credit(app.code, here)
    await world.credit(app.code, here, { investor })
    await world.credit(app.code, elsewhere, { investor })
    for (const company of [here, elsewhere]) await install(app, company, ['read:attribution:anonymized'])
    await monday()
    const result = await app.stats()
    const tokens = (company: Company) => partOf(result, company)?.rows.map(({ investor_token }) => investor_token) ?? []
    expect(new Set(tokens(here)).size).toBe(1)
    expect(tokens(elsewhere)).toHaveLength(1)
    expect(tokens(here)).not.toContain(tokens(elsewhere)[0])
  })

  test('is full rows with read:attribution:full on a founder-tier installation, and anonymized rows on other tiers', async () => {
    const app = await owner()
    const [founder, admin] = [await world.company(), await world.company()]
    const person = await world.credit(app.code, founder)
    await world.credit(app.code, admin)
    await install(app, founder, ['read:attribution:full'], 'founder')
    await install(app, admin, ['read:attribution:full'], 'admin')
    await monday()
    const result = await app.stats()
    const [full] = partOf(result, founder)?.rows ?? []
    expect(full).toMatchObject({
      investment_id: person.investment,
      investor: { id: person.investor, name: 'Ada Lovelace' },
    })
    // The email needs the scope read:investors:pii.
    expect(full?.['investor']).not.toHaveProperty('email')
    expect(partOf(result, admin)?.detail).toBe('anonymized')
    expect(partOf(result, admin)?.rows[0]).not.toHaveProperty('investor')
  })

  test('has the email address in full rows with read:investors:pii, and no data of an erased person', async () => {
    const app = await owner()
    const company = await world.company()
    const [stays, leaves] = await world.credits(app.code, company, 2)
    await install(app, company, ['read:attribution:full', 'read:investors:pii'])
    await monday()
    const occurredAt = worldTime('2026-01-02T00:00:00.000000Z')
    await service.db.databases.test.transaction((tx) =>
      deactivateUser(tx, leaves?.investor as Id<'user'>, { occurredAt }),
    )
    const { rows = [] } = partOf(await app.stats(), company) ?? {}
    const investors = rows.map((row) => row['investor'])
    expect(investors).toContainEqual({
      id: stays?.investor,
      name: 'Ada Lovelace',
      email: `${stays?.investor}@example.org`,
    })
    expect(investors).toContainEqual({ id: leaves?.investor, name: '[deleted user]', email: null })
    expect(investors).toHaveLength(2)
  })

  test.each([
    ['anonymized', ['read:attribution:anonymized']],
    ['full', ['read:attribution:full']],
  ])('has no row and no correction of an investment that is hidden from the company: %s', async (detail, scopes) => {
    const app = await owner()
    const company = await world.company()
    const seen = await world.credit(app.code, company)
    const hidden = await world.credit(app.code, company, { investor: seen.investor })
    await install(app, company, scopes)
    const set = (column: 'hidden' | 'status', value: string) =>
      service.db.sql(`update test.investments set ${column} = $2 where id = $1`, [hidden.investment, value])
    await monday()
    expect(partOf(await app.stats(), company)).toMatchObject({ detail, rows: [{}, {}] })
    await set('hidden', 'true')
    const first = partOf(await app.stats(), company)?.rows ?? []
    expect(first).toHaveLength(1)
    if (detail === 'full') expect(first[0]?.['investment_id']).toBe(seen.investment)
    await set('status', 'reserved')
    await monday()
    // The response does not even show that there is a correction.
    expect((await app.stats()).data[0]?.companies).toEqual([])
    await set('hidden', 'false')
    await monday()
    expect(partOf(await app.stats(), company)?.corrections).toMatchObject([{ status: 'reserved' }])
  })

  test('does not count a hidden investment in ranges either, because ranges and rows together would reveal it; the investment counts once it is shown again', async () => {
    const { code, stats } = await owner()
    const company = await world.company()
    const [hidden] = await world.credits(code, company, 5)
    const hide = (is: boolean) =>
      service.db.sql('update test.investments set hidden = $2 where id = $1', [hidden?.investment, is])
    await hide(true)
    await monday()
    expect(partOf(await stats(), company)).toBeUndefined()
    await hide(false)
    await monday()
    expect(partOf(await stats(), company)).toMatchObject({ credited: { investors: { min: 5, max: 9 } } })
  })

  test('is byte for byte the same for a published week, after any later change', async () => {
    const { code, stats } = await owner()
    const company = await world.company()
    const people = await world.credits(code, company, 7)
    await monday()
    const before = sayingOf(await stats())
    const [, first] = /"data":\[(.*)\],"meta"/.exec(before) ?? []
    for (const { investment } of people) {
      await service.db.sql(
        `update test.investments set status = 'executed', executed_at = test.world_now() where id = $1`,
        [investment],
      )
    }
    await world.credits(code, company, 9)
    expect(sayingOf(await stats())).toBe(before)
    await monday()
    const later = (await stats()).text
    expect(later).toContain(first)
    expect(partOf(await stats(), company)).toMatchObject({
      credited: { investors: { min: 5, max: 9 } },
      corrections: { investors: { min: 5, max: 9 } },
    })
  })

  test('withholds an extra category if one category is small, even if the small categories together have k people', async () => {
    const { code, stats } = await owner()
    const company = await world.company()
    await world.credits(code, company, 10, { cents: 200_000 })
    await world.credits(code, company, 3, { cents: 50_000 })
    await world.credits(code, company, 2, { cents: 2_000_000 })
    await monday()
    const published = partOf(await stats(), company)
    expect(published).toMatchObject({
      credited: { investors: { min: 10, max: 19 }, by_amount_tier: { small: null, medium: null, large: null } },
    })
  })

  test('does not change with one person more or less in a group of fewer than k', async () => {
    const [without, withOne] = [await owner(), await owner()]
    const companies = [await world.company(), await world.company()] as const
    for (const { code } of [without, withOne]) {
      await world.credits(code, companies[0], 6)
      await world.credits(code, companies[1], 3)
    }
    await world.credit(withOne.code, companies[1], { cents: 5_000_000, time: 'delayed' })
    await monday()
    const seen = async ({ code, stats }: Owner) => sayingOf(await stats()).replaceAll(code.id, 'rc')
    expect(await seen(withOne)).toBe(await seen(without))
  })
})

describe('Counts on a code', () => {
  test('are the sums of the ranges up to the last published week, and null before the first week', async () => {
    const { client, code } = await owner()
    const counts = async () => {
      const { data } = await ask(await serverKey(client), `/referral_codes/${code.id}`)
      return (data as unknown as { attributes: { counts: unknown } }).attributes.counts
    }
    const companies = [await world.company(), await world.company()] as const
    await world.credits(code, companies[0], 6)
    await world.credits(code, companies[1], 12)
    expect(await counts()).toBeNull()
    await monday()
    const through_week = (await world.weeks()).at(-1)
    expect(await counts()).toEqual({ through_week, investors: { min: 15, max: 28 } })
    await world.credits(code, companies[0], 4)
    expect(await counts()).toEqual({ through_week, investors: { min: 15, max: 28 } })
    await monday()
    expect(await counts()).toMatchObject({ investors: { min: 15, max: 28 } })
  })
})
