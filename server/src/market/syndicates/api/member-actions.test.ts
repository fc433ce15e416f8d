import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#kernel/ids.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeJoinSession } from '#test/sessions.ts'
import { A_FUND } from '#test/syndicates.ts'
import { inviteMember, joinSyndicate, leaveSyndicate, MEMBERSHIP_STATES, readMembership } from '../index.ts'
import { type DirectoryStage, openDirectoryStage, refusal, type Send } from '../testing/directory-stage.ts'

let stage: DirectoryStage
beforeAll(async () => {
  stage = await openDirectoryStage()
})
afterAll(() => stage?.close())

type Made = Awaited<ReturnType<DirectoryStage['syndicate']>>

const act = (send: Send, { id }: Made, member: string, verb: string) =>
  send('POST', `/syndicates/${id}/members/${member}/${verb}`)

/** Invites an address and returns the id of its row in the directory. */
async function invitee({ id, operator }: Made, email = 'grace@example.org'): Promise<string> {
  const send = await stage.as(operator)
  const { status, data } = await send('POST', `/syndicates/${id}/members/invite`, { email })
  expect(status).toBe(201)
  return data.id
}

const statusOf = async (id: string) =>
  (await readMembership(stage.db.databases.test.reads, id as Id<'membership'>))?.status

describe('POST …/members/{id}/approve', () => {
  test('in a syndicate without a fund, approving makes the person a member: approved, then joined, with the specified data', async () => {
    const syndicate = await stage.syndicate()
    const user = await stage.user({ name: 'Grace Hopper', email: 'hopper@example.org' })
    const member = await stage.member(syndicate.id, { user, status: 'pending' })
    const answer = await act(await stage.as(syndicate.operator), syndicate, member, 'approve')
    expect([answer.status, answer.data.attributes['role'], answer.data.attributes['status']]).toEqual([
      200,
      'member',
      'member',
    ])
    const expected = {
      id: member,
      syndicate: syndicate.id,
      user: { id: user, name: 'Grace Hopper', email: 'hopper@example.org' },
      approved_by: { id: syndicate.operator, name: 'Ada Lovelace' },
      occurred_at: expect.any(String),
    }
    expect(await stage.causedBy(answer)).toEqual([
      { event: 'syndicate_member.approved', data: { ...expected, status: 'approved' } },
      { event: 'syndicate_member.joined', data: { ...expected, status: 'member' } },
    ])
  })

  test('in a fund syndicate, approving does not make the person a member yet: they join by investing', async () => {
    const syndicate = await stage.syndicate({ fund: A_FUND })
    const member = await stage.member(syndicate.id, { status: 'pending' })
    const answer = await act(await stage.as(syndicate.operator), syndicate, member, 'approve')
    expect(answer.data.attributes['role']).toBe('approved')
    expect((await stage.causedBy(answer)).map(({ event }) => event)).toEqual(['syndicate_member.approved'])
  })

  test('approving completes the join session that waits for the decision', async () => {
    const syndicate = await stage.syndicate()
    const session = await stage.arrange((tx) =>
      makeJoinSession(tx, { syndicateId: syndicate.id, status: 'pending_approval' }),
    )
    const [row] = await stage.db.sql<{ membership_id: string }>(
      'select membership_id from test.join_sessions where id = $1',
      [session],
    )
    const answer = await act(await stage.as(syndicate.full), syndicate, row?.membership_id ?? '', 'approve')
    expect((await stage.causedBy(answer)).map(({ event }) => event)).toEqual([
      'syndicate_member.approved',
      'syndicate_member.joined',
      'join_session.completed',
    ])
  })

  test.each(MEMBERSHIP_STATES.filter((state) => state !== 'pending'))(
    '409 illegal_transition for approving a person who is %s, and nothing changes',
    async (status) => {
      const syndicate = await stage.syndicate(status === 'approved' ? { fund: A_FUND } : {})
      const member = await stage.member(syndicate.id, { status })
      const answer = await act(await stage.as(syndicate.operator), syndicate, member, 'approve')
      expect(refusal(answer)).toBe('409 illegal_transition')
      expect(answer.error.details).toMatchObject({ from: status, event: 'approve', allowed: expect.any(Array) })
      expect(await statusOf(member)).toBe(status)
      expect(await stage.causedBy(answer)).toEqual([])
    },
  )

  test('409 for approving an invited person, who joins by the link in the invitation', async () => {
    const syndicate = await stage.syndicate()
    const answer = await act(await stage.as(syndicate.operator), syndicate, await invitee(syndicate), 'approve')
    expect(refusal(answer)).toBe('409 illegal_transition')
    expect(answer.error.details).toEqual({ from: 'none', event: 'approve', allowed: [] })
  })

  test('of ten approvals at the same time one succeeds', async () => {
    const syndicate = await stage.syndicate()
    const member = await stage.member(syndicate.id, { status: 'pending' })
    const send = await stage.as(syndicate.operator)
    const answers = await Promise.all(Array.from({ length: 10 }, () => act(send, syndicate, member, 'approve')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
  })

  test('an app on the syndicate approves in the name of its installer, or of the longest-serving manager if the installer is no longer a manager', async () => {
    const syndicate = await stage.syndicate()
    const send = await stage.installedOn({ syndicate: syndicate.id, installedBy: syndicate.operator })
    const first = await act(send, syndicate, await stage.member(syndicate.id, { status: 'pending' }), 'approve')
    expect(await stage.causedBy(first)).toMatchObject([{ data: { approved_by: { id: syndicate.operator } } }, {}])
    await stage.db.sql('delete from test.syndicate_managers where user_id = $1', [syndicate.operator])
    await stage.db.sql(`update test.syndicate_managers set started_at = '2020-01-01' where user_id = $1`, [
      syndicate.full,
    ])
    const second = await act(send, syndicate, await stage.member(syndicate.id, { status: 'pending' }), 'approve')
    expect(await stage.causedBy(second)).toMatchObject([{ data: { approved_by: { id: syndicate.full } } }, {}])
    await stage.db.sql('delete from test.syndicate_managers where syndicate_id = $1', [syndicate.id])
    const third = await act(send, syndicate, await stage.member(syndicate.id, { status: 'pending' }), 'approve')
    expect(refusal(third)).toBe('403 forbidden')
  })
})

describe('POST …/members/{id}/hide and restore', () => {
  test.each(MEMBERSHIP_STATES)(
    'hiding and restoring a person who is %s changes only the directory, can be repeated, and sends no event',
    async (status) => {
      const syndicate = await stage.syndicate(status === 'approved' ? { fund: A_FUND } : {})
      const member = await stage.member(syndicate.id, { status })
      const send = await stage.as(syndicate.operator)
      for (const [verb, hidden] of [
        ['hide', true],
        ['hide', true],
        ['restore', false],
        ['restore', false],
      ] as const) {
        const answer = await act(send, syndicate, member, verb)
        expect([answer.status, answer.data.attributes['role'] === 'exiled']).toEqual([200, hidden])
        expect([answer.data.attributes['status'], await statusOf(member)]).toEqual([status, status])
        expect(await stage.causedBy(answer)).toEqual([])
      }
    },
  )

  test('409 for hiding or restoring an invited person', async () => {
    const syndicate = await stage.syndicate()
    const [send, member] = [await stage.as(syndicate.operator), await invitee(syndicate)]
    for (const verb of ['hide', 'restore']) {
      expect(refusal(await act(send, syndicate, member, verb))).toBe('409 illegal_transition')
    }
  })
})

describe('POST …/members/{id}/promote and demote', () => {
  test('a member is promoted to full access and demoted to operator, without an event', async () => {
    const syndicate = await stage.syndicate()
    const member = await stage.member(syndicate.id)
    const send = await stage.as(syndicate.creator)
    const promoted = await act(send, syndicate, member, 'promote')
    expect(promoted.data.attributes).toMatchObject({ role: 'manager', syndicate_permission: 'full_access' })
    const again = await act(send, syndicate, member, 'promote')
    expect(again.error.details).toEqual({ from: 'full_access', event: 'promote', allowed: ['demote'] })
    const demoted = await act(send, syndicate, member, 'demote')
    expect(demoted.data.attributes).toMatchObject({ role: 'manager', syndicate_permission: 'operator' })
    const below = await act(send, syndicate, member, 'demote')
    expect(below.error.details).toEqual({ from: 'operator', event: 'demote', allowed: ['promote'] })
    for (const answer of [promoted, demoted]) expect(await stage.causedBy(answer)).toEqual([])
  })

  test('only the creator can promote; managers with full access can demote; an app can do neither', async () => {
    const syndicate = await stage.syndicate()
    const plain = await stage.member(syndicate.id)
    const manager = await stage.member(syndicate.id, { permission: 'full_access' })
    const app = await stage.installedOn({ syndicate: syndicate.id, installedBy: syndicate.creator })
    for (const send of [await stage.as(syndicate.full), await stage.as(syndicate.operator), app]) {
      expect(refusal(await act(send, syndicate, plain, 'promote'))).toBe('403 forbidden')
    }
    for (const send of [await stage.as(syndicate.operator), app]) {
      expect(refusal(await act(send, syndicate, manager, 'demote'))).toBe('403 forbidden')
    }
    expect((await act(await stage.as(syndicate.full), syndicate, manager, 'demote')).status).toBe(200)
  })

  test.each(MEMBERSHIP_STATES.filter((state) => state !== 'member'))(
    '409 for promoting or demoting a person who is %s',
    async (status) => {
      const syndicate = await stage.syndicate(status === 'approved' ? { fund: A_FUND } : {})
      const member = await stage.member(syndicate.id, { status })
      const send = await stage.as(syndicate.creator)
      for (const verb of ['promote', 'demote']) {
        const answer = await act(send, syndicate, member, verb)
        expect([refusal(answer), answer.error.details]).toEqual([
          '409 illegal_transition',
          { from: status, event: verb, allowed: [] },
        ])
      }
    },
  )

  test('409 for promoting or demoting the creator, demoting a plain member, and promoting an invited person', async () => {
    const syndicate = await stage.syndicate()
    const send = await stage.as(syndicate.creator)
    const creator = await stage.member(syndicate.id, { user: syndicate.creator })
    const plain = await stage.member(syndicate.id)
    for (const [member, verb, from] of [
      [creator, 'demote', 'creator'],
      [creator, 'promote', 'creator'],
      [plain, 'demote', 'member'],
      [await invitee(syndicate), 'promote', 'none'],
    ] as const) {
      const answer = await act(send, syndicate, member, verb)
      expect([refusal(answer), answer.error.details?.['from']]).toEqual(['409 illegal_transition', from])
    }
  })
})

describe('POST …/members/invite and resend_invite', () => {
  const path = ({ id }: Made) => `/syndicates/${id}/members/invite`

  test('201: inviting adds a row to the directory and sends the event with the specified data', async () => {
    const syndicate = await stage.syndicate()
    const body = { email: 'Alan@Example.org', name: 'Alan Turing' }
    const answer = await (await stage.as(syndicate.operator))('POST', path(syndicate), body)
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({
      id: expect.stringMatching(/^mem_/),
      attributes: {
        user: null,
        user_name: 'Alan Turing',
        user_email: 'Alan@Example.org',
        role: 'invitee',
        status: null,
        invite_role: 'operator',
        syndicate_permission: 'operator',
        tags: [],
        bio: null,
        investment_total_cents: null,
        profile_url: null,
      },
    })
    expect(await stage.causedBy(answer)).toEqual([
      {
        event: 'syndicate_member.invited',
        data: {
          syndicate: syndicate.id,
          email: 'Alan@Example.org',
          name: 'Alan Turing',
          user: null,
          invited_by: { id: syndicate.operator, name: 'Ada Lovelace' },
          occurred_at: expect.any(String),
        },
      },
    ])
  })

  test('until an invited person joins, only the id and the name of their account are shown', async () => {
    const syndicate = await stage.syndicate()
    const secret = { legal_name: 'Alan M. Turing', username: 'alan', city: 'Wilmslow', country: 'United Kingdom' }
    const user = await stage.user({ name: 'Alan', email: 'known@example.org', accreditation: 'verified', ...secret })
    const send = await stage.as(syndicate.operator)
    const { data } = await send('POST', path(syndicate), { email: 'known@example.org' })
    const expected = { legal_name: null, accredited: false, city: null, country: null, profile_url: null }
    expect(data.attributes).toMatchObject({ user, user_name: 'Alan', ...expected })
    const csv = await send('POST', `/syndicates/${syndicate.id}/members/export_csv`)
    for (const word of ['Turing', 'Wilmslow']) expect(csv.text).not.toContain(word)
    expect((await send('GET', `/syndicates/${syndicate.id}/members?location=wilmslow`)).list).toEqual([])
  })

  test('only the creator can invite to full access', async () => {
    const syndicate = await stage.syndicate()
    const body = { email: 'full@example.org', syndicate_permission: 'full_access' }
    const app = await stage.installedOn({ syndicate: syndicate.id, installedBy: syndicate.creator })
    for (const send of [await stage.as(syndicate.full), await stage.as(syndicate.operator), app]) {
      expect(refusal(await send('POST', path(syndicate), body))).toBe('403 forbidden')
    }
    const { data } = await (await stage.as(syndicate.creator))('POST', path(syndicate), body)
    expect(data.attributes['invite_role']).toBe('admin')
  })

  test('a repeat with the same Idempotency-Key returns the first response', async () => {
    const syndicate = await stage.syndicate()
    const send = await stage.as(syndicate.operator)
    const [body, key] = [{ email: 'once@example.org' }, { 'idempotency-key': 'once' }]
    const first = await send('POST', path(syndicate), body, key)
    const second = await send('POST', path(syndicate), body, key)
    expect([second.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true'])
  })

  test('422 for inviting the address of a member, an invited address, or an invalid address', async () => {
    const syndicate = await stage.syndicate()
    const user = await stage.user({ email: 'member@example.org' })
    await stage.member(syndicate.id, { user })
    await invitee(syndicate, 'twice@example.org')
    const send = await stage.as(syndicate.operator)
    for (const [email, code] of [
      ['MEMBER@example.org', 'already_member'],
      ['Twice@example.org', 'already_exists'],
    ] as const) {
      const answer = await send('POST', path(syndicate), { email })
      expect([refusal(answer), answer.error.details]).toEqual([
        '422 validation_error',
        { fields: [expect.objectContaining({ field: 'email', code })] },
      ])
    }
    for (const body of [
      {},
      { email: 'nobody' },
      { email: 'a@b', name: '' },
      { email: 'a@b', syndicate_permission: 'owner' },
    ]) {
      expect(refusal(await send('POST', path(syndicate), body))).toBe('422 validation_error')
    }
  })

  test('resend_invite sends reinvited under the same id; after the person has joined, the invitation is not listed', async () => {
    const syndicate = await stage.syndicate()
    const user = await stage.user({ email: 'joining@example.org' })
    const id = await invitee(syndicate, 'joining@example.org')
    const send = await stage.as(syndicate.full)
    const again = await act(send, syndicate, id, 'resend_invite')
    expect([again.status, again.data.id, again.data.attributes['user']]).toEqual([200, id, user])
    expect(await stage.causedBy(again)).toMatchObject([
      {
        event: 'syndicate_member.reinvited',
        data: { email: 'joining@example.org', user, invited_by: { id: syndicate.full } },
      },
    ])
    const member = (
      await stage.arrange((tx) => joinSyndicate(tx, { syndicateId: syndicate.id, userId: user }, occasionAt()))
    ).id
    expect(refusal(await act(send, syndicate, id, 'resend_invite'))).toBe('404 not_found')
    const answer = await act(send, syndicate, member, 'resend_invite')
    expect([refusal(answer), answer.error.details]).toEqual([
      '409 illegal_transition',
      { from: 'none', event: 'resend_invite', allowed: [] },
    ])
  })

  test('inviting a person who joined on an invitation and left opens that invitation again and sends reinvited', async () => {
    const syndicate = await stage.syndicate()
    const user = await stage.user({ email: 'returning@example.org' })
    await stage.arrange(async (tx) => {
      const { id: syndicateId, full: invitedBy } = syndicate
      await inviteMember(tx, { syndicateId, invitedBy, email: 'returning@example.org' }, occasionAt())
      const { id } = await joinSyndicate(tx, { syndicateId, userId: user }, occasionAt())
      await leaveSyndicate(tx, { id }, occasionAt())
    })
    const send = await stage.as(syndicate.operator)
    const answer = await send('POST', path(syndicate), { email: 'returning@example.org' })
    expect([answer.status, answer.data.attributes['role']]).toEqual([201, 'invitee'])
    expect((await stage.causedBy(answer)).map(({ event }) => event)).toEqual(['syndicate_member.reinvited'])
  })
})

describe('PATCH …/members/{id}', () => {
  test('200: title and carry change if they are in the body, null clears a field, and no event is sent', async () => {
    const syndicate = await stage.syndicate()
    const member = await stage.member(syndicate.id)
    const send = await stage.as(syndicate.operator)
    const path = `/syndicates/${syndicate.id}/members/${member}`
    await send('PATCH', path, { member: { title: 'Scout', carry_percentage_override: 20 } })
    const answer = await send('PATCH', path, { member: { title: null } })
    expect(answer.data.attributes).toMatchObject({ title: null, carry_percentage_override: 20 })
    expect(await stage.causedBy(answer)).toEqual([])
  })

  test.each([
    [{}],
    [{ member: { title: '' } }],
    [{ member: { carry_percentage_override: 0 } }],
    [{ member: { carry_percentage_override: 101 } }],
    [{ member: { carry_percentage_override: 1.5 } }],
    [{ member: { role: 'creator' } }],
    [{ member: { syndicate_permission: 'full_access' } }],
  ])('422 for %j', async (body) => {
    const syndicate = await stage.syndicate()
    const path = `/syndicates/${syndicate.id}/members/${await stage.member(syndicate.id)}`
    expect(refusal(await (await stage.as(syndicate.operator))('PATCH', path, body))).toBe('422 validation_error')
  })

  test('409 for changing an invited person', async () => {
    const syndicate = await stage.syndicate()
    const path = `/syndicates/${syndicate.id}/members/${await invitee(syndicate)}`
    const answer = await (await stage.as(syndicate.operator))('PATCH', path, { member: { title: 'Early' } })
    expect(refusal(answer)).toBe('409 illegal_transition')
  })
})

describe('DELETE …/members/{id}', () => {
  test('always 422 use_intents, with the intent to use instead; the member stays', async () => {
    const syndicate = await stage.syndicate()
    const member = await stage.member(syndicate.id)
    const path = `/syndicates/${syndicate.id}/members/${member}`
    for (const send of [await stage.as(syndicate.creator), await stage.installedOn({ syndicate: syndicate.id })]) {
      const answer = await send('DELETE', path)
      expect(refusal(answer)).toBe('422 use_intents')
      expect(answer.error.details).toMatchObject({ action: 'syndicates.remove_member', member_id: member })
    }
    expect(await statusOf(member)).toBe('member')
  })
})

describe('actions on a member of another syndicate', () => {
  test('every action on a member of another syndicate gets 404 and changes nothing', async () => {
    const [mine, other] = [await stage.syndicate(), await stage.syndicate()]
    const member = await stage.member(other.id, { status: 'pending' })
    const send = await stage.as(mine.creator)
    for (const verb of ['approve', 'hide', 'restore', 'promote', 'demote', 'resend_invite']) {
      expect([verb, refusal(await act(send, mine, member, verb))]).toEqual([verb, '404 not_found'])
    }
    const path = `/syndicates/${mine.id}/members/${member}`
    expect(refusal(await send('PATCH', path, { member: { title: 'Mine' } }))).toBe('404 not_found')
    expect(await statusOf(member)).toBe('pending')
  })
})

describe('actions of an app for a manager', () => {
  test('an app’s actions, even rejected ones, are in the manager’s activity with the name of the action and the member', async () => {
    const syndicate = await stage.syndicate()
    const member = await stage.member(syndicate.id, { status: 'pending' })
    const send = await stage.as(syndicate.operator)
    await act(send, syndicate, member, 'approve')
    await act(send, syndicate, member, 'approve')
    await act(send, syndicate, member, 'promote')
    await stage.settled()
    const rows = await stage.db.sql<{ action: string; resource_id: string; status: string }>(
      'select action, resource_id, status from test.activity_entries where user_id = $1 order by occurred_at, id',
      [syndicate.operator],
    )
    expect(rows.map(({ action, resource_id, status }) => [action, resource_id, status]).toSorted()).toEqual(
      [
        ['syndicates.member.approved', member, 'success'],
        ['syndicates.member.approved', member, 'failure'],
        ['syndicates.member.promoted', member, 'denied'],
      ].toSorted(),
    )
  })
})

describe('POST …/members/{id}/decline', () => {
  test('200: closes the application, with an event; the person can apply again', async () => {
    const [syndicate, user] = [await stage.syndicate(), await stage.user()]
    const member = await stage.member(syndicate.id, { user, status: 'pending' })
    const send = await stage.as(syndicate.operator)
    const answer = await act(send, syndicate, member, 'decline')
    expect([answer.status, answer.data.attributes['status']]).toEqual([200, 'declined'])
    expect(await stage.causedBy(answer)).toMatchObject([
      { event: 'syndicate_member.declined', data: { id: member, status: 'declined', approved_by: null } },
    ])
    const again = await stage.member(syndicate.id, { id: member, user, status: 'pending' })
    expect((await act(send, syndicate, again, 'approve')).data.attributes['status']).toBe('member')
  })

  test('409 for declining a member or an invited person, because there is no application', async () => {
    const syndicate = await stage.syndicate()
    const send = await stage.as(syndicate.operator)
    for (const id of [await stage.member(syndicate.id), await invitee(syndicate)]) {
      expect(refusal(await act(send, syndicate, id, 'decline'))).toBe('409 illegal_transition')
    }
  })

  test('404 for declining an application to another syndicate', async () => {
    const [syndicate, other] = [await stage.syndicate(), await stage.syndicate()]
    const member = await stage.member(other.id, { status: 'pending' })
    const send = await stage.as(syndicate.operator)
    expect(refusal(await act(send, syndicate, member, 'decline'))).toBe('404 not_found')
    expect(await statusOf(member)).toBe('pending')
  })
})

describe('POST …/members/{id}/withdraw_invite', () => {
  const members = async (send: Send, { id }: Made) => (await send('GET', `/syndicates/${id}/members`)).list

  test('200 with the invitation as it was; the directory no longer lists it, and no event is sent', async () => {
    const syndicate = await stage.syndicate()
    const send = await stage.as(syndicate.operator)
    const id = await invitee(syndicate, 'withdrawn@example.org')
    const answer = await act(send, syndicate, id, 'withdraw_invite')
    expect([answer.status, answer.data.id, answer.data.attributes['role']]).toEqual([200, id, 'invitee'])
    expect(await stage.causedBy(answer)).toEqual([])
    expect((await members(send, syndicate)).map((row) => row.id)).not.toContain(id)
    for (const verb of ['withdraw_invite', 'resend_invite']) {
      expect(refusal(await act(send, syndicate, id, verb))).toBe('404 not_found')
    }
  })

  test('the person cannot join by a withdrawn invitation until the address is invited again', async () => {
    const syndicate = await stage.syndicate()
    const email = 'invited.once@example.org'
    const user = await stage.user({ name: 'Grace Hopper', email })
    const id = await invitee(syndicate, email)
    const send = await stage.as(syndicate.operator)
    expect((await act(send, syndicate, id, 'withdraw_invite')).status).toBe(200)
    const join = () =>
      stage.arrange((tx) => joinSyndicate(tx, { syndicateId: syndicate.id, userId: user }, occasionAt()))
    await expect(join()).rejects.toMatchObject({ type: 'illegal_transition' })
    expect(await invitee(syndicate, email)).toBe(id)
    await join()
    expect((await members(send, syndicate)).map(({ attributes }) => attributes['user_email'])).toContain(email)
  })

  test('409 for withdrawing the invitation of a member; of two withdrawals at the same time one succeeds', async () => {
    const syndicate = await stage.syndicate()
    const send = await stage.as(syndicate.operator)
    const member = await stage.member(syndicate.id)
    expect(refusal(await act(send, syndicate, member, 'withdraw_invite'))).toBe('409 illegal_transition')
    const id = await invitee(syndicate, 'twice@example.org')
    const both = await Promise.all([1, 2].map(() => act(send, syndicate, id, 'withdraw_invite')))
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(both.every(({ status }) => [200, 404, 409].includes(status))).toBe(true)
  })

  test('404 for withdrawing an invitation of another syndicate, which stays open', async () => {
    const [syndicate, other] = [await stage.syndicate(), await stage.syndicate()]
    const id = await invitee(other, 'elsewhere@example.org')
    const refused = await act(await stage.as(syndicate.operator), syndicate, id, 'withdraw_invite')
    expect(refusal(refused)).toBe('404 not_found')
    expect((await members(await stage.as(other.operator), other)).map((row) => row.id)).toContain(id)
  })
})
