import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClientId, type Id, newClientId } from '#kernel/ids.ts'
import { WORLDS } from '#kernel/world.ts'
import { aKey, anAccount, anApp } from '#test/apps.ts'
import { findClient } from './index.ts'
import { KEYS_MAX } from './keys.ts'
import { type PartnerService, partnerService } from './testing/partner-service.ts'
import { aStranger, aTeam, type Team } from './testing/team.ts'
import { aToken, works } from './testing/token.ts'

let service: PartnerService
beforeAll(async () => {
  service = await partnerService()
})
afterAll(() => service.close())

const rootOf = (app: string) => `/portal/api/apps/${app}/keys`
const NEW_KEY = { mode: 'test', name: 'Server', client_type: 'confidential' }
const auditOf = (subject: string) =>
  service.db.sql<{ action: string; actor: string; details: object }>(
    'select action, actor, details from platform.audit_entries where subject = $1 order by id',
    [subject],
  )
const secretWorks = async (key: string, secret: string | null | undefined) => {
  const world = key.startsWith('pk_test_') ? 'test' : 'live'
  return (await findClient(service.db.databases[world], key as ClientId, secret ?? ''))?.secretMatches
}

type Owned = { readonly team: Team; readonly app: Id<'app'>; readonly root: string }

async function ownedApp(more: Parameters<typeof anApp>[1] = {}): Promise<Owned> {
  const team = await aTeam(service)
  const app = await anApp(service.db, { organization: team.organization, ...more })
  return { team, app, root: rootOf(app) }
}

describe('POST /portal/api/apps/{id}/keys', () => {
  test.each(WORLDS)(
    '201: a %s key with the app’s scopes and version; only this response shows its secret',
    async (mode) => {
      const { team, app, root } = await ownedApp({ scopes: ['read:profile'], apiVersion: '2025-01-15' })
      const redirect_uris = ['https://a.example/cb', 'http://127.0.0.1/cb']
      const { status, data, client_secret } = await team.developer.send('POST', root, {
        ...NEW_KEY,
        mode,
        redirect_uris,
      })
      expect(status).toBe(201)
      expect(data.id).toMatch(new RegExp(`^pk_${mode}_[0-9A-Za-z]{24}$`))
      expect(data).toMatchObject({
        type: 'app_key',
        attributes: {
          name: 'Server',
          mode,
          client_type: 'confidential',
          redirect_uris,
          status: 'active',
          secrets: [{ created_at: expect.any(String), expires_at: null }],
        },
      })
      expect(client_secret).toMatch(new RegExp(`^sk_${mode}_[A-Za-z0-9_-]{43}$`))
      expect(await secretWorks(data.id, client_secret)).toBe(true)
      expect(await findClient(service.db.databases[mode], data.id as ClientId, null)).toMatchObject({
        scopes: ['read:profile'],
        apiVersion: '2025-01-15',
        secretMatches: false,
      })
      const listed = await team.developer.send('GET', root)
      expect(listed.list).toEqual([data])
      expect(JSON.stringify([listed, await auditOf(app)])).not.toContain(client_secret)
    },
  )

  test('201: a public key has no secret', async () => {
    const { team, root } = await ownedApp()
    const { data, client_secret } = await team.owner.send('POST', root, { ...NEW_KEY, client_type: 'public' })
    expect([client_secret, data.attributes['secrets']]).toEqual([null, []])
  })

  test('201: the key of a suspended app is suspended too', async () => {
    const { team, root } = await ownedApp({ state: 'suspended' })
    expect((await team.owner.send('POST', root, NEW_KEY)).data.attributes['status']).toBe('suspended')
  })

  test('a repeated request with the same Idempotency-Key returns the same secret and creates no second key', async () => {
    const { team, root } = await ownedApp()
    const key = { 'idempotency-key': 'one-key' }
    const [first, second] = [
      await team.owner.send('POST', root, NEW_KEY, key),
      await team.owner.send('POST', root, NEW_KEY, key),
    ]
    expect(second.client_secret).toBe(first.client_secret)
    expect((await team.owner.send('GET', root)).list).toHaveLength(1)
    const kept = await service.db.sql<{ answer: Buffer }>('select answer from platform.idempotency_keys')
    for (const { answer } of kept) expect(answer.toString('latin1')).not.toContain(first.client_secret)
  })

  test.each([
    [{ redirect_uris: ['http://a.example/cb'] }, 'redirect_uris[0]'],
    [{ redirect_uris: ['https://a.example/cb#x'] }, 'redirect_uris[0]'],
    [{ redirect_uris: Array.from({ length: 21 }, (_, at) => `https://a.example/${at}`) }, 'redirect_uris'],
    [{ mode: 'production' }, 'mode'],
    [{ client_type: 'secret' }, 'client_type'],
    [{ name: ' padded' }, 'name'],
  ])('422 for %j', async (change, field) => {
    const { team, root } = await ownedApp()
    const { status, error } = await team.owner.send('POST', root, { ...NEW_KEY, ...change })
    expect([status, error.details]).toMatchObject([422, { fields: [{ field }] }])
  })

  test('20 URIs of 2,000 characters are stored and returned', async () => {
    const { team, root } = await ownedApp()
    const long = Array.from({ length: 20 }, (_, at) => `https://a.example/${at}/`.padEnd(2_000, 'x'))
    const { status, data } = await team.owner.send('POST', root, { ...NEW_KEY, redirect_uris: long })
    expect([status, data.attributes['redirect_uris']]).toEqual([201, long])
  })

  test('403 for a key beyond the maximum per app and world; revoked keys do not count', async () => {
    const { team, app, root } = await ownedApp()
    for (let count = 0; count < KEYS_MAX; count++) await aKey(service.db, app)
    await aKey(service.db, app, { state: 'revoked' })
    expect((await team.owner.send('POST', root, NEW_KEY)).status).toBe(403)
    expect((await team.owner.send('POST', root, { ...NEW_KEY, mode: 'live' })).status).toBe(201)
  })

  test('404 for a stranger; 409 if the platform ended the organization', async () => {
    const { team, root } = await ownedApp()
    expect((await (await aStranger(service))('POST', root, NEW_KEY)).status).toBe(404)
    await service.operator()('POST', `/platform/organizations/${team.organization}/end`, { reason: 'Scraping.' })
    expect((await team.owner.send('POST', root, NEW_KEY)).status).toBe(409)
  })
})

describe('GET /portal/api/apps/{id}/keys', () => {
  test('200: all keys page by page, including revoked ones; 404 for a stranger', async () => {
    const { team, app, root } = await ownedApp()
    const made = [
      await aKey(service.db, app),
      await aKey(service.db, app, { state: 'revoked' }),
      await aKey(service.db, app, { world: 'live' }),
    ].map(({ clientId }) => clientId)
    const first = await team.developer.send('GET', `${root}?per_page=2`)
    const rest = await team.developer.send('GET', `${root}?cursor=${String(first.meta?.['next_cursor'])}`)
    expect([...first.list, ...rest.list].map(({ id }) => id)).toEqual(made.toSorted())
    expect((await (await aStranger(service))('GET', root)).status).toBe(404)
  })
})

describe('PATCH /portal/api/apps/{id}/keys/{key_id}', () => {
  test('200: changes name and redirect URIs; the secret stays', async () => {
    const { team, app, root } = await ownedApp()
    const { clientId, secret } = await aKey(service.db, app)
    const change = { name: 'Web', redirect_uris: ['https://a.example/new'] }
    const answer = await team.developer.send('PATCH', `${root}/${clientId}`, change)
    expect(answer).toMatchObject({ status: 200, client_secret: null, data: { attributes: change } })
    expect(await secretWorks(clientId, secret)).toBe(true)
    for (const same of [change, {}]) {
      expect((await team.developer.send('PATCH', `${root}/${clientId}`, same)).data).toEqual(answer.data)
    }
    expect(await auditOf(app)).toMatchObject([{ action: 'app.key_updated', details: { key: clientId, ...change } }])
  })

  test('200: a key that becomes public loses every secret at once; a key that becomes confidential gets a secret, shown once', async () => {
    const { team, app, root } = await ownedApp()
    const { clientId, secret } = await aKey(service.db, app)
    const open = await team.owner.send('PATCH', `${root}/${clientId}`, { client_type: 'public' })
    expect([open.client_secret, open.data.attributes['secrets']]).toEqual([null, []])
    expect(await secretWorks(clientId, secret)).toBe(false)
    const closed = await team.owner.send('PATCH', `${root}/${clientId}`, { client_type: 'confidential' })
    expect(await secretWorks(clientId, closed.client_secret)).toBe(true)
    expect(await secretWorks(clientId, secret)).toBe(false)
  })

  test('422 for a redirect URI that must not be registered, and nothing changes', async () => {
    const { team, app, root } = await ownedApp()
    const { clientId } = await aKey(service.db, app, { redirectUris: ['https://a.example/cb'] })
    const bad = { name: 'Web', redirect_uris: ['https://a.example/*'] }
    expect((await team.owner.send('PATCH', `${root}/${clientId}`, bad)).status).toBe(422)
    const [{ attributes } = { attributes: {} }] = (await team.owner.send('GET', root)).list
    expect(attributes).toMatchObject({ name: 'Server', redirect_uris: ['https://a.example/cb'] })
  })
})

describe('POST /portal/api/apps/{id}/keys/{key_id}/revoke', () => {
  test('200, and final: the key’s tokens are rejected from the next request on; the tokens of other keys keep working', async () => {
    const { team, app, root } = await ownedApp()
    const [lost, kept] = [await aKey(service.db, app), await aKey(service.db, app)]
    const [dead, alive] = [await aToken(service.db, lost.clientId), await aToken(service.db, kept.clientId)]
    const { status, data } = await team.developer.send('POST', `${root}/${lost.clientId}/revoke`)
    expect([status, data.attributes]).toMatchObject([
      200,
      { status: 'revoked', revoked_at: expect.any(String), secrets: [] },
    ])
    expect([await works(service.db, dead), await works(service.db, alive)]).toEqual([false, true])
    expect(await works(service.db, lost.clientId)).toBe(false)
    expect(await aToken(service.db, lost.clientId)).toBeNull()
    for (const again of ['revoke', 'rotate_secret']) {
      expect(await team.owner.send('POST', `${root}/${lost.clientId}/${again}`)).toMatchObject({
        status: 409,
        error: { details: { from: 'revoked', allowed: [] } },
      })
    }
    expect((await team.owner.send('PATCH', `${root}/${lost.clientId}`, { name: 'Back' })).status).toBe(409)
    expect((await auditOf(app)).map(({ action }) => action)).toEqual(['app.key_revoked'])
  })
})

describe('POST /portal/api/apps/{id}/keys/{key_id}/rotate_secret', () => {
  type Secrets = readonly { readonly expires_at: string | null }[]
  const secretsOf = ({ data }: { data: { attributes: object } }) => (data.attributes as { secrets: Secrets }).secrets
  const secondsLeft = (at: string | null | undefined) => Math.round((Date.parse(String(at)) - Date.now()) / 1_000)

  test('403 without a recent proof of the person, and nothing changes; 200 with a recent proof', async () => {
    const { team, app, root } = await ownedApp()
    const { clientId, secret } = await aKey(service.db, app)
    const proven = (at: string) =>
      service.db.sql(
        'update platform.sign_in_sessions set proven_at = clock_timestamp() - $2::interval where account_id = $1',
        [team.owner.account, at],
      )
    await proven('11 minutes')
    for (const [method, path, body] of [
      ['POST', `${root}/${clientId}/rotate_secret`, { overlap_seconds: 0 }],
      ['POST', root, NEW_KEY],
    ] as const) {
      const { status, error } = await team.owner.send(method, path, body)
      expect(status).toBe(403)
      expect(error).toMatchObject({
        type: 'forbidden',
        remediation: expect.stringContaining('/sign-in/confirm'),
        details: { reason: 'recent_proof_required', confirm_url: '/sign-in/confirm' },
      })
    }
    expect(await secretWorks(clientId, secret)).toBe(true)
    expect((await team.owner.send('GET', root)).status).toBe(200)
    await proven('1 minute')
    expect((await team.owner.send('POST', `${root}/${clientId}/rotate_secret`)).status).toBe(200)
  })

  test('a command line needs only its bearer token, has its person’s rights, and gets the address of the page that confirms this command line', async () => {
    const { team, app, root } = await ownedApp()
    const { clientId, secret } = await aKey(service.db, app)
    const path = `${root}/${clientId}/rotate_secret`
    const owner = await service.commandLine(team.owner.account)
    expect((await owner('GET', '/portal/api/me')).meta).toEqual({ csrf: '' })
    expect((await (await service.commandLine(await anAccount(service.db)))('POST', path)).status).toBe(404)
    expect((await owner('POST', path)).status).toBe(200)
    expect(await secretWorks(clientId, secret)).toBe(true)
    await service.db.sql(
      "update platform.sign_in_sessions set proven_at = now() - interval '11 minutes' where account_id = $1",
      [team.owner.account],
    )
    const { status, error } = await owner('POST', path)
    expect(status).toBe(403)
    expect(error.details).toEqual({
      reason: 'recent_proof_required',
      confirm_url: expect.stringMatching(/^\/command-line\/confirm\?session=[0-9a-f-]{36}$/),
    })
    await service.db.sql('delete from platform.sign_in_sessions where account_id = $1', [team.owner.account])
    expect((await owner('GET', root)).status).toBe(401)
  })

  test('200: the previous secret keeps working for 24 hours', async () => {
    const { team, app, root } = await ownedApp()
    const { clientId, secret } = await aKey(service.db, app)
    const answer = await team.developer.send('POST', `${root}/${clientId}/rotate_secret`)
    expect(answer.status).toBe(200)
    expect([await secretWorks(clientId, secret), await secretWorks(clientId, answer.client_secret)]).toEqual([
      true,
      true,
    ])
    expect(secretsOf(answer).map(({ expires_at }) => expires_at === null)).toEqual([false, true])
    expect(Math.abs(secondsLeft(secretsOf(answer)[0]?.expires_at) - 86_400)).toBeLessThan(60)
  })

  test('200: the previous secret keeps working as long as requested; 0 ends it at once', async () => {
    const { team, app, root } = await ownedApp()
    const { clientId, secret } = await aKey(service.db, app)
    const hour = await team.owner.send('POST', `${root}/${clientId}/rotate_secret`, { overlap_seconds: 3_600 })
    expect(Math.abs(secondsLeft(secretsOf(hour)[0]?.expires_at) - 3_600)).toBeLessThan(60)
    const now = await team.owner.send('POST', `${root}/${clientId}/rotate_secret`, { overlap_seconds: 0 })
    expect(secretsOf(now)).toHaveLength(1)
    const all = [secret, hour.client_secret, now.client_secret]
    expect(await Promise.all(all.map((each) => secretWorks(clientId, each)))).toEqual([false, false, true])
  })

  test('at most two secrets are in force: a second rotation ends the oldest secret at once', async () => {
    const { team, app, root } = await ownedApp()
    const { clientId, secret } = await aKey(service.db, app)
    const second = await team.owner.send('POST', `${root}/${clientId}/rotate_secret`)
    const third = await team.owner.send('POST', `${root}/${clientId}/rotate_secret`)
    const all = [secret, second.client_secret, third.client_secret]
    expect(await Promise.all(all.map((each) => secretWorks(clientId, each)))).toEqual([false, true, true])
  })

  test('an expired secret is rejected', async () => {
    const { team, app, root } = await ownedApp()
    const { clientId, secret } = await aKey(service.db, app)
    await team.owner.send('POST', `${root}/${clientId}/rotate_secret`)
    await service.db.sql(
      `update platform.app_secrets set expires_at = now() - interval '1 second'
        where key_id = $1 and expires_at is not null`,
      [clientId],
    )
    expect(await secretWorks(clientId, secret)).toBe(false)
    const [key] = (await team.owner.send('GET', root)).list
    expect(key?.attributes['secrets']).toHaveLength(1)
  })

  test.each([[-1], [604_801], [1.5], ['1h']])('422 for an overlap of %j', async (overlap_seconds) => {
    const { team, app, root } = await ownedApp()
    const { clientId } = await aKey(service.db, app)
    const answer = await team.owner.send('POST', `${root}/${clientId}/rotate_secret`, { overlap_seconds })
    expect(answer.status).toBe(422)
  })

  test('409 for a public key, which has no secret', async () => {
    const { team, app, root } = await ownedApp()
    const { clientId } = await aKey(service.db, app, { clientType: 'public' })
    expect(await team.owner.send('POST', `${root}/${clientId}/rotate_secret`)).toMatchObject({
      status: 409,
      error: { details: { from: 'public', event: 'rotate_secret' } },
    })
  })
})

describe('a key of another team’s app', () => {
  test('404 under the path of either app, as for an unknown key', async () => {
    const [mine, theirs] = [await ownedApp(), await ownedApp()]
    const { clientId, secret } = await aKey(service.db, theirs.app)
    const { send } = mine.team.owner
    for (const path of [
      `${mine.root}/${clientId}`,
      `${theirs.root}/${clientId}`,
      `${mine.root}/${newClientId('test')}`,
    ]) {
      const tries = [
        send('PATCH', path, { name: 'Mine' }),
        send('POST', `${path}/revoke`),
        send('POST', `${path}/rotate_secret`),
      ]
      expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([404, 404, 404])
    }
    expect(await secretWorks(clientId, secret)).toBe(true)
  })
})
