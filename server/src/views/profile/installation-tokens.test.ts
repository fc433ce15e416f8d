import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectedAppRoute } from '#access/installations/api/routes.ts'
import { forgetUser } from '#intake/facts/forget-user.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { openProfileStage, type ProfileStage, refusal } from './testing/stage.ts'

let stage: ProfileStage
beforeAll(async () => {
  stage = await openProfileStage(() => [connectedAppRoute({ onRevoked: [] })])
})
afterAll(() => stage.close())

const SCOPES = ['write:profile', 'write:follows', 'read:companies'] as const

/** Each route of the module, with a valid request. */
const calls = (company: string) =>
  [
    ['GET', '/users/me'],
    ['PATCH', '/users/me', { bio: 'Engines.' }],
    ['GET', '/users/me/companies'],
    ['PUT', `/users/me/follows/${company}`],
    ['GET', '/users/me/follows'],
    ['DELETE', `/users/me/follows/${company}`],
    ['GET', '/connected-apps'],
  ] as const

describe('Installation token: "the app on a company, syndicate or user installation"', () => {
  test('a token minted on a user’s own connection acts for that user', async () => {
    const [user, company] = [await stage.user({ name: 'Grace Hopper' }), await stage.company()]
    const send = await stage.installedOn({ user }, SCOPES, await stage.client())
    for (const [method, path, body] of calls(company)) {
      expect([path, (await send(method, path, body)).status]).toEqual([path, 200])
    }
    const { data } = await send('GET', '/users/me')
    expect(data).toMatchObject({ id: user, attributes: { full_name: 'Grace Hopper', bio: 'Engines.' } })
  })

  test('a token has only the scopes with which it was minted', async () => {
    const [user, company] = [await stage.user(), await stage.company()]
    const send = await stage.installedOn({ user }, ['write:follows'], await stage.client())
    expect((await send('GET', '/users/me')).data).toEqual({ id: user, type: 'user' })
    expect((await send('PUT', `/users/me/follows/${company}`)).status).toBe(200)
    expect(refusal(await send('GET', '/connected-apps'))).toEqual([403, 'insufficient_scope'])
    expect(refusal(await send('PATCH', '/users/me', {}))).toEqual([403, 'insufficient_scope'])
  })

  test('a token on a company or a syndicate gets 403 forbidden on all routes, and no account changes', async () => {
    const company = await stage.company()
    const syndicate = await stage.arrange((tx) => makeSyndicate(tx))
    for (const target of [{ company }, { syndicate }]) {
      const send = await stage.installedOn(target, SCOPES)
      for (const [method, path, body] of calls(company)) {
        expect([path, ...refusal(await send(method, path, body))]).toEqual([path, 403, 'forbidden'])
      }
    }
    expect(await stage.db.sql('select user_id from test.follows where company_id = $1', [company])).toEqual([])
  })

  test('a token on a user’s own connection can disconnect that user’s apps, also its own, but no app of another user', async () => {
    const [user, stranger] = [await stage.user(), await stage.user()]
    const [own, other] = [await stage.client(), await stage.client()]
    const send = await stage.installedOn({ user }, SCOPES, own)
    await stage.as(user, ['read:profile'], other)
    const theirs = await stage.as(stranger, ['read:profile'], other)
    const disconnect = (app: string) => send('DELETE', `/connected-apps/${app}`)
    expect((await disconnect(other.app)).status).toBe(200)
    expect(refusal(await disconnect(other.app))).toEqual([404, 'not_found'])
    expect((await theirs('GET', '/users/me')).status).toBe(200)
    expect((await disconnect(own.app)).status).toBe(200)
    expect(refusal(await disconnect(own.app))).toEqual([401, 'invalid_token'])
  })

  test('disconnecting an app is 403 with a token on a company, and with a token without write:profile', async () => {
    const [user, app] = [await stage.user(), await stage.client()]
    const connected = await stage.as(user, ['read:profile'], app)
    const onCompany = await stage.installedOn({ company: await stage.company() }, SCOPES)
    expect(refusal(await onCompany('DELETE', `/connected-apps/${app.app}`))).toEqual([403, 'forbidden'])
    const reading = await stage.installedOn({ user }, ['read:profile'], await stage.client())
    expect(refusal(await reading('DELETE', `/connected-apps/${app.app}`))).toEqual([403, 'insufficient_scope'])
    expect((await connected('GET', '/users/me')).status).toBe(200)
  })

  test('401 after the user was deactivated', async () => {
    const user = await stage.user()
    const sends = [await stage.as(user, SCOPES), await stage.installedOn({ user }, SCOPES, await stage.client())]
    await stage.arrange((tx) => forgetUser(tx, user, occasionAt()))
    for (const send of sends) expect(refusal(await send('GET', '/users/me'))).toEqual([401, 'invalid_token'])
  })
})
