import { randomBytes } from 'node:crypto'
import { Pool } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { type RedisServer, redisServer } from '#test/redis-server.ts'
import { type Service, startService } from '../acceptance/service.ts'

/** Runs two nodes of the service as separate processes on one PostgreSQL and one Redis. */

const closing: (() => Promise<void>)[] = []
let db: TestDatabase
let redis: RedisServer
let nodes: readonly Service[]
beforeAll(async () => {
  db = await testDatabase()
  redis = await redisServer()
  const environment = {
    ...{ PORT: '0', DATABASE_URL: db.url, PORTICO_SECRET: randomBytes(32).toString('hex'), PORTICO_POOL_SIZE: '3' },
    ...{ REDIS_URL: redis.url, PORTICO_TRUSTED_PROXIES: 'loopback', PORTICO_LIMIT_ADDRESS: '100' },
    ...{ PORTICO_LIMIT_UNKNOWN_TOKEN: '30', PORTICO_LIMIT_TOKEN_CLIENT: '20' },
  }
  const start = () =>
    startService(environment, ['--role', 'api'], (stop) => {
      closing.push(stop)
    })
  nodes = [await start(), await start()]
})
afterAll(async () => {
  for (const stop of closing) await stop()
  await redis.close()
  await db.close()
})

async function countsIn({ address }: Service): Promise<string | undefined> {
  const text = await (await fetch(`${address}/metrics`)).text()
  return /^portico_limits_counted_in\{[^}]*store="(\w+)"[^}]*\} 1$/m.exec(text)?.[1]
}

async function allCountIn(store: string): Promise<void> {
  for (const node of nodes) await expect.poll(() => countsIn(node)).toBe(store)
}

let addresses = 0
const anAddress = () => `198.51.${100 + Math.floor(++addresses / 250)}.${addresses % 250}`

type NodeRequest = {
  readonly path: string
  readonly method?: 'POST'
  readonly headers?: object
  readonly body?: string
}

const WITHOUT_TOKEN: NodeRequest = { path: '/users/me' }

/** Sends this many requests from one address at the same time, half to each node, and returns their statuses. */
async function statusesOf(requests: number, from: string, asked = WITHOUT_TOKEN): Promise<readonly number[]> {
  const pools = nodes.map(({ address }) => new Pool(address, { connections: 20 }))
  const sendRequest = async (turn: number) => {
    const pool = pools[turn % pools.length]
    const headers = { ...asked.headers, 'x-forwarded-for': from }
    const answer = await pool?.request({
      path: asked.path,
      method: asked.method ?? 'GET',
      headers,
      body: asked.body ?? null,
    })
    await answer?.body.dump()
    return answer?.statusCode ?? 0
  }
  const statuses = await Promise.all(Array.from({ length: requests }, (_, turn) => sendRequest(turn)))
  await Promise.all(pools.map((pool) => pool.close()))
  return statuses
}

/** The windows of these limits begin at multiples of five minutes. */
const windowNow = () => Math.floor(Date.now() / 300_000)

/**
 * If a window ends meanwhile, the requests were counted in two windows. Then the test repeats them from another address.
 */
async function withinOneWindow(requests: number, asked = WITHOUT_TOKEN): Promise<readonly number[]> {
  const window = windowNow()
  const statuses = await statusesOf(requests, anAddress(), asked)
  return window === windowNow() ? statuses : withinOneWindow(requests, asked)
}

const times = (statuses: readonly number[], wanted: number) => statuses.filter((status) => status === wanted).length

describe('two processes on one Redis', () => {
  test('allow together exactly as many requests as the limit', async () => {
    await allCountIn('redis')
    const statuses = await withinOneWindow(200)
    expect([times(statuses, 401), times(statuses, 429)]).toEqual([100, 100])
  })

  test('each count by themselves while Redis is lost, and count together again when Redis is back', async () => {
    await allCountIn('redis')
    let isOver = false
    // Each address sends fewer requests than the limit, so that no request is rejected, even without Redis.
    const callOn = async () => {
      while (!isOver) {
        const statuses = await statusesOf(40, anAddress())
        expect([times(statuses, 401), statuses.length]).toEqual([40, 40])
      }
    }
    const calling = callOn()
    try {
      await redis.kill()
      await allCountIn('process')
      const alone = await withinOneWindow(300)
      expect([times(alone, 401), times(alone, 429)]).toEqual([200, 100])
      await redis.startAgain()
      await allCountIn('redis')
    } finally {
      isOver = true
      await calling
    }
    const statuses = await withinOneWindow(200)
    expect([times(statuses, 401), times(statuses, 429)]).toEqual([100, 100])
  })

  test('count guessed tokens together', async () => {
    await allCountIn('redis')
    const guess = { path: '/users/me', headers: { authorization: `Bearer at_test_${'x'.repeat(43)}` } }
    const statuses = await withinOneWindow(80, guess)
    expect([times(statuses, 401), times(statuses, 429)]).toEqual([30, 50])
  })

  test('count guessed client secrets together', async () => {
    await allCountIn('redis')
    const body = `grant_type=client_credentials&client_id=pk_test_${'x'.repeat(24)}&client_secret=sk_test_a_guess`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const statuses = await withinOneWindow(60, { path: '/oauth/token', method: 'POST', headers, body })
    expect([times(statuses, 401), times(statuses, 429)]).toEqual([20, 40])
  })
})
