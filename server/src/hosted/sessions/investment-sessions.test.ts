import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import type { Cents } from '#kernel/money.ts'
import { confirmInvestment } from '#market/investments/index.ts'
import type { Tx } from '#system/postgres/database.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { makeInvestmentSession } from '#test/sessions.ts'
import {
  abandonInvestmentSession,
  cancelInvestmentSession,
  completeInvestmentSession,
  createInvestmentSession,
  expireInvestmentSession,
  reportProgress,
  resumeInvestmentSession,
  startInvestmentSession,
} from './investment-session.ts'
import { readInvestmentSession } from './store.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)
const read = (id: Id<'investmentSession'>) => readInvestmentSession(db.databases.test.reads, id)

async function caused(move: (tx: Tx, occasion: ReturnType<typeof occasionAt>) => Promise<unknown>, at?: string) {
  const occasion = occasionAt(at)
  await run((tx) => move(tx, occasion))
  return causedBy(db.databases.test.reads, occasion)
}

describe('investment_session.created', () => {
  test('has the data of the session, and belongs to the installation that created it', async () => {
    const offeringId = await run((tx) => makeOffering(tx))
    const [id, installationId] = [newId('investmentSession'), newId('installation')]
    const input = {
      id,
      offeringId,
      installationId,
      email: 'investor@example.org',
      allocationCents: 25_000 as Cents,
      expiresAt: '2026-07-01T00:00:00Z',
    }
    const events = await caused((tx, on) => createInvestmentSession(tx, input, on))
    expect(events).toEqual([
      {
        event: 'investment_session.created',
        data: {
          id,
          offering: offeringId,
          status: 'pending',
          email: 'investor@example.org',
          allocation_cents: 25_000,
          expires_at: '2026-07-01T00:00:00.000000Z',
        },
      },
    ])
    const [row] = await db.sql(
      `select e.installation_id, e.company_id = o.company_id as theirs, e.data ->> 'email' as email
         from test.events e join test.offerings o on o.id = e.offering_id where investment_session_id = $1`,
      [id],
    )
    expect(row).toEqual({ installation_id: installationId, theirs: true, email: null })
  })

  test('has no email if the session was created for a user', async () => {
    const { userId, offeringId } = await run(async (tx) => ({
      userId: await makeUser(tx),
      offeringId: await makeOffering(tx),
    }))
    const input = { id: newId('investmentSession'), offeringId, userId, expiresAt: '2099-01-01T00:00:00Z' }
    const events = await caused((tx, on) => createInvestmentSession(tx, input, on))
    expect(events).toMatchObject([{ data: { email: null, allocation_cents: null } }])
  })

  test('a session is rejected without a recipient, for an unknown offering or user, with an expiry in the past, and under an existing id', async () => {
    const id = await run((tx) => makeInvestmentSession(tx))
    const offeringId = await run((tx) => makeOffering(tx))
    const [nowhere, nobody] = [newId('offering'), newId('user')]
    const attempt = (change: object) => {
      const recipient = { email: 'a@example.org', expiresAt: '2099-01-01T00:00:00Z' }
      const input = { id: newId('investmentSession'), offeringId, ...recipient, ...change }
      return refusalOf(run((tx) => createInvestmentSession(tx, input, occasionAt())))
    }
    expect(await attempt({ email: undefined })).toBe('email required')
    expect(await attempt({ offeringId: nowhere })).toBe(`unknown offering ${nowhere}`)
    expect(await attempt({ userId: nobody })).toBe(`unknown user ${nobody}`)
    expect(await attempt({ expiresAt: '2026-01-01T00:00:00Z' })).toBe('expires_at too_early')
    expect(await attempt({ id })).toBe('id already_exists')
  })
})

describe('the flow of a session', () => {
  test('is started, and completed with the recipient’s investment', async () => {
    const { id, investmentId, investor } = await run(async (tx) => {
      const [offering, investor] = [await makeOffering(tx), await makeUser(tx)]
      const investmentId = await makeInvestment(tx, { offering, investor })
      await confirmInvestment(tx, { id: investmentId }, occasionAt())
      return { id: await makeInvestmentSession(tx, { offeringId: offering }), investmentId, investor }
    })
    const started = await caused((tx, on) => startInvestmentSession(tx, { id }, on), '2026-06-01T00:00:00.000001Z')
    expect(started).toMatchObject([{ event: 'investment_session.started', data: { status: 'in_progress' } }])
    await run((tx) => reportProgress(tx, { id, kycStatus: 'passed' }))
    await run((tx) => reportProgress(tx, { id, fundingStatus: 'succeeded' }))
    const done = await caused(
      (tx, on) => completeInvestmentSession(tx, { id, investmentId }, on),
      '2026-06-01T01:00:00.000002Z',
    )
    expect(done).toMatchObject([
      { event: 'investment_session.completed', data: { status: 'completed', investment: investmentId } },
    ])
    expect(await read(id)).toMatchObject({
      status: 'completed',
      user: investor,
      investment: investmentId,
      kyc_status: 'passed',
      funding_status: 'succeeded',
      started_at: '2026-06-01T00:00:00.000001Z',
      ended_at: '2026-06-01T01:00:00.000002Z',
    })
  })

  test('is not completed with an investment in another offering, of another person, or with an unknown investment', async () => {
    const { id, other, theirs } = await run(async (tx) => {
      const [offeringId, userId] = [await makeOffering(tx), await makeUser(tx)]
      return {
        id: await makeInvestmentSession(tx, { offeringId, userId, status: 'in_progress' }),
        other: await makeInvestment(tx, { investor: userId }),
        theirs: await makeInvestment(tx, { offering: offeringId }),
      }
    })
    const complete = (investmentId: Id<'investment'>) =>
      refusalOf(run((tx) => completeInvestmentSession(tx, { id, investmentId }, occasionAt())))
    expect(await complete(other)).toBe('investment other_offering')
    expect(await complete(theirs)).toBe('investment other_recipient')
    const none = newId('investment')
    expect(await complete(none)).toBe(`unknown investment ${none}`)
    expect(await read(id)).toMatchObject({ status: 'in_progress', investment: null, ended_at: null })
  })

  test('only the session’s user can start it; the first person who starts a session for an address becomes its user', async () => {
    const { forUser, forAddress, userId, other } = await run(async (tx) => {
      const [userId, other] = [await makeUser(tx), await makeUser(tx)]
      const forUser = await makeInvestmentSession(tx, { userId })
      return { forUser, forAddress: await makeInvestmentSession(tx), userId, other }
    })
    const wrong = refusalOf(run((tx) => startInvestmentSession(tx, { id: forUser, userId: other }, occasionAt())))
    expect(await wrong).toBe('user other_recipient')
    await run((tx) => startInvestmentSession(tx, { id: forUser, userId }, occasionAt()))
    await run((tx) => startInvestmentSession(tx, { id: forAddress, userId: other }, occasionAt()))
    expect(await read(forAddress)).toMatchObject({ user: other, email: 'investor@example.org' })
  })

  test('abandoning and resuming cause no event and do not change the time of the start', async () => {
    const id = await run((tx) => makeInvestmentSession(tx, { status: 'in_progress' }))
    const before = await read(id)
    expect(await caused((tx, on) => abandonInvestmentSession(tx, { id }, on))).toEqual([])
    expect(await read(id)).toMatchObject({ status: 'abandoned', ended_at: null })
    expect(await caused((tx, on) => resumeInvestmentSession(tx, { id }, on))).toEqual([])
    expect(await read(id)).toEqual(before)
  })

  test('progress is rejected before the start of the flow', async () => {
    const id = await run((tx) => makeInvestmentSession(tx))
    await expect(run((tx) => reportProgress(tx, { id, kycStatus: 'failed' }))).rejects.toMatchObject({
      type: 'illegal_transition',
      details: { from: 'pending', event: 'progress', allowed: ['start', 'expire', 'cancel'] },
    })
  })
})

describe('a session', () => {
  test.each([
    ['expired', expireInvestmentSession],
    ['canceled', cancelInvestmentSession],
  ])('can be %s only once, and cannot be started afterwards', async (status, end) => {
    const id = await run((tx) => makeInvestmentSession(tx))
    const events = await caused((tx, on) => end(tx, { id }, on))
    expect(events).toMatchObject([{ event: `investment_session.${status}`, data: { id, status } }])
    expect(await refusalOf(run((tx) => end(tx, { id }, occasionAt())))).toBe('illegal_transition')
    expect(await refusalOf(run((tx) => startInvestmentSession(tx, { id }, occasionAt())))).toBe('illegal_transition')
  })

  test('of ten concurrent cancellations only one succeeds', async () => {
    const id = await run((tx) => makeInvestmentSession(tx))
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => run((tx) => cancelInvestmentSession(tx, { id }, occasionAt()))),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})
