import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { platformStatement } from '#system/postgres/statement.ts'
import { type Received, webhookReceiver } from '#test/webhook-receiver.ts'
import { checkSignature } from '#test/webhook-signature.ts'
import { type EndpointStage, endpointIn, openEndpointStage, refusalIn, type Team } from '../testing/endpoint-stage.ts'
import { eraseSecrets } from './manage-endpoint.ts'
import { removeRows } from './store.ts'

let stage: EndpointStage
let team: Team
beforeAll(async () => {
  stage = await openEndpointStage()
})
afterAll(() => stage.close())
beforeEach(async () => {
  team = await stage.team()
})

async function listening() {
  const at = await webhookReceiver()
  onTestFinished(() => at.close())
  const body = { url: `${at.url}/hook`, events: ['investment.created'] }
  const { id, attributes } = endpointIn(await team.send.test('POST', '/webhook_endpoints', body))
  const rotate = () => team.send.test('POST', `/webhook_endpoints/${id}/rotate_secret`)
  const rotated = async () => String(endpointIn(await rotate()).attributes['secret'])
  const delivery = async (): Promise<Received> => {
    const before = at.received.length
    await team.send.test('POST', `/webhook_endpoints/${id}/test`)
    const last = (await at.waitFor(before + 1)).at(-1)
    if (last === undefined) throw new Error('nothing came')
    return last
  }
  return { id, first: String(attributes['secret']), rotate, rotated, delivery }
}

/**
 * Whether both signatures are valid. `checkSignature` checks the one in `Wefunder-Signature`, and the library that
 * partners use checks the one of Standard Webhooks.
 */
function verifies({ headers, body }: Received, secret: string): boolean {
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const own = checkSignature(secret, { header: String(headers['wefunder-signature']), body, nowSeconds }) === 'valid'
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
    return own
  } catch {
    if (own) throw new Error('one of the two signatures is there and the other is not')
    return false
  }
}

/** Lets this many of the oldest replaced secrets end now. */
const dayLater = (id: Id<'webhookEndpoint'>, count: number) =>
  stage.db.sql(
    `update platform.webhook_endpoints
        set previous_secrets_until = previous_secrets_until[1:cardinality(previous_secrets_until) - $2]
                                     || array_fill(clock_timestamp(), array[$2])
      where id = $1`,
    [id, count],
  )
/** With this lock, a test send waits where it reads the app with its logo: after the endpoint, before the secrets. */
const LOCK_LOGOS = platformStatement('t.lock_logos', 'lock table platform.app_logos in access exclusive mode')
const erase = () => stage.db.databases.platform.transaction((tx) => eraseSecrets(tx, 100))
const storedSecrets = async (id: Id<'webhookEndpoint'>) => {
  const [row] = await stage.db.sql<{ count: number }>(
    `select cardinality(previous_secrets) as count from platform.webhook_endpoints where id = $1`,
    [id],
  )
  return row?.count
}

describe('a secret that was replaced', () => {
  test('still signs for 24 hours after it was replaced, however many rotations follow', async () => {
    const { first, rotated, delivery } = await listening()
    const secrets = [first]
    for (let count = 0; count < 5; count += 1) secrets.unshift(await rotated())
    const received = await delivery()
    expect(secrets.map((secret) => verifies(received, secret))).toEqual(secrets.map(() => true))
    expect(String(received.headers['webhook-signature']).split(' ')).toHaveLength(6)
    expect(String(received.headers['wefunder-signature']).match(/v1=/g)).toHaveLength(6)
  })

  test('ends 24 hours after it was replaced, independently of the other replaced secrets', async () => {
    const { id, first, rotated, delivery } = await listening()
    const [second, third] = [await rotated(), await rotated()]
    const rows = await stage.db.sql(
      `select round(extract(epoch from until - clock_timestamp()) / 60)::int as minutes
         from platform.webhook_endpoints, unnest(previous_secrets_until) as until where id = $1`,
      [id],
    )
    expect(rows).toEqual([{ minutes: 1440 }, { minutes: 1440 }])
    await dayLater(id, 1)
    const received = await delivery()
    expect([third, second, first].map((secret) => verifies(received, secret))).toEqual([true, true, false])
  })

  test('is erased after it has ended, by the next rotation or by the job', async () => {
    const { id, rotated } = await listening()
    for (let count = 0; count < 3; count += 1) await rotated()
    await dayLater(id, 2)
    await rotated()
    expect(await storedSecrets(id)).toBe(2)
    await dayLater(id, 1)
    expect(await erase()).toBeGreaterThan(0)
    expect(await storedSecrets(id)).toBe(1)
    expect(await erase()).toBe(0)
  })
})

describe('the secrets of a removed endpoint', () => {
  const bytesOf = async (id: Id<'webhookEndpoint'>) => {
    const [row] = await stage.db.sql<{ bytes: number }>(
      `select octet_length(secret) + octet_length(array_to_string(previous_secrets, '')) as bytes
         from platform.webhook_endpoints where id = $1`,
      [id],
    )
    return row?.bytes
  }

  test('are erased by the removal, also the replaced secrets that still signed', async () => {
    const { id, rotated } = await listening()
    await rotated()
    expect(await bytesOf(id)).toBeGreaterThan(0)
    expect((await team.send.test('DELETE', `/webhook_endpoints/${id}`)).status).toBe(200)
    expect([await bytesOf(id), await storedSecrets(id)]).toEqual([0, 0])
    expect(await erase()).toBe(0)
  })

  test('are erased by the job if an earlier release removed the endpoint; the secrets of other endpoints stay', async () => {
    const [removed, other] = [await listening(), await listening()]
    await removed.rotated()
    await stage.db.sql(`update platform.webhook_endpoints set state = 'removed' where id = $1`, [removed.id])
    expect(await erase()).toBe(1)
    expect([await bytesOf(removed.id), await storedSecrets(removed.id)]).toEqual([0, 0])
    expect(verifies(await other.delivery(), other.first)).toBe(true)
    expect(await erase()).toBe(0)
  })

  test('404 for a test whose endpoint is removed before the test reads the secrets', async () => {
    const { id } = await listening()
    let testing: ReturnType<Team['send']['test']> | undefined
    await stage.db.databases.platform.transaction(async (tx) => {
      await tx.run(LOCK_LOGOS, [])
      testing = team.send.test('POST', `/webhook_endpoints/${id}/test`)
      await stage.db.untilTransactionWaits()
      await removeRows(tx, { id, world: 'test' })
    })
    expect(refusalIn(await (testing ?? expect.fail('no test was sent')))).toEqual([404, 'not_found'])
  })
})

describe('POST /webhook_endpoints/{id}/rotate_secret', () => {
  test('409 while five replaced secrets are valid: nothing changes, and the error says when a rotation is possible', async () => {
    const { id, rotate, rotated, delivery, first } = await listening()
    for (let count = 0; count < 5; count += 1) await rotated()
    const rejected = await rotate()
    expect(refusalIn(rejected)).toEqual([409, 'illegal_transition'])
    expect(rejected.error.remediation).toContain(String(rejected.error.details?.['possible_at']))
    expect(verifies(await delivery(), first)).toBe(true)
    await dayLater(id, 1)
    expect((await rotate()).status).toBe(200)
    expect((await rotate()).status).toBe(409)
  })

  test('five of ten rotations at the same time succeed, and all of their secrets sign', async () => {
    const { rotate, delivery } = await listening()
    const responses = await Promise.all(Array.from({ length: 10 }, rotate))
    const given = responses.filter(({ status }) => status === 200)
    expect(given).toHaveLength(5)
    const received = await delivery()
    for (const response of given)
      expect(verifies(received, String(endpointIn(response).attributes['secret']))).toBe(true)
  })
})
