import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance } from '#access/tokens/testing/stage.ts'
import { JOIN_SESSION_MACHINE, readJoinSession } from '#hosted/sessions/index.ts'
import { CALLERS } from '#http/testing/callers.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { makeUser } from '#test/people.ts'
import { describeMachine } from './testing/machine.ts'
import { openSandbox, type Sandbox } from './testing/sandbox.ts'
import { makeSyndicate } from './testing/syndicate.ts'

let sandbox: Sandbox
let approving: { syndicate: Id<'syndicate'>; manager: Id<'user'> }
let automatic: Id<'syndicate'>
/** A syndicate that accepts accredited people automatically. A manager decides about the others. */
let eitherWay: Id<'syndicate'>
beforeAll(async () => {
  sandbox = await openSandbox()
  approving = await sandbox.arrange((tx) => makeSyndicate(tx))
  automatic = (await sandbox.arrange((tx) => makeSyndicate(tx, { auto_approval: true }))).syndicate
  const accepting = { auto_accept_accredited_members: true }
  eitherWay = (await sandbox.arrange((tx) => makeSyndicate(tx, accepting))).syndicate
})
afterAll(() => sandbox.close())

const newUser = () => sandbox.arrange((tx) => makeUser(tx, { accreditation: 'verified' }))
const at = (id: string, move: string) => `/join_sessions/${id}/${move}`

/** Creates a session with a signed-in person, makes these moves, and returns its id. */
async function sessionAfter(syndicate: Id<'syndicate'>, ...moves: [string, object?][]): Promise<string> {
  const { data } = await sandbox.play('/join_sessions', { syndicate, user: await newUser() })
  for (const [move, body] of moves) await sandbox.play(at(data.id, move), body)
  return data.id
}
const waiting = () => sessionAfter(approving.syndicate, ['await_approval'])

describeMachine({
  sandbox: () => sandbox,
  machine: JOIN_SESSION_MACHINE,
  events: 'join_session.',
  read: (id) => readJoinSession(sandbox.db.databases.test.reads, id as Id<'joinSession'>),
  reach: {
    open: () => sessionAfter(eitherWay),
    pending_approval: () => waiting(),
    joined: () => sessionAfter(automatic, ['complete']),
    rejected: () => sessionAfter(approving.syndicate, ['await_approval'], ['reject']),
    ineligible: () => sessionAfter(automatic, ['mark_ineligible', { reason: 'blocked' }]),
    canceled: () => sessionAfter(automatic, ['cancel']),
    expired: () => sessionAfter(automatic, ['expire']),
  },
  ask: {
    await_approval: (id) => ({ path: at(id, 'await_approval') }),
    complete: (id) => ({ path: at(id, 'complete') }),
    reject: (id) => ({ path: at(id, 'reject') }),
    mark_ineligible: (id) => ({ path: at(id, 'mark_ineligible'), body: { reason: 'jurisdiction' } }),
    cancel: (id) => ({ path: at(id, 'cancel') }),
    expire: (id) => ({ path: at(id, 'expire') }),
  },
})

describe('POST /sandbox/join_sessions', () => {
  test('201: a new session is open for 30 days and sends no event', async () => {
    const body = { syndicate: approving.syndicate, metadata: { campaign: 'spring' } }
    const { status, data, events } = await sandbox.play('/join_sessions', body)
    expect(status).toBe(201)
    expect(data).toMatchObject({ type: 'join_session', attributes: { status: 'open', user: null, ...body } })
    expect(events).toEqual([])
    expect(hoursOpen(data)).toBe(720)
  })

  test('a session has the given lifetime, and belongs to the installation whose token created it', async () => {
    const body = { syndicate: approving.syndicate, expires_in_hours: 2 }
    const { data } = await sandbox.play('/join_sessions', body, { as: 'at_test_install' })
    expect(hoursOpen(data)).toBe(2)
    expect(data).toMatchObject({ attributes: { installation: CALLERS.at_test_install.installationId } })
  })

  test('404 for an unknown syndicate or user; 422 for a lifetime of more than 90 days', async () => {
    const { syndicate } = approving
    expect(await sandbox.refused('/join_sessions', { syndicate: newId('syndicate') })).toMatchObject({ status: 404 })
    expect(await sandbox.refused('/join_sessions', { syndicate, user: newId('user') })).toMatchObject({ status: 404 })
    expect(await sandbox.refused('/join_sessions', { syndicate, expires_in_hours: 2_161 })).toMatchObject({
      status: 422,
    })
  })
})

describe('POST /sandbox/join_sessions/{id}/…', () => {
  test('if a manager must approve, a session first waits and sends applied; completing it sends approved and joined', async () => {
    const user = await newUser()
    const { data } = await sandbox.play('/join_sessions', { syndicate: approving.syndicate })
    await sandbox.play(at(data.id, 'sign_in'), { user })
    const finished = await sandbox.play(at(data.id, 'await_approval'))
    expect(finished.names).toEqual(['syndicate_member.applied', 'join_session.pending_approval'])
    expect(finished.events[1]?.data).toMatchObject({ user: { id: user } })
    const completed = await sandbox.play(at(data.id, 'complete'))
    expect(completed.names).toEqual(['syndicate_member.approved', 'syndicate_member.joined', 'join_session.completed'])
    expect(completed.events[0]?.data).toMatchObject({ approved_by: { id: approving.manager } })
  })

  test('if no approval is needed, a session is completed directly and sends joined', async () => {
    const { names } = await sandbox.play(at(await sessionAfter(automatic), 'complete'))
    expect(names).toEqual(['syndicate_member.joined', 'join_session.completed'])
  })

  test('409 for completing an open session without the required approval', async () => {
    const error = await sandbox.refused(at(await sessionAfter(approving.syndicate), 'complete'))
    expect(error).toMatchObject({ status: 409, details: { from: 'none', event: 'join' } })
  })

  test.each([
    ['approve', ['syndicate_member.approved', 'syndicate_member.joined', 'join_session.completed'], 'joined'],
    ['decline', ['syndicate_member.declined', 'join_session.rejected'], 'rejected'],
    ['withdraw', ['syndicate_member.declined', 'join_session.canceled'], 'canceled'],
  ])(
    'a decision about the membership (%s) ends the session that waits for the decision',
    async (move, names, status) => {
      const id = (await waiting()) as Id<'joinSession'>
      const { membership } = (await readJoinSession(sandbox.db.databases.test.reads, id)) ?? {}
      expect((await sandbox.play(`/memberships/${membership}/${move}`)).names).toEqual(names)
      expect(await readJoinSession(sandbox.db.databases.test.reads, id)).toMatchObject({ status })
    },
  )

  test.each([
    ['complete', ['syndicate_member.approved', 'syndicate_member.joined'], 'completed', 'joined'],
    ['reject', ['syndicate_member.declined'], 'rejected', 'rejected'],
    ['cancel', ['syndicate_member.declined'], 'canceled', 'canceled'],
  ])('%s ends all sessions of the person that wait for the decision', async (move, first, event, status) => {
    const body = { syndicate: approving.syndicate, user: await newUser() }
    const made = [await sandbox.play('/join_sessions', body), await sandbox.play('/join_sessions', body)]
    const [one = '', other = ''] = made.map(({ data }) => data.id)
    await sandbox.play(at(one, 'await_approval'))
    await sandbox.play(at(other, 'await_approval'))
    const { names } = await sandbox.play(at(one, move))
    expect(names).toEqual([...first, `join_session.${event}`, `join_session.${event}`])
    const { reads } = sandbox.db.databases.test
    expect(await readJoinSession(reads, other as Id<'joinSession'>)).toMatchObject({ status })
  })

  test('409 after expires_at, even if no worker has ended the session yet', async () => {
    const short = { syndicate: automatic, user: await newUser(), expires_in_hours: 1 }
    const { data } = await sandbox.play('/join_sessions', short)
    const { data: open } = await sandbox.play('/join_sessions', { ...short, user: undefined })
    await advance(sandbox.db, '1 hour')
    const over = { status: 409, details: { from: 'expired' } }
    expect(await sandbox.refused(at(data.id, 'complete'))).toMatchObject(over)
    expect(await sandbox.refused(at(open.id, 'sign_in'), { user: await newUser() })).toMatchObject(over)
    expect((await sandbox.play(at(data.id, 'expire'))).names).toEqual(['join_session.expired'])
  })

  test('mark_ineligible ends the session with the reason', async () => {
    const { data, events } = await sandbox.play(at(await sessionAfter(automatic), 'mark_ineligible'), {
      reason: 'accreditation_required',
    })
    expect(data).toMatchObject({ attributes: { status: 'ineligible', ineligible_reason: 'accreditation_required' } })
    expect(events[0]?.data).toMatchObject({ ineligible_reason: 'accreditation_required' })
    expect(await sandbox.refused(at(await sessionAfter(automatic), 'mark_ineligible'), {})).toMatchObject({
      status: 422,
    })
    expect(
      await sandbox.refused(at(await sessionAfter(automatic), 'mark_ineligible'), { reason: 'mood' }),
    ).toMatchObject({ status: 422 })
  })

  test('422 for finishing before a person has signed in', async () => {
    const { data } = await sandbox.play('/join_sessions', { syndicate: automatic })
    expect(await sandbox.refused(at(data.id, 'complete'))).toMatchObject({
      status: 422,
      details: { fields: [{ field: 'user', code: 'required' }] },
    })
    const done = await sandbox.play(at(data.id, 'complete'), { user: await newUser() })
    expect(done.data).toMatchObject({ attributes: { status: 'joined' } })
  })

  test('409 for signing in after the session has ended', async () => {
    const id = await sessionAfter(automatic, ['cancel'])
    expect(await sandbox.refused(at(id, 'sign_in'), { user: await newUser() })).toMatchObject({
      status: 409,
      details: { from: 'canceled', event: 'sign_in', allowed: [] },
    })
  })

  test.each(['await_approval', 'complete', 'reject', 'cancel', 'expire'])('%s: 404 for an unknown id', async (move) => {
    expect(await sandbox.refused(at(newId('joinSession'), move))).toMatchObject({ status: 404, type: 'not_found' })
  })
})

function hoursOpen({ attributes }: Readonly<Record<string, unknown>>): number {
  const { created_at, expires_at } = attributes as { created_at: string; expires_at: string }
  return (Date.parse(expires_at) - Date.parse(created_at)) / 3_600_000
}
