import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { authenticateTokens } from '#access/tokens/index.ts'
import { heldBy } from '#http/access.ts'
import { type Route, route } from '#http/route.ts'
import { serveProbes } from '#http/testing/probe-app.ts'
import { type Id, idPattern } from '#kernel/ids.ts'
import { describedRoutes } from '#main/generated-documents.ts'
import { addDeal } from '#market/syndicates/index.ts'
import { statement } from '#system/postgres/statement.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { CHANGING_OPERATIONS } from './human-only/changing-operations.ts'
import type { Places } from './human-only/sample-body.ts'
import { sweep } from './human-only/sweep.ts'
import type { Credential } from './matrix/credentials.ts'
import { type MatrixStage, openMatrixStage } from './matrix/stage.ts'
import { sender } from './sender.ts'

/**
 * Checks the whole route table for this rule: "Investing itself and contract signing are human-only; no API operation
 * performs them".
 */
const ROUTES = describedRoutes()

/**
 * Routes that accept an app's token. Routes of the sandbox are left out: they act for people and the platform, never in
 * the live world.
 */
const API = ROUTES.filter(
  ({ access }) =>
    access.kind === 'token' && access.sandboxOnly !== true && access.holders.some((holder) => holder !== 'operator'),
)
const CHANGING = API.filter(({ method }) => method !== 'GET')

const FORBIDDEN = /(^|[^a-z])(invest|sign|approve|execute|reserve|commit|pay|decide)([^a-z]|$)/
const textOf = ({ operation, path }: Route) => `${operation.replace(/[A-Z]/g, ' $&').toLowerCase()} ${path}`
const unlistedOf = (routes: readonly Route[]) =>
  routes.map(({ operation }) => operation).filter((operation) => !Object.hasOwn(CHANGING_OPERATIONS, operation))

const idOf = <K extends 'offering' | 'intent'>(kind: K) => Type.Unsafe<Id<K>>(Type.String({ pattern: idPattern(kind) }))
const Done = Type.Object({ data: Type.Object({ done: Type.Boolean() }) })
const APPROVE = statement(
  't.approve_by_token',
  `update intents set state = 'approved', decided_by = (select min(id) from users), decided_at = world_now(),
          approved_digest = sha256('x') where id = $1`,
)

/** Forbidden changes, added to check that the sweep finds them. */
const PLANTED: readonly Route[] = [
  route({
    operation: 'placeOrder',
    method: 'POST',
    path: '/offerings/:offering_id/investments',
    summary: 'Invests',
    tag: 'Planted',
    access: heldBy(['user', 'installation'], 'write:syndicates'),
    schema: {
      params: Type.Object({ offering_id: idOf('offering') }),
      body: Type.Object({ amount_cents: Type.Integer({ minimum: 10_000 }) }),
      response: { 200: Done },
    },
    transaction: async ({ tx, params }) => {
      await makeInvestment(tx, { offering: params.offering_id })
      return { status: 200, body: { data: { done: true } } }
    },
  }),
  route({
    operation: 'settleIntent',
    method: 'PUT',
    path: '/intents/:intent_id/settlement',
    summary: 'Approves',
    tag: 'Planted',
    access: heldBy(['user'], 'write:syndicates'),
    schema: { params: Type.Object({ intent_id: idOf('intent') }), response: { 200: Done } },
    transaction: async ({ tx, params }) => {
      await tx.run(APPROVE, [params.intent_id])
      return { status: 200, body: { data: { done: true } } }
    },
  }),
]

describe('no API operation invests, signs, approves or executes', () => {
  test('by its name; the one exception approves an application to a syndicate, and removing the member undoes this approval', () => {
    const named = API.filter((one) => FORBIDDEN.test(textOf(one))).map(({ operation }) => operation)
    expect(named).toEqual(['approveSyndicateMember'])
  })

  test('CHANGING_OPERATIONS lists exactly the operations whose method is not GET', () => {
    expect(unlistedOf(CHANGING)).toEqual([])
    expect(CHANGING.map(({ operation }) => operation).sort()).toEqual(Object.keys(CHANGING_OPERATIONS).sort())
    expect(unlistedOf([...CHANGING, ...PLANTED])).toEqual(['placeOrder', 'settleIntent'])
  })

  test('only one form decides an intent, and only a person who signed in with a browser can send it', () => {
    const review = ROUTES.filter(({ path }) => path.startsWith('/intents/') && path.endsWith('/review'))
    expect(review.map(({ method, access }) => [method, access.kind])).toEqual([
      ['GET', 'session'],
      ['POST', 'session'],
    ])
    expect(review.every(({ access }) => access.kind === 'session' && access.required)).toBe(true)
    expect(review.every(({ alias, errorsAs }) => alias === false && errorsAs === 'page')).toBe(true)
  })
})

/**
 * Operations that no caller on this stage can complete, because the required state does not exist. Each has a status
 * that at least one of the calls must get.
 */
const SHUT: Readonly<Record<string, number>> = {
  createInstallation: 409,
  approveSyndicateMember: 409,
  declineSyndicateMember: 409,
  withdrawSyndicateInvite: 409,
  promoteSyndicateMember: 403,
  demoteSyndicateMember: 409,
  resendSyndicateInvite: 409,
  removeSyndicateMember: 422,
  finalizeSyndicateDeal: 422,
  resendInviteLink: 422,
  redeliverWebhookDelivery: 404,
}

describe('every operation, with the strongest credential of every kind', () => {
  let stage: MatrixStage
  let strongest: readonly Credential[]
  let places: Places
  beforeAll(async () => {
    stage = await openMatrixStage()
    const { db, url } = stage.service
    strongest = stage.credentials.filter(({ name }) => /^\w+: (every scope|all its possible scopes)$/.test(name))
    const [offering, syndicate] = [stage.places.offering as Id<'offering'>, stage.places.syndicate as Id<'syndicate'>]
    const invested = await db.databases.test.transaction(async (tx) => {
      await addDeal(tx, { syndicateId: syndicate, offeringId: offering }, occasionAt())
      return makeInvestment(tx, { offering })
    })
    const installed = strongest.find(({ name }) => name.startsWith('syndicate'))?.authorization ?? ''
    const propose = sender(url, { authorization: installed })
    const { meta } = await propose('POST', `/syndicates/${syndicate}/deals/${offering}/close`)
    const { id: intent } = meta['close_deal_intent'] as { id: string }
    const [app] = await db.sql<{ id: string }>('select app_id as id from test.intents where id = $1', [intent])
    const ids = [...Object.values(stage.places), invested, intent, app?.id ?? '']
    places = Object.fromEntries(ids.map((id) => [id.slice(0, id.indexOf('_') + 1), id]))
  })
  afterAll(() => stage?.service.close())

  /** Data that only people may change: money, deals, decisions, publications, and texts in a person's name. */
  async function watch(): Promise<string> {
    const rows = await stage.service.db.sql(
      `select (select json_agg(json_build_array(i.id, i.status, i.amount_cents) order by i.id) from test.investments i) as money,
              (select json_agg(json_build_array(o.id, o.status) order by o.id) from test.offerings o) as deals,
              (select json_agg(i.id order by i.id) from test.intents i
                where i.decided_by is not null or i.state not in ('pending', 'expired')) as decisions,
              (select count(*)::int from test.investment_sessions where status = 'completed') as invested,
              (select count(*)::int from test.syndicates where published) as published,
              (select count(*)::int from test.comments) as said,
              (select count(*)::int from test.memberships where status = 'removed') as removed`,
    )
    return JSON.stringify(rows)
  }

  const around = (url: string) => ({ url, credentials: strongest, places, watch })

  test('the sweep finds the planted violations', async () => {
    const { databases } = stage.service.db
    const planted = await serveProbes(PLANTED, {
      ports: { authenticate: authenticateTokens(databases), databases, platform: databases.platform },
    })
    onTestFinished(() => planted.close())
    const { moved } = await sweep(PLANTED, around(planted.url))
    expect(moved.toSorted()).toEqual(['placeOrder', 'settleIntent'])
    await stage.service.db.sql(
      `update test.intents set state = 'pending', decided_by = null, decided_at = null, approved_digest = null`,
    )
  })

  test('the sweep shows that no operation of the API invests, approves, executes or publishes', async () => {
    const { moved, statusesByOperation } = await sweep(CHANGING, around(stage.service.url))
    expect(moved).toEqual([])
    expect([...statusesByOperation].filter(([, statuses]) => statuses.has(500))).toEqual([])
    expect(statusesByOperation.size).toBe(CHANGING.length)
    // If every call were rejected, the sweep would prove nothing. So each operation that is not in SHUT must have
    // succeeded.
    const shut = [...statusesByOperation].filter(([, statuses]) => ![...statuses].some((status) => status < 300))
    expect(Object.fromEntries(shut.map(([name, statuses]) => [name, statuses.has(SHUT[name] ?? 0)]))).toEqual(
      Object.fromEntries(Object.keys(SHUT).map((name) => [name, true])),
    )
  })
})
