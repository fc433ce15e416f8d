import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPE_CATALOGUE, SCOPE_NAMES } from '#access/scopes/index.ts'
import { aClientToken } from '#access/tokens/testing/stage.ts'
import { forgetUser } from '#intake/facts/forget-user.ts'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { type CompanyRole, endRole, setRole } from '#market/companies/index.ts'
import { executeInvestment } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { refreshFigures } from '#views/catalog/index.ts'
import {
  allPages,
  OLDER,
  ORIGIN,
  openProfileStage,
  type ProfileStage,
  refusal,
  type Send,
} from '#views/profile/testing/stage.ts'
import { campaignRoutes } from './http.ts'

let stage: ProfileStage
beforeAll(async () => {
  stage = await openProfileStage(campaignRoutes)
})
afterAll(() => stage.close())

const LIST = '/campaigns'
const SCOPES = ['read:companies'] as const
const at = occasionAt('2026-01-05T00:00:00.000000Z')
const join = (user: Id<'user'>, company: Id<'company'>, role: CompanyRole = 'founder') =>
  stage.arrange((tx) => setRole(tx, { company, user, role }, at))
const offer = (terms: Parameters<typeof makeOffering>[1]) => stage.arrange((tx) => makeOffering(tx, terms))
const idsOf = async (send: Send, query = '') => (await send('GET', LIST + query)).list.map(({ id }) => id)

/** Makes a person who runs one company for each number in `rounds`, with that many offerings. */
async function founder(...rounds: readonly number[]) {
  const user = await stage.user()
  const companies: Id<'company'>[] = []
  const offerings: Id<'offering'>[] = []
  for (const count of rounds) {
    const company = await stage.arrange((tx) => makeCompany(tx))
    await join(user, company)
    companies.push(company)
    for (let n = 0; n < count; n += 1) offerings.push(await offer({ company }))
  }
  const send = await stage.as(user, SCOPES)
  return { user, companies, send, newestFirst: offerings.toSorted().toReversed() }
}

describe('GET /campaigns', () => {
  test('200: all fields of a campaign', async () => {
    const user = await stage.user()
    const slug = `brightkiln-${user.slice(4).toLowerCase()}`
    const company = await stage.arrange((tx) =>
      makeCompany(tx, { name: 'Brightkiln', slug, page_url: '/c/brightkiln' }),
    )
    await join(user, company)
    const offering = await offer({ company, funding_target_cents: 50_000_000 as Cents })
    await stage.arrange(async (tx) => {
      const id = await makeInvestment(tx, { offering, amount_cents: 250_000 as Cents })
      await executeInvestment(tx, { id }, occasionAt())
    })
    await stage.arrange((tx) => refreshFigures(tx, { changes: 1_000, offerings: 1_000 }))
    const { status, list, meta } = await (await stage.as(user, SCOPES))('GET', LIST)
    expect([status, list]).toEqual([
      200,
      [
        {
          id: offering,
          type: 'campaign',
          attributes: {
            state: 'active',
            testing_the_waters: false,
            company,
            company_name: 'Brightkiln',
            company_url: slug,
            url: `${ORIGIN}/c/brightkiln`,
            currency: 'usd',
            amount_raised: 2_500,
            amount_raised_cents: 250_000,
            funding_target: 500_000,
            funding_target_cents: 50_000_000,
            investor_count: 1,
            created_at: '2026-01-01T00:00:00.000000Z',
            updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
            closed_at: null,
          },
        },
      ],
    ])
    expect(meta).toEqual({ has_more: false, page_count: 1, next_cursor: null })
  })

  test.each([
    ['upcoming', 'upcoming'],
    ['open', 'active'],
    ['closing', 'closing'],
    ['closed', 'closed'],
  ] as const)('a round that is %s has the state %s, even if it is private', async (status, state) => {
    const { companies, send } = await founder(0)
    await offer({ company: companies[0] ?? newId('company'), status, exemption: 'reg_d_506b' })
    expect((await send('GET', LIST)).list).toMatchObject([{ attributes: { state } }])
  })

  test('lists the campaigns of every company that the user runs; each campaign once, even if the user has several roles', async () => {
    const { user, companies, send, newestFirst } = await founder(2, 1)
    for (const role of ['admin', 'employee'] as const) await join(user, companies[0] ?? newId('company'), role)
    await offer({})
    expect(await idsOf(send)).toEqual(newestFirst)
  })

  test.each([
    ['founder', 1],
    ['admin', 1],
    ['editor', 1],
    ['employee', 0],
  ] as const)('as %s of a company the user sees %i private rounds', async (role, seen) => {
    const [user, company] = [await stage.user(), await stage.arrange((tx) => makeCompany(tx))]
    await join(user, company, role)
    await offer({ company, exemption: 'reg_d_506b' })
    const sends = [await stage.as(user, SCOPES), await stage.installedOn({ user }, SCOPES, await stage.client())]
    for (const send of sends) expect((await idsOf(send)).length).toBe(seen)
  })

  test('does not list campaigns of a company that the user has left', async () => {
    const { user, companies, send } = await founder(1)
    const [company = newId('company')] = companies
    await stage.arrange((tx) => endRole(tx, { company, user, role: 'founder' }, at))
    expect(await idsOf(send)).toEqual([])
  })

  test('returns an empty list if the user runs no company', async () => {
    const { list, meta } = await (await stage.as(await stage.user(), SCOPES))('GET', LIST)
    expect([list, meta]).toEqual([[], { has_more: false, page_count: 0, next_cursor: null }])
  })
})

describe('pages', () => {
  test('all campaigns of all companies are listed newest first; with every page size each campaign is listed once', async () => {
    const { send, newestFirst } = await founder(3, 1, 2)
    for (const size of [1, 2, 4, 6, 100]) {
      const pages = await allPages(send, `${LIST}?per_page=${size}`)
      expect(pages.flatMap(({ list }) => list.map(({ id }) => id))).toEqual(newestFirst)
      expect(pages).toHaveLength(Math.ceil(6 / size))
    }
  })

  test('if campaigns are added between two pages, no campaign is listed twice and none is missed', async () => {
    const { companies, send, newestFirst } = await founder(4)
    const first = await send('GET', `${LIST}?per_page=2`)
    await offer({ company: companies[0] ?? newId('company') })
    const rest = await idsOf(send, `?cursor=${encodeURIComponent(first.meta.next_cursor ?? '')}`)
    expect([...first.list.map(({ id }) => id), ...rest]).toEqual(newestFirst)
  })

  test('in older versions the cursor is the number of rows returned so far', async () => {
    const { send, newestFirst } = await founder(2, 2)
    const older = (query: string) => send('GET', LIST + query, undefined, OLDER)
    const first = await older('?per_page=3')
    expect(first.meta).toEqual({ has_more: true, page_count: 3, next_cursor: 3 })
    const last = await older('?per_page=3&cursor=3')
    const rows = [...first.list, ...last.list]
    expect(rows.map(({ attributes }) => attributes['company']).every((id) => typeof id === 'string')).toBe(true)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(newestFirst.length)
    expect(rows.every(({ id }) => Number.isSafeInteger(id))).toBe(true)
    expect(last.meta).toEqual({ has_more: false, page_count: 1, next_cursor: null })
    expect(refusal(await older('?cursor=x'))).toEqual([400, 'invalid_request'])
  })

  test('400 for a changed cursor and for a cursor of another user', async () => {
    const [{ send }, { send: other }] = [await founder(2), await founder(2)]
    const cursor = (await send('GET', `${LIST}?per_page=1`)).meta.next_cursor ?? ''
    const changed = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A')
    for (const wrong of [changed, '1']) {
      expect(refusal(await send('GET', `${LIST}?cursor=${encodeURIComponent(wrong)}`))).toEqual([
        400,
        'invalid_request',
      ])
    }
    expect(refusal(await other('GET', `${LIST}?cursor=${encodeURIComponent(cursor)}`))).toEqual([
      400,
      'invalid_request',
    ])
  })
})

describe('access', () => {
  const OPENING: readonly string[] = [
    'read:companies',
    'write:companies',
    'read:offerings',
    'write:offerings',
    'read:mcp',
  ]

  test('one scope is enough: read:companies or a scope that includes it, also if the scope is retired', async () => {
    const user = await stage.user()
    for (const scope of SCOPE_NAMES.filter((name) => SCOPE_CATALOGUE[name].holders.includes('user'))) {
      const response = await (await stage.as(user, [scope]))('GET', LIST)
      if (OPENING.includes(scope)) expect([scope, response.status]).toEqual([scope, 200])
      else expect([scope, ...refusal(response)]).toEqual([scope, 403, 'insufficient_scope'])
    }
  })

  test('read:campaigns is accepted only for an app that is pinned to an older version', async () => {
    const { user } = await founder(1)
    const pinned = await stage.client({ scopes: ['read:campaigns'], apiVersion: '2026-10-01' })
    const older = await stage.as(user, ['read:campaigns'], pinned)
    const { status, list } = await older('GET', LIST)
    expect([status, list.length]).toEqual([200, 1])
    expect(refusal(await older('GET', '/users/me/companies'))).toEqual([403, 'insufficient_scope'])
    await stage.db.sql(`update platform.app_keys set api_version = '2026-11-01' where app_id = $1`, [pinned.app])
    expect(refusal(await older('GET', LIST))).toEqual([403, 'insufficient_scope'])
  })

  test('401 without a token and after the user was deactivated; 403 for the app’s own token', async () => {
    expect(refusal(await stage.bearer(null)('GET', LIST))).toEqual([401, 'invalid_token'])
    const { user, send } = await founder(1)
    await stage.arrange((tx) => forgetUser(tx, user, occasionAt()))
    expect(refusal(await send('GET', LIST))).toEqual([401, 'invalid_token'])
    const { accessToken } = await aClientToken(stage.db, await stage.client())
    expect(refusal(await stage.bearer(accessToken)('GET', LIST))).toEqual([403, 'insufficient_scope'])
  })

  test('an installation on a company: only that company’s campaigns, not those of the installer’s other companies', async () => {
    const { companies, newestFirst } = await founder(2, 1)
    const [company = newId('company')] = companies
    const send = await stage.installedOn({ company }, SCOPES)
    const { list } = await send('GET', LIST)
    expect(new Set(list.map(({ attributes }) => attributes['company']))).toEqual(new Set([company]))
    expect(list).toHaveLength(2)
    expect(newestFirst).toHaveLength(3)
  })

  test('the user’s own connection: the user’s campaigns; an installation on a syndicate: 403 forbidden', async () => {
    const { user, newestFirst } = await founder(1, 1)
    const minted = await stage.installedOn({ user }, SCOPES, await stage.client())
    expect(await idsOf(minted)).toEqual(newestFirst)
    const syndicate = await stage.arrange((tx) => makeSyndicate(tx))
    const send = await stage.installedOn({ syndicate }, SCOPES)
    expect(refusal(await send('GET', LIST))).toEqual([403, 'forbidden'])
  })

  test('a token of the other world sees no campaign of this world', async () => {
    await founder(1)
    const client = await stage.client({ world: 'live' })
    expect(await idsOf(await stage.as(await stage.user({}, 'live'), SCOPES, client))).toEqual([])
  })
})
