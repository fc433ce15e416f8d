import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#http/route.ts'
import type { Id } from '#kernel/ids.ts'
import { describedRoutes } from '#main/described-routes.ts'
import { makeMembership } from '#test/syndicates.ts'
import { type IntentStage, openIntentStage } from './intents/stage.ts'

/** "Investing itself and contract signing are human-only; no API operation performs them": over the whole route table. */
const ROUTES = describedRoutes()

/** What an app can present a token to. The sandbox plays what people and the platform do, and never for real. */
const API = ROUTES.filter(
  ({ access }) =>
    access.kind === 'token' && access.sandboxOnly !== true && access.holders.some((holder) => holder !== 'operator'),
)

const FORBIDDEN = /(^|[^a-z])(invest|sign|approve|execute|reserve|commit|pay|decide)([^a-z]|$)/
const wordsOf = ({ operation, path }: Route) => `${operation.replace(/[A-Z]/g, ' $&').toLowerCase()} ${path}`

describe('no API operation invests, signs, approves or executes', () => {
  test('by its name: only an application to a syndicate is approved, which is undone by removing the member', () => {
    const named = API.filter((route) => FORBIDDEN.test(wordsOf(route))).map(({ operation }) => operation)
    expect(named).toEqual(['approveSyndicateMember'])
  })

  test('an intent is decided by one form alone, and only by who has signed in with a browser', () => {
    const review = ROUTES.filter(({ path }) => path.startsWith('/intents/') && path.endsWith('/review'))
    expect(review.map(({ method, access }) => [method, access.kind])).toEqual([
      ['GET', 'session'],
      ['POST', 'session'],
    ])
    expect(review.every(({ access }) => access.kind === 'session' && access.required)).toBe(true)
    expect(review.every(({ alias, errorsAs }) => alias === false && errorsAs === 'page')).toBe(true)
  })
})

describe('whatever is called', () => {
  let stage: IntentStage
  beforeAll(async () => {
    stage = await openIntentStage()
  })
  afterAll(() => stage?.close())

  /** Everything a path or body could want, all of it the caller's own to manage. */
  async function arranged() {
    const ada = await stage.person()
    const syndicate = await stage.syndicate({ full_access: ada })
    const offering = await stage.deal(syndicate, { listed: true })
    const member = await stage.arrange((tx) => makeMembership(tx, { syndicate, status: 'member' }))
    const app = await stage.client()
    const path = `/syndicates/${syndicate}/deals/${offering}/close`
    const { meta } = await (await stage.installed({ syndicate }, undefined, app))('POST', path)
    const { id: intent } = meta['close_deal_intent'] as { id: Id<'intent'> }
    return { ada, app, intent, places: { syndicate, offering, member, intent } }
  }

  const facts = async (offering: string) =>
    stage.service.db.sql(
      `select o.status, (select count(*)::int from test.investments) as investments from test.offerings o where o.id = $1`,
      [offering],
    )

  test('with the strongest token there is, nothing is invested, approved or done', async () => {
    const { ada, app, intent, places } = await arranged()
    const before = await facts(places.offering)
    const changing = API.filter(({ method }) => method !== 'GET')
    expect(changing.length).toBeGreaterThan(30)
    const scopes = ['write:syndicates', 'write:comments', 'write:profile', 'write:companies', 'write:investments']
    for (const { method, path } of changing) {
      const headers = {
        authorization: `Bearer ${await stage.token(ada, scopes, app)}`,
        'content-type': 'application/json',
      }
      const address = path.replace(/:(\w+)/g, (_, name: string) => placeOf(name, places))
      const decision = { decision: 'approve', status: 'approved', approved: true, amount_cents: 100_000 }
      for (const body of [decision, {}]) {
        const { status } = await fetch(stage.service.url + address, { method, headers, body: JSON.stringify(body) })
        expect(status, `${method} ${path}`).toBeLessThan(500)
      }
      expect(['pending', 'expired'], `${method} ${path}`).toContain(await stage.stateOf(intent))
    }
    expect(await facts(places.offering)).toEqual(before)
  })
})

type Places = Readonly<Record<'syndicate' | 'offering' | 'member' | 'intent', string>>

function placeOf(name: string, places: Places): string {
  if (name === 'syndicate_id') return places.syndicate
  if (name === 'fundraise_id' || name === 'spv_id') return places.offering
  if (name === 'member_id') return places.member
  return name === 'intent_id' ? places.intent : `unknown_${name}`
}
