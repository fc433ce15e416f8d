import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeOffering } from '#test/offerings.ts'
import { addDeal } from '../index.ts'
import {
  type DirectoryStage,
  everyRow,
  OLDER,
  ORIGIN,
  openDirectoryStage,
  refusal,
} from '../testing/directory-stage.ts'

let stage: DirectoryStage
beforeAll(async () => {
  stage = await openDirectoryStage()
})
afterAll(() => stage?.close())

describe('GET /syndicates/{id}', () => {
  test('200: the settings of the syndicate, its number of members and of current deals', async () => {
    const { id, operator, creator } = await stage.syndicate({ tagline: 'Engines.', avatar_url: '/logos/engine.svg' })
    await stage.member(id)
    await stage.member(id, { status: 'pending' })
    await stage.arrange(async (tx) => {
      for (const status of ['open', 'closing', 'closed', 'upcoming'] as const) {
        await addDeal(tx, { syndicateId: id, offeringId: await makeOffering(tx, { status }) }, occasionAt())
      }
    })
    const { status, data } = await (await stage.as(operator))('GET', `/syndicates/${id}`)
    expect(status).toBe(200)
    expect(data).toEqual({
      id,
      type: 'syndicate',
      attributes: {
        name: 'Engine Backers',
        slug: id.toLowerCase(),
        tagline: 'Engines.',
        description: null,
        avatar_url: `${ORIGIN}/logos/engine.svg`,
        published: false,
        launched: false,
        membership_open: true,
        syndicate_type: null,
        auto_accept_accredited_members: false,
        fund_required: false,
        member_count: 1,
        deal_count: 2,
        primary_fund_company: null,
        created_by: creator,
        created_at: '2026-01-01T00:00:00.000000Z',
        updated_at: '2026-01-01T00:00:00.000000Z',
      },
    })
  })

  test('the response has a fund’s terms under the name of its type, in minor units', async () => {
    const fund = { type: 'annual_subscription', deals_per_year: 4, amount_per_deal_cents: 100_000 } as const
    const subscription = await stage.syndicate({ fund })
    const traditional = await stage.syndicate({
      fund: { type: 'traditional_fund', require_minimum_investment: true, minimum_investment_amount_cents: 500_000 },
    })
    const first = await (await stage.as(subscription.full))('GET', `/syndicates/${subscription.id}`)
    expect(first.data.attributes['annual_subscription']).toEqual({
      currency: 'usd',
      fund_investment_amount_cents: null,
      deals_per_year: 4,
      amount_per_deal_cents: 100_000,
    })
    expect(first.data.attributes).not.toHaveProperty('traditional_fund')
    const second = await (await stage.as(traditional.full))('GET', `/syndicates/${traditional.id}`)
    expect(second.data.attributes['traditional_fund']).toEqual({
      require_minimum_investment: true,
      currency: 'usd',
      minimum_investment_amount_cents: 500_000,
    })
  })
})

describe('GET /syndicates', () => {
  test('lists the syndicates that the user manages, even only as an operator, newest first, page by page', async () => {
    const user = await stage.user()
    const stem = newId('syndicate').slice(0, -1)
    const ids = ['1', '2', '3'].map((n) => (stem + n) as Id<'syndicate'>)
    for (const id of ids) await stage.syndicate({ id, createdBy: user })
    const send = await stage.as(user)
    // Creating a syndicate does not make a person its manager.
    expect((await send('GET', '/syndicates')).list).toEqual([])
    for (const id of ids) {
      await stage.db.sql(
        `insert into test.syndicate_managers (syndicate_id, user_id, permission) values ($1, $2, 'operator')`,
        [id, user],
      )
    }
    const newestFirst = ids.toSorted().reverse()
    expect((await everyRow(send, '/syndicates?per_page=2')).map(({ id }) => id)).toEqual(newestFirst)
    const { meta } = await send('GET', '/syndicates?per_page=2')
    expect(meta).toEqual({ has_more: true, page_count: 2, next_cursor: expect.any(String) })
    expect(refusal(await send('GET', '/syndicates?cursor=nonsense'))).toBe('400 invalid_request')
    expect(refusal(await send('GET', '/syndicates?per_page=many'))).toBe('400 invalid_request')
  })

  test('a token of an installation lists only the syndicate of the installation', async () => {
    const { id } = await stage.syndicate()
    const { list, meta } = await (await stage.installedOn({ syndicate: id }))('GET', '/syndicates')
    expect([list.map((each) => each.id), meta['has_more']]).toEqual([[id], false])
  })

  test('403 with a token of an installation on a syndicate that was deleted, and the message says that it was deleted', async () => {
    const { id } = await stage.syndicate()
    const send = await stage.installedOn({ syndicate: id })
    await stage.db.sql('update test.syndicates set deleted_at = now() where id = $1', [id])
    const answer = await send('GET', '/syndicates')
    expect([refusal(answer), answer.error.message, answer.error.remediation]).toEqual([
      '403 forbidden',
      'The syndicate of this token’s installation was deleted.',
      'Use a token of the app’s installation on another syndicate, or of a manager.',
    ])
  })

  test('403 with a token of an installation on a company or a user', async () => {
    const [company, user] = [await stage.arrange((tx) => makeCompany(tx)), await stage.user()]
    for (const target of [{ company }, { user }]) {
      expect(refusal(await (await stage.installedOn(target))('GET', '/syndicates'))).toBe('403 forbidden')
    }
  })
})

describe('PATCH /syndicates/{id}', () => {
  test('200: only the fields in the body change', async () => {
    const { id, operator } = await stage.syndicate({ tagline: 'Old.', description: 'Long.' })
    const send = await stage.as(operator)
    const changes = { name: 'Difference Backers', tagline: null }
    const { status, data } = await send('PATCH', `/syndicates/${id}`, { syndicate: changes })
    expect(status).toBe(200)
    expect(data.attributes).toMatchObject({ ...changes, description: 'Long.', slug: id.toLowerCase() })
    const read = await send('GET', `/syndicates/${id}`)
    expect(read.data).toEqual(data)
    const unchanged = await send('PATCH', `/syndicates/${id}`, { syndicate: {} })
    expect(unchanged.data).toEqual(data)
  })

  test('an app on the syndicate can change the settings, too', async () => {
    const { id } = await stage.syndicate()
    const send = await stage.installedOn({ syndicate: id })
    const { data } = await send('PATCH', `/syndicates/${id}`, { syndicate: { tagline: 'By an app.' } })
    expect(data.attributes['tagline']).toBe('By an app.')
  })

  test.each([
    [{}, 'syndicate'],
    [{ syndicate: { name: '' } }, 'syndicate.name'],
    [{ syndicate: { name: null } }, 'syndicate.name'],
    [{ syndicate: { name: 'x'.repeat(201) } }, 'syndicate.name'],
    [{ syndicate: { name: 'two\nlines' } }, 'syndicate.name'],
    [{ syndicate: { tagline: 7 } }, 'syndicate.tagline'],
    [{ syndicate: { slug: 'mine' } }, 'syndicate.slug'],
  ])('422 for %j, and the syndicate does not change', async (body, field) => {
    const { id, operator } = await stage.syndicate()
    const send = await stage.as(operator)
    const answer = await send('PATCH', `/syndicates/${id}`, body)
    expect(refusal(answer)).toBe('422 validation_error')
    expect(answer.error.details?.['fields']).toEqual(expect.arrayContaining([expect.objectContaining({ field })]))
    expect((await send('GET', `/syndicates/${id}`)).data.attributes).toMatchObject({ name: 'Engine Backers' })
  })

  test('older API versions ignore unknown fields in the body', async () => {
    const { id, operator } = await stage.syndicate()
    const body = { syndicate: { tagline: 'Known.', slug: 'unknown' } }
    const { status, data } = await (await stage.as(operator))('PATCH', `/syndicates/${id}`, body, OLDER)
    expect([status, data.attributes['tagline'], data.attributes['slug']]).toEqual([200, 'Known.', id.toLowerCase()])
  })
})
