import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disconnectUser } from '#access/installations/index.ts'
import { aClientToken, advance } from '#access/tokens/testing/stage.ts'
import { newId } from '#kernel/ids.ts'
import { purgeActivity } from './index.ts'
import { LOOKED_AT_MAX } from './store.ts'
import { type ActivityStage, allEntries, type Entry, openActivityStage, refusal, summaries } from './testing/stage.ts'

let stage: ActivityStage
beforeAll(async () => {
  stage = await openActivityStage()
})
afterAll(() => stage.close())

const DENIED = { status: 'denied', errorType: 'insufficient_scope' } as const
const FAILED = { status: 'failure', errorType: 'not_found' } as const
const actions = (entries: readonly { readonly attributes: Readonly<Record<string, unknown>> }[]) =>
  entries.map(({ attributes }) => attributes['action'])

describe('GET /activity: readers', () => {
  test('a user sees what every app did for them; not what apps did for others or in the other world', async () => {
    const [user, other, elsewhere] = [await stage.user(), await stage.user(), await stage.user('live')]
    await stage.record({ user, appId: (await stage.client()).app, action: 'a.first' })
    await stage.record({ user, action: 'a.second' })
    await stage.record({ user: other, action: 'a.foreign' })
    await stage.record({ user: elsewhere, world: 'live', action: 'a.live' })
    const send = await stage.as(user, ['read:profile'])
    expect(actions((await send('GET', '/activity')).list)).toEqual(['a.second', 'a.first'])
    const live = await stage.as(elsewhere, ['read:profile'], await stage.client({ world: 'live' }))
    expect(actions((await live('GET', '/activity')).list)).toEqual(['a.live'])
  })

  test('401 without a token and with a revoked token; 403 without read:profile', async () => {
    expect(refusal(await stage.bearer(null)('GET', '/activity'))).toEqual([401, 'invalid_token'])
    const [user, app] = [await stage.user(), await stage.client()]
    const send = await stage.as(user, ['read:profile'], app)
    expect((await send('GET', '/activity')).status).toBe(200)
    const gone = { appId: app.app, userId: user, role: 'user' as const }
    await stage.arrange((tx) => disconnectUser(tx, gone, { cause: 'test', caused: [], onRevoked: [] }))
    expect(refusal(await send('GET', '/activity'))).toEqual([401, 'invalid_token'])
    for (const scope of ['write:follows', 'read:follows', 'read:companies']) {
      const without = await stage.as(user, [scope])
      expect(refusal(await without('GET', '/activity'))).toEqual([403, 'insufficient_scope'])
    }
    const alone = stage.bearer((await aClientToken(stage.db, app)).accessToken)
    expect(refusal(await alone('GET', '/activity'))).toEqual([403, 'insufficient_scope'])
  })

  test('entries about follows that are not on the public list are shown only to tokens that may see every follow', async () => {
    const user = await stage.user()
    const [open, quiet] = [
      await stage.company({ promotion_opt_in: true }),
      await stage.company({ promotion_opt_in: false }),
    ]
    await stage.record({ user, action: 'follows.create', resourceId: open })
    await stage.record({ user, action: 'follows.create', resourceId: quiet })
    await stage.record({ user, action: 'profile.update' })
    const send = await stage.as(user, ['read:profile'])
    const about = (entries: readonly { readonly attributes: Readonly<Record<string, unknown>> }[]) =>
      entries.map(({ attributes }) => attributes['resource_id'])
    expect(about((await send('GET', '/activity')).list)).toEqual([null, open])
    expect((await send('GET', `/activity?resource_type=company&resource_id=${quiet}`)).list).toEqual([])
    const full = await stage.as(user, ['read:profile', 'write:follows'])
    expect(about((await full('GET', '/activity')).list)).toEqual([null, quiet, open])
  })
})

describe('GET /activity: filters', () => {
  test('by app, action, resource and status, each alone and all together', async () => {
    const [user, other, company] = [await stage.user(), await stage.client(), newId('syndicate')]
    await stage.record({ user, action: 'syndicates.member.invite', resourceId: company, appId: other.app })
    await stage.record({ user, action: 'syndicates.member.invite', resourceId: company, outcome: DENIED })
    await stage.record({ user, action: 'syndicates.update', resourceId: company })
    await stage.record({ user, action: 'syndicates_old.update', outcome: FAILED })
    await stage.record({ user, action: 'profile.update' })
    const send = await stage.as(user, ['read:profile', 'write:follows'])
    const find = async (query: string) => summaries((await send('GET', `/activity?${query}`)).list)
    expect(await find(`app_id=${other.app}`)).toEqual(['syndicates.member.invite success'])
    expect(await find(`app_id=${newId('app')}`)).toEqual([])
    expect(await find('action_pattern=syndicates.*')).toEqual([
      'syndicates.update success',
      'syndicates.member.invite denied',
      'syndicates.member.invite success',
    ])
    expect((await find('action_pattern=syndicates.member.*')).length).toBe(2)
    expect(await find('action_pattern=profile.update')).toEqual(['profile.update success'])
    expect(await find('action_pattern=profile')).toEqual([])
    expect((await find(`resource_type=syndicate&resource_id=${company}`)).length).toBe(3)
    expect(await find(`resource_type=company&resource_id=${company}`)).toEqual([])
    expect(await find('status=denied')).toEqual(['syndicates.member.invite denied'])
    expect(await find('status=failure')).toEqual(['syndicates_old.update failure'])
    expect((await find('status=success')).length).toBe(3)
    const all = `app_id=${other.app}&action_pattern=syndicates.*&resource_type=syndicate&resource_id=${company}`
    expect(await find(`${all}&status=success&since=2020-01-01T00:00:00Z`)).toEqual(['syndicates.member.invite success'])
    expect(await find(`${all}&status=denied`)).toEqual([])
  })

  test('the older names Club and Company are accepted too; older versions return these names, and UUIDs as ids', async () => {
    const [user, syndicate, company] = [await stage.user(), newId('syndicate'), newId('company')]
    await stage.record({ user, action: 'syndicates.publish', resourceId: syndicate })
    await stage.record({ user, action: 'comments.create', resourceId: company })
    await stage.record({ user, action: 'profile.update', resourceId: user })
    const send = await stage.as(user, ['read:profile', 'write:follows'])
    const older = (query: string) => send('GET', `/activity?${query}`, undefined, { 'wefunder-version': '2025-01-15' })
    for (const ask of [older, (query: string) => send('GET', `/activity?${query}`)]) {
      const find = async (query: string) => actions((await ask(query)).list)
      expect(await find(`resource_type=Club&resource_id=${syndicate}`)).toEqual(['syndicates.publish'])
      expect(await find(`resource_type=Company&resource_id=${company}`)).toEqual(['comments.create'])
      expect(await find(`resource_type=syndicate&resource_id=${syndicate}`)).toEqual(['syndicates.publish'])
      expect(await find(`resource_type=Club&resource_id=${company}`)).toEqual([])
    }
    const types = (entries: readonly Entry[]) => entries.map(({ attributes }) => attributes['resource_type'])
    const [newest, before, again] = [
      (await send('GET', '/activity')).list,
      (await older('')).list,
      (await older('')).list,
    ]
    expect([types(newest), types(before)]).toEqual([
      ['user', 'company', 'syndicate'],
      ['user', 'Company', 'Club'],
    ])
    const ids = before.map(({ id }) => id)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(3)
    expect(again.map(({ id }) => id)).toEqual(ids)
  })

  test('since a time, and before another time, in world time', async () => {
    const user = await stage.user()
    for (const action of ['a.first', 'a.second', 'a.third']) await stage.record({ user, action })
    const send = await stage.as(user, ['read:profile', 'write:follows'])
    const { list } = await send('GET', '/activity')
    const second = encodeURIComponent(String(list[1]?.attributes['occurred_at']))
    expect(actions((await send('GET', `/activity?since=${second}`)).list)).toEqual(['a.third', 'a.second'])
    expect(actions((await send('GET', `/activity?until=${second}`)).list)).toEqual(['a.first'])
    expect((await send('GET', `/activity?since=${second}&until=${second}`)).list).toEqual([])
    for (const since of ['2019-06-30T23:59:60Z', '2026-01-01T00:00:00.123456%2B14:00']) {
      expect((await send('GET', `/activity?since=${since}`)).list.length).toBe(3)
    }
  })

  test('400 for resource_id without resource_type, an unknown status or type, a star in the middle, a malformed time, another user’s cursor', async () => {
    const [user, other] = [await stage.user(), await stage.user()]
    const send = await stage.as(user, ['read:profile'])
    const wrong = [
      `resource_id=${newId('company')}`,
      'resource_type=company',
      'status=maybe',
      `resource_type=club&resource_id=${newId('syndicate')}`,
      ...['action_pattern=*.create', 'action_pattern=a.*.b', 'action_pattern=a%27%3B--', 'action_pattern=a%25'],
      ...['app_id=x', 'since=yesterday', 'since=2026-02-30T00:00:00Z', 'until=0000-01-01T00:00:00Z'],
      ...['since=2026-01-01T00:00:00%2B23:00', 'per_page=x', 'cursor=x'],
    ]
    for (const query of wrong) {
      expect([query, ...refusal(await send('GET', `/activity?${query}`))]).toEqual([query, 400, 'invalid_request'])
    }
    for (let i = 0; i < 2; i++) await stage.record({ user })
    const { next_cursor } = (await send('GET', '/activity?per_page=1')).meta
    const foreign = await (await stage.as(other, ['read:profile']))('GET', `/activity?cursor=${next_cursor}`)
    expect(refusal(foreign)).toEqual([400, 'invalid_request'])
  })
})

describe('GET /activity: pages', () => {
  test('no entry is on two pages and none is missed while entries are added, also in older versions', async () => {
    const user = await stage.user()
    for (let i = 0; i < 25; i++) await stage.record({ user, action: `a.n${i}` })
    const send = await stage.as(user, ['read:profile', 'write:follows'])
    for (const version of ['2026-11-01', '2025-01-15']) {
      const seen: unknown[] = []
      let cursor = ''
      for (let page = 0; page < 3; page++) {
        const path = `/activity?per_page=10&action_pattern=a.*${cursor}`
        const { list, meta } = await send('GET', path, undefined, { 'wefunder-version': version })
        seen.push(...actions(list))
        expect(meta['has_more']).toBe(page < 2)
        cursor = `&cursor=${encodeURIComponent(String(meta.next_cursor))}`
        await stage.record({ user, action: 'b.late' })
      }
      expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => `a.n${24 - i}`))
    }
  })

  test('if few of very many entries match, a page can have has_more true although the page is not full', async () => {
    const user = await stage.user()
    await stage.record({ user, action: 'rare.thing' })
    await stage.db.sql(
      `insert into test.activity_entries (id, user_id, app_id, actor, action, status)
       select 'act_' || lpad(n::text, 24, '0'), $1, 'app_x', 'app', 'usual.thing', 'success'
         from generate_series(1, $2::integer) n`,
      [user, LOOKED_AT_MAX],
    )
    await stage.record({ user, action: 'rare.thing' })
    const send = await stage.as(user, ['read:profile', 'write:follows'])
    const first = await send('GET', '/activity?action_pattern=rare.*')
    expect([first.list.length, first.meta['has_more']]).toEqual([1, true])
    expect((await allEntries(send, '/activity?action_pattern=rare.*')).length).toBe(2)
    expect(await allEntries(send, '/activity?action_pattern=none.*')).toEqual([])
    await stage.db.sql(`delete from test.activity_entries where app_id = 'app_x'`)
  })
})

describe('after 90 days', () => {
  test('old entries are deleted in batches', async () => {
    const user = await stage.user()
    for (let i = 0; i < 3; i++) await stage.record({ user, action: 'a.old' })
    await advance(stage.db, '89 days')
    await stage.record({ user, action: 'a.young' })
    const purge = (limit: number) => stage.arrange((tx) => purgeActivity(tx, limit))
    expect(await purge(2)).toBe(0)
    await advance(stage.db, '2 days')
    const before = (await stage.db.sql('select id from test.activity_entries')).length
    expect(await purge(2)).toBe(2)
    expect(await purge(1_000)).toBe(before - 3)
    expect(actions(await stage.activityOf(user))).toEqual(['a.young'])
  })
})

describe('constraints of the database', () => {
  const VALID = {
    ...{ id: newId('activityEntry'), app_id: newId('app'), actor: 'app', action: 'a.b', status: 'success' },
    ...{ resource_id: null as string | null, error_type: null as string | null, changed_fields: null as unknown },
  }

  test.each([
    ['id_form', { id: newId('app') }],
    ['actor_known', { actor: 'robot' }],
    ['action_form', { action: 'follow' }],
    ['action_form', { action: 'a.B' }],
    ['action_form', { action: `a.${'b'.repeat(100)}` }],
    ['about_ids', { resource_id: 'x'.repeat(41) }],
    ['changed_fields_bounded', { changed_fields: [null] }],
    ['status_known', { status: 'maybe', error_type: 'forbidden' }],
    ['refusal_typed', { status: 'denied' }],
    ['refusal_typed', { error_type: 'forbidden' }],
    ['user_fkey', { user_id: newId('user') }],
  ])('%s rejects %j', async (constraint, change) => {
    const row = { ...VALID, user_id: await stage.user(), ...change }
    const places = Object.keys(row).map((_, index) => `$${index + 1}`)
    const inserting = stage.db.sql(
      `insert into test.activity_entries (${Object.keys(row)}) values (${places})`,
      Object.values(row),
    )
    await expect(inserting).rejects.toMatchObject({ constraint: `activity_entries_${constraint}` })
  })
})
