import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deactivateUser, lockUser, updateUser } from '#access/people/index.ts'
import type { Id } from '#kernel/ids.ts'
import { occasionAt } from '#test/caused-events.ts'
import { failPayment, leaveSyndicate, removeMember, setManager } from '../index.ts'
import { type DirectoryStage, openDirectoryStage, refusal, type Send } from '../testing/directory-stage.ts'

let stage: DirectoryStage
beforeAll(async () => {
  stage = await openDirectoryStage()
})
afterAll(() => stage?.close())

type Made = Awaited<ReturnType<DirectoryStage['syndicate']>>

const act = (send: Send, { id }: Made, member: string, verb: string) =>
  send('POST', `/syndicates/${id}/members/${member}/${verb}`)

describe('a person who created a syndicate', () => {
  test('the creator keeps full access while hidden from the directory', async () => {
    const syndicate = await stage.syndicate()
    const creator = await stage.member(syndicate.id, { user: syndicate.creator })
    const send = await stage.as(syndicate.full)
    expect((await act(send, syndicate, creator, 'hide')).status).toBe(200)
    const answer = await act(send, syndicate, creator, 'demote')
    expect([refusal(answer), answer.error.details]).toEqual([
      '409 illegal_transition',
      { from: 'creator', event: 'demote', allowed: [] },
    ])
    const restored = await act(send, syndicate, creator, 'restore')
    expect(restored.data.attributes).toMatchObject({ role: 'creator', syndicate_permission: 'full_access' })
  })

  test('a creator whom the host platform made an operator can be promoted', async () => {
    const syndicate = await stage.syndicate()
    const { id: syndicateId, creator: userId } = syndicate
    const creator = await stage.member(syndicateId, { user: userId })
    await stage.arrange((tx) => setManager(tx, { syndicateId, userId, permission: 'operator' }, occasionAt()))
    const answer = await act(await stage.as(userId), syndicate, creator, 'promote')
    expect(answer.data.attributes).toMatchObject({ role: 'creator', syndicate_permission: 'full_access' })
  })
})

test('a promotion and a change of the person’s name at the same time both succeed, one after the other', async () => {
  const syndicate = await stage.syndicate()
  const user = await stage.user()
  const member = await stage.member(syndicate.id, { user })
  const send = await stage.as(syndicate.creator)
  const promoting = await stage.arrange(async (tx) => {
    await lockUser(tx, 'id', user)
    const answer = act(send, syndicate, member, 'promote')
    await stage.db.untilTransactionWaits()
    await updateUser(tx, { id: user, name: 'Renamed' }, occasionAt())
    return { answer }
  })
  const answer = await promoting.answer
  expect([answer.status, answer.data.attributes['user_name']]).toEqual([200, 'Renamed'])
})

describe('a person who leaves or is removed', () => {
  test.each([
    ['left', leaveSyndicate],
    ['removed', removeMember],
  ] as const)('%s: the person can no longer manage the syndicate', async (_, end) => {
    const syndicate = await stage.syndicate()
    const user = await stage.user()
    const member = await stage.member(syndicate.id, { user, permission: 'full_access' })
    const send = await stage.as(user)
    expect((await send('GET', `/syndicates/${syndicate.id}/members`)).status).toBe(200)
    await stage.arrange((tx) => end(tx, { id: member }, occasionAt()))
    for (const [method, path, body] of [
      ['GET', 'members'],
      ['POST', 'members/invite', { email: 'friend@example.org' }],
      ['POST', 'members/export_csv'],
    ] as const) {
      expect(refusal(await send(method, `/syndicates/${syndicate.id}/${path}`, body))).toBe('403 forbidden')
    }
  })

  test('the last manager with full access loses the role by leaving, too; a fact gives the role back, even without a membership', async () => {
    const syndicate = await stage.syndicate()
    const { id: syndicateId, creator: userId } = syndicate
    await stage.db.sql('delete from test.syndicate_managers where syndicate_id = $1 and user_id <> $2', [
      syndicateId,
      userId,
    ])
    const id = await stage.member(syndicateId, { user: userId })
    const send = await stage.as(userId)
    await stage.arrange((tx) => leaveSyndicate(tx, { id }, occasionAt()))
    expect(refusal(await send('GET', `/syndicates/${syndicateId}`))).toBe('403 forbidden')
    await stage.arrange((tx) => setManager(tx, { syndicateId, userId, permission: 'full_access' }, occasionAt()))
    expect((await send('GET', `/syndicates/${syndicateId}`)).status).toBe(200)
  })

  test('a manager whose payment failed keeps the role', async () => {
    const syndicate = await stage.syndicate()
    const user = await stage.user()
    const id = await stage.member(syndicate.id, { user, permission: 'operator' })
    await stage.arrange((tx) => failPayment(tx, { id }, occasionAt()))
    expect((await (await stage.as(user))('GET', `/syndicates/${syndicate.id}`)).status).toBe(200)
  })
})

test('422 with the field member_id for approving, promoting or changing a person who was deactivated', async () => {
  const syndicate = await stage.syndicate()
  const send = await stage.as(syndicate.creator)
  const path = `/syndicates/${syndicate.id}/members`
  for (const [verb, status] of [
    ['approve', 'pending'],
    ['promote', 'member'],
    ['PATCH', 'member'],
  ] as const) {
    const user: Id<'user'> = await stage.user()
    const id = await stage.member(syndicate.id, { user, status })
    await stage.arrange((tx) => deactivateUser(tx, user, occasionAt()))
    const answer =
      verb === 'PATCH'
        ? await send('PATCH', `${path}/${id}`, { member: { title: 'Scout' } })
        : await act(send, syndicate, id, verb)
    expect([verb, refusal(answer), answer.error.details]).toEqual([
      verb,
      '422 validation_error',
      { fields: [expect.objectContaining({ field: 'member_id', code: 'deactivated' })] },
    ])
    expect((await act(send, syndicate, id, 'hide')).status).toBe(200)
  }
})

test('a request for the current state changes nothing, not even updated_at, and adds no entry to the activity', async () => {
  const syndicate = await stage.syndicate()
  const { id, operator } = syndicate
  const [member, other] = [await stage.member(id), await stage.member(id)]
  const send = await stage.as(operator)
  const order = { member_ids: [member, other] }
  const entry = () => stage.db.sql('select updated_at from test.memberships where syndicate_id = $1 order by id', [id])
  const readActivity = async () =>
    (
      await stage.db.sql<{ action: string }>('select action from test.activity_entries where user_id = $1', [operator])
    ).map(({ action }) => action)
  expect((await act(send, syndicate, member, 'hide')).status).toBe(200)
  expect((await send('POST', `/syndicates/${id}/members/reorder`, order)).status).toBe(200)
  const before = await entry()
  for (const answer of [
    await act(send, syndicate, member, 'hide'),
    await act(send, syndicate, other, 'restore'),
    await send('PATCH', `/syndicates/${id}/members/${member}`, { member: {} }),
    await send('PATCH', `/syndicates/${id}`, { syndicate: {} }),
    await send('POST', `/syndicates/${id}/members/reorder`, order),
  ]) {
    expect(answer.status).toBe(200)
  }
  expect(await entry()).toEqual(before)
  await stage.settled()
  expect((await readActivity()).toSorted()).toEqual(['syndicates.member.hidden', 'syndicates.member.reordered'])
})
