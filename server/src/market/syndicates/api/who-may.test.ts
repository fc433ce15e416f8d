import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { revokeInstallation } from '#access/installations/index.ts'
import { aClient } from '#access/tokens/testing/stage.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { makeCompany } from '#test/companies.ts'
import { BOTH, type DirectoryStage, openDirectoryStage, refusal, type Send } from '../testing/directory-stage.ts'

let stage: DirectoryStage
beforeAll(async () => {
  stage = await openDirectoryStage()
})
afterAll(() => stage?.close())

const UNKNOWN = 'mem_000000000000000000000000'

/** The operations on a syndicate except decline and withdraw_invite, with valid input and an id that no member has. */
const OPERATIONS: readonly (readonly [string, string, unknown?])[] = [
  ['GET', ''],
  ['PATCH', '', { syndicate: { tagline: 'Changed.' } }],
  ['GET', '/members'],
  ['POST', '/members/invite', { email: 'somebody@example.org' }],
  ['POST', '/members/reorder', { member_ids: [UNKNOWN] }],
  ['POST', '/members/export_csv'],
  ['PATCH', `/members/${UNKNOWN}`, { member: { title: 'Changed' } }],
  ['DELETE', `/members/${UNKNOWN}`],
  ...['approve', 'hide', 'restore', 'promote', 'demote', 'resend_invite'].map(
    (verb) => ['POST', `/members/${UNKNOWN}/${verb}`] as const,
  ),
]

/** The different outcomes of these operations. If all have the same outcome, the list has one element. */
async function outcomesOf(send: Send, id: Id<'syndicate'>): Promise<readonly string[]> {
  const answers = new Set<string>()
  for (const [method, path, body] of OPERATIONS) {
    const answer = await send(method, `/syndicates/${id}${path}`, body)
    answers.add(answer.status < 400 ? `${method} ${path} ${answer.status}` : refusal(answer))
  }
  return [...answers]
}

describe('people who do not run a syndicate', () => {
  test('a stranger gets 404 as for an unknown syndicate, and 403 if the syndicate is published', async () => {
    const send = await stage.as(await stage.user())
    const [hidden, published] = [await stage.syndicate(), await stage.syndicate({ published: true })]
    expect(await outcomesOf(send, hidden.id)).toEqual(['404 not_found'])
    expect(await outcomesOf(send, newId('syndicate'))).toEqual(['404 not_found'])
    expect(await outcomesOf(send, published.id)).toEqual(['403 forbidden'])
    const [there, never] = [
      await send('GET', `/syndicates/${hidden.id}`),
      await send('GET', `/syndicates/${newId('syndicate')}`),
    ]
    expect({ ...there.error, request_id: null }).toEqual({ ...never.error, request_id: null })
  })

  test('a plain member, an applicant, a former member, and a creator who is no longer a manager get 403', async () => {
    const { id, creator } = await stage.syndicate()
    for (const status of ['member', 'pending', 'left'] as const) {
      const user = await stage.user()
      await stage.member(id, { user, status })
      expect([status, await outcomesOf(await stage.as(user), id)]).toEqual([status, ['403 forbidden']])
    }
    await stage.db.sql('delete from test.syndicate_managers where user_id = $1', [creator])
    expect(await outcomesOf(await stage.as(creator), id)).toEqual(['403 forbidden'])
  })

  test('a person invited with or without an account gets 403; so does an app on another syndicate if this syndicate is published', async () => {
    const { id, operator } = await stage.syndicate()
    const [first, second] = [`first.${id}@example.org`, `second.${id}@example.org`]
    const already = await stage.user({ email: first })
    const manager = await stage.as(operator)
    for (const email of [first, second]) await manager('POST', `/syndicates/${id}/members/invite`, { email })
    await stage.db.sql('update test.users set email = $2 where id = $1', [already, `moved.${id}@example.org`])
    for (const user of [already, await stage.user({ email: second })]) {
      const send = await stage.as(user)
      expect(await outcomesOf(send, id)).toEqual(['403 forbidden'])
      expect((await send('GET', `/syndicates/${id}`)).error.message).toContain('The user does not run')
    }
    const [other, published] = [await stage.syndicate(), await stage.syndicate({ published: true })]
    const app = await stage.installedOn({ syndicate: other.id })
    expect((await app('GET', `/syndicates/${published.id}`)).error.message).toContain('installation is not on this')
  })

  test('a manager of another syndicate, and an app on another syndicate, get 404, or 403 if the syndicate is published', async () => {
    const [mine, hidden, published] = [
      await stage.syndicate(),
      await stage.syndicate(),
      await stage.syndicate({ published: true }),
    ]
    for (const send of [await stage.as(mine.full), await stage.installedOn({ syndicate: mine.id })]) {
      expect(await outcomesOf(send, hidden.id)).toEqual(['404 not_found'])
      expect(await outcomesOf(send, published.id)).toEqual(['403 forbidden'])
    }
  })

  test('an app on a company gets 404, or 403 if the syndicate is published; an app on a manager’s own connection gets 403', async () => {
    const [{ id, full }, published] = [await stage.syndicate(), await stage.syndicate({ published: true })]
    const company = await stage.arrange((tx) => makeCompany(tx))
    const onCompany = await stage.installedOn({ company })
    expect(await outcomesOf(onCompany, id)).toEqual(['404 not_found'])
    expect(await outcomesOf(onCompany, published.id)).toEqual(['403 forbidden'])
    expect(await outcomesOf(await stage.installedOn({ user: full }), id)).toEqual(['403 forbidden'])
  })

  test('a person of the other world gets 404', async () => {
    const { id } = await stage.syndicate({ published: true })
    const client = await aClient(stage.db, { scopes: BOTH, approved: true, world: 'live' })
    const live = await stage.syndicate({ published: true }, 'live')
    const send = await stage.as(live.full, BOTH, client)
    expect((await send('GET', `/syndicates/${live.id}`)).status).toBe(200)
    expect(await outcomesOf(send, id)).toEqual(['404 not_found'])
  })

  test('a person who is no longer manager gets 404 from the next request on', async () => {
    const { id, operator } = await stage.syndicate()
    const send = await stage.as(operator)
    expect((await send('GET', `/syndicates/${id}`)).status).toBe(200)
    await stage.db.sql('delete from test.syndicate_managers where user_id = $1', [operator])
    expect(await outcomesOf(send, id)).toEqual(['404 not_found'])
  })
})

describe('tokens without the scope, and revoked tokens', () => {
  test('403 insufficient_scope for changes with read:syndicates; write:syndicates also permits reading', async () => {
    const { id, creator } = await stage.syndicate()
    const reads = await stage.as(creator, ['read:syndicates'])
    for (const [method, path, body] of OPERATIONS) {
      const answer = await reads(method, `/syndicates/${id}${path}`, body)
      const isRead = method === 'GET' || path.endsWith('export_csv')
      expect([path, isRead ? answer.status : refusal(answer)]).toEqual([path, isRead ? 200 : '403 insufficient_scope'])
    }
    const writes = await stage.as(creator, ['write:syndicates'])
    expect((await writes('GET', `/syndicates/${id}/members`)).status).toBe(200)
    const neither = await stage.as(creator, ['read:profile'], await aClient(stage.db))
    expect(await outcomesOf(neither, id)).toEqual(['403 insufficient_scope'])
  })

  test('a token of a revoked installation gets 401', async () => {
    const { id } = await stage.syndicate()
    const send = await stage.installedOn({ syndicate: id })
    expect((await send('GET', `/syndicates/${id}/members`)).status).toBe(200)
    const because = { cause: 'test', caused: [], onRevoked: [] }
    await stage.arrange((tx) => revokeInstallation(tx, { id: send.installation, role: 'manager' }, because))
    expect(await outcomesOf(send, id)).toEqual(['401 invalid_token'])
  })
})

describe('managers of the syndicate', () => {
  test('managers of every rank, and an app on the syndicate, can read, and get 404 for an unknown member', async () => {
    const { id, creator, full, operator } = await stage.syndicate()
    const [unknown, done] = ['404 not_found', expect.stringMatching(/20[01]$/)]
    for (const [rank, send] of [
      ['creator', await stage.as(creator)],
      ['full_access', await stage.as(full)],
      ['operator', await stage.as(operator)],
      ['app', await stage.installedOn({ syndicate: id })],
    ] as const) {
      const answers = new Set(await outcomesOf(send, id))
      answers.delete('422 validation_error')
      const refused = rank === 'creator' ? [] : ['403 forbidden']
      expect([rank, [...answers].filter((answer) => !/20[01]$/.test(answer)).sort()]).toEqual([
        rank,
        [...refused, unknown, '422 use_intents'],
      ])
      expect([...answers]).toContainEqual(done)
    }
  })

  test('a malformed id, or the id of another kind of record, gets 404', async () => {
    const { id, creator } = await stage.syndicate()
    const send = await stage.as(creator)
    expect(refusal(await send('GET', '/syndicates/42'))).toBe('404 not_found')
    expect(refusal(await send('POST', `/syndicates/${id}/members/42/hide`))).toBe('404 not_found')
    expect(refusal(await send('GET', `/syndicates/${creator}/members`))).toBe('404 not_found')
  })
})
