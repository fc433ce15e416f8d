import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aPartner,
  aSyndicatePartner,
  installOn,
  openPartnerSite,
  type PartnerSite,
} from '#hosted/sessions/investment-api/testing/partner-stage.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { cancelInvestment, convertInvestment, recordInvestment, resolveConversion } from '#market/investments/index.ts'
import { removeDeal } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf, type Send } from '../../../test/contract/sender.ts'
import { useLink } from './manage-link.ts'

let site: PartnerSite
beforeAll(async () => {
  site = await openPartnerSite()
})
afterAll(() => site.close())

const run = <T>(work: Parameters<typeof site.db.databases.test.transaction<T>>[0]) =>
  site.db.databases.test.transaction(work)
const someone = () => run((tx) => makeUser(tx))
let count = 0
const address = () => `invited-${++count}@example.org`
type Partner = { readonly send: Send; readonly offering: Id<'offering'> }
const at = ({ offering }: Partner, id = '') => `/partner/spvs/${offering}/invite_links${id === '' ? '' : `/${id}`}`
const make = (partner: Partner, invite_link: object = {}) => partner.send('POST', at(partner), { invite_link })
const invest = (link: string, offering: Id<'offering'>, by?: Id<'user'>) =>
  run(async (tx) => {
    const id = newId('investment')
    const investor = by ?? (await makeUser(tx))
    await recordInvestment(tx, { id, offering, investor, amount_cents: 10_000 as never }, occasionAt())
    await useLink(tx, { link: link as Id<'inviteLink'>, investment: id }, occasionAt())
    return id
  })

describe('POST /partner/spvs/{offering}/invite_links', () => {
  test('201 for a reusable link: the record names no person', async () => {
    const partner = await aPartner(site)
    const { status, data } = await make(partner, { allocation_cents: 500_000, max_uses: 10 })
    expect([status, data]).toEqual([
      201,
      {
        id: expect.stringMatching(/^il_/),
        type: 'invite_link',
        attributes: {
          url: expect.stringContaining(`${site.url}/i/${data.id}.`),
          currency: 'usd',
          allocation_cents: 500_000,
          max_uses: 10,
          uses_count: 0,
          active: true,
          created_at: expect.any(String),
        },
      },
    ])
    expect((await partner.send('POST', at(partner))).status).toBe(201)
  })

  test('201 for one person by address, and for an app on a syndicate that runs the offering', async () => {
    const email = address()
    const { status, data } = await make(await aSyndicatePartner(site), { email, first_name: 'Ada', message: 'Hello' })
    expect([status, data.attributes]).toEqual([
      201,
      expect.objectContaining({
        ...{ email, platform_user_id: null, status: 'pending', opened_at: null },
        ...{ invested_at: null, investment_id: null },
      }),
    ])
  })

  test('a link for an account: no response contains the account’s email address', async () => {
    const partner = await aPartner(site)
    const user = await someone()
    const { data } = await make(partner, { platform_user_id: user })
    const [row] = await site.db.sql<{ email: string }>('select email from test.users where id = $1', [user])
    const seen = [
      data,
      (await partner.send('GET', at(partner, data.id))).data,
      (await partner.send('GET', at(partner))).list,
    ]
    expect(JSON.stringify(seen)).not.toContain(row?.email)
    expect(data.attributes).toMatchObject({ email: null, platform_user_id: user })
  })

  test('older versions call platform_user_id wefunder_user_id, in requests and in responses', async () => {
    const partner = await aPartner(site, { apiVersion: '2025-01-15' })
    const user = await someone()
    const { data } = await make(partner, { wefunder_user_id: user })
    expect(data.attributes).toMatchObject({ wefunder_user_id: user })
    expect(data.attributes).not.toHaveProperty('platform_user_id')
    const { list } = await partner.send('GET', at(partner))
    expect(list[0]?.attributes).toMatchObject({ wefunder_user_id: user })
    const bulk = await partner.send('POST', at(partner, 'bulk'), {
      invite_links: [{ wefunder_user_id: user, extra: 1 }],
    })
    expect([bulk.status, bulk.list[0]?.attributes['wefunder_user_id']]).toEqual([207, user])
  })

  test.each([
    ['an address and an account', { email: 'a@example.org', platform_user_id: newId('user') }, 'platform_user_id'],
    ['max_uses with a recipient', { email: 'a@example.org', max_uses: 3 }, 'max_uses'],
    ['a message of spaces only', { email: 'a@example.org', message: ' \n ' }, 'message'],
    ['a message with a control character', { email: 'a@example.org', message: 'Hello\u0007' }, 'message'],
    [
      'a message with a character that reverses the text',
      { email: 'a@example.org', message: 'Hello \u202eolleh' },
      'message',
    ],
    [
      'a name that contains a web address',
      { email: 'a@example.org', first_name: 'Visit https://evil.example' },
      'first_name',
    ],
    ['a name that is a host name', { email: 'a@example.org', last_name: 'evil.example' }, 'last_name'],
    ['a message without a recipient', { message: 'Hello' }, 'message'],
    ['a name without a recipient', { first_name: 'Ada' }, 'first_name'],
    ['mail without a recipient', { send_email: true }, 'send_email'],
    ['an allocation of one and a half units', { allocation_cents: 150 }, 'allocation_cents'],
    ['max_uses of 0', { max_uses: 0 }, 'max_uses'],
    ['an unknown field', { colour: 'red' }, 'colour'],
  ])('422 for %s', async (_, wanted, field) => {
    const response = await make(await aPartner(site), wanted)
    expect(refusalOf(response)).toBe('422 validation_error')
    const named = expect.objectContaining({ field: `invite_link.${field}` })
    expect(response.error.details).toMatchObject({ fields: expect.arrayContaining([named]) })
  })

  test.each(['Ada', 'Jean-Luc', 'J. R.', 'O’Neill', 'María José', '李', 'Nguyễn Văn', "D'Angelo Jr."])(
    '201 for a person called %s',
    async (first_name) => {
      const made = await make(await aPartner(site), { email: address(), first_name, send_email: false })
      expect(made.status).toBe(201)
    },
  )

  test('422 for an offering that accepts no more investors; also for a batch', async () => {
    const partner = await aPartner(site, { offering: { status: 'closed' } })
    const batch = await partner.send('POST', at(partner, 'bulk'), { invite_links: [{ email: address() }] })
    for (const response of [await make(partner), batch]) {
      expect(response.error.details).toMatchObject({ fields: [{ field: 'spv_id', code: 'not_open' }] })
    }
  })

  test('404 for an unknown user and for another company’s hidden offering; 403 for another company’s public offering', async () => {
    const partner = await aPartner(site)
    expect(refusalOf(await make(partner, { platform_user_id: newId('user') }))).toBe('404 not_found')
    const { hidden, shown } = await run(async (tx) => ({
      hidden: await makeOffering(tx),
      shown: await makeOffering(tx, { listed: true }),
    }))
    expect(refusalOf(await make({ ...partner, offering: hidden }))).toBe('404 not_found')
    expect(refusalOf(await make({ ...partner, offering: shown }))).toBe('403 forbidden')
  })

  test('403 for an app that is installed on a user, and for a token with only the read scope', async () => {
    const { offering } = await aPartner(site)
    const { send } = await installOn(site, { user: await someone() })
    expect(refusalOf(await make({ send, offering }))).toBe('403 forbidden')
    expect(refusalOf(await make(await aPartner(site, { scopes: ['read:invite_links'] })))).toBe(
      '403 insufficient_scope',
    )
  })

  test('an Idempotency-Key replays the first answer', async () => {
    const partner = await aPartner(site)
    const body = { invite_link: { email: address() } }
    const key = { 'idempotency-key': newId('request') }
    const first = await partner.send('POST', at(partner), body, key)
    const second = await partner.send('POST', at(partner), body, key)
    expect([second.data.id, second.headers.get('idempotent-replayed')]).toEqual([first.data.id, 'true'])
  })
})

describe('GET /partner/spvs/{offering}/invite_links', () => {
  test('200: only links of this app, newest first, page by page; another app gets 404 for these links', async () => {
    const partner = await aPartner(site)
    const rival = await installOn(site, { company: partner.company })
    const ids: string[] = []
    for (let i = 0; i < 3; i++) ids.push((await make(partner)).data.id)
    const newest = ids.toSorted().toReversed()
    const first = await partner.send('GET', `${at(partner)}?per_page=2`)
    expect([first.list.map(({ id }) => id), first.meta['has_more']]).toEqual([newest.slice(0, 2), true])
    const second = await partner.send('GET', `${at(partner)}?per_page=2&cursor=${first.meta['next_cursor']}`)
    expect(second.list.map(({ id }) => id)).toEqual(newest.slice(2))
    expect((await rival.send('GET', at(partner))).list).toEqual([])
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/resend'],
    ] as const) {
      expect(refusalOf(await rival.send(method, at(partner, ids[0]) + path))).toBe('404 not_found')
    }
  })

  test('an app that was installed again can cancel its earlier links', async () => {
    const partner = await aPartner(site)
    const { data } = await make(partner)
    const again = await installOn(site, { company: partner.company })
    await site.db.sql(
      `update test.installations set state = 'revoked', revoked_at = now(), revoked_by_role = 'founder' where id = $1`,
      [partner.installation],
    )
    await site.db.sql('update test.installations set app_id = $1 where id = $2', [partner.app, again.installation])
    await site.db.sql('update test.access_tokens set app_id = $1 where installation_id = $2', [
      partner.app,
      again.installation,
    ])
    const canceled = await again.send('DELETE', at(partner, data.id))
    expect(canceled.data.attributes['active']).toBe(false)
  })

  test('404 for a link under another offering of the same company', async () => {
    const partner = await aPartner(site)
    const { data } = await make(partner)
    const other = await run((tx) => makeOffering(tx, { company: partner.company }))
    expect(refusalOf(await partner.send('GET', at({ ...partner, offering: other }, data.id)))).toBe('404 not_found')
  })
})

test('after a syndicate stopped running the deal, its links can be read and canceled, but not created or resent', async () => {
  const partner = await aSyndicatePartner(site)
  const { data } = await make(partner, { email: address() })
  await run((tx) => removeDeal(tx, { syndicateId: partner.syndicate, offeringId: partner.offering }))
  expect((await partner.send('GET', at(partner))).list.map(({ id }) => id)).toEqual([data.id])
  expect((await partner.send('GET', at(partner, data.id))).status).toBe(200)
  expect(refusalOf(await make(partner))).toBe('404 not_found')
  expect(refusalOf(await partner.send('POST', `${at(partner, data.id)}/resend`))).toBe('404 not_found')
  expect((await partner.send('DELETE', at(partner, data.id))).data.attributes['active']).toBe(false)
  const other = await aSyndicatePartner(site)
  expect(refusalOf(await other.send('GET', at(partner)))).toBe('404 not_found')
})

describe('the uses and the status of a link', () => {
  test('only investments that were not canceled count as uses', async () => {
    const partner = await aPartner(site)
    const { data } = await make(partner, { max_uses: 5 })
    const first = await invest(data.id, partner.offering)
    await invest(data.id, partner.offering)
    const uses = async () => (await partner.send('GET', at(partner, data.id))).data.attributes['uses_count']
    expect(await uses()).toBe(2)
    await run((tx) => cancelInvestment(tx, { id: first }, occasionAt()))
    expect(await uses()).toBe(1)
  })

  test('a person’s link has the status invested, opened once the investment is canceled, and revoked once the link is canceled', async () => {
    const partner = await aPartner(site)
    const { data } = await make(partner, { email: address() })
    const read = async () => (await partner.send('GET', at(partner, data.id))).data.attributes
    const investment = await invest(data.id, partner.offering)
    expect(await read()).toMatchObject({ status: 'invested', investment_id: investment, uses_count: 1 })
    await run((tx) => cancelInvestment(tx, { id: investment }, occasionAt()))
    expect(await read()).toMatchObject({ status: 'opened', investment_id: null, invested_at: null })
    await partner.send('DELETE', at(partner, data.id))
    expect(await read()).toMatchObject({ status: 'revoked', active: false })
    expect((await read())['events']).toEqual(
      ['open', 'invest', 'cancel'].map((event) => ({
        ...{ event, city: null, country_code: null, created_at: expect.any(String) },
      })),
    )
  })

  test('a converted reservation and its successor count as one use', async () => {
    const partner = await aPartner(site, { offering: { testing_the_waters: true } })
    const successorOf = await run((tx) => makeOffering(tx, { company: partner.company }))
    const investor = await someone()
    const { data } = await make(partner, { max_uses: 1, allocation_cents: 10_000 })
    const reserved = await invest(data.id, partner.offering, investor)
    const uses = async () => (await partner.send('GET', at(partner, data.id))).data.attributes['uses_count']
    await run((tx) => convertInvestment(tx, { id: reserved, to: null }, occasionAt()))
    expect(await uses()).toBe(1)
    const successor = await run(async (tx) => {
      const id = newId('investment')
      const made = { id, offering: successorOf, investor, amount_cents: 20_000 as never }
      await recordInvestment(tx, made, occasionAt())
      await resolveConversion(tx, { id: reserved, to: id }, occasionAt())
      return id
    })
    expect(await uses()).toBe(1)
    await run((tx) => cancelInvestment(tx, { id: successor }, occasionAt()))
    expect(await uses()).toBe(0)
  })

  test('422 for an investment in another offering, and for an investment of another account', async () => {
    const partner = await aPartner(site)
    const user = await someone()
    const { data } = await make(partner, { platform_user_id: user })
    const other = await run((tx) => makeOffering(tx, { company: partner.company }))
    await expect(invest(data.id, other, user)).rejects.toMatchObject({ type: 'validation_error' })
    await expect(invest(data.id, partner.offering)).rejects.toMatchObject({ type: 'validation_error' })
    await expect(invest(newId('inviteLink'), partner.offering)).rejects.toMatchObject({ type: 'not_found' })
    await invest(data.id, partner.offering, user)
  })
})

describe('PATCH /partner/spvs/{offering}/invite_links/{id}', () => {
  test('200: changes allocation_cents or max_uses alone; null removes the maximum; 422 for max_uses below the number of uses', async () => {
    const partner = await aPartner(site)
    const { data } = await make(partner, { max_uses: 5, allocation_cents: 100_000 })
    const change = (invite_link: object) => partner.send('PATCH', at(partner, data.id), { invite_link })
    await invest(data.id, partner.offering)
    await invest(data.id, partner.offering)
    const attributes = async (wanted: object) => (await change(wanted)).data.attributes
    expect(await attributes({ max_uses: 2 })).toMatchObject({ max_uses: 2, allocation_cents: 100_000 })
    expect(await attributes({ allocation_cents: null })).toMatchObject({ max_uses: 2, allocation_cents: null })
    const below = await change({ max_uses: 1 })
    expect(below.error.details).toMatchObject({ fields: [{ field: 'invite_link.max_uses', code: 'below_uses' }] })
    expect(refusalOf(await change({ email: 'b@example.org' }))).toBe('422 validation_error')
    expect(await attributes({ max_uses: null })).toMatchObject({ max_uses: null })
  })

  test('422 for max_uses of a person’s link', async () => {
    const partner = await aPartner(site)
    const { data } = await make(partner, { email: address() })
    const response = await partner.send('PATCH', at(partner, data.id), { invite_link: { max_uses: 2 } })
    expect(refusalOf(response)).toBe('422 validation_error')
  })
})

describe('DELETE and resend', () => {
  test('canceling a canceled link changes nothing', async () => {
    const partner = await aPartner(site)
    const { data } = await make(partner)
    const cancel = () => partner.send('DELETE', at(partner, data.id))
    expect([(await cancel()).status, (await cancel()).status]).toEqual([200, 200])
    const { attributes } = (await partner.send('GET', at(partner, data.id))).data
    expect((attributes['events'] as object[]).length).toBe(1)
  })

  test('resend is 200; 422 for reusable, canceled and declined links', async () => {
    const partner = await aPartner(site)
    const resend = (id: string) => partner.send('POST', `${at(partner, id)}/resend`)
    const { data } = await make(partner, { email: address(), send_email: false })
    expect((await resend(data.id)).status).toBe(200)
    await site.db.sql('update test.invite_links set declined_at = now() where id = $1', [data.id])
    expect(refusalOf(await resend(data.id))).toBe('422 validation_error')
    expect(refusalOf(await resend((await make(partner)).data.id))).toBe('422 validation_error')
    const canceled = (await make(partner, { email: address() })).data.id
    await partner.send('DELETE', at(partner, canceled))
    expect(refusalOf(await resend(canceled))).toBe('422 validation_error')
  })
})

describe('POST …/invite_links/bulk', () => {
  const bulk = (partner: Partner, invite_links: unknown) => partner.send('POST', at(partner, 'bulk'), { invite_links })

  test('207: each item succeeds or fails alone; the results have the order of the request', async () => {
    const partner = await aPartner(site)
    const user = await someone()
    const [first, last] = [address(), address()]
    const response = await bulk(partner, [
      { email: first },
      { email: address(), platform_user_id: user },
      { platform_user_id: user },
      { platform_user_id: newId('user') },
      { message: 'nobody' },
      { email: 'no address' },
      'nonsense',
      { email: last, send_email: false },
    ])
    expect(response.status).toBe(207)
    expect(response.meta).toMatchObject({ created: 3, failed: 5, request_id: expect.any(String) })
    expect(response.list.map(({ attributes }) => attributes['email'] ?? attributes['platform_user_id'])).toEqual([
      first,
      user,
      last,
    ])
    const { errors } = response as unknown as { errors: { index: number; type: string; detail: string }[] }
    expect(errors.map(({ index, type }) => [index, type])).toEqual([
      [1, 'mutually_exclusive_params'],
      [3, 'not_found'],
      [4, 'validation_error'],
      [5, 'validation_error'],
      [6, 'validation_error'],
    ])
    expect(errors.every(({ detail }) => detail.length > 5)).toBe(true)
  })

  test('100 links are created at once; 101, an empty list, or no list is 422 and creates nothing', async () => {
    const partner = await aPartner(site)
    const many = (length: number) => Array.from({ length }, () => ({ email: address(), send_email: false }))
    expect((await bulk(partner, many(100))).meta['created']).toBe(100)
    for (const wrong of [many(101), [], 'x']) expect(refusalOf(await bulk(partner, wrong))).toBe('422 validation_error')
    const rows = await site.db.sql('select id from test.invite_links where offering_id = $1', [partner.offering])
    expect(rows).toHaveLength(100)
  })

  test('batches of two apps with the same people in opposite order, by account and by address, do not deadlock', async () => {
    const [one, two, email] = [await aPartner(site), await aPartner(site), address()]
    const owner = await run((tx) => makeUser(tx, { email }))
    const items = [{ email }, { platform_user_id: await someone() }, { platform_user_id: await someone() }]
    const others = [...items.slice(1).toReversed(), { platform_user_id: owner }]
    const responses = await Promise.all([bulk(one, items), bulk(two, others)])
    expect(responses.map(({ meta }) => meta['created'])).toEqual([3, 3])
  })

  test('404 for an unknown offering, instead of 207 with an error for each item', async () => {
    const partner = await aPartner(site)
    expect(refusalOf(await bulk({ ...partner, offering: newId('offering') }, [{}]))).toBe('404 not_found')
  })
})
