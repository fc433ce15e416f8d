import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateUser } from '#access/people/index.ts'
import type { Id } from '#kernel/ids.ts'
import { occasionAt } from '#test/caused-events.ts'
import { applyForMembership, inviteMember, joinSyndicate, leaveSyndicate } from '../index.ts'
import { type DirectoryStage, openDirectoryStage, refusal, type Send } from '../testing/directory-stage.ts'

let stage: DirectoryStage
beforeAll(async () => {
  stage = await openDirectoryStage()
})
afterAll(() => stage?.close())

const rows = async (send: Send, id: Id<'syndicate'>, query = '') =>
  (await send('GET', `/syndicates/${id}/members?${query}`)).list.map(({ attributes }) => [
    attributes['role'],
    attributes['user_email'],
  ])

const invite = (send: Send, id: Id<'syndicate'>, email: string) =>
  send('POST', `/syndicates/${id}/members/invite`, { email })

/** The field and the code of each field error. */
const code = ({ error }: Awaited<ReturnType<Send>>) =>
  (error.details?.['fields'] as { field: string; code: string }[] | undefined)?.map((each) => [each.field, each.code])

describe('an address that was invited, joined and left', () => {
  test.each(['the account’s', 'another'])(
    'of six requests that invite the address again at the same time, one succeeds (%s address)',
    async (which) => {
      const { id, operator, full: invitedBy } = await stage.syndicate()
      const email = `again.${id}@example.org`
      const user = await stage.user(which === 'another' ? {} : { email })
      await stage.arrange(async (tx) => {
        await inviteMember(tx, { syndicateId: id, email, invitedBy }, occasionAt())
        const joined = await joinSyndicate(tx, { syndicateId: id, userId: user, invitedEmail: email }, occasionAt())
        await leaveSyndicate(tx, { id: joined.id }, occasionAt())
      })
      const send = await stage.as(operator)
      const answers = await Promise.all(Array.from({ length: 6 }, () => invite(send, id, email)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422, 422, 422])
      const events = await stage.db.sql(
        `select name from test.events where syndicate_id = $1 and name = 'syndicate_member.reinvited'`,
        [id],
      )
      expect(events).toHaveLength(1)
    },
  )
})

describe('a person is in the directory only once', () => {
  test('when a member changes their address to an invited address, the invitation counts as answered', async () => {
    const { id, operator } = await stage.syndicate()
    const [old, next] = [`old.${id}@example.org`, `Next.${id}@example.org`]
    const user = await stage.user({ email: old })
    await stage.member(id, { user })
    const send = await stage.as(operator)
    const { data } = await invite(send, id, next)
    await stage.arrange((tx) => updateUser(tx, { id: user, email: next }, occasionAt()))
    expect(await rows(send, id)).toEqual([['member', next]])
    expect(refusal(await send('POST', `/syndicates/${id}/members/${data.id}/resend_invite`))).toBe('404 not_found')
    expect(code(await invite(send, id, next))).toEqual([['email', 'already_member']])
  })

  test('when a person changes their address to an invited address, the invitation of a syndicate that they left stays open', async () => {
    const { id, operator } = await stage.syndicate()
    const user = await stage.user()
    await stage.member(id, { user, status: 'left' })
    const [send, email] = [await stage.as(operator), `back.${id}@example.org`]
    await invite(send, id, email)
    await stage.arrange((tx) => updateUser(tx, { id: user, email }, occasionAt()))
    expect(await rows(send, id)).toEqual([['invitee', email]])
  })

  test('inviting a person who has applied is rejected: 422', async () => {
    const { id, operator } = await stage.syndicate()
    const email = `applied.${id}@example.org`
    await stage.member(id, { user: await stage.user({ email }), status: 'pending' })
    const send = await stage.as(operator)
    expect(code(await invite(send, id, email))).toEqual([['email', 'already_applied']])
    expect(await rows(send, id)).toEqual([['applicant', email]])
  })

  test('an invited person who applies is listed as applicant, and can still join by the invitation', async () => {
    const { id: syndicateId, operator } = await stage.syndicate()
    const email = `nevertheless.${syndicateId}@example.org`
    const [send, userId] = [await stage.as(operator), await stage.user({ email })]
    await invite(send, syndicateId, email)
    await stage.arrange((tx) => applyForMembership(tx, { syndicateId, userId }, occasionAt()))
    expect(await rows(send, syndicateId)).toEqual([['applicant', email]])
    await stage.arrange((tx) => joinSyndicate(tx, { syndicateId, userId }, occasionAt()))
    expect(await rows(send, syndicateId)).toEqual([['member', email]])
  })

  test('an applicant whom the host platform reports as invited is listed only as applicant', async () => {
    const { id: syndicateId, operator, full: invitedBy } = await stage.syndicate()
    const email = `told.${syndicateId}@example.org`
    await stage.member(syndicateId, { user: await stage.user({ email }), status: 'pending' })
    await stage.arrange((tx) => inviteMember(tx, { syndicateId, email, invitedBy }, occasionAt()))
    expect(await rows(await stage.as(operator), syndicateId)).toEqual([['applicant', email]])
  })
})

describe('the shown fields of an invitee', () => {
  test('an invitee is found and sorted by the shown name, which is the account’s if the invitation has no name', async () => {
    const { id, operator } = await stage.syndicate()
    const email = `zz.${id}@example.org`
    await stage.user({ name: 'Ágnes Alpha', email })
    await stage.member(id, { profile: { name: 'Bela Bartok', email: `bela.${id}@example.org` } })
    const send = await stage.as(operator)
    expect((await invite(send, id, email)).data.attributes['user_name']).toBe('Ágnes Alpha')
    expect((await rows(send, id, 'search=agnes')).map(([role]) => role)).toEqual(['invitee'])
    expect((await rows(send, id, 'sort=alphabetical')).map(([role]) => role)).toEqual(['invitee', 'member'])
  })

  test('an invitee’s row shows only the id and the name of the account; its address is the invited address', async () => {
    const { id, operator } = await stage.syndicate()
    const email = `ada.${id}@example.org`
    const account = { username: `ada${id.slice(-8)}`, avatar_url: '/pictures/ada.png', legal_name: 'Augusta Ada King' }
    await stage.user({ email, name: 'Ada Lovelace', ...account, accreditation: 'self_attested' })
    const { data } = await invite(await stage.as(operator), id, email)
    expect(data.attributes).toMatchObject({ user_name: 'Ada Lovelace', user_email: email })
    const hidden = { avatar_url: null, profile_url: null, legal_name: null, accredited: false }
    expect(data.attributes).toMatchObject(hidden)
  })

  test('an invitee’s row has no location, even if the person does not hide it', async () => {
    const { id, operator } = await stage.syndicate()
    const send = await stage.as(operator)
    for (const hidden of [true, false]) {
      const email = `${hidden}.${id}@example.org`
      await stage.user({ email, city: 'Wilmslow', location_hidden: hidden })
      const { data } = await invite(send, id, email)
      expect(data.attributes).toMatchObject({ city: null, state: null, country: null })
    }
  })

  test('invitees match only the filters role and search, and with role=invitee also permission', async () => {
    const { id, operator } = await stage.syndicate()
    const send = await stage.as(operator)
    await invite(send, id, `filters.${id}@example.org`)
    for (const [query, found] of [
      ['', 1],
      ['search=filters', 1],
      ['role=invitee&permission=operator', 1],
      ['role=invitee&permission=full_access', 0],
      ['permission=operator', 0],
      ['accredited=false', 0],
      ['has_invested=false', 0],
    ] as const) {
      expect([query, (await rows(send, id, query)).length]).toEqual([query, found])
    }
  })
})

test('an invitation is sent again at most once a minute: more requests in this minute get 429 and cause no event', async () => {
  const { id, operator } = await stage.syndicate()
  const send = await stage.as(operator)
  const { data } = await invite(send, id, `brake.${id}@example.org`)
  const again = () => send('POST', `/syndicates/${id}/members/${data.id}/resend_invite`)
  expect((await again()).status).toBe(200)
  const answers = await Promise.all(Array.from({ length: 5 }, again))
  for (const answer of answers) {
    expect(refusal(answer)).toBe('429 rate_limit_exceeded')
    expect(answer.error.details).toMatchObject({ limit: 1, period: 60, retry_after: expect.any(Number) })
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0')
    expect(await stage.causedBy(answer)).toEqual([])
  }
  await stage.db.sql(
    `update test.syndicate_invitations set last_invited_at = last_invited_at - interval '1 minute',
            invited_at = invited_at - interval '2 minutes' where id = $1`,
    [data.id],
  )
  expect((await again()).status).toBe(200)
})
