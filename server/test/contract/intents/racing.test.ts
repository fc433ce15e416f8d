import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { carryOutApproved, expireDueIntents } from '#hosted/intents/index.ts'
import type { TestBrowser } from '#http/testing/browser.ts'
import type { Id } from '#kernel/ids.ts'
import { INTENT_AROUND } from '#main/module-settings.ts'
import { setRole } from '#market/companies/index.ts'
import { updateOffering } from '#market/offerings/index.ts'
import { setManager } from '#market/syndicates/index.ts'
import { statement } from '#system/postgres/statement.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeMembership } from '#test/syndicates.ts'
import { type IntentStage, openIntentStage, type Person, reviewPath, shownOn } from './stage.ts'

let stage: IntentStage
let syndicate: Id<'syndicate'>
let managers: Person[]
beforeAll(async () => {
  stage = await openIntentStage()
  managers = []
  for (const name of ['Ada', 'Grace', 'Mary']) managers.push(await stage.person(name))
  syndicate = await stage.syndicate()
  await stage.arrange(async (tx) => {
    for (const { user: userId } of managers) {
      await setManager(tx, { syndicateId: syndicate, userId, permission: 'full_access' }, occasionAt())
    }
  })
})
afterAll(() => stage?.close())

/** Creates an intent, and opens its page in a browser of each manager. */
async function openReviews() {
  const app = await stage.installed({ syndicate }, undefined, await stage.client())
  const deal = await stage.deal(syndicate)
  const { meta } = await app('POST', `/syndicates/${syndicate}/deals/${deal}/close`)
  const { id } = meta['close_deal_intent'] as { id: Id<'intent'> }
  const seats: Seat[] = []
  for (const manager of managers) {
    const browser = await stage.browser(manager)
    seats.push({ browser, shown: shownOn((await browser.open(reviewPath(id))).text) })
  }
  return { app, deal, id, seats }
}

type Seat = { readonly browser: TestBrowser; readonly shown: string }
const approve = (id: string, { browser, shown }: Seat) => browser.submit(reviewPath(id), { decision: 'approve', shown })
const reject = (id: string, { browser }: Seat) => browser.submit(reviewPath(id), { decision: 'reject' })

async function steps(id: string): Promise<string[]> {
  const rows = await stage.service.db.sql<{ action: string }>(
    'select action from platform.audit_entries where subject = $1 order by id',
    [id],
  )
  return rows.map(({ action }) => action)
}

const HOLD_USER = statement<{ id: string }>('t.hold_proposer', 'select id from users where id = $1 for update')
/** Counts the sessions of this database that wait for a lock. */
async function waiting(): Promise<number | undefined> {
  const [row] = await stage.service.db.sql<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return row?.count
}

const APPROVED = ['intent.proposed', 'intent.approved', 'intent.executed']
const db = () => stage.service.db.databases.test

describe('at the same moment', () => {
  test('three people approve, and the intent is executed once', async () => {
    const { id, deal, seats } = await openReviews()
    const answers = await Promise.all(seats.map((seat) => approve(id, seat)))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    expect(await steps(id)).toEqual(APPROVED)
    expect(await stage.events('offering.closing', deal)).toBe(1)
  })

  test('workers and the approving request execute the same intent, which takes effect once', async () => {
    const { id, deal, seats } = await openReviews()
    const worker = async () => {
      for (let round = 0; round < 20; round++) await carryOutApproved(db(), 10, INTENT_AROUND)
    }
    await Promise.all([worker(), worker(), ...seats.map((seat) => approve(id, seat))])
    await worker()
    expect(await steps(id)).toEqual(APPROVED)
    expect(await stage.events('offering.closing', deal)).toBe(1)
  })

  test('one person approves and another rejects, and only one decision counts', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, deal, seats } = await openReviews()
      const [first, second] = seats
      if (first === undefined || second === undefined) throw new Error('nobody there')
      await Promise.all(
        round % 2 === 0 ? [approve(id, first), reject(id, second)] : [reject(id, second), approve(id, first)],
      )
      const rejected = (await stage.stateOf(id)) === 'rejected'
      expect(await steps(id)).toEqual(rejected ? ['intent.proposed', 'intent.rejected'] : APPROVED)
      expect(await stage.events('offering.closing', deal)).toBe(rejected ? 0 : 1)
    }
  })

  test('a person approves and the app’s installation is revoked, and the intent is executed or expired', async () => {
    for (let round = 0; round < 5; round++) {
      const { app, id, deal, seats } = await openReviews()
      const [seat, other] = seats
      if (seat === undefined || other === undefined) throw new Error('nobody there')
      await other.browser.open(`/settings/apps/${app.id}/remove`)
      const remove = () => other.browser.submit(`/settings/apps/${app.id}/remove`, {})
      const [, removed] = await Promise.all([approve(id, seat), remove()])
      expect(removed.status).toBe(303)
      const expired = (await stage.stateOf(id)) === 'expired'
      expect(await steps(id)).toEqual(expired ? ['intent.proposed', 'intent.expired'] : APPROVED)
      expect(await stage.events('offering.closing', deal)).toBe(expired ? 0 : 1)
    }
  })

  test('an app proposes and its installation is revoked, and no intent stays pending', async () => {
    const [manager] = managers
    if (manager === undefined) throw new Error('nobody there')
    const browser = await stage.browser(manager)
    for (let round = 0; round < 5; round++) {
      const app = await stage.installed({ syndicate }, undefined, await stage.client())
      const deals: string[] = []
      for (let n = 0; n < 4; n++) deals.push(await stage.deal(syndicate))
      const remove = `/settings/apps/${app.id}/remove`
      await browser.open(remove)
      const proposing = deals.map((deal) => app('POST', `/syndicates/${syndicate}/deals/${deal}/close`))
      const answers = await Promise.all([...proposing, browser.submit(remove, {})])
      for (const { status } of answers) expect([200, 303, 401]).toContain(status)
      const left = await stage.service.db.sql(
        `select id from test.intents where installation_id = $1 and state = 'pending'`,
        [app.id],
      )
      expect(left).toEqual([])
    }
  })

  test('an app proposes for a person who installs it for the first time, and both succeed without a deadlock', async () => {
    const [manager] = managers
    if (manager === undefined) throw new Error('nobody there')
    const app = await stage.as(manager, ['write:syndicates', 'write:installations'], await stage.client())
    const deal = await stage.deal(syndicate)
    const company = await stage.arrange(async (tx) => {
      const id = await makeCompany(tx)
      await setRole(tx, { company: id, user: manager.user, role: 'founder' }, occasionAt())
      return id
    })
    const answers: ReturnType<typeof app>[] = []
    // The installation waits for the person first, so it continues first.
    await db().transaction(async (tx) => {
      await tx.maybeOne(HOLD_USER, [manager.user])
      answers.push(app('POST', '/installations', { target_type: 'company', target_id: company }))
      await expect.poll(waiting).toBe(1)
      answers.push(app('POST', `/syndicates/${syndicate}/deals/${deal}/close`))
      await expect.poll(waiting).toBe(2)
    })
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([201, 200])
  })

  test('a person approves an expired intent and a worker runs, and the intent expires once', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, deal, seats } = await openReviews()
      const [seat] = seats
      if (seat === undefined) throw new Error('nobody there')
      await stage.service.db.sql(
        `update test.intents set expires_at = greatest(created_at + interval '1 microsecond', test.world_now()) where id = $1`,
        [id],
      )
      await Promise.all([approve(id, seat), db().transaction((tx) => expireDueIntents(tx, 10))])
      await db().transaction((tx) => expireDueIntents(tx, 10))
      expect(await steps(id)).toEqual(['intent.proposed', 'intent.expired'])
      expect(await stage.events('offering.closing', deal)).toBe(0)
    }
  })
})

test('two managers each approve the other’s removal, and one manager stays', async () => {
  const [ada, grace] = managers
  if (ada === undefined || grace === undefined) throw new Error('nobody there')
  const own = await stage.syndicate()
  const memberships: Id<'membership'>[] = []
  await stage.arrange(async (tx) => {
    for (const { user: userId } of [ada, grace]) {
      await setManager(tx, { syndicateId: own, userId, permission: 'full_access' }, occasionAt())
      memberships.push(await makeMembership(tx, { syndicate: own, user: userId, status: 'member' }))
    }
  })
  const app = await stage.installed({ syndicate: own }, undefined, await stage.client())
  const ids: string[] = []
  for (const member_id of memberships) {
    const removal = { action_name: 'syndicates.remove_member', resource_type: 'syndicate', resource_id: own }
    ids.push((await app('POST', '/intents', { ...removal, params: { member_id } })).data.id)
  }
  const seats: Seat[] = []
  for (const [at, manager] of [ada, grace].entries()) {
    const browser = await stage.browser(manager)
    seats.push({ browser, shown: shownOn((await browser.open(reviewPath(ids[1 - at] ?? ''))).text) })
  }
  await Promise.all(seats.map((seat, at) => approve(ids[1 - at] ?? '', seat)))
  const states = await Promise.all(ids.map((id) => stage.stateOf(id)))
  expect(states.filter((state) => state === 'executed')).toHaveLength(1)
})

const HOLD = statement<{ id: string }>('t.hold_offering', 'select id from offerings where id = $1 for update')
const CUT_WHO_WAITS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

describe('a process that dies between approval and execution', () => {
  /**
   * A transaction locks the offering, so that the request stops after the approval. Then the connection of the request
   * is cut.
   */
  async function approvedOnly() {
    const { id, deal, seats } = await openReviews()
    const [seat] = seats
    if (seat === undefined) throw new Error('nobody there')
    const [held, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = db().transaction(async (tx) => {
      await tx.maybeOne(HOLD, [deal])
      held.resolve()
      await mayEnd.promise
    })
    await held.promise
    const answering = approve(id, seat)
    await expect.poll(() => stage.stateOf(id)).toBe('approved')
    await stage.service.db.untilTransactionWaits()
    await stage.service.db.sql(CUT_WHO_WAITS)
    expect((await answering).status).toBe(303)
    mayEnd.resolve()
    await holding
    return { id, deal }
  }

  test('leaves an approved intent, which a worker executes once', async () => {
    const { id, deal } = await approvedOnly()
    expect(await stage.stateOf(id)).toBe('approved')
    expect(await stage.events('offering.closing', deal)).toBe(0)
    await Promise.all([1, 2, 3].map(() => carryOutApproved(db(), 10, INTENT_AROUND)))
    expect(await steps(id)).toEqual(APPROVED)
    expect(await stage.events('offering.closing', deal)).toBe(1)
  })

  test('returns a changed intent to review, and the page shows the change', async () => {
    const { id, deal } = await approvedOnly()
    const later = occasionAt('2026-07-01T00:00:00.000000Z')
    await stage.arrange((tx) => updateOffering(tx, { id: deal, name: 'Engine No. 3' }, later))
    await carryOutApproved(db(), 10, INTENT_AROUND)
    expect(await stage.stateOf(id)).toBe('pending')
    expect((await steps(id)).at(-1)).toBe('intent.returned_to_review')
    expect(await stage.events('offering.closing', deal)).toBe(0)
    const [manager] = managers
    if (manager === undefined) throw new Error('nobody there')
    const { text } = await (await stage.browser(manager)).open(reviewPath(id))
    expect(text).toContain('Changed since the approval: What will happen now reads: Engine No. 3')
    expect(text).not.toContain('..')
  })
})
