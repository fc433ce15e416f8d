import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aClientToken, aConnection, accepted, aUserToken } from '#access/tokens/testing/stage.ts'
import { findEvents, wholeData } from '#events/index.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { endRole } from '#market/companies/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import type { OnRevoked } from '../lifecycle.ts'
import {
  type ApiResponse,
  type ApiStage,
  openApiStage,
  type Partner,
  type Person,
  type Send,
} from '../testing/api-stage.ts'

/** The ids that `listener` got. It runs in the transaction of the revocation, like the listeners of other modules, such as webhooks. */
const notified: Id<'installation'>[] = []
const listener: OnRevoked = {
  inWorld: async (_tx, ids) => {
    notified.push(...ids)
  },
  onPlatform: async () => {},
}

let stage: ApiStage
let partner: Partner
let founder: Person
let send: Send
beforeAll(async () => {
  stage = await openApiStage([listener])
  partner = await stage.partner()
  founder = await stage.person()
})
afterAll(() => stage.close())
beforeEach(async () => {
  send = await stage.as(partner, founder)
})

const refusal = ({ status, error }: ApiResponse) => [status, error?.type]
const revoke = (by: Send, id: string) => by('DELETE', `/installations/${id}`)

async function installed(target?: string) {
  const target_id = target ?? (await stage.company({ founder }))
  const target_type = target_id.startsWith('syn_') ? 'syndicate' : 'company'
  return send('POST', '/installations', { target_type, target_id })
}
const connectionOf = async ({ user }: Person) => {
  const rows = await stage.db.sql<{ id: string }>(
    `select id from test.installations where app_id = $1 and user_id = $2 and state = 'active'`,
    [partner.app, user],
  )
  return String(rows[0]?.id)
}
const eventsOf = async (id: string) => {
  const rows = await stage.db.sql<{ id: string }>(
    `select id from test.events where installation_id = $1 and name = 'installation.revoked'`,
    [id],
  )
  return (await findEvents(stage.db.databases.test.reads, rows.map((row) => row.id) as never)).map(wholeData)
}

describe('DELETE /installations/{id}', () => {
  test('200 with the revoked record; each of its tokens is rejected at once; the event has the same data', async () => {
    const { data, token } = await installed()
    const second = await send('POST', `/installations/${data.id}/tokens`)
    const tokens = [token.access_token, second.token.access_token]
    expect(await accepted(stage.db, tokens)).toBe(2)
    const response = await revoke(send, data.id)
    expect(response.status).toBe(200)
    expect(response.data).toEqual({
      ...data,
      status: 'revoked',
      revoked_at: expect.stringMatching(/^\d{4}-.*Z$/),
      revoked_by: { role: 'founder' },
    })
    for (const one of tokens) {
      const rejected = await stage.bearer(one)('GET', `/installations/${data.id}`)
      expect(refusal(rejected)).toEqual([401, 'invalid_token'])
    }
    expect(await eventsOf(data.id)).toEqual([{ ...response.data, occurred_at: response.data['revoked_at'] }])
    expect(notified).toContain(data.id)
  })

  test('a repeated request: 200 with the same record, but no second event and no second call of the listener', async () => {
    const { data } = await installed()
    const first = await revoke(send, data.id)
    notified.length = 0
    const teammate = await stage.as(partner, await stage.teammate(partner))
    expect((await revoke(teammate, data.id)).data).toEqual(first.data)
    expect([(await eventsOf(data.id)).length, notified]).toEqual([1, []])
  })

  test.each(['founder', 'admin', 'editor'] as const)(
    'a company’s %s may revoke, no matter who installed the app; the record says that a founder revoked',
    async (held) => {
      const other = await stage.person()
      const installer = held === 'founder' ? { admin: founder } : { founder }
      const { data } = await installed(await stage.company({ ...installer, [held]: other }))
      expect((await revoke(await stage.as(partner, other), data.id)).data['revoked_by']).toEqual({ role: 'founder' })
    },
  )

  test('a syndicate’s manager, the connected user and the app’s team may revoke', async () => {
    const onSyndicate = await installed(await stage.syndicate(founder))
    expect((await revoke(send, onSyndicate.data.id)).data['revoked_by']).toEqual({ role: 'manager' })
    const teammate = await stage.as(partner, await stage.teammate(partner))
    const { data } = await installed()
    expect((await revoke(teammate, data.id)).data['revoked_by']).toEqual({ role: 'partner' })
    const own = await revoke(send, await connectionOf(founder))
    expect([own.data['revoked_by'], own.data.target['type']]).toEqual([{ role: 'user' }, 'user'])
    expect(refusal(await send('GET', '/installations'))).toEqual([401, 'invalid_token'])
  })

  test('the app’s team disconnects a user; the tokens of superseded connections are rejected too', async () => {
    const user = await stage.person()
    const first = await aUserToken(stage.db, partner, { user: user.user, scopes: ['read:profile'] })
    const second = await aUserToken(stage.db, partner, { user: user.user, scopes: ['read:companies'] })
    expect(await accepted(stage.db, [first.accessToken, second.accessToken])).toBe(2)
    const teammate = await stage.as(partner, await stage.teammate(partner))
    expect((await revoke(teammate, await connectionOf(user))).data['revoked_by']).toEqual({ role: 'partner' })
    expect(await accepted(stage.db, [first.accessToken, second.accessToken])).toBe(0)
  })

  const byEach: [string, (path: string, own: string) => Promise<ApiResponse>][] = [
    ['the user', (path, own) => stage.bearer(own)('DELETE', path)],
    ['the app’s team', async (path) => (await stage.as(partner, await stage.teammate(partner)))('DELETE', path)],
    ['the platform’s staff', (path) => stage.operator()('DELETE', `/platform${path}`)],
  ]
  test.each(byEach)(
    'revoking a superseded connection by %s ends its tokens, without a second event',
    async (_, revokeBy) => {
      const user = await stage.person()
      const first = await aUserToken(stage.db, partner, { user: user.user, scopes: ['read:profile'] })
      const old = await connectionOf(user)
      const second = await aUserToken(stage.db, partner, { user: user.user, scopes: ['write:installations'] })
      const before = (await stage.operator()('GET', `/platform/installations/${old}`)).data
      expect([before.status, await accepted(stage.db, [first.accessToken])]).toEqual(['revoked', 1])
      const { status, data } = await revokeBy(`/installations/${old}`, second.accessToken)
      expect([status, data]).toEqual([200, before])
      expect(await accepted(stage.db, [first.accessToken])).toBe(0)
      expect(await accepted(stage.db, [second.accessToken])).toBe(1)
      expect(await eventsOf(old)).toHaveLength(1)
    },
  )

  test('tokens minted on a connection end when the connection is superseded; the user’s own token still works', async () => {
    const user = await stage.person()
    const by = await stage.as(partner, user)
    const { token } = await by('POST', `/installations/${await connectionOf(user)}/tokens`)
    expect(await accepted(stage.db, [token.access_token])).toBe(1)
    await aConnection(stage.db, partner, { user: user.user, scopes: ['read:profile'] })
    expect(await accepted(stage.db, [token.access_token])).toBe(0)
    expect((await by('GET', '/installations')).status).toBe(200)
  })

  test('a role at the target takes precedence over a role on the team', async () => {
    const both = await stage.teammate(partner)
    const { data } = await installed(await stage.company({ founder, editor: both }))
    expect((await revoke(await stage.as(partner, both), data.id)).data['revoked_by']).toEqual({ role: 'founder' })
  })

  test('404 for a stranger, an employee and the manager of another syndicate; 403 for a person who lost their role', async () => {
    const [stranger, employee] = [await stage.person(), await stage.person()]
    const company = await stage.company({ founder, employee })
    const [onCompany, onSyndicate] = [await installed(company), await installed(await stage.syndicate(founder))]
    await stage.syndicate(stranger)
    expect(refusal(await revoke(await stage.as(partner, employee), onCompany.data.id))).toEqual([404, 'not_found'])
    const strangers = await stage.as(partner, stranger)
    for (const { data } of [onCompany, onSyndicate]) {
      expect(refusal(await revoke(strangers, data.id))).toEqual([404, 'not_found'])
    }
    expect(refusal(await revoke(strangers, await connectionOf(founder)))).toEqual([404, 'not_found'])
    await stage.arrange((tx) => endRole(tx, { company, user: founder.user, role: 'founder' }, occasionAt()))
    expect(refusal(await revoke(send, onCompany.data.id))).toEqual([403, 'forbidden'])
    expect((await stage.operator()('GET', `/platform/installations/${onCompany.data.id}`)).data.status).toBe('active')
  })

  test('404 through another app, 403 without the scope and for tokens that are not a user’s', async () => {
    const { data, token } = await installed()
    const other = await stage.partner()
    for (const person of [founder, await stage.teammate(other)]) {
      expect(refusal(await revoke(await stage.as(other, person), data.id))).toEqual([404, 'not_found'])
    }
    const reader = await stage.as(partner, founder, ['read:installations'])
    expect(refusal(await revoke(reader, data.id))).toEqual([403, 'insufficient_scope'])
    expect(refusal(await revoke(stage.bearer(token.access_token), data.id))).toEqual([403, 'forbidden'])
    const client = await aClientToken(stage.db, partner)
    expect(refusal(await revoke(stage.bearer(client.accessToken), data.id))).toEqual([403, 'insufficient_scope'])
    expect(refusal(await revoke(stage.bearer(partner.keyId), data.id))).toEqual([403, 'insufficient_scope'])
    expect(refusal(await revoke(send, newId('installation')))).toEqual([404, 'not_found'])
  })

  test('an installation stays when its installer loses their role, because it belongs to the company', async () => {
    const company = await stage.company({ founder })
    const { data, token } = await installed(company)
    await stage.arrange((tx) => endRole(tx, { company, user: founder.user, role: 'founder' }, occasionAt()))
    expect((await stage.bearer(token.access_token)('GET', `/installations/${data.id}`)).data.status).toBe('active')
  })
})

describe('DELETE /connected-apps/{id}', () => {
  test('200: the app is disconnected with the role user; its tokens are counted and stop working', async () => {
    const user = await stage.person()
    const other = await stage.partner()
    const tokens = [
      await aUserToken(stage.db, other, { user: user.user, scopes: ['read:profile'] }),
      await aUserToken(stage.db, other, { user: user.user, scopes: ['read:companies'] }),
    ]
    const by = await stage.as(await stage.partner({ scopes: ['write:profile'] }), user, ['write:profile'])
    const response = await by('DELETE', `/connected-apps/${other.app}`)
    // Two access tokens and one refresh token. The refresh token of the superseded connection ended before.
    expect([response.status, response.data]).toEqual([200, { revoked: true, tokens_revoked: 3 }])
    expect(
      await accepted(
        stage.db,
        tokens.map(({ accessToken }) => accessToken),
      ),
    ).toBe(0)
    const rows = await stage.db.sql(
      'select revoked_by_role as role from test.installations where app_id = $1 and user_id = $2 order by id desc limit 1',
      [other.app, user.user],
    )
    expect(rows).toEqual([{ role: 'user' }])
    expect(refusal(await by('DELETE', `/connected-apps/${other.app}`))).toEqual([404, 'not_found'])
  })

  test('an app may disconnect itself with its own token', async () => {
    const own = await stage.partner({ scopes: ['write:profile'] })
    const by = await stage.as(own, await stage.person(), ['write:profile'])
    expect((await by('DELETE', `/connected-apps/${own.app}`)).status).toBe(200)
    expect(refusal(await by('DELETE', `/connected-apps/${own.app}`))).toEqual([401, 'invalid_token'])
  })

  test('404 for an app that the user has not connected, even if another user has connected it, and for an unknown app', async () => {
    const [user, other] = [await stage.person(), await stage.partner()]
    await aConnection(stage.db, other, { user: founder.user, scopes: ['read:profile'] })
    const by = await stage.as(await stage.partner({ scopes: ['write:profile'] }), user, ['write:profile'])
    for (const id of [other.app, newId('app'), 'app_1']) {
      expect(refusal(await by('DELETE', `/connected-apps/${id}`))).toEqual([404, 'not_found'])
    }
  })

  test('403 without write:profile and for a token without a user', async () => {
    const reader = await stage.as(partner, founder, ['read:profile'])
    expect(refusal(await reader('DELETE', `/connected-apps/${partner.app}`))).toEqual([403, 'insufficient_scope'])
    const client = await aClientToken(stage.db, partner)
    const rejected = await stage.bearer(client.accessToken)('DELETE', `/connected-apps/${partner.app}`)
    expect(refusal(rejected)).toEqual([403, 'insufficient_scope'])
  })
})
