import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { type CompanyRole, endRole, setRole } from '#market/companies/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeOffering } from '#test/offerings.ts'
import { OLDER, ORIGIN, openProfileStage, type ProfileStage, refusal } from './testing/stage.ts'

let stage: ProfileStage
beforeAll(async () => {
  stage = await openProfileStage()
})
afterAll(() => stage.close())

const PATH = '/users/me/companies'
const at = occasionAt('2026-01-05T00:00:00.000000Z')
const join = (user: Id<'user'>, company: Id<'company'>, role: CompanyRole) =>
  stage.arrange((tx) => setRole(tx, { company, user, role }, at))
const aCompany = (name: string, round: Parameters<typeof makeOffering>[1] | null = null) =>
  stage.arrange(async (tx) => {
    const company = await makeCompany(tx, { name, page_url: `/c/${name.toLowerCase()}`, tagline: 'Kilns' })
    if (round !== null) await makeOffering(tx, { ...round, company })
    return company
  })

describe('GET /users/me/companies', () => {
  test('200: the companies on whose team the user is, sorted by name, with all the user’s roles', async () => {
    const user = await stage.user()
    const [tidewell, brightkiln] = [await aCompany('Tidewell'), await aCompany('Brightkiln', { listed: false })]
    await join(user, tidewell, 'employee')
    await join(user, brightkiln, 'editor')
    await join(user, brightkiln, 'founder')
    await aCompany('Other Company')
    const { status, list, meta } = await (await stage.as(user, ['read:companies']))('GET', PATH)
    expect(status).toBe(200)
    expect(list).toEqual([
      {
        id: brightkiln,
        type: 'company',
        attributes: {
          name: 'Brightkiln',
          tagline: 'Kilns',
          url: `${ORIGIN}/c/brightkiln`,
          roles: ['founder', 'editor'],
          raising: true,
        },
      },
      {
        id: tidewell,
        type: 'company',
        attributes: {
          name: 'Tidewell',
          tagline: 'Kilns',
          url: `${ORIGIN}/c/tidewell`,
          roles: ['employee'],
          raising: false,
        },
      },
    ])
    expect(meta).toEqual({ has_more: false, page_count: 2, next_cursor: null, count: 2 })
  })

  test.each([
    ['open', true],
    ['upcoming', false],
    ['closing', false],
    ['closed', false],
  ] as const)('with a round that is %s, raising is %s, even if the round is private', async (status, raising) => {
    const user = await stage.user()
    await join(user, await aCompany('Brightkiln', { status, exemption: 'reg_d_506b' }), 'admin')
    const { list } = await (await stage.as(user, ['read:companies']))('GET', PATH)
    expect(list).toMatchObject([{ attributes: { raising } }])
  })

  test('raising is true if a round accepts reservations', async () => {
    const user = await stage.user()
    await join(user, await aCompany('Brightkiln', { testing_the_waters: true }), 'admin')
    const { list } = await (await stage.as(user, ['read:companies']))('GET', PATH)
    expect(list).toMatchObject([{ attributes: { raising: true } }])
  })

  test('an ended role is not listed; a company in which all roles of the user have ended is not listed', async () => {
    const user = await stage.user()
    const company = await aCompany('Brightkiln')
    await join(user, company, 'founder')
    await join(user, company, 'admin')
    const send = await stage.as(user, ['read:companies'])
    const leave = (role: CompanyRole) => stage.arrange((tx) => endRole(tx, { company, user, role }, at))
    await leave('founder')
    expect((await send('GET', PATH)).list).toMatchObject([{ attributes: { roles: ['admin'] } }])
    await leave('admin')
    const { list, meta } = await send('GET', PATH)
    expect([list, meta]).toEqual([[], { has_more: false, page_count: 0, next_cursor: null, count: 0 }])
  })

  test('the response is the same in every version', async () => {
    const user = await stage.user()
    await join(user, await aCompany('Brightkiln'), 'founder')
    const send = await stage.as(user, ['read:companies'])
    expect((await send('GET', PATH, undefined, OLDER)).list).toEqual((await send('GET', PATH)).list)
  })

  test('401 without a token; 403 insufficient_scope with a profile scope, and the error names read:companies', async () => {
    expect(refusal(await stage.bearer(null)('GET', PATH))).toEqual([401, 'invalid_token'])
    const rejected = await (await stage.as(await stage.user(), ['write:profile', 'write:follows']))('GET', PATH)
    expect(refusal(rejected)).toEqual([403, 'insufficient_scope'])
    expect(rejected.error.message).toContain('read:companies')
  })
})
