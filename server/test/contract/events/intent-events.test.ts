import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { carryOutApproved } from '#hosted/intents/index.ts'
import { INTENT_AROUND } from '#main/module-settings.ts'
import { consent } from '../flow.ts'
import { aCompanyOf, aSyndicateOf, installer } from '../installing.ts'
import { approve, reviewPath } from '../intents/stage.ts'
import type { Send } from '../sender.ts'
import type { App, Person } from '../stage.ts'
import { anOffering, type Envelope, type EventStage, type Listener, openEventStage } from './stage.ts'

/** Real intents, which people decide on the page, and the events that the proposing app receives. */

let stage: EventStage
let manager: Person
let syndicate: string
beforeAll(async () => {
  stage = await openEventStage()
  manager = await stage.person()
  syndicate = (await aSyndicateOf(stage, manager)).target_id
})
afterAll(() => stage.close())

type Proposer = { readonly app: App; readonly installation: string; readonly send: Send; readonly hears: Listener }

/** Installs an app on the syndicate. Returns the app, its listener, and the API with the installation's token. */
async function onSyndicate(): Promise<Proposer> {
  const app = await stage.partner(['write:syndicates'])
  const installation = await stage.install(app, manager, { target_type: 'syndicate', target_id: syndicate })
  const { token } = await (await installer(stage, app, manager))('POST', `/installations/${installation}/tokens`)
  return { app, installation, send: stage.api(token.access_token), hears: await stage.listen(app) }
}

async function aDeal(): Promise<string> {
  const offering = await anOffering(stage, (await aCompanyOf(stage, manager)).target_id)
  await stage.sendFact('syndicate.deal_added', { syndicate, offering })
  return offering
}

async function propose(send: Send, deal: string): Promise<string> {
  const about = { action_name: 'syndicates.close_deal', resource_type: 'syndicate', resource_id: syndicate }
  return (await send('POST', '/intents', { ...about, params: { fundraise_id: deal } })).data.id
}

async function reject(id: string): Promise<void> {
  await manager.browser.open(reviewPath(id))
  const answer = await manager.browser.submit(reviewPath(id), { decision: 'reject', reason: 'Too early for Ada.' })
  expect(answer.status).toBe(303)
}

const intentsOf = (envelopes: readonly Envelope[]) => envelopes.filter(({ event }) => event.startsWith('intent.'))
const receivedBy = async ({ hears }: Pick<Proposer, 'hears'>) =>
  intentsOf(await hears.received()).map(({ event, installation, data }) => [event, installation?.id, data['id']])

describe('through the installation that proposed the intent', () => {
  test('intent.rejected is sent without the reason that a person wrote, and not to another app on the same syndicate', async () => {
    const [proposer, other] = [await onSyndicate(), await onSyndicate()]
    const id = await propose(proposer.send, await aDeal())
    await reject(id)
    const [event, ...more] = intentsOf(await proposer.hears.received())
    expect(more).toEqual([])
    expect(event).toMatchObject({
      event: 'intent.rejected',
      installation: { id: proposer.installation, target: { type: 'syndicate', id: syndicate } },
      data: { id, action: 'syndicates.close_deal', status: 'rejected', resource: { type: 'syndicate', id: syndicate } },
    })
    expect(JSON.stringify(event)).not.toContain('Too early')
    expect(await receivedBy(other)).toEqual([])
  })

  test('intent.approved and intent.executed are sent when a person approves', async () => {
    const proposer = await onSyndicate()
    const id = await propose(proposer.send, await aDeal())
    expect((await approve(manager.browser, id)).status).toBe(303)
    const names = (await receivedBy(proposer)).map(([event]) => event)
    expect(names.toSorted()).toEqual(['intent.approved', 'intent.executed'])
  })

  test('intent.failed is sent when an approved intent became impossible', async () => {
    const [proposer, other] = [await onSyndicate(), await onSyndicate()]
    const deal = await aDeal()
    const id = await propose(proposer.send, deal)
    // This is the state after the process died between approval and execution, and the deal was canceled before a
    // worker executed the intent.
    await stage.service.db.sql(
      `update test.intents set state = 'approved', decided_by = $2, decided_at = test.world_now(),
              approved_digest = sha256('x') where id = $1`,
      [id, manager.user],
    )
    await stage.sendFact('offering.canceled', { id: deal })
    await carryOutApproved(stage.service.db.databases.test, 10, INTENT_AROUND)
    expect(await receivedBy(proposer)).toEqual([['intent.failed', proposer.installation, id]])
    expect((await proposer.send('GET', `/intents/${id}`)).data.attributes).toMatchObject({ status: 'failed' })
    expect(await receivedBy(other)).toEqual([])
  })
})

describe('through the proposing user’s own connection', () => {
  test('intent.rejected is sent while the connection is active, and no event is sent after the connection ended', async () => {
    const app = await stage.partner(['write:syndicates'])
    const { access_token } = await consent(stage, app.key, manager, { scope: 'write:syndicates read:installations' })
    const send = stage.api(access_token)
    const hears = await stage.listen(app)
    const [first, second] = [await propose(send, await aDeal()), await propose(send, await aDeal())]
    await reject(first)
    const connection = (await send('GET', '/installations')).list.find(({ status }) => status === 'active')
    expect(await receivedBy({ hears })).toEqual([['intent.rejected', connection?.id, first]])
    await stage.operator('DELETE', `/platform/installations/${connection?.id}`, undefined, 'test')
    expect((await manager.browser.open(reviewPath(second))).text).toContain('It expired: the app lost its access.')
    expect(await receivedBy({ hears })).toHaveLength(1)
  })
})
