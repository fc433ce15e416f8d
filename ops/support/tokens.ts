import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../../server/test/prove/random.ts'
import { bearer, call, retryUntilAnswered, type Statuses } from './http.ts'
import type { Stage } from './stage.ts'

/** Where a token is used: the proxy, or one API process behind it. */
export type Place = { readonly name: string; readonly url: string }

export type TokenLoad = {
  readonly issued: number
  readonly revoked: number
  /** A revoked token that a process still accepted, or a valid one that it rejected. */
  readonly faults: readonly string[]
  /**
   * Issues tokens one after the other and uses each at every process. Revokes two of three, and uses those at every
   * process again.
   */
  work(random: Random, isOver: () => boolean): Promise<void>
  /** Uses every token again, at every process. */
  useAllTokens(): Promise<void>
}

/** A read that every client may do. */
const PATH = '/explore?per_page=1'

export function tokenLoad(
  { baseUrl, client: { clientId, clientSecret } }: Stage,
  places: readonly Place[],
  statuses: Statuses,
): TokenLoad {
  const basic = { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` }
  const tokens = new Map<string, 'valid' | 'revoked'>()
  const faults: string[] = []

  async function issue(isOver: () => boolean): Promise<string | null> {
    const body = new URLSearchParams({ grant_type: 'client_credentials' })
    const reply = await retryUntilAnswered(statuses, `${baseUrl}/oauth/token`, { headers: basic, body }, isOver)
    if (reply === null) return null
    if (reply.status !== 200) throw new Error(`no token: ${reply.status} ${reply.text}`)
    const { access_token } = JSON.parse(reply.text) as { access_token: string }
    tokens.set(access_token, 'valid')
    return access_token
  }

  /** Uses a token at one process. After the response to a revocation, even the first request with the token must get 401. */
  async function use(token: string, place: Place, isOver: () => boolean): Promise<void> {
    const state = tokens.get(token)
    const headers = { ...bearer(token), 'x-forwarded-host': new URL(baseUrl).host }
    const reply = await retryUntilAnswered(statuses, place.url + PATH, { headers, timeoutMs: 4_000 }, isOver)
    if (reply === null) return
    const wanted = state === 'valid' ? 200 : 401
    if (reply.status !== wanted)
      faults.push(`${place.name} answered ${reply.status} to a ${state} token: ${reply.text.slice(0, 200)}`)
  }

  /** Revokes a token, and resolves to whether the service answered. */
  async function revoke(token: string, isOver: () => boolean): Promise<boolean> {
    const body = new URLSearchParams({ token })
    const reply = await retryUntilAnswered(statuses, `${baseUrl}/oauth/revoke`, { headers: basic, body }, isOver)
    if (reply === null) {
      // Without a response the token may be revoked or not, so it is not used again.
      tokens.delete(token)
      return false
    }
    if (reply.status !== 200) throw new Error(`revoke: ${reply.status} ${reply.text}`)
    tokens.set(token, 'revoked')
    return true
  }

  const useEverywhere = (token: string, isOver: () => boolean) =>
    Promise.all(places.map((place) => use(token, place, isOver)))

  async function workOnce(random: Random, isOver: () => boolean): Promise<void> {
    const token = await issue(isOver)
    if (token === null) return
    await useEverywhere(token, isOver)
    if (!random.oneIn(3) && (await revoke(token, isOver))) await useEverywhere(token, isOver)
  }

  return {
    faults,
    get issued() {
      return tokens.size
    },
    get revoked() {
      return [...tokens.values()].filter((state) => state === 'revoked').length
    },
    work: async (random, isOver) => {
      while (!isOver()) {
        await workOnce(random, isOver)
        await wait(300 + random.below(900))
      }
    },
    useAllTokens: async () => {
      for (const token of tokens.keys()) await useEverywhere(token, () => false)
    },
  }
}

/** Requests a page of the company's investments through the proxy once. Resolves to whether the response is 200. */
export async function readOnce(stage: Stage, statuses: Statuses, timeoutMs: number): Promise<boolean> {
  const url = `${stage.baseUrl}/investments?company_id=${stage.company}&per_page=1`
  const { status } = await call(statuses, url, { headers: bearer(stage.founderToken), timeoutMs })
  return status === 200
}
