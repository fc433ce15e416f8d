import { Pool } from 'undici'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { readError } from '#http/testing/error-response.ts'
import { type MovableClock, movableClock } from '#test/clock.ts'
import { clientCredentials } from './flow.ts'
import { type App, type Key, openStage, type Stage } from './stage.ts'

/** The service trusts a proxy in front of it, which sets the client's address. */
export const BEHIND_PROXY = { PORTICO_TRUSTED_PROXIES: 'loopback' }

export type LimitedRequest = {
  readonly path: string
  readonly from: string
  readonly bearer?: string
  /** A key and its secret, for HTTP Basic. */
  readonly basic?: Pick<Key, 'clientId' | 'secret'>
  readonly body?: URLSearchParams
}

export type LimitsStage = {
  readonly stage: Stage
  /** An app with a key, new for each test. */
  readonly app: App
  /** The clock stands still unless a test moves it. */
  readonly clock: MovableClock
  send(sending: LimitedRequest): Promise<Response>
  statusOf(sending: LimitedRequest): Promise<number>
  /** Sends this many requests, by default twenty at a time. Returns how many requests were not rejected by a limit. */
  countAllowed(times: number, ask: (turn: number) => LimitedRequest, atOnce?: number): Promise<number>
  /** Returns the limit and the period that a rejection names. */
  limitNamedIn(response: Response): Promise<readonly unknown[]>
  /** Gets a token of the app itself. */
  aToken(of?: App): Promise<string>
}

/** Starts a service for several tests. Each test begins a new hour and has a new app. */
export function limitsStage(environment: Readonly<Record<string, string>>): LimitsStage {
  const clock = movableClock(Math.ceil(Date.now() / 3_600_000) * 3_600_000)
  let stage: Stage
  let app: App
  beforeAll(async () => {
    stage = await openStage({ environment, clock })
  })
  afterAll(() => stage.close())
  beforeEach(async () => {
    clock.advance(3_600_000)
    app = await stage.app({ scopes: ['write:webhooks'] })
  })
  const send = (sending: LimitedRequest) => {
    const posted = sending.body === undefined ? {} : { method: 'POST', body: sending.body }
    return fetch(stage.service.url + sending.path, { headers: headersOf(sending), ...posted })
  }
  return {
    get stage() {
      return stage
    },
    get app() {
      return app
    },
    clock,
    send,
    statusOf: async (sending) => (await send(sending)).status,
    countAllowed: async (times, ask, atOnce = 20) => {
      const statuses = await statusesOf(stage.service.url, times, { ask, atOnce })
      return statuses.filter((status) => status !== 429).length
    },
    limitNamedIn: (response) => limitNamedIn(clock, response),
    aToken: async (of = app) => (await clientCredentials(stage, of.key)).access_token,
  }
}

let addresses = 0
/** Returns an address that no other test uses. */
export const anAddress = () => `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}`

const headersOf = ({ from, bearer, basic }: LimitedRequest) => ({
  'x-forwarded-for': from,
  ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
  ...(basic === undefined
    ? {}
    : { authorization: `Basic ${Buffer.from(`${basic.clientId}:${basic.secret}`).toString('base64')}` }),
})

type Many = { readonly ask: (turn: number) => LimitedRequest; readonly atOnce: number }

async function statusesOf(url: string, times: number, { ask, atOnce }: Many): Promise<readonly number[]> {
  // With hundreds of requests, `fetch` would take most of the time of the test, so this uses a pool.
  const pool = new Pool(url, { connections: atOnce })
  const statuses: number[] = []
  let turn = 0
  const sendOn = async () => {
    while (turn < times) {
      const sending = ask(turn++)
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const posted = sending.body === undefined ? null : String(sending.body)
      const { statusCode, body } = await pool.request({
        path: sending.path,
        method: posted === null ? 'GET' : 'POST',
        headers: { ...headersOf(sending), ...(posted === null ? {} : form) },
        body: posted,
      })
      await body.dump()
      statuses.push(statusCode)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendOn))
  await pool.close()
  return statuses
}

async function limitNamedIn(clock: MovableClock, response: Response): Promise<readonly unknown[]> {
  if (response.status !== 429) throw new Error(`not rejected by a limit but answered with ${response.status}`)
  const { type, details } = await readError(response)
  expect(type).toBe('rate_limit_exceeded')
  const reset = Number(response.headers.get('x-ratelimit-reset'))
  expect(reset - clock.now() / 1_000).toBe(details?.['retry_after'])
  expect(response.headers.get('x-ratelimit-limit')).toBe(String(details?.['limit']))
  expect(response.headers.get('x-ratelimit-remaining')).toBe('0')
  expect(response.headers.get('retry-after')).toBeNull()
  return [details?.['limit'], details?.['period']]
}
