import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetUser } from '#intake/facts/forget-user.ts'
import { worldTime } from '#kernel/clock.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { followCompany, setRole } from '#market/companies/index.ts'
import { cancelInvestment } from '#market/investments/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import {
  type CatalogStage,
  type Get,
  idsOf,
  ORIGIN,
  openCatalogStage,
  refusal,
} from '#views/catalog/testing/catalog-stage.ts'
import { contentRoutes } from './http.ts'
import { changeUpdate, type NewUpdate, publishUpdate, removeUpdate, VISIBILITIES } from './index.ts'

let stage: CatalogStage
beforeAll(async () => {
  stage = await openCatalogStage({ more: contentRoutes })
})
afterAll(() => stage.close())

const OLD = { 'wefunder-version': '2026-10-01' }

async function aListedCompany() {
  const company = await stage.company({ page_url: '/c/tidal' })
  return { company, offering: await stage.offering({ company }) }
}

let minute = 0
const nextTime = () => worldTime(`2026-03-01T12:${String(minute++ % 60).padStart(2, '0')}:00.000000Z`)

async function publish(
  company: Id<'company'>,
  update: Partial<NewUpdate> = {},
  at = nextTime(),
): Promise<Id<'update'>> {
  const id = update.id ?? newId('update')
  const given = { kind: 'update', content_html: '<p>News</p>', ...update, id, company }
  await stage.arrange((tx) => publishUpdate(tx, given, { occurredAt: at }))
  return id
}

describe('GET /companies/{id}/updates', () => {
  const list = async (company: string, query = '', get: Get = stage.everybody) =>
    get(`/companies/${company}/updates${query}`)

  test('200: pinned posts first, then the newest; each with an excerpt in plain text and without content', async () => {
    const { company } = await aListedCompany()
    const author = await stage.user({ name: 'Mary' })
    const pinned = await publish(company, { pinned: true })
    const first = await publish(company, {
      kind: 'note',
      title: 'Tides',
      content_html: `<p>High <b>tide</b></p><script>x()</script><p>${'word '.repeat(100)}</p>`,
      author,
      likes_count: 3,
      comments_count: 2,
      url: '/posts/1',
    })
    const last = await publish(company)
    const answer = await list(company)
    expect(idsOf(answer)).toEqual([pinned, last, first])
    expect(answer.meta).toEqual({ company, has_more: false, page_count: 3, next_cursor: null })
    expect(answer.list[2]).toEqual({
      id: first,
      type: 'company_update',
      attributes: {
        kind: 'note',
        title: 'Tides',
        excerpt: expect.stringMatching(/^High tide (word )+word…$/),
        content: null,
        published_at: expect.stringMatching(/^2026-03-01T12:/),
        pinned: false,
        visibility: 'public',
        author: { name: 'Mary' },
        comments_count: 2,
        likes_count: 3,
        url: `${ORIGIN}/posts/1`,
      },
    })
    expect(answer.list[0]?.attributes).toMatchObject({ author: null, title: null, url: `${ORIGIN}/c/tidal` })
    expect(answer.text).not.toContain('usr_')
  })

  test('pages have 20 posts, at most 50; cursors stay correct while posts are added and removed', async () => {
    const { company } = await aListedCompany()
    const ids: Id<'update'>[] = []
    for (let at = 0; at < 55; at++)
      ids.unshift(await publish(company, { pinned: at < 2 }, worldTime('2026-03-01T00:00:00.000000Z')))
    expect([(await list(company)).list.length, (await list(company, '?per_page=999')).list.length]).toEqual([20, 50])
    const meanwhile = async (page: number, seen: readonly string[]) => {
      if (page === 0) await publish(company)
      if (page === 1) await stage.arrange((tx) => removeUpdate(tx, seen[0] as Id<'update'>, occasionAt()))
    }
    const whole: string[] = []
    let cursor = ''
    for (let page = 0; page < 6; page++) {
      const { list: rows, meta } = await list(company, `?per_page=10${cursor}`)
      whole.push(...rows.map(({ id }) => id))
      expect([page, meta['has_more']]).toEqual([page, page < 5])
      cursor = `&cursor=${encodeURIComponent(String(meta['next_cursor']))}`
      await meanwhile(page, whole)
    }
    expect([whole.length, new Set(whole).size]).toEqual([55, 55])
    expect(whole.toSorted()).toEqual(ids.toSorted())
    for (const bad of ['x', '12'])
      expect(refusal(await list(company, `?cursor=${bad}`))).toEqual([400, 'invalid_request'])
    const other = await aListedCompany()
    const { meta } = await list(company, '?per_page=1')
    const foreign = encodeURIComponent(String(meta['next_cursor']))
    expect(refusal(await list(other.company, `?cursor=${foreign}`))).toEqual([400, 'invalid_request'])
    expect(refusal(await list(company, '?per_page=ten'))).toEqual([400, 'invalid_request'])
  })

  test('before 2026-11-01 a cursor is a number of rows', async () => {
    const { company } = await aListedCompany()
    const ids = [await publish(company), await publish(company), await publish(company)].toReversed()
    const first = await stage.everybody(`/companies/${company}/updates?per_page=2`, OLD)
    expect(first.meta['next_cursor']).toBe(2)
    const second = await stage.everybody(`/companies/${company}/updates?per_page=2&cursor=2`, OLD)
    expect([...idsOf(first), ...idsOf(second)]).toEqual(ids)
    expect(second.meta).toMatchObject({ has_more: false, next_cursor: null })
  })

  test('304 while nothing has changed, although the sealed cursor has another text each time', async () => {
    const { company } = await aListedCompany()
    for (let at = 0; at < 3; at++) await publish(company)
    const path = `/companies/${company}/updates?per_page=2`
    const tag = (await stage.everybody(path)).headers.get('etag') ?? ''
    expect((await stage.everybody(path, { 'if-none-match': tag })).status).toBe(304)
    await publish(company)
    expect((await stage.everybody(path, { 'if-none-match': tag })).status).toBe(200)
  })

  test('each reader gets the posts for their audience: the public, followers, investors, the team, or its founders', async () => {
    const { company, offering } = await aListedCompany()
    for (const visibility of VISIBILITIES) await publish(company, { visibility, title: visibility })
    const people = { follower: await stage.user(), investor: await stage.user(), reserver: await stage.user() }
    const team = { founder: await stage.user(), editor: await stage.user(), employee: await stage.user() }
    const testing = await stage.offering({ company, testing_the_waters: true })
    await stage.arrange(async (tx) => {
      await followCompany(tx, { company, user: people.follower }, occasionAt())
      await makeInvestment(tx, { offering, investor: people.investor })
      await makeInvestment(tx, { offering: testing, investor: people.reserver })
      for (const [role, user] of Object.entries(team)) {
        await setRole(tx, { company, user, role: role as keyof typeof team }, occasionAt())
      }
    })
    const titles = async (get: Get) =>
      (await list(company, '', get)).list.map(({ attributes }) => attributes['title']).toSorted()
    const of = async (user: Id<'user'>, scopes?: readonly string[]) => titles(await stage.as(user, scopes))
    expect(await titles(stage.everybody)).toEqual(['public'])
    expect(await of(await stage.user())).toEqual(['public'])
    expect(await of(people.follower)).toEqual(['community', 'public'])
    expect(await of(people.reserver)).toEqual(['community', 'public'])
    expect(await of(people.investor)).toEqual(['community', 'investors', 'public'])
    // A token with only read:public gets the public view, no matter for which user.
    expect(await of(people.investor, ['read:public'])).toEqual(['public'])
    expect(await titles(await stage.installedOn({ company }))).toEqual(['public'])
    expect(await titles(await stage.installedOn({ user: people.investor }))).toEqual([
      'community',
      'investors',
      'public',
    ])
    expect(await of(team.employee)).toEqual(['community', 'investors', 'public'])
    expect(await of(team.editor)).toEqual(['community', 'investors', 'private', 'public'])
    expect(await of(team.founder)).toEqual(['community', 'founders', 'investors', 'private', 'public'])
  })

  test('an investor who canceled is no longer an investor', async () => {
    const { company, offering } = await aListedCompany()
    const id = await publish(company, { visibility: 'investors' })
    const investor = await stage.user()
    const investment = await stage.arrange((tx) => makeInvestment(tx, { offering, investor }))
    const get = await stage.as(investor)
    expect(idsOf(await list(company, '', get))).toEqual([id])
    await stage.arrange((tx) => cancelInvestment(tx, { id: investment }, occasionAt('2026-03-02T00:00:00.000000Z')))
    expect(idsOf(await list(company, '', get))).toEqual([])
    expect(refusal(await get(`/companies/${company}/updates/${id}`))).toEqual([404, 'not_found'])
  })
})

describe('GET /companies/{id}/updates/{update_id}', () => {
  test('200: the whole text; 404 for another company’s post, a removed post and a post for another audience', async () => {
    const { company } = await aListedCompany()
    const id = await publish(company, { content_html: '<h2>Big</h2><p>news<br>today</p>' })
    const { status, data, meta, headers } = await stage.everybody(`/companies/${company}/updates/${id}`)
    expect([status, data.attributes['content'], data.attributes['excerpt'], meta]).toEqual([
      200,
      'Big\n\nnews\ntoday',
      'Big news today',
      undefined,
    ])
    const etag = headers.get('etag') ?? ''
    expect((await stage.everybody(`/companies/${company}/updates/${id}`, { 'if-none-match': etag })).status).toBe(304)
    const other = await aListedCompany()
    const hidden = await publish(company, { visibility: 'investors' })
    const removed = await publish(company)
    await stage.arrange((tx) => removeUpdate(tx, removed, occasionAt()))
    const paths = [`${other.company}/updates/${id}`, `${company}/updates/${hidden}`, `${company}/updates/${removed}`]
    for (const path of [...paths, `${company}/updates/upd_1`]) {
      expect(refusal(await stage.everybody(`/companies/${path}`))).toEqual([404, 'not_found'])
    }
  })

  test('a change replaces only the given fields; null clears title and link', async () => {
    const { company } = await aListedCompany()
    const id = await publish(company, { title: 'Old', url: '/posts/2' })
    await stage.arrange((tx) => changeUpdate(tx, { id, content_html: '<p>Edited</p>', likes_count: 9 }))
    const attributes = async () => (await stage.everybody(`/companies/${company}/updates/${id}`)).data.attributes
    expect(await attributes()).toMatchObject({
      title: 'Old',
      content: 'Edited',
      likes_count: 9,
      url: `${ORIGIN}/posts/2`,
    })
    await stage.arrange((tx) => changeUpdate(tx, { id, title: null, url: null, pinned: true }))
    expect(await attributes()).toMatchObject({ title: null, pinned: true, content: 'Edited', url: `${ORIGIN}/c/tidal` })
  })

  test('an author who left is not named', async () => {
    const { company } = await aListedCompany()
    const author = await stage.user({ name: 'Mary' })
    const id = await publish(company, { author })
    await stage.arrange((tx) => forgetUser(tx, author, occasionAt()))
    const { data, text } = await stage.everybody(`/companies/${company}/updates/${id}`)
    expect([data.attributes['author'], text.includes('Mary')]).toEqual([{ name: '[deleted user]' }, false])
  })

  test('rejects an existing id, an unknown company or author, and a change or removal of an unknown post', async () => {
    const { company } = await aListedCompany()
    const id = await publish(company)
    await expect(publish(company, { id })).rejects.toMatchObject({ type: 'validation_error' })
    await expect(publish(newId('company'))).rejects.toMatchObject({ field: 'company' })
    await expect(publish(company, { author: newId('user') })).rejects.toMatchObject({ field: 'author' })
    const nothing = newId('update')
    await expect(stage.arrange((tx) => changeUpdate(tx, { id: nothing, pinned: true }))).rejects.toMatchObject({
      field: 'id',
    })
    await expect(stage.arrange((tx) => removeUpdate(tx, nothing, occasionAt()))).rejects.toMatchObject({ field: 'id' })
  })
})
