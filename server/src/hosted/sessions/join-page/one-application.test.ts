import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Site, userIn } from '#access/installations/testing/site.ts'
import { advance } from '#access/tokens/testing/stage.ts'
import { applyFact, factRules } from '#intake/facts/index.ts'
import type { Id } from '#kernel/ids.ts'
import { approveApplication, declineApplication, readMembership } from '#market/syndicates/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { FACT_SETTINGS } from '#test/fact-settings.ts'
import { makeJoinSession } from '#test/sessions.ts'
import { makeMembership } from '#test/syndicates.ts'
import { refusalOf } from '../../../../test/contract/sender.ts'
import {
  aPartner,
  eventsOf,
  installOn,
  inTest,
  openJoinSite,
  type Partner,
  pressThrough,
} from '../join-api/testing/join-site.ts'
import { settlingJoinSessions } from '../session-jobs.ts'
import { readJoinSession } from '../store.ts'

let site: Site
beforeAll(async () => {
  site = await openJoinSite()
})
afterAll(() => site.close())

/** A syndicate whose managers approve applications, and a person who opens sessions of two apps. */
async function scene() {
  const mine = await aPartner(site)
  const other = await installOn(site, { syndicate: mine.syndicate })
  const ada = await site.person()
  const browser = await site.signedIn(ada)
  const { at, syndicate } = mine
  const finished = async ({ send }: Pick<Partner, 'send'>, body: object = {}) => {
    const { data } = await send('POST', at, body)
    const path = new URL(String(data.attributes['url'])).pathname
    await pressThrough(browser, path)
    const read = async () => (await send('GET', `${at}/${data.id}`)).data.attributes
    return { id: data.id as Id<'joinSession'>, read, cancel: () => send('DELETE', `${at}/${data.id}`) }
  }
  const membership = async (session: { read(): Promise<Record<string, unknown>> }) => {
    const id = (await session.read())['membership_id'] as Id<'membership'>
    return (await readMembership(site.db.databases.test.reads, id))?.status
  }
  const names = async () => (await eventsOf(site, syndicate)).map(({ name }) => name)
  return { ...mine, mine, other, user: userIn(ada), finished, membership, names }
}

const WAITING = ['syndicate_member.applied', 'join_session.pending_approval', 'join_session.pending_approval']

describe('several sessions that wait for one application', () => {
  test('canceling the session that made the application withdraws the application and cancels the other sessions, also of other apps', async () => {
    const it = await scene()
    const [first, second] = [await it.finished(it.mine), await it.finished(it.other)]
    expect((await first.cancel()).data.attributes).toMatchObject({ status: 'canceled', url: null })
    expect(await second.read()).toMatchObject({ status: 'canceled', url: null })
    expect(await it.membership(first)).toBe('withdrawn')
    expect(await it.names()).toEqual([
      ...WAITING,
      'syndicate_member.declined',
      'join_session.canceled',
      'join_session.canceled',
    ])
    expect((await second.cancel()).status).toBe(200)
  })

  test('canceling another session changes neither the application nor the session that made it', async () => {
    const it = await scene()
    const [first, second] = [await it.finished(it.mine), await it.finished(it.other)]
    expect((await second.cancel()).data.attributes['status']).toBe('canceled')
    expect(await first.read()).toMatchObject({ status: 'pending_approval' })
    expect(await it.membership(first)).toBe('pending')
    expect(await it.names()).toEqual([...WAITING, 'join_session.canceled'])
  })

  test('canceling a session does not withdraw an application that the person made elsewhere', async () => {
    const it = await scene()
    await inTest(site, (tx) => makeMembership(tx, { syndicate: it.syndicate, user: it.user }))
    const session = await it.finished(it.mine)
    expect(await session.read()).toMatchObject({ status: 'pending_approval' })
    await session.cancel()
    expect(await it.membership(session)).toBe('pending')
    expect(await it.names()).toEqual([
      'syndicate_member.applied',
      'join_session.pending_approval',
      'join_session.canceled',
    ])
  })

  test('with ten concurrent cancellations, each session ends once, and the application is withdrawn once', async () => {
    const it = await scene()
    const sessions = [await it.finished(it.mine), await it.finished(it.other), await it.finished(it.other)]
    const tries = await Promise.all(Array.from({ length: 10 }, (_, at) => sessions[at % 3]?.cancel()))
    expect(tries.map((response) => response?.status)).toEqual(Array.from({ length: 10 }, () => 200))
    const names = await it.names()
    expect(names.filter((name) => name === 'join_session.canceled')).toHaveLength(3)
    expect(names.filter((name) => name === 'syndicate_member.declined')).toHaveLength(1)
  })

  test.each([
    ['canceled', 'canceled', 'withdrawn'],
    ['rejected', 'rejected', 'declined'],
    ['completed', 'joined', 'member'],
  ])(
    'a fact says that a session of the host platform is %s: our sessions for the same application become %s',
    async (fate, status, membership) => {
      const it = await scene()
      const hosts = await inTest(site, (tx) =>
        makeJoinSession(tx, { syndicateId: it.syndicate, userId: it.user, status: 'pending_approval' }),
      )
      const session = await it.finished(it.mine)
      const data = { id: hosts, ...(fate === 'completed' ? { approved_by: it.manager } : {}) }
      const fact = { id: `end-${hosts}`, type: `join_session.${fate}`, occurred_at: '2026-06-01T12:00:00.000Z', data }
      expect(await applyFact(site.db.databases.test, factRules(FACT_SETTINGS), fact)).toMatchObject({
        status: 'applied',
      })
      expect(await session.read()).toMatchObject({ status })
      expect(await it.membership(session)).toBe(membership)
    },
  )
})

describe('a session past its time stays expired, even before a worker has run', () => {
  const decided = (id: Id<'membership'>, { manager }: { manager: Id<'user'> }, what: 'approve' | 'decline') => {
    const on = occasionAt()
    return inTest(site, (tx) => {
      const approve = () => approveApplication(tx, { id, approvedBy: manager }, on)
      const decline = () => declineApplication(tx, { id }, on)
      return settlingJoinSessions(tx, { membershipId: id, decide: what === 'approve' ? approve : decline }, on)
    })
  }

  test.each(['approve', 'decline'] as const)('a manager may still %s the application', async (what) => {
    const it = await scene()
    const [short, long] = [await it.finished(it.mine, { expires_in_hours: 1 }), await it.finished(it.other)]
    await advance(site.db, '1 hour')
    expect(await short.read()).toMatchObject({ status: 'expired', url: null })
    await decided((await short.read())['membership_id'] as Id<'membership'>, it, what)
    expect(await short.read()).toMatchObject({ status: 'expired' })
    expect(await long.read()).toMatchObject({ status: what === 'approve' ? 'joined' : 'rejected' })
    const ends = (await it.names()).slice(WAITING.length).filter((name) => name.startsWith('join_session'))
    const settled = `join_session.${what === 'approve' ? 'completed' : 'rejected'}`
    expect(ends.toSorted()).toEqual([settled, 'join_session.expired'].toSorted())
    const { expires_at } = await short.read()
    const [expired] = await site.db.sql<{ onTime: boolean }>(
      `select occurred_at = $2::timestamptz as "onTime" from test.events
        where join_session_id = $1 and name = 'join_session.expired'`,
      [short.id, expires_at],
    )
    expect(expired).toEqual({ onTime: true })
  })

  test('canceling the expired session is 422; canceling the other session leaves the expired session and the application unchanged', async () => {
    const it = await scene()
    const [short, long] = [await it.finished(it.mine, { expires_in_hours: 1 }), await it.finished(it.other)]
    await advance(site.db, '1 hour')
    expect(refusalOf(await short.cancel())).toBe('422 session_not_cancelable')
    await long.cancel()
    expect(await it.membership(short)).toBe('pending')
    expect((await readJoinSession(site.db.databases.test.reads, short.id))?.status).toBe('pending_approval')
    expect(await short.read()).toMatchObject({ status: 'expired' })
  })
})
