import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { updateCompany } from '#market/companies/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { allPages, OLDER, ORIGIN, openProfileStage, type ProfileStage, refusal, type Send } from './testing/stage.ts'

let stage: ProfileStage
beforeAll(async () => {
  stage = await openProfileStage()
})
afterAll(() => stage.close())

const LIST = '/users/me/follows'
const day = (n: number) => `2026-03-${String(n).padStart(2, '0')}T00:00:00.000000Z`
const idsOf = async (send: Send, path = LIST) => (await send('GET', path)).list.map(({ id }) => id)

/** Follows one company a day, in this order. `false` means that the company asked not to be promoted. */
async function following(...promoted: readonly boolean[]) {
  const user = await stage.user()
  const companies: Id<'company'>[] = []
  for (const [at, promotion_opt_in] of promoted.entries()) {
    const company = await stage.company({ promotion_opt_in, name: `Company ${at}` })
    await stage.follow({ user, company, at: day(at + 1) })
    companies.push(company)
  }
  return { user, companies, newestFirst: companies.toReversed() }
}

describe('GET /users/me/follows', () => {
  test('an entry is flat, with the fields of a search result and the time of the follow', async () => {
    const user = await stage.user()
    const company = await stage.company({
      name: 'Brightkiln',
      tagline: 'Kilns without smoke',
      page_url: '/c/brightkiln',
      logo_url: '/assets/logos/brightkiln.svg',
    })
    await stage.follow({ user, company, at: '2026-03-01T10:00:00.123456Z' })
    const { status, list, meta } = await (await stage.as(user, ['read:profile']))('GET', LIST)
    expect(status).toBe(200)
    expect(list).toEqual([
      {
        id: company,
        name: 'Brightkiln',
        tagline: 'Kilns without smoke',
        url: `${ORIGIN}/c/brightkiln`,
        logo_url: `${ORIGIN}/assets/logos/brightkiln.svg`,
        raising: true,
        profile_available: true,
        followed_at: '2026-03-01T10:00:00.123456Z',
      },
    ])
    expect(meta).toEqual({ has_more: false, page_count: 1, next_cursor: null })
  })

  test('older versions have the same entry as {id, type, attributes}', async () => {
    const { user } = await following(true, true)
    const send = await stage.as(user, ['read:profile'])
    const newest = await send('GET', LIST)
    const older = await send('GET', `${LIST}?per_page=1`, undefined, OLDER)
    expect(older.list).toEqual(
      newest.list.slice(0, 1).map(({ id, ...attributes }) => ({ id, type: 'company', attributes })),
    )
    expect(older.meta).toMatchObject({ has_more: true, page_count: 1 })
    const rest = await send('GET', `${LIST}?cursor=${older.meta.next_cursor}`, undefined, OLDER)
    expect(rest.list.map(({ id }) => id)).toEqual(newest.list.slice(1).map(({ id }) => id))
    expect(rest.meta).toEqual({ has_more: false, page_count: 1, next_cursor: null })
  })

  test('newest first; companies that were followed at the same moment have a fixed order', async () => {
    const { user, newestFirst } = await following(true, true, true)
    const send = await stage.as(user, ['read:profile'])
    expect(await idsOf(send)).toEqual(newestFirst)
    const atOnce = [await stage.company(), await stage.company()]
    for (const company of atOnce) await stage.follow({ user, company, at: day(20) })
    expect(await idsOf(send)).toEqual([...atOnce.toSorted().toReversed(), ...newestFirst])
  })

  test('lists only the user’s own follows, and is empty without follows', async () => {
    await following(true)
    const { list, meta } = await (await stage.as(await stage.user(), ['write:follows']))('GET', LIST)
    expect([list, meta]).toEqual([[], { has_more: false, page_count: 0, next_cursor: null }])
  })
})

describe('the rows of the list', () => {
  const every = [['write:follows'], ['read:mcp'], ['read:follows']]
  const some = [['read:profile'], ['write:profile'], ['read:profile', 'read:companies', 'read:explore']]

  test.each([...every, ['read:profile', 'write:follows'], ['write:profile', 'read:follows']])(
    'are all followed companies, with %s %s',
    async (...scopes) => {
      const { user, newestFirst } = await following(true, false, true, false)
      expect(
        await idsOf(
          await stage.as(
            user,
            scopes.filter((scope) => scope !== undefined),
          ),
        ),
      ).toEqual(newestFirst)
    },
  )

  test.each(some)(
    'are the public list, without companies that asked not to be promoted, with %s %s %s',
    async (...scopes) => {
      const { user, companies } = await following(true, false, true, false)
      const send = await stage.as(
        user,
        scopes.filter((scope) => scope !== undefined),
      )
      expect(await idsOf(send)).toEqual([companies[2], companies[0]])
    },
  )

  test('are the public list for the company’s own founder too', async () => {
    const { user, companies } = await following(false)
    await stage.db.sql(`insert into test.company_people values ($1, $2, 'founder', now())`, [companies[0], user])
    expect(await idsOf(await stage.as(user, ['read:profile', 'read:explore']))).toEqual([])
  })

  test('change as soon as the company changes its setting', async () => {
    const { user, companies } = await following(true)
    const [id] = companies
    if (id === undefined) throw new Error('nothing is followed')
    const send = await stage.as(user, ['read:profile'])
    expect(await idsOf(send)).toEqual([id])
    await stage.arrange((tx) => updateCompany(tx, { id, promotion_opt_in: false }, occasionAt()))
    expect(await idsOf(send)).toEqual([])
  })

  test('include hidden companies, with profile_available false', async () => {
    const user = await stage.user()
    const company = await stage.company({ listed: false })
    await stage.follow({ user, company })
    const { list } = await (await stage.as(user, ['write:follows', 'read:explore']))('GET', LIST)
    expect(list).toMatchObject([{ id: company, raising: false, profile_available: false }])
  })
})

describe('pages', () => {
  test('the filter is applied before the limit, so pages are full, and page_count is the number of rows returned', async () => {
    const { user, newestFirst } = await following(true, false, false, true, false, true, true, false, true, false)
    const pages = await allPages(await stage.as(user, ['read:profile']), `${LIST}?per_page=2`)
    expect(pages.map(({ list, meta }) => [list.length, meta['page_count'], meta['has_more']])).toEqual([
      [2, 2, true],
      [2, 2, true],
      [1, 1, false],
    ])
    const promoted = newestFirst.filter((_, at) => [1, 3, 4, 6, 9].includes(at))
    expect(pages.flatMap(({ list }) => list.map(({ id }) => id))).toEqual(promoted)
  })

  test('has_more is false on the last page, even if only companies that the filter removes come after it', async () => {
    const { user } = await following(false, false, true, true)
    const { meta } = await (await stage.as(user, ['read:profile']))('GET', `${LIST}?per_page=2`)
    expect(meta).toEqual({ has_more: false, page_count: 2, next_cursor: null })
  })

  test('with every page size each row is listed once', async () => {
    const { user, newestFirst } = await following(true, true, true, true, true)
    const send = await stage.as(user, ['read:profile'])
    for (const size of [1, 2, 3, 5, 100]) {
      const pages = await allPages(send, `${LIST}?per_page=${size}`)
      expect(pages.flatMap(({ list }) => list.map(({ id }) => id))).toEqual(newestFirst)
    }
  })

  test('if the user follows and unfollows between two pages, no row is listed twice and none is missed', async () => {
    const { user, companies, newestFirst } = await following(true, true, true, true, true, true)
    const send = await stage.as(user, ['write:follows'])
    const first = await send('GET', `${LIST}?per_page=2`)
    await stage.follow({ user, company: await stage.company(), at: day(25) })
    await send('DELETE', `${LIST}/${newestFirst[1]}`)
    await send('DELETE', `${LIST}/${companies[0]}`)
    const cursor = encodeURIComponent(first.meta.next_cursor ?? '')
    const rest = await idsOf(send, `${LIST}?cursor=${cursor}`)
    expect([...first.list.map(({ id }) => id), ...rest]).toEqual(newestFirst.slice(0, 5))
  })

  test('if the user follows and unfollows concurrently, no row is listed twice and none is missed', async () => {
    const { user, newestFirst } = await following(true, true, true, true, true, true, true, true)
    const send = await stage.as(user, ['write:follows'])
    const others = await Promise.all(Array.from({ length: 6 }, () => stage.company()))
    const writing = Promise.all(
      others.map(async (company) => {
        await send('PUT', `${LIST}/${company}`)
        await send('DELETE', `${LIST}/${company}`)
      }),
    )
    const pages = await allPages(send, `${LIST}?per_page=1`)
    await writing
    const seen = pages.flatMap(({ list }) => list.map(({ id }) => id))
    expect(seen.filter((id) => newestFirst.some((one) => one === id))).toEqual(newestFirst)
    expect(new Set(seen).size).toBe(seen.length)
  })

  test('per_page: 25 by default and for zero or less, 100 at most, 400 if it is not an integer', async () => {
    const user = await stage.user()
    await stage.db.sql(
      `with made as (
         insert into test.companies (id, name, page_url)
         select 'co_' || lpad(n::text, 24, '0'), 'Company ' || n, '/c/' || n from generate_series(1, 130) n returning id)
       insert into test.follows (user_id, company_id, followed_at) select $1, id, now() from made`,
      [user],
    )
    const send = await stage.as(user, ['read:profile'])
    const sizeWith = async (query: string) => (await send('GET', `${LIST}${query}`)).meta['page_count']
    expect(await sizeWith('')).toBe(25)
    expect(await sizeWith('?per_page=0')).toBe(25)
    expect(await sizeWith('?per_page=-3')).toBe(25)
    expect(await sizeWith('?per_page=1000')).toBe(100)
    expect(refusal(await send('GET', `${LIST}?per_page=many`))).toEqual([400, 'invalid_request'])
    const pages = await allPages(send, `${LIST}?per_page=60`)
    expect(new Set(pages.flatMap(({ list }) => list.map(({ id }) => id))).size).toBe(130)
  })

  test('400 for a cursor of another user’s list', async () => {
    const [one, other] = [await following(true, true), await following(true, true)]
    const { meta } = await (await stage.as(one.user, ['read:profile']))('GET', `${LIST}?per_page=1`)
    const send = await stage.as(other.user, ['read:profile'])
    expect(refusal(await send('GET', `${LIST}?cursor=${encodeURIComponent(meta.next_cursor ?? '')}`))).toEqual([
      400,
      'invalid_request',
    ])
  })

  test('400 for a changed cursor and for any other text', async () => {
    const { user } = await following(true, true)
    const send = await stage.as(user, ['read:profile'])
    const { meta } = await send('GET', `${LIST}?per_page=1`)
    const cursor = meta.next_cursor ?? ''
    const changed = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A')
    for (const wrong of [changed, 'x', newId('company'), '25']) {
      expect(refusal(await send('GET', `${LIST}?cursor=${encodeURIComponent(wrong)}`))).toEqual([
        400,
        'invalid_request',
      ])
    }
  })
})

describe('access', () => {
  test('401 without a token; 403 insufficient_scope with other scopes, and the error names read:profile:follows', async () => {
    expect(refusal(await stage.bearer(null)('GET', LIST))).toEqual([401, 'invalid_token'])
    const rejected = await (await stage.as(await stage.user(), ['read:companies', 'read:explore']))('GET', LIST)
    expect(refusal(rejected)).toEqual([403, 'insufficient_scope'])
    expect(rejected.error.message).toContain('read:profile:follows')
  })
})
