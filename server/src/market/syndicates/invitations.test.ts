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

const ground = () =>
  run(async (tx) => ({
    syndicateId: await makeSyndicate(tx),
    invitedBy: await makeUser(tx, { name: 'Mary Manager' }),
    email: `Eve.${newId('user')}@example.org`,
  }))

describe('syndicate_member.invited', () => {
  test('email, name, user null when the address has no account, invited_by; and no membership', async () => {
    const invitation = await ground()
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

  test('user is the account at the address, in upper or lower case; its name is used if no name was given', async () => {
    const invitation = await ground()
    const user = await run((tx) => makeUser(tx, { name: 'Eve Ning', email: invitation.email.toLowerCase() }))
    const events = await caused((tx, on) => inviteMember(tx, invitation, on))
    expect(events).toMatchObject([{ data: { user, name: 'Eve Ning', email: invitation.email } }])
  })

  test('without a name anywhere the address is the name', async () => {
    const invitation = await ground()
    const events = await caused((tx, on) => inviteMember(tx, invitation, on))
    expect(events).toMatchObject([{ data: { name: invitation.email } }])
  })

  test('is rejected for an address invited before, in any case, and for a member’s', async () => {
    const invitation = await ground()
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

  test('refers to existing records', async () => {
    const invitation = await ground()
    const [nobody, nowhere] = [newId('user'), newId('syndicate')]
    const attempt = (change: object) =>
      refusalOf(run((tx) => inviteMember(tx, { ...invitation, ...change }, occasionAt())))
    expect(await attempt({ invitedBy: nobody })).toBe(`unknown invited_by ${nobody}`)
    expect(await attempt({ syndicateId: nowhere })).toBe(`unknown syndicate ${nowhere}`)
  })

  test('of ten at once for one address exactly one is an invitation', async () => {
    const invitation = await ground()
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => run((tx) => inviteMember(tx, invitation, occasionAt()))),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const events = await db.sql('select 1 from test.events where syndicate_id = $1', [invitation.syndicateId])
    expect(events).toHaveLength(1)
  })
})

describe('syndicate_member.reinvited', () => {
  test('same as invited, with the address as it was first written, and a later occurred_at', async () => {
    const invitation = await ground()
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

  test('is rejected for an address that was never invited', async () => {
    const invitation = await ground()
    expect(await refusalOf(run((tx) => reinviteMember(tx, invitation, occasionAt())))).toBe('email not_invited')
  })

  test('ten at the same moment are ten events, at ten times', async () => {
    const invitation = await ground()
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
  test('needs no approval, and the event carries the invited address, after the invitation', async () => {
    const { syndicateId, ...invitation } = await ground()
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

  test('to another address than the account’s has that address until the end', async () => {
    const { syndicateId, ...invitation } = await ground()
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

  test('a person who was invited and applied nevertheless is still known by the invited address when approved', async () => {
    const { syndicateId, invitedBy, email } = await ground()
    const userId = await run((tx) => makeUser(tx, { email: email.toLowerCase() }))
    const id = newId('membership')
    await run((tx) => applyForMembership(tx, { id, syndicateId, userId }, occasionAt()))
    await run((tx) => inviteMember(tx, { syndicateId, invitedBy, email }, occasionAt()))
    const events = await caused((tx, on) => approveApplication(tx, { id, approvedBy: invitedBy }, on))
    expect(events.at(-1)).toMatchObject({ event: 'syndicate_member.joined', data: { user: { email } } })
  })
})
