import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createOperatorKey, revokeOperatorKey } from '#access/operator/index.ts'
import { newId } from '#kernel/ids.ts'
import { anAddress, BEHIND_PROXY, limitsStage } from './limits-stage.ts'

/** "Addresses that keep sending bad tokens are refused before the database is asked." */

const SMALL = {
  ...BEHIND_PROXY,
  PORTICO_LIMIT_ACCESS_TOKEN: '150',
  PORTICO_LIMIT_ADDRESS: '200',
  PORTICO_LIMIT_PUBLIC_CATALOG: '20',
  PORTICO_LIMIT_UNKNOWN_TOKEN: '30',
}

const COMPANY = `/companies/${newId('company')}`
const aGuess = () => `at_test_${randomBytes(32).toString('base64url')}`
const guess = (from: string) => ({ path: '/users/me', from, bearer: aGuess() })

describe('bad tokens', () => {
  const on = limitsStage(SMALL)
  const { clock, send, statusOf, countAllowed, limitNamedIn, aToken } = on

  test('get 401 up to the limit in five minutes from one address, also at the same time, then 429 until the window ends', async () => {
    const from = anAddress()
    expect(await countAllowed(100, () => guess(from))).toBe(30)
    expect(await limitNamedIn(await send(guess(from)))).toEqual([30, 300])
    expect(await statusOf(guess(anAddress()))).toBe(401)
    expect(await statusOf({ path: '/users/me', from })).toBe(401)
    clock.advance(300_000)
    expect(await statusOf(guess(from))).toBe(401)
  })

  test.each(['/users/me', '/platform/apps', '/sandbox/clock'])(
    'count each time the same unknown credential is repeated: %s',
    async (path) => {
      const [from, bearer] = [anAddress(), aGuess()]
      expect(await countAllowed(60, () => ({ path, from, bearer }))).toBe(30)
    },
  )

  test('are not looked up if another limit rejects the request, so they do not count as guesses and are not cached', async () => {
    const [from, guesses] = [anAddress(), Array.from({ length: 60 }, aGuess)]
    expect(await countAllowed(20, () => ({ path: '/explore', from }))).toBe(20)
    expect(await countAllowed(60, (turn) => ({ path: '/explore', from, bearer: guesses[turn] ?? '' }))).toBe(0)
    for (let time = 0; time < 2; time++) {
      const passed = await countAllowed(60, (turn) => ({ path: '/users/me', from, bearer: guesses[turn] ?? '' }))
      expect(passed).toBe(time === 0 ? 30 : 0)
    }
  })

  test('do not count as guesses if they are expired or revoked', async () => {
    const from = anAddress()
    const { clientId, secret } = on.app.key
    const tokens: string[] = []
    for (let n = 0; n < 40; n++) tokens.push(await aToken())
    for (const token of tokens.slice(20)) {
      const body = new URLSearchParams({ client_id: clientId, client_secret: secret, token })
      expect(await statusOf({ path: '/oauth/revoke', from: anAddress(), body })).toBe(200)
    }
    await on.stage.advanceClock('P2D')
    for (const bearer of tokens) expect(await statusOf({ path: COMPANY, from, bearer })).toBe(401)
    expect(await statusOf({ path: COMPANY, from, bearer: await aToken() })).toBe(404)
    expect(await countAllowed(40, () => guess(from))).toBe(30)
  })

  test('at an address do not block a token that the service has cached, nor a token that was just issued', async () => {
    const [from, before] = [anAddress(), await aToken()]
    expect(await statusOf({ path: COMPANY, from: anAddress(), bearer: before })).toBe(404)
    expect(await countAllowed(300, () => guess(from))).toBe(30)
    // The guesses do not use up the limit of other callers at that address.
    expect(await countAllowed(100, () => ({ path: COMPANY, from, bearer: before }))).toBe(100)
    expect(await statusOf({ path: COMPANY, from, bearer: await aToken() })).toBe(404)
  })

  test('do not count as guesses if they are revoked operator keys', async () => {
    const [from, { databases }] = [anAddress(), on.stage.service.db]
    const revoked = await databases.platform.transaction(async (ptx) => {
      const made = await createOperatorKey(ptx, { world: 'live', name: 'Old' }, 'a test')
      await revokeOperatorKey(ptx, made.id, 'a test')
      return made.key
    })
    const requestAt = () => ({ path: '/platform/apps', from, bearer: revoked })
    // The service reloads the list of keys after a second. From then on the key is cached and does not count.
    const thirtyFive = () => {
      clock.advance(300_000)
      return countAllowed(35, requestAt)
    }
    await expect.poll(thirtyFive).toBe(35)
  })

  test('never lock out operator keys, even a new key, and guessed operator keys are limited too', async () => {
    const from = anAddress()
    const requestWith = (bearer: string) => ({ path: `/platform/apps/${on.app.id}`, from, bearer })
    const guessed = () => requestWith(`ok_live_${randomBytes(32).toString('base64url')}`)
    expect(await countAllowed(40, guessed)).toBe(30)
    expect(await statusOf(requestWith(on.stage.service.operatorKeys.live))).toBe(200)
    const { databases } = on.stage.service.db
    const made = await databases.platform.transaction((ptx) =>
      createOperatorKey(ptx, { world: 'live', name: 'New' }, 'a test'),
    )
    await expect.poll(() => statusOf(requestWith(made.key))).toBe(200)
    expect(await statusOf(guessed())).toBe(429)
  })
})

describe('endpoints that were removed', () => {
  const { countAllowed, send, limitNamedIn } = limitsStage(SMALL)

  test('count toward the limit of the requesting address', async () => {
    const from = anAddress()
    expect(await countAllowed(210, () => ({ path: '/attribution/me', from }))).toBe(200)
    expect(await limitNamedIn(await send({ path: '/attribution/me', from }))).toEqual([200, 3_600])
  })
})
