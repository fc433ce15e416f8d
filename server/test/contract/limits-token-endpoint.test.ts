import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { webhookReceiver } from '#test/webhook-receiver.ts'
import { clientCredentials, consent } from './flow.ts'
import { anAddress, BEHIND_PROXY, limitsStage } from './limits-stage.ts'
import type { Key } from './stage.ts'

/**
 * Limits that the service cannot count at once: first it has to read the client from the body, or the owner of a webhook
 * endpoint from the database.
 */

const COMPANY = `/companies/${newId('company')}`

type Fields = Readonly<Record<string, string>>

function tokenRequest(key: Key, from: string, more: Fields = {}) {
  const client = { client_id: key.clientId, ...(key.secret === '' ? {} : { client_secret: key.secret }) }
  return {
    path: '/oauth/token',
    from,
    body: new URLSearchParams({ grant_type: 'client_credentials', ...client, ...more }),
  }
}

const wrong = (key: Key, from: string) => tokenRequest(key, from, { client_secret: 'sk_test_wrong' })

describe('the limit of a client', () => {
  const on = limitsStage(BEHIND_PROXY)
  const { send, statusOf, countAllowed, limitNamedIn } = on

  test('counts a public key’s own codes and refresh tokens from all addresses together, other requests per address', async () => {
    const [key, from] = [await on.stage.keyOf(on.app, { clientType: 'public' }), anAddress()]
    const nonsense = () => tokenRequest(key, from, { grant_type: 'nonsense' })
    expect(await countAllowed(70, nonsense)).toBe(60)
    expect(await limitNamedIn(await send(nonsense()))).toEqual([60, 3_600])
    const guessed = () => tokenRequest(key, anAddress(), { grant_type: 'refresh_token', refresh_token: 'made up' })
    expect(await countAllowed(70, guessed)).toBe(70)
    const { refresh_token } = await consent(on.stage, key, on.app.team.owner, { scope: 'write:webhooks' })
    const own = () => tokenRequest(key, anAddress(), { grant_type: 'refresh_token', refresh_token })
    expect(await countAllowed(70, own)).toBe(59)
    expect(await limitNamedIn(await send(own()))).toEqual([60, 3_600])
  })

  test('counts requests at both addresses of the token endpoint together', async () => {
    const [{ key }, from] = [on.app, anAddress()]
    const paths = ['/oauth/token', '/api/v2/oauth/token']
    expect(await countAllowed(70, (turn) => ({ ...tokenRequest(key, from), path: paths[turn % 2] ?? '' }))).toBe(60)
    for (const path of paths)
      expect(await limitNamedIn(await send({ ...tokenRequest(key, from), path }))).toEqual([60, 3_600])
  })

  test('does not count a rejected request toward the limit of the address', async () => {
    const { key } = on.app
    expect(await countAllowed(70, () => tokenRequest(key, anAddress()))).toBe(60)
    const from = anAddress()
    expect(await countAllowed(350, () => tokenRequest(key, from))).toBe(0)
    expect(
      await countAllowed(310, () => ({
        ...tokenRequest(key, from),
        body: new URLSearchParams({ client_id: 'nobody' }),
      })),
    ).toBe(300)
  })

  test('counts wrong secrets at token, introspect and revoke together', async () => {
    const [{ key }, from] = [on.app, anAddress()]
    const paths = ['/oauth/token', '/oauth/introspect', '/oauth/revoke']
    const attempt = (turn: number) => ({ ...wrong(key, from), path: paths[turn % 3] ?? '' })
    expect(await countAllowed(90, attempt)).toBe(60)
    for (const path of paths) expect(await limitNamedIn(await send({ ...wrong(key, from), path }))).toEqual([60, 3_600])
    expect(await statusOf(tokenRequest(key, anAddress()))).toBe(200)
  })

  test('does not stop a client with a cached secret at the address of a guesser', async () => {
    const [{ key }, from] = [on.app, anAddress()]
    expect(await statusOf(tokenRequest(key, anAddress()))).toBe(200)
    expect(await countAllowed(90, () => wrong(key, from))).toBe(60)
    expect(await statusOf(tokenRequest(key, from))).toBe(200)
  })

  test('does not count introspecting with the right secret', async () => {
    const [{ key }, from] = [on.app, anAddress()]
    const body = tokenRequest(key, from, { token: 'at_test_none' }).body
    expect(await countAllowed(70, () => ({ path: '/oauth/introspect', from, body }))).toBe(70)
    expect(await statusOf(tokenRequest(key, from))).toBe(200)
  })
})

describe('webhook tests that are rejected', () => {
  const on = limitsStage({ ...BEHIND_PROXY, PORTICO_LIMIT_ACCESS_TOKEN: '30' })
  const { countAllowed } = on

  test('are rejected before their body is read, do not count toward the token’s limit, and are not visible to other callers', async () => {
    const receiver = await webhookReceiver()
    const { access_token } = await consent(on.stage, on.app.key, on.app.team.owner, { scope: 'write:webhooks' })
    const api = on.stage.api(access_token)
    const made = await api('POST', '/webhook_endpoints', { url: receiver.url, events: ['investment.created'] })
    const path = `/webhook_endpoints/${made.data.id}/test`
    for (let n = 0; n < 10; n++) expect((await api('POST', path)).status).toBe(200)
    const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'text/strange' }
    const strange = { method: 'POST', headers, body: 'x' }
    for (let n = 0; n < 15; n++) expect((await fetch(on.stage.service.url + path, strange)).status).toBe(429)
    expect(await countAllowed(40, () => ({ path: COMPANY, from: anAddress(), bearer: access_token }))).toBe(19)
    // The endpoint's limit rejects another token of the team too. Those requests do not count toward that token's limit.
    const another = await consent(on.stage, on.app.key, on.app.team.owner, { scope: 'write:webhooks' })
    for (let n = 0; n < 15; n++) expect((await on.stage.api(another.access_token)('POST', path)).status).toBe(429)
    expect(await countAllowed(40, () => ({ path: COMPANY, from: anAddress(), bearer: another.access_token }))).toBe(30)
    const stranger = await on.stage.app({ scopes: ['write:webhooks'] })
    const theirs = await consent(on.stage, stranger.key, stranger.team.owner, { scope: 'write:webhooks' })
    expect((await on.stage.api(theirs.access_token)('POST', path)).status).toBe(404)
    expect((await clientCredentials(on.stage, on.app.key)).status).toBe(200)
    await receiver.close()
  })
})
