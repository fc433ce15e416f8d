import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disconnectUser } from '#access/installations/index.ts'
import { aConnection, advance, aUserToken } from '#access/tokens/testing/stage.ts'
import { laterIds } from '#test/later-ids.ts'
import { recordAction } from '#views/activity/index.ts'
import { openProfileStage, type ProfileStage, refusal } from './testing/stage.ts'

let stage: ProfileStage
beforeAll(async () => {
  stage = await openProfileStage()
})
afterAll(() => stage.close())

const PATH = '/connected-apps'
const namesAndScopes = (list: readonly { readonly attributes: Readonly<Record<string, unknown>> }[]) =>
  list.map(({ attributes }) => [attributes['name'], attributes['scopes']])

describe('GET /connected-apps', () => {
  test('200: every app that the user connected, newest first, with its scopes', async () => {
    const user = await stage.user()
    const [desk, radar] = [await stage.client({ name: 'Deal Desk' }), await stage.client({ name: 'Radar' })]
    const send = await stage.as(user, ['read:profile'], desk)
    await laterIds()
    await stage.as(user, ['write:follows', 'read:explore'], radar)
    const { status, list, meta } = await send('GET', PATH)
    expect(status).toBe(200)
    expect(list).toEqual([
      {
        id: radar.app,
        type: 'connected_app',
        attributes: {
          name: 'Radar',
          scopes: ['read:explore', 'write:follows'],
          last_active_at: expect.stringMatching(/^\d{4}-.*Z$/),
          action_count: 0,
          created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      },
      { id: desk.app, type: 'connected_app', attributes: expect.objectContaining({ name: 'Deal Desk' }) },
    ])
    expect(meta).toEqual({ has_more: false, page_count: 2, next_cursor: null })
  })

  test('last_active_at is null for a connected app that never got a token', async () => {
    const user = await stage.user()
    const send = await stage.as(user, ['read:profile'])
    await aConnection(stage.db, await stage.client({ name: 'Sleeper' }), { user })
    const sleeper = (await send('GET', PATH)).list.find(({ attributes }) => attributes['name'] === 'Sleeper')
    expect(sleeper?.attributes).toMatchObject({ last_active_at: null })
  })

  test('a token that the app minted on the connection counts as activity', async () => {
    const [user, desk] = [await stage.user(), await stage.client({ name: 'Deal Desk' })]
    const send = await stage.installedOn({ user }, ['read:profile'], desk)
    const [app] = (await send('GET', PATH)).list
    expect(app?.attributes).toMatchObject({ name: 'Deal Desk', last_active_at: expect.stringMatching(/Z$/) })
  })

  test('last_active_at is the world time at which the app last got a token, and stays when the clock moves; in the live world it is real time', async () => {
    const scopes = ['read:profile']
    const activeAt = async (token: string) => {
      const [app] = (await stage.bearer(token)('GET', PATH)).list
      return Date.parse(String(app?.attributes['last_active_at']))
    }
    const desk = await stage.client()
    const on = await aConnection(stage.db, desk, { user: await stage.user(), scopes })
    const before = await activeAt((await aUserToken(stage.db, desk, { on, scopes })).accessToken)
    await advance(stage.db, '10 hours')
    await advance(stage.db, '10 hours')
    const token = (await aUserToken(stage.db, desk, { on, scopes })).accessToken
    const after = await activeAt(token)
    expect(Math.round((after - before) / 3_600_000)).toBe(20)
    await advance(stage.db, '1 hour')
    expect(await activeAt(token)).toBe(after)
    const live = await stage.client({ world: 'live' })
    const user = await stage.user({}, 'live')
    const there = await aConnection(stage.db, live, { user, scopes })
    expect(await activeAt((await aUserToken(stage.db, live, { on: there, scopes })).accessToken)).toBeLessThanOrEqual(
      Date.now(),
    )
  })

  test('after a new consent the app is listed once, with its first date; scopes of older tokens stay until they expire', async () => {
    const [user, desk] = [await stage.user(), await stage.client({ name: 'Deal Desk' })]
    const first = await aConnection(stage.db, desk, { user, scopes: ['read:companies'] })
    await aUserToken(stage.db, desk, { on: first, scopes: ['read:companies'] })
    const [installed] = await stage.db.sql<{ at: string }>(
      `select to_char(installed_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
         from test.installations where id = $1`,
      [first.installation],
    )
    const scopes = ['read:profile']
    const second = await aConnection(stage.db, desk, { user, scopes })
    const before = stage.bearer((await aUserToken(stage.db, desk, { on: second, scopes })).accessToken)
    const { list } = await before('GET', PATH)
    expect(namesAndScopes(list)).toEqual([['Deal Desk', ['read:profile', 'read:companies']]])
    expect(list[0]?.attributes['created_at']).toBe(installed?.at)
    await advance(stage.db, '3 hours')
    const after = stage.bearer((await aUserToken(stage.db, desk, { on: second, scopes })).accessToken)
    expect(namesAndScopes((await after('GET', PATH)).list)).toEqual([['Deal Desk', ['read:profile']]])
  })

  test('disconnected apps, apps of other users and apps of the other world are not listed', async () => {
    const [user, other] = [await stage.user(), await stage.user()]
    const [desk, radar] = [await stage.client(), await stage.client()]
    const send = await stage.as(user, ['read:profile'], desk)
    await stage.as(user, ['read:profile'], radar)
    await stage.as(other, ['read:profile'], await stage.client())
    const gone = { appId: radar.app, userId: user, role: 'user' as const }
    await stage.arrange((tx) => disconnectUser(tx, gone, { cause: 'test', caused: [], onRevoked: [] }))
    expect((await send('GET', PATH)).list.map(({ id }) => id)).toEqual([desk.app])
    const live = await stage.client({ world: 'live' })
    const there = await stage.as(await stage.user({}, 'live'), ['read:profile'], live)
    expect((await there('GET', PATH)).list.map(({ id }) => id)).toEqual([live.app])
  })

  test('action_count counts the entries that GET /activity shows to the same token, without follows that the token may not see', async () => {
    const [user, desk] = [await stage.user(), await stage.client()]
    const [open, quiet] = [
      await stage.company({ promotion_opt_in: true }),
      await stage.company({ promotion_opt_in: false }),
    ]
    const did = { owner: { userId: user }, appId: desk.app, outcome: { status: 'success' }, requestId: null } as const
    await stage.arrange(async (tx) => {
      for (const resourceId of [open, quiet, quiet]) {
        await recordAction(tx, { ...did, action: 'follows.create', resourceId })
      }
      await recordAction(tx, { ...did, action: 'profile.update', resourceId: user })
      await recordAction(tx, { ...did, appId: (await stage.client()).app, action: 'profile.update', resourceId: user })
    })
    const countedBy = async (...scopes: string[]) => {
      const { list } = await (await stage.as(user, scopes, desk))('GET', PATH)
      return list.map(({ attributes }) => attributes['action_count'])
    }
    expect(await countedBy('read:profile')).toEqual([2])
    expect(await countedBy('read:profile', 'write:follows')).toEqual([4])
  })

  test('401 without a token; 403 insufficient_scope with only write:follows or only read:follows', async () => {
    expect(refusal(await stage.bearer(null)('GET', PATH))).toEqual([401, 'invalid_token'])
    for (const scope of ['write:follows', 'read:follows', 'read:companies']) {
      const rejected = await (await stage.as(await stage.user(), [scope]))('GET', PATH)
      expect(refusal(rejected)).toEqual([403, 'insufficient_scope'])
    }
  })
})
