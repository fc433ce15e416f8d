import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance } from '#access/tokens/testing/stage.ts'
import { type ApiStage, GRANTED, openApiStage, type Partner, type Person, type Send } from '../testing/api-stage.ts'

let stage: ApiStage
let partner: Partner
let founder: Person
let send: Send
beforeAll(async () => {
  stage = await openApiStage()
  partner = await stage.partner()
  founder = await stage.person()
  send = await stage.as(partner, founder)
})
afterAll(() => stage.close())

const OLDER = { 'wefunder-version': '2026-10-01' }
const older: Send = (method, path, body) => send(method, path, body, OLDER)
const oldest: Send = (method, path, body) => send(method, path, body, { 'wefunder-version': '2025-01-15' })

async function nested(company: string, more: object = {}) {
  return {
    id: expect.stringMatching(/^inst_/),
    type: 'installation',
    attributes: {
      target: { type: 'company', id: company, name: 'Analytical Engines' },
      tier: 'founder',
      scopes: GRANTED,
      status: 'active',
      installed_at: expect.any(String),
      installed_by: null,
      revoked_at: null,
      ...more,
    },
  }
}

describe('before 2026-11-01', () => {
  test.each([
    ['2026-10-01', older],
    ['2025-01-15', oldest],
  ])('%s: the records of all routes are nested and have no newer fields', async (_, by: Send) => {
    const company = await stage.company({ founder })
    const body = { target_type: 'company', target_id: company }
    const made = await by('POST', '/installations', body)
    const record = await nested(company)
    expect(made.status).toBe(201)
    expect(made.data).toEqual(record)
    const { id } = made.data
    expect((await by('GET', `/installations/${id}`)).data).toEqual(record)
    expect((await by('GET', '/installations')).list).toContainEqual(record)
    expect((await by('POST', `/installations/${id}/tokens`)).data).toEqual(record)
    const eligible = (await by('GET', '/installations/eligible')).list as readonly { id: string }[]
    expect(eligible.find((one) => one.id === company)).toMatchObject({ installed: true, installation: record })
    const revoked = await by('DELETE', `/installations/${id}`)
    expect(revoked.data).toEqual(await nested(company, { status: 'revoked', revoked_at: expect.any(String) }))
    const free = (await by('GET', '/installations/eligible')).list as readonly { id: string }[]
    expect(free.find((one) => one.id === company)).toMatchObject({ installed: false, installation: null })
  })

  test('tokens of an app that is pinned to an older version never expire, and neither an install nor a mint returns expires_in', async () => {
    const pinned = await stage.partner({ apiVersion: '2026-10-01' })
    const by = await stage.as(pinned, founder)
    const company = await stage.company({ founder })
    const { data, token } = await by('POST', '/installations', { target_type: 'company', target_id: company })
    const minted = (await by('POST', `/installations/${data.id}/tokens`)).token
    for (const block of [token, minted]) {
      expect(Object.keys(block).toSorted()).toEqual([
        'access_token',
        'created_at',
        'installation',
        'scope',
        'token_type',
      ])
    }
    const header = { 'wefunder-version': '2026-11-01' }
    const newer = (await by('POST', `/installations/${data.id}/tokens`, undefined, header)).token
    expect('expires_in' in newer).toBe(false)
    await stage.db.sql(`update platform.app_keys set api_version = '2026-11-01' where app_id = $1`, [pinned.app])
    const repinned = (await by('POST', `/installations/${data.id}/tokens`)).token
    expect(repinned.expires_in).toBe(7200)
    await stage.db.sql(`update platform.app_keys set api_version = '2026-10-01' where app_id = $1`, [pinned.app])
    await advance(stage.db, '500 days')
    const status = async (one: string) => (await stage.bearer(one)('GET', `/installations/${data.id}`)).status
    expect(await status(token.access_token)).toBe(200)
    expect(await status(minted.access_token)).toBe(200)
    expect(await status(newer.access_token)).toBe(200)
    expect(await status(repinned.access_token)).toBe(401)
    send = await stage.as(partner, founder)
    await (await stage.as(pinned, founder))('DELETE', `/installations/${data.id}`)
    expect([await status(token.access_token), await status(minted.access_token)]).toEqual([401, 401])
  })

  test('an app that is pinned to the newest version gets a token with expires_in, even if the header names an older version', async () => {
    const company = await stage.company({ founder })
    const { data, token } = await older('POST', '/installations', { target_type: 'company', target_id: company })
    const minted = (await older('POST', `/installations/${data.id}/tokens`)).token
    expect([token.expires_in, minted.expires_in]).toEqual([7200, 7200])
  })

  test('lists omit installations on users, which the newest version includes', async () => {
    const user = await stage.person()
    const by = await stage.as(partner, user)
    expect((await by('GET', '/installations')).meta['count']).toBe(1)
    const before = await by('GET', '/installations', undefined, OLDER)
    expect([before.list, before.meta]).toEqual([[], { has_more: false, page_count: 0, next_cursor: null, count: 0 }])
  })

  test('404 for a request to read or revoke an installation on a user, or to mint a token on it', async () => {
    const user = await stage.person()
    const by = await stage.as(partner, user)
    const [own] = (await by('GET', '/installations')).list
    const path = `/installations/${own?.id}`
    const { token } = await by('POST', `${path}/tokens`, { scopes: ['read:installations'] })
    const teammate = await stage.as(partner, await stage.teammate(partner))
    const asked = [
      await by('GET', path, undefined, OLDER),
      await by('POST', `${path}/tokens`, undefined, OLDER),
      await by('DELETE', path, undefined, OLDER),
      await teammate('GET', path, undefined, OLDER),
      await teammate('DELETE', path, undefined, OLDER),
      await stage.bearer(token.access_token)('GET', path, undefined, OLDER),
    ]
    expect(asked.map(({ status, error }) => `${status} ${error?.type}`)).toEqual(asked.map(() => '404 not_found'))
    expect((await stage.bearer(token.access_token)('GET', '/installations', undefined, OLDER)).list).toEqual([])
    expect((await stage.bearer(token.access_token)('GET', path)).data).toEqual(own)
    expect((await by('DELETE', path)).data.status).toBe('revoked')
  })

  test('an app that is pinned to an older version gets that version if it sends no header', async () => {
    const pinned = await stage.partner({ apiVersion: '2026-10-01' })
    const by = await stage.as(pinned, founder)
    const company = await stage.company({ founder })
    const { data, token } = await by('POST', '/installations', { target_type: 'company', target_id: company })
    expect(data).toEqual(await nested(company))
    expect('expires_in' in token).toBe(false)
    const newest = await by('GET', `/installations/${data.id}`, undefined, { 'wefunder-version': '2026-11-01' })
    expect(newest.data.status).toBe('active')
  })

  test('the former tier full_access of installations on syndicates is still accepted, and becomes manager', async () => {
    const body = { target_type: 'syndicate', target_id: await stage.syndicate(founder), tier: 'full_access' }
    expect((await send('POST', '/installations', body)).status).toBe(422)
    const { status, data } = await older('POST', '/installations', body)
    expect([status, data['attributes']]).toMatchObject([201, { tier: 'manager' }])
  })
})
