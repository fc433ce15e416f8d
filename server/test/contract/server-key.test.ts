import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { consent } from './flow.ts'
import { aCompanyOf, aSyndicateOf, INSTALLING, installer } from './installing.ts'
import { type Answer, refusalOf, type Send, sender } from './sender.ts'
import { type App, type Key, openStage, type Person, type Stage } from './stage.ts'

/** A confidential key with HTTP Basic, as the app's own server uses it, without a token and without a user. */

const WEBHOOKS = ['read:webhooks', 'write:webhooks']
const ENDPOINT = { url: 'https://partner.example/hooks', events: ['offering.opened'] }

let stage: Stage
let founder: Person
beforeAll(async () => {
  stage = await openStage()
  founder = await stage.person()
})
afterAll(() => stage.close())

const basicOf = ({ clientId, secret }: Pick<Key, 'clientId' | 'secret'>) =>
  `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
const server = (key: Pick<Key, 'clientId' | 'secret'>): Send =>
  sender(stage.service.url, { authorization: basicOf(key) })

async function installApp(scopes: readonly string[] = [...INSTALLING, ...WEBHOOKS]) {
  const app = await stage.app({ scopes, approved: true })
  const api = await installer(stage, app, founder)
  const { data } = await api('POST', '/installations', await aCompanyOf(stage, founder))
  return { app, api, id: data.id, path: `/installations/${data.id}`, by: server(app.key) }
}

const auditOf = (app: string) =>
  stage.service.db.sql<{ actor: string; action: string; details: Record<string, unknown> }>(
    `select actor, action, details from platform.audit_entries where subject = $1 and action = 'installation.token_minted'`,
    [app],
  )

describe('operations that a server key may call', () => {
  test('GET /installations lists the app’s installations on companies and syndicates, but no users’ connections', async () => {
    const { app, api, id, by } = await installApp()
    const onSyndicate = (await api('POST', '/installations', await aSyndicateOf(stage, founder))).data.id
    await consent(stage, app.key, await stage.person(), { scope: 'read:installations' })
    const { status, list } = await by('GET', '/installations')
    expect([status, list.map((one) => one.id)]).toEqual([200, [onSyndicate, id]])
  })

  test('GET /installations/{id} returns the app’s installation, and 404 for a user’s connection and for another app’s installation', async () => {
    const { app, api, id, path, by } = await installApp()
    expect((await by('GET', path)).data.id).toBe(id)
    const connection = (await api('GET', '/installations')).list.find((one) => {
      return (one['target'] as { type: string }).type === 'user'
    })
    expect(refusalOf(await by('GET', `/installations/${connection?.id}`))).toBe('404 not_found')
    expect(refusalOf(await by('POST', `/installations/${connection?.id}/tokens`))).toBe('404 not_found')
    const other = await installApp()
    expect(refusalOf(await other.by('GET', path))).toBe('404 not_found')
    expect(refusalOf(await other.by('POST', `${path}/tokens`))).toBe('404 not_found')
    expect((await other.by('GET', '/installations')).list.map((one) => one.id)).not.toContain(id)
    expect(app.id).not.toBe(other.app.id)
  })

  test('POST /installations/{id}/tokens gives a token for two hours, audited, with the installation’s scopes or fewer', async () => {
    const { app, id, path, by } = await installApp()
    const minted = await by('POST', `${path}/tokens`, { scopes: ['read:installations'] })
    expect([minted.status, minted.token]).toMatchObject([201, { scope: 'read:installations', expires_in: 7200 }])
    expect(await stage.identityOf(minted.token.access_token)).toMatchObject({ kind: 'installation', installation: id })
    expect(await auditOf(app.id)).toMatchObject([
      {
        actor: app.key.clientId,
        action: 'installation.token_minted',
        details: { world: 'test', installation: id, scopes: ['read:installations'] },
      },
    ])
  })

  test('POST /installations/{id}/tokens is in the app’s history with the key’s name, for the team and for operators', async () => {
    const { app, path, by } = await installApp()
    await by('POST', `${path}/tokens`)
    const actor = { type: 'key', id: app.key.clientId, name: 'Server' }
    const entry = { attributes: { action: 'installation.token_minted', actor } }
    const team = await app.team.owner.portal('GET', `/portal/api/apps/${app.id}/history?per_page=1`)
    expect(team.list).toMatchObject([entry])
    expect((await stage.operator('GET', `/platform/apps/${app.id}/history?per_page=1`)).list).toMatchObject([entry])
    const stranger = await stage.person()
    expect(refusalOf(await stranger.portal('GET', `/portal/api/apps/${app.id}/history`))).toBe('404 not_found')
  })

  test('POST /installations/{id}/tokens rejects never_expires, and gives an expiring token even with an older pinned version', async () => {
    const { app, api, path, by } = await installApp()
    const requests = await by('POST', `${path}/tokens`, { never_expires: true })
    expect(refusalOf(requests)).toBe('422 validation_error')
    const onSyndicate = (await api('POST', '/installations', await aSyndicateOf(stage, founder))).data.id
    const never = await by('POST', `/installations/${onSyndicate}/tokens`, { never_expires: true })
    expect(refusalOf(never)).toBe('422 validation_error')
    await app.team.owner.portal('PATCH', `/portal/api/apps/${app.id}`, { api_version: '2026-10-01' })
    expect((await by('POST', `${path}/tokens`)).token.expires_in).toBe(7200)
  })

  test('/webhook_endpoints works, for the whole app or bound to one of its installations', async () => {
    const { id, by } = await installApp()
    const { status, data } = await by('POST', '/webhook_endpoints', ENDPOINT)
    expect(status).toBe(201)
    const path = `/webhook_endpoints/${data.id}`
    const bound = await by('POST', '/webhook_endpoints', { ...ENDPOINT, installation_id: id })
    expect([bound.status, bound.data.attributes['installation_id']]).toEqual([201, id])
    expect((await by('GET', '/webhook_endpoints')).list.map((one) => one.id)).toEqual([bound.data.id, data.id])
    const requests: readonly (readonly [Parameters<Send>[0], string, unknown, number])[] = [
      ['GET', path, undefined, 200],
      ['PATCH', path, { events: ['offering.closed'] }, 200],
      ['POST', `${path}/rotate_secret`, undefined, 200],
      ['POST', `${path}/reenable`, undefined, 200],
      ['GET', `${path}/deliveries`, undefined, 200],
      ['GET', `${path}/deliveries/dlv_${'0'.repeat(24)}`, undefined, 404],
      ['POST', `${path}/deliveries/dlv_${'0'.repeat(24)}/redeliver`, undefined, 404],
      ['DELETE', path, undefined, 200],
    ]
    for (const [method, at, body, answer] of requests) {
      expect([method, at, (await by(method, at, body)).status]).toEqual([method, at, answer])
    }
  })

  test('endpoints of users’ connections, of other apps and of the other world are not accessible to the key', async () => {
    const { app, by } = await installApp()
    const person = await stage.person()
    const user = stage.api((await consent(stage, app.key, person, { scope: 'write:webhooks' })).access_token)
    const [connection] = await stage.service.db.sql<{ id: string }>(
      'select id from test.installations where app_id = $1 and user_id = $2',
      [app.id, person.user],
    )
    expect((await user('GET', '/webhook_endpoints')).status).toBe(403)
    // Users' connections receive this event, so the request has no other mistake.
    const bound = { ...ENDPOINT, events: ['investment.created'], installation_id: connection?.id }
    const refused = await by('POST', '/webhook_endpoints', bound)
    expect(refusalOf(refused)).toBe('404 not_found')
    const { data } = await by('POST', '/webhook_endpoints', ENDPOINT)
    const live = server(await stage.keyOf(app, { world: 'live' }))
    expect((await live('GET', '/webhook_endpoints')).list).toEqual([])
    expect(refusalOf(await live('GET', `/webhook_endpoints/${data.id}`))).toBe('404 not_found')
    expect(refusalOf(await live('GET', '/webhook_endpoints?mode=test'))).toBe('403 forbidden')
    expect(refusalOf(await (await installApp()).by('GET', `/webhook_endpoints/${data.id}`))).toBe('404 not_found')
  })

  test('a request with an Idempotency-Key works', async () => {
    const { by } = await installApp()
    const header = { 'idempotency-key': 'once' }
    const [first, again] = [
      await by('POST', '/webhook_endpoints', ENDPOINT, header),
      await by('POST', '/webhook_endpoints', ENDPOINT, header),
    ]
    expect(again.data.id).toBe(first.data.id)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })
})

describe('operations that a server key may not call', () => {
  const refusals = async (by: Send, path: string) => refusalOf(await by('GET', path))
  const isQuiet = ({ headers }: Answer) => headers.get('www-authenticate') === 'Bearer error="invalid_token"'

  test('403 insufficient_scope for a scope that the app does not declare', async () => {
    const { by, path } = await installApp(['read:installations', 'write:installations'])
    expect(await refusals(by, '/webhook_endpoints')).toBe('403 insufficient_scope')
    const reader = await stage.app({ scopes: ['read:installations'] })
    expect((await server(reader.key)('GET', '/installations')).status).toBe(200)
    expect(refusalOf(await server(reader.key)('POST', `${path}/tokens`))).toBe('403 insufficient_scope')
  })

  test('401 for a wrong secret, no secret, an unknown key and a malformed Basic header', async () => {
    const { app } = await installApp()
    const other = await stage.app({ scopes: INSTALLING })
    const wrong = [
      basicOf({ ...app.key, secret: other.key.secret }),
      basicOf({ ...app.key, secret: '' }),
      basicOf({ clientId: `pk_test_${'z'.repeat(24)}`, secret: app.key.secret }),
      basicOf({ clientId: 'nobody', secret: 'nothing' }),
      'Basic',
      'Basic !!!',
    ]
    for (const authorization of wrong) {
      const answer = await sender(stage.service.url, { authorization })('GET', '/installations')
      expect([authorization, refusalOf(answer), isQuiet(answer)]).toEqual([authorization, '401 invalid_token', true])
    }
  })

  test('401 for a public key, which has no secret', async () => {
    const { app } = await installApp()
    const { clientId } = await stage.keyOf(app, { clientType: 'public' })
    expect(await refusals(server({ clientId, secret: '' }), '/installations')).toBe('401 invalid_token')
    expect(await refusals(server({ clientId, secret: app.key.secret }), '/installations')).toBe('401 invalid_token')
  })

  test.each([{ origin: 'https://partner.example' }, { 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'same-origin' }])(
    '401 from a browser: %j',
    async (headers) => {
      const { by } = await installApp()
      const answer = await by('GET', '/installations', undefined, headers)
      expect([refusalOf(answer), isQuiet(answer)]).toEqual(['401 invalid_token', true])
    },
  )

  test('401 for HTTP Basic on all other routes, and no response asks for Basic', async () => {
    const { app } = await installApp([...INSTALLING, ...WEBHOOKS])
    const document = (await (await fetch(`${stage.service.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, { security?: readonly Record<string, unknown>[] }>>
    }
    const opened: string[] = []
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { security = [] }] of Object.entries(operations)) {
        const isForTokens = security.some(
          (one) => 'oauth2' in one || 'installationToken' in one || 'operatorKey' in one,
        )
        if (!isForTokens) continue
        if (security.some((one) => 'serverKey' in one)) {
          opened.push(`${method.toUpperCase()} ${path}`)
          continue
        }
        const url = stage.service.url + path.replaceAll(/\{[^}]+\}/g, 'x')
        const response = await fetch(url, {
          method: method.toUpperCase(),
          headers: { authorization: basicOf(app.key) },
        })
        expect([method, path, response.status, response.headers.get('www-authenticate')]).toEqual([
          ...[method, path, 401, 'Bearer error="invalid_token"'],
        ])
      }
    }
    expect(opened.filter((one) => !one.includes('/webhook_endpoints')).toSorted()).toEqual([
      ...['GET /events', 'GET /events/stream', 'GET /events/{id}'],
      ...['GET /installations', 'GET /installations/{id}', 'POST /installations/{id}/tokens'],
    ])
  })
})

describe('the end of a server key’s access', () => {
  const probe = async (token: string) => (await stage.probe(token, 'read:installations')).status

  test('a suspended app gets 401 with the key and its tokens, and both work again when the suspension is lifted', async () => {
    const { app, path, by } = await installApp()
    const { token } = await by('POST', `${path}/tokens`)
    await stage.operator('POST', `/platform/apps/${app.id}/suspend`, { reason: 'Looking into it' })
    expect([refusalOf(await by('GET', path)), await probe(token.access_token)]).toEqual(['401 invalid_token', 401])
    await stage.operator('POST', `/platform/apps/${app.id}/lift`)
    expect([(await by('GET', path)).status, await probe(token.access_token)]).toEqual([200, 200])
  })

  test('tokens that the key minted stay invalid for good after the app was disabled', async () => {
    const { app, path, by } = await installApp()
    const { token } = await by('POST', `${path}/tokens`)
    await app.team.owner.portal('POST', `/portal/api/apps/${app.id}/disable`)
    expect([refusalOf(await by('GET', path)), await probe(token.access_token)]).toEqual(['401 invalid_token', 401])
    await app.team.owner.portal('POST', `/portal/api/apps/${app.id}/enable`)
    expect([(await by('GET', path)).status, await probe(token.access_token)]).toEqual([200, 401])
  })

  test('revoking a key affects only that key', async () => {
    const { app, path, by } = await installApp()
    const second = await stage.keyOf(app)
    const [mine, theirs] = [await by('POST', `${path}/tokens`), await server(second)('POST', `${path}/tokens`)]
    await app.team.owner.portal('POST', `/portal/api/apps/${app.id}/keys/${app.key.clientId}/revoke`)
    expect(refusalOf(await by('GET', path))).toBe('401 invalid_token')
    expect([await probe(mine.token.access_token), await probe(theirs.token.access_token)]).toEqual([401, 200])
  })

  test('rotating the secret ends tokens minted with the old secret, but not tokens that a user minted', async () => {
    const { app, api, path, by } = await installApp()
    const minted = (await by('POST', `${path}/tokens`)).token
    const users = (await api('POST', `${path}/tokens`)).token
    const rotate = `/portal/api/apps/${app.id}/keys/${app.key.clientId}/rotate_secret`
    const { client_secret } = await app.team.owner.portal('POST', rotate, { overlap_seconds: 3600 })
    expect([(await by('GET', path)).status, await probe(minted.access_token)]).toEqual([200, 200])
    const newer = (await server({ ...app.key, secret: client_secret ?? '' })('POST', `${path}/tokens`)).token
    await app.team.owner.portal('POST', rotate, { overlap_seconds: 0 })
    expect(refusalOf(await by('GET', path))).toBe('401 invalid_token')
    expect(await Promise.all([minted, newer, users].map((one) => probe(one.access_token)))).toEqual([401, 401, 200])
  })

  test('the key cannot mint tokens for a revoked installation', async () => {
    const { api, path, by } = await installApp()
    const { token } = await by('POST', `${path}/tokens`)
    await api('DELETE', path)
    expect(refusalOf(await by('POST', `${path}/tokens`))).toBe('409 installation_revoked')
    expect([(await by('GET', path)).data.status, await probe(token.access_token)]).toEqual(['revoked', 401])
  })

  test('removing a scope from the app rejects the next request that needs it', async () => {
    const { app, by } = await installApp()
    expect((await by('GET', '/webhook_endpoints')).status).toBe(200)
    const remove = `/portal/api/apps/${app.id}/scopes/remove`
    await (app satisfies App).team.owner.portal('POST', remove, { scopes: WEBHOOKS })
    expect(refusalOf(await by('GET', '/webhook_endpoints'))).toBe('403 insufficient_scope')
  })
})
