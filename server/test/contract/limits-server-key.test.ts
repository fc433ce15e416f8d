import { describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { anAddress, BEHIND_PROXY, limitsStage } from './limits-stage.ts'
import type { Key } from './stage.ts'

/** "1,000 requests an hour per key; wrong secrets limited as at `/oauth/token`." */

const PATH = '/webhook_endpoints'

const requestWithKey = (basic: Pick<Key, 'clientId' | 'secret'>, from = anAddress()) => ({ path: PATH, from, basic })
const wrong = ({ clientId }: Key, from: string) => requestWithKey({ clientId, secret: 'sk_test_wrong' }, from)

function tokenOf({ clientId, secret }: Key, from: string) {
  const client = { client_id: clientId, client_secret: secret }
  return { path: '/oauth/token', from, body: new URLSearchParams({ grant_type: 'client_credentials', ...client }) }
}

describe('the hourly limit of a server key', () => {
  const on = limitsStage(BEHIND_PROXY)
  const { clock, send, statusOf, countAllowed, limitNamedIn } = on

  test('allows 1,000 requests from all addresses together, then answers 429 until the hour is over', async () => {
    const { key } = on.app
    expect(await countAllowed(1_010, () => requestWithKey(key))).toBe(1_000)
    expect(await limitNamedIn(await send(requestWithKey(key)))).toEqual([1_000, 3_600])
    clock.advance(3_600_000)
    expect(await statusOf(requestWithKey(key))).toBe(200)
  })
})

describe('the hourly limit of a server key, set to 20', () => {
  const on = limitsStage({ ...BEHIND_PROXY, PORTICO_LIMIT_SERVER_KEY: '20' })
  const { send, statusOf, countAllowed, limitNamedIn, aToken } = on

  test('does not count requests with another key of the app, with tokens or to the token endpoint', async () => {
    const [{ key }, other] = [on.app, await on.stage.keyOf(on.app)]
    expect(await countAllowed(30, () => requestWithKey(key))).toBe(20)
    expect(await statusOf(requestWithKey(other))).toBe(200)
    const bearer = await aToken()
    // The app's own token may not list webhook endpoints. It gets 403, not 429, because the key's limit does not apply
    // to tokens.
    expect(await statusOf({ path: PATH, from: anAddress(), bearer })).toBe(403)
    expect(await limitNamedIn(await send(requestWithKey(key)))).toEqual([20, 3_600])
  })

  test('does not count requests that name the key with a wrong secret', async () => {
    const { key } = on.app
    expect(await countAllowed(40, () => wrong(key, anAddress()))).toBe(40)
    expect(await countAllowed(30, () => requestWithKey(key))).toBe(20)
  })

  test('is the same for simultaneous requests', async () => {
    const { key } = on.app
    expect(await countAllowed(60, () => requestWithKey(key), 30)).toBe(20)
  })
})

describe('a limit that is set to off', () => {
  const on = limitsStage({ ...BEHIND_PROXY, PORTICO_LIMIT_SERVER_KEY: 'off' })

  test('rejects no request', async () => {
    const { key } = on.app
    expect(await on.countAllowed(1_050, () => requestWithKey(key))).toBe(1_050)
  })
})

describe('wrong secrets over Basic', () => {
  const on = limitsStage(BEHIND_PROXY)
  const { clock, send, statusOf, countAllowed, limitNamedIn } = on

  test('get 401 up to 60 times an hour for a key from one address, then 429, while the right secret works from elsewhere', async () => {
    const [{ key }, from] = [on.app, anAddress()]
    expect(await statusOf(wrong(key, from))).toBe(401)
    expect(await countAllowed(90, () => wrong(key, from))).toBe(59)
    expect(await limitNamedIn(await send(wrong(key, from)))).toEqual([60, 3_600])
    expect(await statusOf(requestWithKey(key))).toBe(200)
    clock.advance(3_600_000)
    expect(await statusOf(wrong(key, from))).toBe(401)
  })

  test('count together with those at the token endpoint, in both directions', async () => {
    const [{ key }, from] = [on.app, anAddress()]
    const wrongAtToken = () => tokenOf({ ...key, secret: 'sk_test_wrong' }, from)
    const attempt = (turn: number) => (turn % 2 === 0 ? wrong(key, from) : wrongAtToken())
    expect(await countAllowed(90, attempt)).toBe(60)
    expect(await limitNamedIn(await send(wrong(key, from)))).toEqual([60, 3_600])
    expect(await limitNamedIn(await send(wrongAtToken()))).toEqual([60, 3_600])
  })

  test('do not block a secret that the service has cached, from the same address', async () => {
    const [{ key }, from] = [on.app, anAddress()]
    expect(await statusOf(requestWithKey(key))).toBe(200)
    expect(await countAllowed(90, () => wrong(key, from))).toBe(60)
    expect(await statusOf(requestWithKey(key, from))).toBe(200)
  })

  test('of a key that does not exist are limited too', async () => {
    const from = anAddress()
    const unknown = { ...on.app.key, clientId: `pk_test_${newId('app').slice(4)}` }
    expect(await countAllowed(90, () => wrong(unknown, from))).toBe(60)
  })
})
