import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Id, newId } from '#kernel/ids.ts'
import { MEMBERSHIP_MACHINE, readMembership, type SyndicateSettings } from '#market/syndicates/index.ts'
import { makeUser } from '#test/people.ts'
import { describeMachine } from './testing/machine.ts'
import { openSandbox, type Sandbox } from './testing/sandbox.ts'
import { FUND, makeSyndicate } from './testing/syndicate.ts'

let sandbox: Sandbox
let syndicate: Id<'syndicate'>
let manager: Id<'user'>
beforeAll(async () => {
  sandbox = await openSandbox()
  const created = await sandbox.arrange((tx) => makeSyndicate(tx))
  syndicate = created.syndicate
  manager = created.manager
})
afterAll(() => sandbox.close())

const newUser = () => sandbox.arrange((tx) => makeUser(tx))
const newSyndicate = (settings: Partial<SyndicateSettings>) => sandbox.arrange((tx) => makeSyndicate(tx, settings))
const at = (id: string, move: string) => `/memberships/${id}/${move}`
const read = (id: string) => readMembership(sandbox.db.databases.test.reads, id as Id<'membership'>)

/** A person applies to a syndicate, then these moves are made. Returns the id of the membership. */
async function applicantAfter(into: Id<'syndicate'>, ...moves: string[]): Promise<string> {
  const { data } = await sandbox.play(`/syndicates/${into}/apply`, { user: await newUser() })
  for (const move of moves) await sandbox.play(at(data.id, move))
  return data.id
}

const rising = (times: readonly string[]) => times.every((time, at) => at === 0 || time > (times[at - 1] ?? ''))

async function applyAgain(id: string) {
  const membership = await read(id)
  return { path: `/syndicates/${membership?.syndicate}/apply`, body: { user: membership?.user } }
}

describe.each([
  ['that invests deal by deal', null],
  ['with a fund', FUND],
])('in a syndicate %s', (_, fund) => {
  let into: Id<'syndicate'>
  beforeAll(async () => {
    into = (await newSyndicate({ fund })).syndicate
  })
  const member = fund === null ? ['approve'] : ['approve', 'join']

  describeMachine({
    sandbox: () => sandbox,
    machine: MEMBERSHIP_MACHINE,
    events: 'syndicate_member.',
    read,
    reach: {
      pending: () => applicantAfter(into),
      ...(fund === null ? {} : { approved: () => applicantAfter(into, 'approve') }),
      member: () => applicantAfter(into, ...member),
      left: () => applicantAfter(into, ...member, 'leave'),
      removed: () => applicantAfter(into, ...member, 'remove'),
      payment_failed: () => applicantAfter(into, ...member, 'fail_payment'),
      declined: () => applicantAfter(into, 'decline'),
      withdrawn: () => applicantAfter(into, 'withdraw'),
    },
    ask: {
      apply: applyAgain,
      approve: (id) => ({ path: at(id, 'approve') }),
      join: (id) => ({ path: at(id, 'join') }),
      leave: (id) => ({ path: at(id, 'leave') }),
      remove: (id) => ({ path: at(id, 'remove') }),
      fail_payment: (id) => ({ path: at(id, 'fail_payment') }),
      decline: (id) => ({ path: at(id, 'decline') }),
      withdraw: (id) => ({ path: at(id, 'withdraw') }),
    },
  })
})

describe('POST /sandbox/syndicates/{id}/invite and reinvite', () => {
  test('201 for invite and 200 for reinvite: both return an invitation with its address and create no membership', async () => {
    const email = 'new.face@example.org'
    const first = await sandbox.play(`/syndicates/${syndicate}/invite`, { email, name: 'New Face' })
    expect([first.status, first.names]).toEqual([201, ['syndicate_member.invited']])
    const invited_by = { id: manager, name: 'Mary Manager' }
    expect(first.data).toMatchObject({ syndicate, email, name: 'New Face', user: null, invited_by })
    const again = await sandbox.play(`/syndicates/${syndicate}/reinvite`, { email })
    expect([again.status, again.names]).toEqual([200, ['syndicate_member.reinvited']])
    expect(again.data).toMatchObject({ email, name: 'New Face' })
    expect([first, again].flatMap(({ events }) => events.map(({ occurred_at }) => occurred_at))).toSatisfy(rising)
  })

  test('an invitation is sent by the person whom the body names', async () => {
    const invited_by = await newUser()
    const { data } = await sandbox.play(`/syndicates/${syndicate}/invite`, { email: 'a@example.org', invited_by })
    expect(data).toMatchObject({ invited_by: { id: invited_by } })
  })

  test('422 for inviting twice, for reinviting an address that was never invited, and for a malformed address', async () => {
    const email = 'twice@example.org'
    await sandbox.play(`/syndicates/${syndicate}/invite`, { email })
    for (const [move, body, code] of [
      ['invite', { email }, 'already_exists'],
      ['reinvite', { email: 'never@example.org' }, 'not_invited'],
      ['invite', { email: 'nobody' }, 'invalid_format'],
      ['invite', {}, 'required'],
    ] as const) {
      expect(await sandbox.refused(`/syndicates/${syndicate}/${move}`, body)).toMatchObject({
        status: 422,
        details: { fields: [{ field: 'email', code }] },
      })
    }
  })

  test('422 for inviting to a syndicate without managers, unless the body names a person', async () => {
    const alone = await newSyndicate({})
    await sandbox.db.sql('delete from test.syndicate_managers where syndicate_id = $1', [alone.syndicate])
    const path = `/syndicates/${alone.syndicate}/invite`
    expect(await sandbox.refused(path, { email: 'b@example.org' })).toMatchObject({
      status: 422,
      details: { fields: [{ field: 'invited_by', code: 'required' }] },
    })
    expect((await sandbox.play(path, { email: 'b@example.org', invited_by: alone.manager })).status).toBe(201)
  })
})

describe('POST /sandbox/syndicates/{id}/apply and join', () => {
  test('201: applying returns the membership', async () => {
    const user = await newUser()
    const { status, data, events } = await sandbox.play(`/syndicates/${syndicate}/apply`, { user })
    expect(status).toBe(201)
    expect(data).toMatchObject({ type: 'syndicate_member', attributes: { syndicate, user, status: 'pending' } })
    expect(events.map(({ event }) => event)).toEqual(['syndicate_member.applied'])
    expect(events[0]?.data).toMatchObject({ id: data.id, user: { id: user }, approved_by: null })
  })

  test('join makes a member at once if no approval is needed, with one event without approver', async () => {
    const automatic = await newSyndicate({ auto_approval: true })
    const { data, names, events } = await sandbox.play(`/syndicates/${automatic.syndicate}/join`, {
      user: await newUser(),
    })
    expect(data).toMatchObject({ attributes: { status: 'member', approved_by: null } })
    expect(names).toEqual(['syndicate_member.joined'])
    expect(events[0]?.data).toMatchObject({ approved_by: null })
  })

  test('join on an invitation sends an event with the invited address', async () => {
    const user = await newUser()
    const email = `${user}@example.org`
    await sandbox.play(`/syndicates/${syndicate}/invite`, { email })
    const { data, events } = await sandbox.play(`/syndicates/${syndicate}/join`, { user })
    expect(data).toMatchObject({ attributes: { status: 'member', invited_email: email } })
    expect(events[0]?.data).toMatchObject({ user: { id: user, email } })
  })

  test('409 for join if a manager must approve and the person was not invited', async () => {
    expect(await sandbox.refused(`/syndicates/${syndicate}/join`, { user: await newUser() })).toMatchObject({
      status: 409,
      details: { from: 'none', event: 'join', allowed: ['apply', 'join_directly'] },
    })
  })

  test('join makes an invited applicant a member without approval, under the same id', async () => {
    const user = await newUser()
    const { data: applied } = await sandbox.play(`/syndicates/${syndicate}/apply`, { user })
    await sandbox.play(`/syndicates/${syndicate}/invite`, { email: `${user}@example.org` })
    const joined = await sandbox.play(at(applied.id, 'join'))
    expect(joined.data).toMatchObject({ id: applied.id, attributes: { status: 'member', approved_by: null } })
  })

  test('join completes the join session that waits for the person’s application', async () => {
    const user = await newUser()
    const session = await sandbox.play('/join_sessions', { syndicate, user })
    await sandbox.play(`/join_sessions/${session.data.id}/await_approval`)
    await sandbox.play(`/syndicates/${syndicate}/invite`, { email: `${user}@example.org` })
    const joined = await sandbox.play(`/syndicates/${syndicate}/join`, { user })
    expect(joined.names).toEqual(['syndicate_member.joined', 'join_session.completed'])
  })

  test('404 for an unknown syndicate or person', async () => {
    for (const move of ['apply', 'join']) {
      const unknown = [
        [`/syndicates/${newId('syndicate')}/${move}`, { user: await newUser() }],
        [`/syndicates/${syndicate}/${move}`, { user: newId('user') }],
      ] as const
      for (const [path, body] of unknown) expect(await sandbox.refused(path, body)).toMatchObject({ status: 404 })
    }
    expect(await sandbox.refused(`/syndicates/${newId('syndicate')}/invite`, { email: 'c@example.org' })).toMatchObject(
      {
        status: 404,
      },
    )
  })
})

describe('POST /sandbox/memberships/{id}/approve', () => {
  test('an application is approved by a manager of the syndicate, unless the body names a person', async () => {
    const byManager = await sandbox.play(at(await applicantAfter(syndicate), 'approve'))
    expect(byManager.names).toEqual(['syndicate_member.approved', 'syndicate_member.joined'])
    expect(byManager.events[0]?.data).toMatchObject({ approved_by: { id: manager, name: 'Mary Manager' } })
    const other = await newUser()
    const byOther = await sandbox.play(at(await applicantAfter(syndicate), 'approve'), { approved_by: other })
    expect(byOther.data).toMatchObject({ attributes: { status: 'member', approved_by: other } })
  })

  test('in a fund syndicate approving does not make the person a member yet', async () => {
    const { syndicate: fund } = await newSyndicate({ fund: FUND })
    const approved = await sandbox.play(at(await applicantAfter(fund), 'approve'))
    expect(approved.data).toMatchObject({ attributes: { status: 'approved' } })
    expect(approved.names).toEqual(['syndicate_member.approved'])
  })

  test.each(['approve', 'join', 'leave', 'remove', 'fail_payment', 'decline', 'withdraw'])(
    '%s: 404 for an unknown id',
    async (move) => {
      expect(await sandbox.refused(at(newId('membership'), move))).toMatchObject({ status: 404, type: 'not_found' })
    },
  )
})
