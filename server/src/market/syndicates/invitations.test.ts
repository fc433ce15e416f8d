import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import type { Tx } from '#system/postgres/database.ts'
import { causedBy, occasionAt } from '#test/caused-events.ts'
import { type TestDatabase, testDatabase } from '#test/database.ts'
import { makeUser } from '#test/people.ts'
import { refusalOf } from '#test/refusal.ts'
import { makeMembership, makeSyndicate } from '#test/syndicates.ts'
import { inviteMember, reinviteMember } from './invitations.ts'
import { applyForMembership, approveApplication, joinSyndicate, leaveSyndicate } from './memberships.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.close())

const run = <T>(work: (tx: Tx) => Promise<T>) => db.databases.test.transaction(work)

async function caused(move: (tx: Tx, occasion: ReturnType<typeof occasionAt>) => Promise<unknown>, at?: string) {
  const occasion = occasionAt(at)
  await run((tx) => move(tx, occasion))
  return causedBy(db.databases.test.reads, occasion)
}

const newInvitation = () =>
  run(async (tx) => ({
    syndicateId: await makeSyndicate(tx),
    invitedBy: await makeUser(tx, { name: 'Mary Manager' }),
    email: `Eve.${newId('user')}@example.org`,
  }))

describe('syndicate_member.invited', () => {
  test('the event has email, name, invited_by, and user null if the address has no account; no membership is created', async () => {
    const invitation = await newInvitation()
    const events = await caused(
      (tx, on) => inviteMember(tx, { ...invitation, name: 'Eve' }, on),
      '2026-06-01T12:00:00.000000Z',
    )
    expect(events).toEqual([
      {
        event: 'syndicate_member.invited',
        data: {
          syndicate: invitation.syndicateId,
          email: invitation.email,
          name: 'Eve',
          user: null,
          invited_by: { id: invitation.invitedBy, name: 'Mary Manager' },
          occurred_at: '2026-06-01T12:00:00.000000Z',
        },
      },
    ])
    const rows = await db.sql('select 1 from test.memberships where syndicate_id = $1', [invitation.syndicateId])
    expect(rows).toEqual([])
  })

  test('user is the account with the address, in any letter case; without a name in the invitation the event has the account’s name', async () => {
    const invitation = await newInvitation()
    const user = await run((tx) => makeUser(tx, { name: 'Eve Ning', email: invitation.email.toLowerCase() }))
    const events = await caused((tx, on) => inviteMember(tx, invitation, on))
    expect(events).toMatchObject([{ data: { user, name: 'Eve Ning', email: invitation.email } }])
  })

  test('the name is the address if neither the invitation nor an account has a name', async () => {
    const invitation = await newInvitation()
    const events = await caused((tx, on) => inviteMember(tx, invitation, on))
    expect(events).toMatchObject([{ data: { name: invitation.email } }])
  })

  test('inviting is rejected for an address that was invited before, in any letter case, and for the address of a member', async () => {
    const invitation = await newInvitation()
    await run((tx) => inviteMember(tx, invitation, occasionAt()))
    const again = { ...invitation, email: invitation.email.toUpperCase() }
    expect(await refusalOf(run((tx) => inviteMember(tx, again, occasionAt())))).toBe('email already_exists')
    const email = `member.${newId('user')}@example.org`
    await run(async (tx) => {
      const user = await makeUser(tx, { email })
      await makeMembership(tx, { syndicate: invitation.syndicateId, user, status: 'member' })
    })
    const member = refusalOf(run((tx) => inviteMember(tx, { ...invitation, email }, occasionAt())))
    expect(await member).toBe('email already_member')
  })

  test('inviting is rejected for an unknown inviter or syndicate', async () => {
    const invitation = await newInvitation()
    const [unknownUser, unknownSyndicate] = [newId('user'), newId('syndicate')]
    const attempt = (change: object) =>
      refusalOf(run((tx) => inviteMember(tx, { ...invitation, ...change }, occasionAt())))
    expect(await attempt({ invitedBy: unknownUser })).toBe(`unknown invited_by ${unknownUser}`)
    expect(await attempt({ syndicateId: unknownSyndicate })).toBe(`unknown syndicate ${unknownSyndicate}`)
  })

  test('of ten invitations of one address at the same time exactly one succeeds', async () => {
    const invitation = await newInvitation()
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => run((tx) => inviteMember(tx, invitation, occasionAt()))),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const events = await db.sql('select 1 from test.events where syndicate_id = $1', [invitation.syndicateId])
    expect(events).toHaveLength(1)
  })
})

describe('syndicate_member.reinvited', () => {
  test('reinvited has the data of invited, with the address as first written, and a later occurred_at', async () => {
    const invitation = await newInvitation()
    const at = '2026-06-01T12:00:00.000000Z'
    await caused((tx, on) => inviteMember(tx, { ...invitation, name: 'Eve' }, on), at)
    const again = { ...invitation, email: invitation.email.toLowerCase() }
    const user = await run((tx) => makeUser(tx, { email: again.email }))
    const events = await caused((tx, on) => reinviteMember(tx, again, on), at)
    const occurred_at = '2026-06-01T12:00:00.000001Z'
    expect(events).toMatchObject([
      { event: 'syndicate_member.reinvited', data: { email: invitation.email, name: 'Eve', user, occurred_at } },
    ])
  })

  test('inviting again is rejected for an address that was never invited', async () => {
    const invitation = await newInvitation()
    expect(await refusalOf(run((tx) => reinviteMember(tx, invitation, occasionAt())))).toBe('email not_invited')
  })

  test('ten repetitions at the same time send ten events with different times', async () => {
    const invitation = await newInvitation()
    await run((tx) => inviteMember(tx, invitation, occasionAt()))
    await Promise.all(Array.from({ length: 10 }, () => run((tx) => reinviteMember(tx, invitation, occasionAt()))))
    const [row] = await db.sql<{ times: number }>(
      'select times from test.syndicate_invitations where syndicate_id = $1',
      [invitation.syndicateId],
    )
    const [events] = await db.sql<{ moments: string }>(
      'select count(distinct occurred_at) as moments from test.events where syndicate_id = $1',
      [invitation.syndicateId],
    )
    expect([row?.times, Number(events?.moments)]).toEqual([11, 11])
  })
})

describe('joining on an invitation', () => {
  test('joining on an invitation needs no approval; the event has the invited address and is later than the invitation', async () => {
    const { syndicateId, ...invitation } = await newInvitation()
    const at = '2026-06-01T12:00:00.000000Z'
    const userId = await run((tx) => makeUser(tx, { email: invitation.email.toLowerCase() }))
    await run((tx) => inviteMember(tx, { ...invitation, syndicateId }, occasionAt(at)))
    const events = await caused((tx, on) => joinSyndicate(tx, { syndicateId, userId }, on), at)
    expect(events).toMatchObject([
      {
        event: 'syndicate_member.joined',
        data: {
          approved_by: null,
          user: { id: userId, email: invitation.email },
          occurred_at: '2026-06-01T12:00:00.000001Z',
        },
      },
    ])
  })

  test('all events of a membership have the invited address, even if the account has another one', async () => {
    const { syndicateId, ...invitation } = await newInvitation()
    await run((tx) => inviteMember(tx, { ...invitation, syndicateId }, occasionAt()))
    const userId = await run((tx) => makeUser(tx))
    const id = newId('membership')
    const joining = { id, syndicateId, userId }
    expect(await refusalOf(run((tx) => joinSyndicate(tx, joining, occasionAt())))).toBe('illegal_transition')
    const wrong = { ...joining, invitedEmail: 'nobody@example.org' }
    expect(await refusalOf(run((tx) => joinSyndicate(tx, wrong, occasionAt())))).toBe('invited_email not_invited')
    const right = { ...joining, invitedEmail: invitation.email.toUpperCase() }
    const user = { id: userId, email: invitation.email }
    expect(await caused((tx, on) => joinSyndicate(tx, right, on))).toMatchObject([{ data: { user } }])
    expect(await caused((tx, on) => leaveSyndicate(tx, { id }, on))).toMatchObject([{ data: { user } }])
  })

  test('the joined event of an approved applicant who was also invited has the invited address', async () => {
    const { syndicateId, invitedBy, email } = await newInvitation()
    const userId = await run((tx) => makeUser(tx, { email: email.toLowerCase() }))
    const id = newId('membership')
    await run((tx) => applyForMembership(tx, { id, syndicateId, userId }, occasionAt()))
    await run((tx) => inviteMember(tx, { syndicateId, invitedBy, email }, occasionAt()))
    const events = await caused((tx, on) => approveApplication(tx, { id, approvedBy: invitedBy }, on))
    expect(events.at(-1)).toMatchObject({ event: 'syndicate_member.joined', data: { user: { email } } })
  })
})
