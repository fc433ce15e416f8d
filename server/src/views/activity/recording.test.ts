import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aConnection, aUserToken } from '#access/tokens/testing/stage.ts'
import { heldBy } from '#http/access.ts'
import { route } from '#http/route.ts'
import { forgetUser } from '#intake/facts/index.ts'
import { newId } from '#kernel/ids.ts'
import { setRole } from '#market/companies/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { REFUSALS_AN_HOUR } from './action-recorder.ts'
import { type ActivityStage, openActivityStage, refusal, summaries } from './testing/stage.ts'

const Ok = Type.Object({ ok: Type.Boolean() })
const probe = { summary: 'Probe', tag: 'probe', access: heldBy(['user', 'installation', 'client'], 'read:profile') }
const OK = { status: 200, body: { ok: true } } as const
const routes = [
  route({
    ...{
      ...probe,
      operation: 'breakThing',
      method: 'POST',
      path: '/things/:id/break',
      schema: { response: { 200: Ok } },
    },
    transaction: async () => {
      throw new Error('broken')
    },
  }),
  route({
    ...{
      ...probe,
      operation: 'shareThing',
      method: 'POST',
      path: '/things/:id/share',
      schema: { response: { 200: Ok } },
    },
    platform: async () => OK,
  }),
  route({
    ...{
      ...probe,
      operation: 'pokeThing',
      method: 'POST',
      path: '/things/:id/poke',
      schema: { response: { 200: Ok } },
    },
    handler: async () => OK,
  }),
]

let stage: ActivityStage
beforeAll(async () => {
  stage = await openActivityStage({ routes })
})
afterAll(() => stage.close())

describe('what an app does for a user', () => {
  test('is recorded with app, action, resource, status and request, but without the values that the app sent', async () => {
    const [user, company] = [await stage.user(), await stage.company({ name: 'Brightkiln' })]
    const desk = await stage.client({ name: 'Follower' })
    const send = await stage.as(user, ['write:follows'], desk)
    const followed = await send('PUT', `/users/me/follows/${company}`)
    const [entry] = await stage.activityOf(user)
    expect(entry?.attributes['created_at']).toBe(entry?.attributes['occurred_at'])
    expect(entry).toEqual({
      id: expect.stringMatching(/^act_[0-9A-Za-z]{24}$/),
      type: 'audit_event',
      attributes: {
        occurred_at: expect.stringMatching(/^\d{4}-.*Z$/),
        actor_type: 'app',
        actor_name: 'Follower',
        app_id: desk.app,
        action: 'follows.create',
        resource_type: 'company',
        resource_id: company,
        resource_label: 'Brightkiln',
        old_values: null,
        new_values: null,
        changed_fields: null,
        status: 'success',
        error_message: null,
        intent_id: null,
        intent: null,
        request_id: followed.headers.get('x-request-id'),
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    })
  })

  test('is recorded under the name of the action, newest first; reads and requests without a change are not recorded', async () => {
    const [user, company] = [await stage.user(), await stage.company()]
    const send = await stage.as(user, ['write:follows', 'write:profile'])
    for (const method of ['PUT', 'PUT', 'DELETE', 'DELETE']) await send(method, `/users/me/follows/${company}`)
    await send('PATCH', '/users/me', { bio: 'My secret life', city: 'Oslo' })
    await send('GET', '/users/me')
    const entries = await stage.activityOf(user)
    expect(summaries(entries)).toEqual(['profile.update success', 'follows.delete success', 'follows.create success'])
    expect(entries[0]?.attributes).toMatchObject({ changed_fields: ['bio', 'city'], resource_id: user })
    expect(JSON.stringify(entries)).not.toContain('secret life')
  })

  test('is recorded with the id of a created record, and never with a returned token', async () => {
    const [user, company] = [await stage.user(), await stage.company()]
    await stage.arrange((tx) => setRole(tx, { company, user, role: 'founder' }, occasionAt()))
    const send = await stage.as(user, ['write:installations', 'read:companies'])
    const made = await send('POST', '/installations', { target_type: 'company', target_id: company })
    await send('POST', `/installations/${made.data.id}/tokens`, {})
    await send('DELETE', `/installations/${made.data.id}`)
    const entries = await stage.activityOf(user)
    expect(summaries(entries)).toEqual([
      'installations.revoke success',
      'installations.tokens.create success',
      'installations.create success',
    ])
    for (const { attributes } of entries) {
      expect(attributes).toMatchObject({ resource_type: 'installation', resource_id: made.data.id })
    }
    const rows = await stage.db.sql('select e::text from test.activity_entries e')
    expect(JSON.stringify(rows)).not.toMatch(/(at|rt|sk)_test_/)
  })

  test('is recorded once if the Idempotency-Key is repeated', async () => {
    const [user, company] = [await stage.user(), await stage.company()]
    await stage.arrange((tx) => setRole(tx, { company, user, role: 'founder' }, occasionAt()))
    const send = await stage.as(user, ['write:installations', 'read:companies'])
    const post = () =>
      send('POST', '/installations', { target_type: 'company', target_id: company }, { 'idempotency-key': 'k' })
    expect([(await post()).status, (await post()).status]).toEqual([201, 201])
    expect(summaries(await stage.activityOf(user))).toEqual(['installations.create success'])
  })

  test('is recorded for tokens of the user’s own connection, but not for a company’s token', async () => {
    const [user, company] = [await stage.user(), await stage.company()]
    await stage.arrange((tx) => setRole(tx, { company, user, role: 'founder' }, occasionAt()))
    const by = await stage.client()
    const scopes = ['write:installations', 'write:follows', 'read:profile']
    const on = await aConnection(stage.db, by, { user, scopes })
    const send = stage.bearer((await aUserToken(stage.db, by, { on, scopes })).accessToken)
    const tokenOf = async (path: string, body: object) =>
      (await send('POST', path, body)) as unknown as { token: { access_token: string } }
    const own = await tokenOf(`/installations/${on.installation}/tokens`, {})
    const companys = await tokenOf('/installations', { target_type: 'company', target_id: company })
    const before = (await stage.activityOf(user)).length
    expect((await stage.bearer(own.token.access_token)('POST', `/things/${company}/poke`)).status).toBe(200)
    await stage.bearer(companys.token.access_token)('POST', `/things/${company}/poke`)
    const entries = await stage.activityOf(user)
    expect(entries.length - before).toBe(1)
    expect(entries[0]?.attributes).toMatchObject({ action: 'things.poke', app_id: by.app, resource_id: company })
  })

  test('is recorded in the world of the token if it changes platform tables', async () => {
    const user = await stage.user()
    const send = await stage.as(user, ['read:profile'])
    await send('POST', `/things/${newId('webhookEndpoint')}/share`)
    expect(summaries(await stage.activityOf(user))).toEqual(['things.share success'])
    expect(await stage.db.sql('select id from live.activity_entries')).toEqual([])
  })
})

describe('a rejected request of an app', () => {
  test('is recorded as denied if the app lacks the permission, and otherwise as a failure; without a valid token it is not recorded', async () => {
    const user = await stage.user()
    const send = await stage.as(user, ['read:profile'])
    const company = await stage.company({ listed: false, name: 'Hidden Works' })
    expect(refusal(await send('PUT', `/users/me/follows/${company}`))).toEqual([403, 'insufficient_scope'])
    expect(refusal(await send('PATCH', '/users/me', { bio: 'x' }))).toEqual([403, 'insufficient_scope'])
    const writing = await stage.as(user, ['write:profile', 'write:follows'])
    expect(refusal(await writing('PATCH', '/users/me', { hair: 'auburn' }))).toEqual([422, 'validation_error'])
    expect(refusal(await writing('PUT', `/users/me/follows/${company}`))).toEqual([404, 'not_found'])
    expect(refusal(await writing('PUT', '/users/me/follows/somebody@example.org'))).toEqual([404, 'not_found'])
    expect(refusal(await writing('POST', `/things/${company}/break`))).toEqual([500, 'internal_error'])
    expect(refusal(await stage.bearer(null)('PATCH', '/users/me', {}))).toEqual([401, 'invalid_token'])
    const entries = await stage.activityOf(user)
    expect(summaries(entries)).toEqual([
      'things.break failure',
      'follows.create failure',
      'follows.create failure',
      'profile.update failure',
      'profile.update denied',
      'follows.create denied',
    ])
    const messages = entries.map(({ attributes }) => attributes['error_message'])
    expect(messages).toEqual([
      'Something went wrong on our side.',
      'The record does not exist, or the app may not see it.',
      'The record does not exist, or the app may not see it.',
      'The app’s request was not acceptable.',
      'The app was not given this permission.',
      'The app was not given this permission.',
    ])
    expect(entries.map(({ attributes }) => attributes['resource_type'])).toEqual([
      ...['company', 'follows', 'company', 'profile', 'profile', 'company'],
    ])
    // The entries contain neither the app's input nor the name of a hidden record.
    expect(JSON.stringify(entries)).not.toMatch(/somebody|auburn|Hidden Works/)
  })

  test('is not recorded if it is a read', async () => {
    const user = await stage.user()
    const send = await stage.as(user, ['write:follows'])
    expect((await send('GET', '/connected-apps')).status).toBe(403)
    expect((await send('GET', '/installations')).status).toBe(403)
    expect(await stage.activityOf(user)).toEqual([])
  })

  test('is recorded once an hour if it is repeated', async () => {
    const user = await stage.user()
    const send = await stage.as(user, ['read:profile'])
    for (let i = 0; i < 30; i++) await send('PATCH', '/users/me', { bio: 'x' })
    expect(summaries(await stage.activityOf(user))).toEqual(['profile.update denied'])
    stage.clock.advance(3_600_000)
    await send('PATCH', '/users/me', { bio: 'x' })
    expect(summaries(await stage.activityOf(user))).toEqual(['profile.update denied', 'profile.update denied'])
  })

  test(`is not recorded after ${REFUSALS_AN_HOUR} different rejections of the same app and user in an hour; rejections of other users and successful requests are still recorded`, async () => {
    const [user, other] = [await stage.user(), await stage.user()]
    const [send, sendOther] = [await stage.as(user, ['write:follows']), await stage.as(other, ['write:follows'])]
    for (let i = 0; i < REFUSALS_AN_HOUR + 10; i++) await send('PUT', `/users/me/follows/${newId('company')}`)
    await sendOther('PUT', `/users/me/follows/${newId('company')}`)
    expect((await stage.activityOf(user)).length).toBe(REFUSALS_AN_HOUR)
    expect((await stage.activityOf(other)).length).toBe(1)
    const company = await stage.company()
    await send('PUT', `/users/me/follows/${company}`)
    expect((await stage.activityOf(user, '&status=success')).length).toBe(1)
  })
})

describe('an action and its entry are stored together', () => {
  test('a rollback removes both', async () => {
    const [user, company] = [await stage.user(), await stage.company()]
    await stage.db.sql(`create function test.refuse_${company}() returns trigger language plpgsql as
      $$ begin if new.company_id = '${company}' then raise 'no'; end if; return null; end $$`)
    // The trigger runs at the commit, after the follow and its entry were written.
    await stage.db.sql(`create constraint trigger refuse_${company} after insert on test.follows
      deferrable initially deferred for each row execute function test.refuse_${company}()`)
    const send = await stage.as(user, ['write:follows'])
    expect((await send('PUT', `/users/me/follows/${company}`)).status).toBe(500)
    expect(summaries(await stage.activityOf(user))).toEqual(['follows.create failure'])
    expect(await stage.db.sql('select from test.follows where company_id = $1', [company])).toEqual([])
    await stage.db.sql(`drop trigger refuse_${company} on test.follows`)
  })

  test('a change whose entry cannot be written is rolled back', async () => {
    const [user, company] = [await stage.user(), await stage.company()]
    const send = await stage.as(user, ['write:follows'])
    await stage.db.sql(`alter table test.activity_entries add constraint nothing check (user_id <> '${user}')`)
    expect((await send('PUT', `/users/me/follows/${company}`)).status).toBe(500)
    await stage.settled()
    await stage.db.sql('alter table test.activity_entries drop constraint nothing')
    expect(await stage.db.sql('select from test.follows where company_id = $1', [company])).toEqual([])
    // The failure could not be recorded either. The log says so, and the request still got its response.
    expect(stage.logLines.join('')).toContain('actions of apps were not recorded')
  })
})

describe('PATCH /users/me', () => {
  test('200 without an entry, if the request has no known field', async () => {
    const user = await stage.user()
    const send = await stage.as(user, ['write:profile'])
    const older = { 'wefunder-version': '2025-01-15' }
    const before = (await send('GET', '/users/me')).data
    expect(await send('PATCH', '/users/me', {})).toMatchObject({ status: 200, data: before })
    expect(await send('PATCH', '/users/me')).toMatchObject({ status: 200, data: before })
    expect(await send('PATCH', '/users/me', { nickname: 'x' }, older)).toMatchObject({ status: 200, data: before })
    expect(await stage.activityOf(user)).toEqual([])
    await send('PATCH', '/users/me', { nickname: 'x', city: 'Oslo' }, older)
    const [entry] = await stage.activityOf(user)
    expect(entry?.attributes).toMatchObject({ action: 'profile.update', changed_fields: ['city'] })
  })
})

describe('GET /connected-apps', () => {
  test('counts what each app did for this user', async () => {
    const [user, desk, radar] = [await stage.user(), await stage.client(), await stage.client()]
    const send = await stage.as(user, ['read:profile', 'write:follows'], desk)
    await stage.as(user, ['read:profile'], radar)
    await stage.record({ user: await stage.user(), appId: desk.app })
    for (const method of ['PUT', 'DELETE']) await send(method, `/users/me/follows/${await stage.company()}`)
    const { list } = await send('GET', '/connected-apps')
    // DELETE names a company that the user does not follow, so it changes nothing and is not counted.
    expect(Object.fromEntries(list.map(({ id, attributes }) => [id, attributes['action_count']]))).toEqual({
      [desk.app]: 1,
      [radar.app]: 0,
    })
  })
})

describe('a user who leaves', () => {
  test('has their activity deleted, and nothing is recorded afterwards', async () => {
    const [user, other] = [await stage.user(), await stage.user()]
    await stage.record({ user })
    await stage.record({ user: other })
    await stage.arrange((tx) => forgetUser(tx, user, occasionAt()))
    await stage.record({ user })
    const left = await stage.db.sql<{ user_id: string }>(
      'select user_id from test.activity_entries where user_id = any($1)',
      [[user, other]],
    )
    expect(left).toEqual([{ user_id: other }])
  })
})
