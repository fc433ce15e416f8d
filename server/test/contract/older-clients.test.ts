import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type ListStage, openListStage } from './lists-stage.ts'
import { refusalOf, type Send } from './sender.ts'

/**
 * Behaviour of the composed service on which strict clients of older versions rely, and which the newest version does
 * not have.
 */
let stage: ListStage
beforeAll(async () => {
  stage = await openListStage()
})
afterAll(() => stage.close())

const VERSIONS = ['2025-01-15', '2026-10-01'] as const
const versionHeader = (version: string) => ({ 'wefunder-version': version })
const OLDER = versionHeader('2026-10-01')
const NEWEST = versionHeader('2026-11-01')
const links = () => `/partner/spvs/${stage.made.offering}/invite_links`

describe.each(VERSIONS)('in version %s', (version) => {
  test.each(['investment sessions', 'invite links'] as const)('cursors of %s are integers', async (name) => {
    const path = name === 'invite links' ? links() : '/partner/investment_sessions'
    const get = (query: string) => stage.asCompany('GET', path + query, undefined, versionHeader(version))
    const ids = (await get('')).list.map(({ id }) => id)
    const first = await get('?per_page=2')
    expect(first.meta).toMatchObject({ has_more: true, page_count: 2, next_cursor: 2 })
    const rest = await get('?per_page=100&cursor=2')
    expect([...first.list, ...rest.list].map(({ id }) => id)).toEqual(ids)
    expect(rest.meta).toMatchObject({ has_more: false, next_cursor: null })
    expect(refusalOf(await get('?cursor=garbled'))).toBe('400 invalid_request')
    // The database reads each row that it skips, so a cursor has a maximum.
    expect([(await get('?cursor=100000')).status, (await get('?cursor=100000')).list]).toEqual([200, []])
    for (const tooFar of ['100001', '9999999']) {
      expect(refusalOf(await get(`?cursor=${tooFar}`))).toBe('400 invalid_request')
    }
  })

  test('limit means per_page, which takes precedence if both are sent', async () => {
    const get = (query: string) => stage.asCompany('GET', links() + query, undefined, versionHeader(version))
    expect((await get('?limit=1')).list).toHaveLength(1)
    expect((await get('?limit=1&per_page=2')).list).toHaveLength(2)
    expect(refusalOf(await get('?limit=ten'))).toBe('400 invalid_request')
  })

  test('lists that were not paged return all rows unless limit or per_page is sent', async () => {
    const get = (query: string) => stage.asUser('GET', `/connected-apps${query}`, undefined, versionHeader(version))
    expect((await get('')).list).toHaveLength(3)
    for (const query of ['?limit=2', '?per_page=2']) {
      const page = await get(query)
      expect([page.list.length, page.meta['has_more']]).toEqual([2, true])
    }
  })

  test('an investment session without checks omits kyc_status and funding_status', async () => {
    const older = await stage.asCompany('GET', '/partner/investment_sessions', undefined, versionHeader(version))
    for (const { id, attributes } of older.list) {
      const one = await stage.asCompany('GET', `/partner/investment_sessions/${id}`, undefined, versionHeader(version))
      for (const shown of [attributes, one.data.attributes]) {
        expect(Object.keys(shown)).toEqual(expect.arrayContaining(['status', 'email', 'investment_id']))
        for (const key of ['kyc_status', 'funding_status', 'currency']) expect(shown).not.toHaveProperty(key)
      }
    }
    const newest = await stage.asCompany('GET', '/partner/investment_sessions')
    expect(newest.list[0]?.attributes).toMatchObject({ kyc_status: null, funding_status: null, currency: 'usd' })
  })

  test('a reusable invite link has no status, and an open position no exit_reason', async () => {
    const { list } = await stage.asCompany('GET', links(), undefined, versionHeader(version))
    for (const { attributes } of list) expect(attributes).not.toHaveProperty('status')
    const positions = await stage.asUser('GET', '/portfolio/positions', undefined, versionHeader(version))
    expect(positions.list).toHaveLength(3)
    for (const { attributes } of positions.list) expect(attributes).not.toHaveProperty('exit_reason')
  })

  test.each(['/campaigns', '/connected-apps'])('%s has integer ids, the same each time', async (path) => {
    const get = async (headers?: Record<string, string>) => (await stage.asUser('GET', path, undefined, headers)).list
    const older = await get(versionHeader(version))
    expect(older.length).toBeGreaterThanOrEqual(3)
    const ids: readonly unknown[] = older.map(({ id }) => id)
    expect(ids.every(Number.isInteger)).toBe(true)
    expect(new Set(ids).size).toBe(ids.length)
    expect((await get(versionHeader(version))).map(({ id }) => id)).toEqual(ids)
    const newest = await get()
    expect(newest.map(({ id }) => typeof id)).toEqual(newest.map(() => 'string'))
    for (const { attributes } of [...older, ...newest]) expect(attributes).not.toHaveProperty('legacy_id')
  })

  test('GET /activity takes the integer id of an app', async () => {
    const apps = (await stage.asUser('GET', '/connected-apps', undefined, versionHeader(version))).list
    const newest = (await stage.asUser('GET', '/connected-apps')).list.map(({ id }) => id)
    const get = async (app: unknown) =>
      (await stage.asUser('GET', `/activity?app_id=${app}&per_page=1`, undefined, versionHeader(version))).list.length
    for (const [nth, { id }] of apps.entries()) expect(await get(id)).toBe(newest[nth] === stage.app ? 1 : 0)
    expect(await get(999_999_999)).toBe(0)
  })

  test('carry_percentage_override may be a numeric text, which the newest version rejects', async () => {
    const path = `/syndicates/${stage.made.syndicate}/members/${stage.made.member}`
    const change = (carry: unknown, headers: Record<string, string>) =>
      stage.asSyndicate('PATCH', path, { member: { carry_percentage_override: carry } }, headers)
    const changed = await change('20.0', versionHeader(version))
    expect([changed.status, changed.data.attributes['carry_percentage_override']]).toEqual([200, 20])
    for (const wrong of ['20.5', 'twenty', '-1', '']) {
      expect(refusalOf(await change(wrong, versionHeader(version)))).toBe('422 validation_error')
    }
    expect(refusalOf(await change('20.0', NEWEST))).toBe('422 validation_error')
  })
})

test('DELETE /connected-apps takes the integer id, and answers 404 to the id of a disconnected or unknown app', async () => {
  const list = async (headers?: Record<string, string>) =>
    (await stage.asUser('GET', '/connected-apps', undefined, headers)).list.map(({ id }) => id)
  const [older, newest] = [await list(OLDER), await list()]
  const other = newest.findIndex((id) => id !== stage.app)
  const gone = await stage.asUser('DELETE', `/connected-apps/${older[other]}`, undefined, OLDER)
  expect(gone.status).toBe(200)
  expect(await list()).toEqual(newest.filter((_, nth) => nth !== other))
  for (const id of [older[other], 999_999_999]) {
    expect(refusalOf(await stage.asUser('DELETE', `/connected-apps/${id}`, undefined, OLDER))).toBe('404 not_found')
  }
})

describe('a repeated Idempotency-Key', () => {
  /** Returns the statuses of a POST request and of its repetition. */
  async function statuses(send: Send, path: string, body: object, headers: Record<string, string>) {
    const key = { 'idempotency-key': newId('request'), ...headers }
    const [first, again] = [await send('POST', path, body, key), await send('POST', path, body, key)]
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.data).toEqual(first.data)
    return [first.status, again.status]
  }

  test('of invite links and investment sessions gets 200 in older versions, and 201 in the newest version', async () => {
    const session = () => ({ spv_id: stage.made.offering, email: `${newId('request')}@example.org` })
    for (const [headers, replayed] of [
      [OLDER, 200],
      [NEWEST, 201],
    ] as const) {
      const link = await statuses(stage.asCompany, links(), { invite_link: {} }, headers)
      const opened = { investment_session: session() }
      const started = await statuses(stage.asCompany, '/partner/investment_sessions', opened, headers)
      expect([link, started]).toEqual([
        [201, replayed],
        [201, replayed],
      ])
    }
  })

  test('of intents gets 200 in every version', async () => {
    for (const [headers, params] of [
      [OLDER, { fundraise_id: stage.made.offering }],
      [NEWEST, { fundraise_id: stage.made.otherOffering }],
    ] as const) {
      const of = { resource_type: 'syndicate', resource_id: stage.made.syndicate }
      const intent = { action_name: 'syndicates.close_deal', ...of, params }
      expect(await statuses(stage.asSyndicate, '/intents', intent, headers)).toEqual([201, 200])
    }
  })

  test('of join themes and webhook endpoints gets 201 again in every version', async () => {
    for (const headers of [OLDER, NEWEST]) {
      const themes = `/syndicates/${stage.made.syndicate}/join_themes`
      expect(await statuses(stage.asSyndicate, themes, { name: 'Again' }, headers)).toEqual([201, 201])
      const endpoint = { url: 'https://hooks.example.org/again', events: ['offering.opened'] }
      expect(await statuses(stage.asUser, '/webhook_endpoints', endpoint, headers)).toEqual([201, 201])
    }
  })
})

describe('an invite link with max_uses', () => {
  const invest = (link: string) =>
    stage.asOperator('POST', '/sandbox/investments', {
      ...{ offering: stage.made.offering, investor: stage.user, amount_cents: 10_000, invite_link: link },
    })

  test('is limited in the sandbox too, and in the newest version a used-up link is inactive until max_uses is raised', async () => {
    const { data } = await stage.asCompany('POST', links(), { invite_link: { max_uses: 1 } })
    const path = `${links()}/${data.id}`
    const active = async (headers: Record<string, string>) => {
      const one = (await stage.asCompany('GET', path, undefined, headers)).data.attributes['active']
      const { list } = await stage.asCompany('GET', links(), undefined, headers)
      return [one, list.find(({ id }) => id === data.id)?.attributes['active']]
    }
    expect(await active(NEWEST)).toEqual([true, true])
    expect((await invest(data.id)).status).toBe(201)
    expect([await active(NEWEST), await active(OLDER)]).toEqual([
      [false, false],
      [true, true],
    ])
    const refused = await invest(data.id)
    expect(refused.error.details).toMatchObject({ fields: [{ field: 'invite_link', code: 'used_up' }] })
    const raised = await stage.asCompany('PATCH', path, { invite_link: { max_uses: 2 } })
    expect(raised.data.attributes).toMatchObject({ active: true, max_uses: 2, uses_count: 1 })
    expect((await invest(data.id)).status).toBe(201)
    expect(await active(NEWEST)).toEqual([false, false])
  })

  test('allows the last use to only one of two simultaneous investments', async () => {
    const { data } = await stage.asCompany('POST', links(), { invite_link: { max_uses: 1 } })
    const answers = await Promise.all([invest(data.id), invest(data.id)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422])
  })
})
