import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { revokeInstallation } from '#access/installations/index.ts'
import type { ApiResponse } from '#access/installations/testing/api-stage.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { testChangeContext } from '#test/installations.ts'
import { type WebhookReceiver, webhookReceiver } from '#test/webhook-receiver.ts'
import { standStill } from '#test/world-clock.ts'
import { POLL, testEngine } from '../deliver/testing/test-engine.ts'
import { fanOut } from '../fan-out/fan-out.ts'
import { type EndpointStage, endpointIn, openEndpointStage, type Team } from '../testing/endpoint-stage.ts'
import { CANCELED_AT_ONCE, cancelDeliveries, deleteOldStops, endStopped } from './stop-deliveries.ts'
import { FORMS, type Form, packAll, WAITING as WAITING_ANYWHERE } from './testing/pack-store.ts'

describe.each(FORMS)('%s', (form) => {
  /** How many more deliveries are queued than the stopping transaction moves. */
  const LEFT = 30
  const WAITING = CANCELED_AT_ONCE + LEFT

  let stage: EndpointStage
  beforeAll(async () => {
    stage = await openEndpointStage()
    await standStill(stage.db)
  })
  afterAll(() => stage.close())

  let team: Team
  let at: WebhookReceiver
  let company: Id<'company'>
  let installation: Id<'installation'>
  let endpoint: Id<'webhookEndpoint'>
  let event: Id<'event'>
  beforeEach(async () => {
    team = await stage.team()
    at = await webhookReceiver()
    onTestFinished(() => at.close())
    company = await stage.company()
    installation = newId('installation')
    await stage.db.sql(
      `insert into test.installations (id, app_id, target_type, company_id, tier, scopes, installed_by_role)
       values ($1, $2, 'company', $3, 'founder', '{read:companies}', 'founder')`,
      [installation, team.test.app, company],
    )
    const events = ['offering.opened', 'installation.revoked']
    endpoint = endpointIn(await team.send.test('POST', '/webhook_endpoints', { url: `${at.url}/hook`, events })).id
    if (form === 'in delivery batches') {
      await stage.db.sql('update test.webhook_lanes set slots = 16 where endpoint_id = $1', [endpoint])
    }
    event = newId('event')
    await stage.db.sql(
      `insert into test.events (id, name, occurred_at, company_id, data)
       values ($1, 'offering.opened', now(), $2, '{"status": "open"}')`,
      [event, company],
    )
  })

  /** Queues deliveries with ascending ids, as fan-out does. */
  async function queue(count: number, as: Form = form): Promise<void> {
    const ids = Array.from({ length: count }, () => newId('delivery')).toSorted()
    await stage.db.sql(
      `insert into test.delivery_queue (id, endpoint_id, installation_id, event_id, api_version)
       select id, $2, $3, $4, '2026-11-01' from unnest($1::text[]) id`,
      [ids, endpoint, installation, event],
    )
    if (as === 'in delivery batches') await stage.arrange((tx) => packAll(tx, [event]))
    await stage.db.sql('update test.webhook_lanes set next_due_at = test.world_now() where endpoint_id = $1', [
      endpoint,
    ])
  }

  const revoke = () =>
    stage.arrange((tx) =>
      revokeInstallation(tx, { id: installation, role: 'founder' }, testChangeContext([cancelDeliveries])),
    )
  const end = () => stage.db.databases.test.transaction((tx) => endStopped(tx, 7))
  const endAll = async () => {
    while (await end());
  }
  const engine = () => testEngine({ db: stage.db.databases.test, secrets: stage.secrets })
  const queued = async () =>
    (
      await stage.db.sql<{ id: Id<'delivery'> }>(
        `select id from ${WAITING_ANYWHERE} q where endpoint_id = $1 order by id`,
        [endpoint],
      )
    ).map(({ id }) => id)
  const ended = () =>
    stage.db.sql<{ state: string; reason: string; count: number; times: number }>(
      `select state, reason, count(*)::int as count, count(distinct ended_at)::int as times
         from test.delivery_history where endpoint_id = $1 group by state, reason order by reason`,
      [endpoint],
    )

  type Shown = { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> }
  const path = (more = '') => `/webhook_endpoints/${endpoint}${more}`
  const shownIn = ({ list }: ApiResponse) => list as unknown as readonly Shown[]

  /** Lists all deliveries through the API, page by page. */
  async function shown(status?: string): Promise<readonly Shown[]> {
    const all: Shown[] = []
    for (let cursor: unknown = null, more = true; more; ) {
      const query = `per_page=100${status === undefined ? '' : `&status=${status}`}${cursor === null ? '' : `&cursor=${cursor}`}`
      const response = await team.send.test('GET', path(`/deliveries?${query}`))
      all.push(...shownIn(response))
      cursor = response.meta['next_cursor']
      more = response.meta['has_more'] === true
    }
    return all
  }

  describe('a revocation with more queued deliveries than one transaction moves', () => {
    test('moves a limited number of deliveries in its own transaction; a job moves the others', async () => {
      await queue(WAITING)
      await revoke()
      expect(await ended()).toMatchObject([
        { state: 'canceled', reason: 'installation_revoked', count: CANCELED_AT_ONCE },
      ])
      expect(await queued()).toHaveLength(LEFT)
      await endAll()
      expect(await ended()).toMatchObject([{ state: 'canceled', reason: 'installation_revoked', count: WAITING }])
      expect(await queued()).toEqual([])
      expect(await end()).toBe(false)
    })

    test('shows every delivery as canceled, with reason and time, before and after its move', async () => {
      await queue(WAITING)
      await revoke()
      const left = new Set<string>(await queued())
      const before = await shown()
      expect(before).toHaveLength(WAITING)
      expect(new Set(before.map(({ attributes }) => `${attributes['status']} ${attributes['reason']}`))).toEqual(
        new Set(['canceled installation_revoked']),
      )
      expect(await shown('pending')).toEqual([])
      expect(await shown('canceled')).toEqual(before)
      const one = before.find(({ id }) => left.has(id))
      expect(one?.attributes).toMatchObject({ next_attempt_at: null, ended_at: expect.stringMatching(/Z$/) })
      const { data } = await team.send.test('GET', path(`/deliveries/${one?.id}`))
      expect((data as unknown as Shown).attributes).toMatchObject({
        status: 'canceled',
        reason: 'installation_revoked',
      })
      await endAll()
      expect(await shown()).toEqual(before)
    })

    test('sends no stopped delivery, even if it is due and its endpoint enabled, but sends the event of the revocation', async () => {
      await queue(WAITING)
      await revoke()
      await stage.db.databases.test.transaction((tx) => fanOut(tx, 100))
      engine()
      const [first] = await at.waitFor(1)
      expect(JSON.parse(String(first?.body))).toMatchObject({ event: 'installation.revoked' })
      await expect.poll(queued, POLL).toEqual([])
      expect(at.received).toHaveLength(1)
      expect(await ended()).toMatchObject([
        { state: 'canceled', reason: 'installation_revoked', count: WAITING },
        { state: 'delivered', count: 1 },
      ])
    })

    test('cancels a delivery that is being sent, whatever the response', async () => {
      const response = Promise.withResolvers<number>()
      at.answerWith(() => response.promise)
      await queue(1)
      const running = engine()
      await at.waitFor(1)
      const [sent] = await queued()
      await stage.db.sql('update test.webhook_lanes set slots = 1 where endpoint_id = $1', [endpoint])
      // These deliveries have lower ids, so the first transaction does not move the delivery that is being sent.
      await stage.db.sql(
        `insert into test.delivery_queue (id, endpoint_id, installation_id, event_id, api_version, due_at)
         select 'dlv_' || lpad(n::text, 24, '0'), $1, $2, $3, '2026-11-01', test.world_now() + interval '1 hour'
           from generate_series(1, $4) n`,
        [endpoint, installation, event, WAITING],
      )
      await revoke()
      expect(await queued()).toContain(sent)
      response.resolve(204)
      await running.stop()
      await endAll()
      expect(await ended()).toMatchObject([{ state: 'canceled', reason: 'installation_revoked', count: WAITING + 1 }])
    })

    test('does not change a stopped delivery that is redelivered: the redelivery is a new delivery', async () => {
      await queue(WAITING)
      await revoke()
      const [stopped] = await queued()
      const response = await team.send.test('POST', path(`/deliveries/${stopped}/redeliver`))
      expect(response.status).toBe(202)
      const again = response.data as unknown as Shown
      expect(again.id).not.toBe(stopped)
      expect(again.attributes).toMatchObject({ status: 'pending', redelivery_of: stopped })
      expect((await shown('pending')).map(({ id }) => id)).toEqual([again.id])
      engine()
      await expect.poll(async () => (await shown('pending')).length, POLL).toBe(0)
      expect(at.received).toEqual([])
    })

    test('lets a replay queue a delivery whose earlier redelivery was stopped', async () => {
      await queue(1, 'in the queue')
      const [first] = await queued()
      await stage.db.sql(
        `with gone as (delete from test.delivery_queue where id = $1 returning id, endpoint_id, installation_id, event_id, api_version, created_at)
         insert into test.delivery_history (id, endpoint_id, installation_id, event_id, api_version, created_at, state)
         select id, endpoint_id, installation_id, event_id, api_version, created_at, 'exhausted' from gone`,
        [first],
      )
      await queue(WAITING, 'in the queue')
      const last = (await queued()).at(-1)
      await stage.db.sql('update test.delivery_queue set redelivery_of = $2 where id = $1', [last, first])
      await revoke()
      const since = new Date(Date.now() - 60_000).toISOString()
      const { data } = await team.send.test('POST', path('/replay'), { since, only_failed: true })
      expect((data as unknown as { queued: number }).queued).toBe(1 + CANCELED_AT_ONCE)
    })
  })

  describe('the deletion of an endpoint with more queued deliveries than one transaction moves', () => {
    test('moves a limited number of deliveries; a job moves the others, and nothing is sent meanwhile', async () => {
      await queue(WAITING)
      expect((await team.send.test('DELETE', path())).status).toBe(200)
      expect(await ended()).toMatchObject([{ reason: 'endpoint_removed', count: CANCELED_AT_ONCE }])
      const running = engine()
      running.wake()
      await endAll()
      await running.stop()
      expect(await ended()).toMatchObject([{ state: 'canceled', reason: 'endpoint_removed', count: WAITING }])
      expect(at.received).toEqual([])
    })
  })

  describe('a stop', () => {
    const stops = () => stage.db.sql('select rows_left from test.delivery_stops where stopped_id = $1', [installation])
    const deleteOld = () => stage.db.databases.test.transaction((tx) => deleteOldStops(tx, 100))
    const age = () =>
      stage.db.sql(`update test.delivery_stops set stopped_at = stopped_at - interval '1 hour' where stopped_id = $1`, [
        installation,
      ])

    test('is stored until all its deliveries are in the history and all earlier events are fanned out; then it is deleted', async () => {
      await queue(WAITING)
      await stage.db.sql('delete from test.event_queue')
      await stage.db.sql('insert into test.event_queue (event_id) values ($1)', [event])
      await revoke()
      await deleteOld()
      expect(await stops()).toEqual([{ rows_left: true }])
      await endAll()
      await deleteOld()
      expect(await stops()).toEqual([{ rows_left: false }])
      await age()
      await stage.db.sql(`update test.events set recorded_at = recorded_at - interval '2 hours' where id = $1`, [event])
      await deleteOld()
      expect(await stops()).toEqual([{ rows_left: false }])
      await stage.db.databases.test.transaction((tx) => fanOut(tx, 100))
      await deleteOld()
      expect(await stops()).toEqual([])
    })
  })
})
