import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deactivateUser } from '#access/people/index.ts'
import { aClientToken } from '#access/tokens/testing/stage.ts'
import { worldTime } from '#kernel/clock.ts'
import type { FieldError } from '#kernel/errors.ts'
import type { Id } from '#kernel/ids.ts'
import { type ApiResponse, OLDER, ORIGIN, openProfileStage, type ProfileStage, refusal } from './testing/stage.ts'

let stage: ProfileStage
beforeAll(async () => {
  stage = await openProfileStage()
})
afterAll(() => stage.close())

let made = 0
/** A person with all fields set. The legal name, the address and the accreditation must not be shown. */
const ada = () => {
  made += 1
  return stage.user({
    name: 'Ada Lovelace',
    first_name: 'Ada',
    legal_name: 'Augusta Ada King',
    email: `Ada${made}@example.org`,
    username: `ada.${made}`,
    bio: 'Numbers.\nAnd what they mean.',
    avatar_url: '/avatars/ada.png',
    city: 'Arlington',
    state: 'VA',
    country: 'US',
    address: { line1: '12 St James’s Square' },
    accreditation: 'verified',
    certified_at: worldTime('2025-12-01T00:00:00.000001Z'),
  })
}
const fieldsOf = ({ error }: ApiResponse) => error.details?.['fields'] as readonly FieldError[] | undefined
const ledgerNotes = async (user: Id<'user'>) =>
  (await stage.db.sql<{ kind: string }>('select kind from test.investment_changes where id = $1', [user])).length

describe('GET /users/me', () => {
  test('with read:profile: the fields of the profile and no others', async () => {
    const user = await ada()
    const { status, data, text } = await (await stage.as(user, ['read:profile']))('GET', '/users/me')
    expect(status).toBe(200)
    expect(data).toEqual({
      id: user,
      type: 'user',
      attributes: {
        email: `Ada${made}@example.org`,
        username: `ada.${made}`,
        name: 'Ada',
        full_name: 'Ada Lovelace',
        bio: 'Numbers.\nAnd what they mean.',
        city: 'Arlington',
        state: 'VA',
        country: 'US',
        avatar_url: `${ORIGIN}/avatars/ada.png`,
        created_at: '2026-01-01T00:00:00.000000Z',
        certified_at: '2025-12-01T00:00:00.000001Z',
      },
    })
    for (const secret of ['King', 'St James', 'verified']) expect(text).not.toContain(secret)
  })

  test('an empty profile: null fields, no username, and the whole name in `name`', async () => {
    const user = await stage.user({ name: 'Grace Hopper' })
    const { data } = await (await stage.as(user, ['write:profile']))('GET', '/users/me')
    expect(data.attributes).toMatchObject({ name: 'Grace Hopper', full_name: 'Grace Hopper', bio: null, city: null })
    expect(data.attributes).toMatchObject({ avatar_url: null, certified_at: null })
    expect('username' in data.attributes).toBe(false)
  })

  test.each([['write:follows'], ['read:follows'], ['read:companies'], ['read:investments'], ['read:public']])(
    'with only %s: the id and no other field',
    async (scope) => {
      const user = await ada()
      const { status, text } = await (await stage.as(user, [scope]))('GET', '/users/me')
      expect([status, JSON.parse(text)]).toEqual([200, { data: { id: user, type: 'user' } }])
    },
  )

  test.each(['read:profile', 'write:profile', 'read:mcp'])('with %s: the whole profile', async (scope) => {
    const { data } = await (await stage.as(await ada(), [scope]))('GET', '/users/me')
    expect(data.attributes['full_name']).toBe('Ada Lovelace')
  })

  test('the response is the same in every version', async () => {
    const send = await stage.as(await ada(), ['read:profile'])
    expect((await send('GET', '/users/me', undefined, OLDER)).data).toEqual((await send('GET', '/users/me')).data)
  })

  test('401 without a token; 403 for the app’s own token, which has no user', async () => {
    expect(refusal(await stage.bearer(null)('GET', '/users/me'))).toEqual([401, 'invalid_token'])
    const client = await stage.client()
    const { accessToken } = await aClientToken(stage.db, client)
    expect(refusal(await stage.bearer(accessToken)('GET', '/users/me'))).toEqual([403, 'insufficient_scope'])
    expect(refusal(await stage.bearer(client.keyId)('GET', '/users/me'))).toEqual([403, 'insufficient_scope'])
  })

  test('401 for a user who left after the token check', async () => {
    const user = await ada()
    const send = await stage.as(user, ['write:profile'])
    // Deactivates only the user and revokes no token, because a request that was authenticated just before has a valid token.
    await stage.arrange((tx) => deactivateUser(tx, user, { occurredAt: worldTime('2026-03-01T00:00:00.000000Z') }))
    expect(refusal(await send('GET', '/users/me'))).toEqual([401, 'invalid_token'])
    expect(refusal(await send('PATCH', '/users/me', { bio: 'Back' }))).toEqual([401, 'invalid_token'])
  })

  test('a token of the other world gets the user of that world', async () => {
    const client = await stage.client({ world: 'live' })
    const user = await stage.user({ name: 'Live One' }, 'live')
    const { data } = await (await stage.as(user, ['read:profile'], client))('GET', '/users/me')
    expect(data).toMatchObject({ id: user, attributes: { full_name: 'Live One' } })
  })
})

describe('PATCH /users/me', () => {
  test('200: changes only the given fields, null clears a field, and the response is the new profile', async () => {
    const user = await ada()
    const send = await stage.as(user, ['write:profile'])
    const before = (await send('GET', '/users/me')).data.attributes
    const { status, data } = await send('PATCH', '/users/me', { bio: 'Engines.', city: null, state: 'MD' })
    expect([status, data]).toEqual([
      200,
      { id: user, type: 'user', attributes: { ...before, bio: 'Engines.', city: null, state: 'MD' } },
    ])
    expect((await send('GET', '/users/me')).data).toEqual(data)
  })

  test('an empty body and equal values change nothing', async () => {
    const user = await ada()
    const send = await stage.as(user, ['write:profile'])
    const before = (await send('GET', '/users/me')).data
    for (const body of [undefined, {}, { city: 'Arlington', country: 'US' }]) {
      expect((await send('PATCH', '/users/me', body)).data).toEqual(before)
    }
    expect(await ledgerNotes(user)).toBe(0)
  })

  test('a change that investment records show is queued for the ledger', async () => {
    const user = await ada()
    await (await stage.as(user, ['write:profile']))('PATCH', '/users/me', { bio: 'Engines.' })
    expect(await ledgerNotes(user)).toBe(1)
  })

  test.each([
    ['city', 'Richmond'],
    ['country', 'CA'],
  ])('a new %s does not change the field `state`, because the body does not contain it', async (field, value) => {
    const send = await stage.as(await ada(), ['write:profile'])
    const before = (await send('GET', '/users/me')).data.attributes
    const { data } = await send('PATCH', '/users/me', { [field]: value })
    expect(data.attributes).toEqual({ ...before, [field]: value })
  })

  test.each(['name', 'full_name', 'email', 'username', 'avatar_url', 'certified_at', 'accreditation', 'id'])(
    '422 for %s, which an app may not change; older versions ignore it',
    async (field) => {
      const user = await ada()
      const send = await stage.as(user, ['write:profile'])
      const before = (await send('GET', '/users/me')).data
      const rejected = await send('PATCH', '/users/me', { bio: 'After', [field]: 'x' })
      expect(refusal(rejected)).toEqual([422, 'validation_error'])
      expect(fieldsOf(rejected)).toMatchObject([{ field }])
      expect((await send('GET', '/users/me')).data).toEqual(before)
      const older = await send('PATCH', '/users/me', { city: 'Arlington', [field]: 'x' }, OLDER)
      expect([older.status, older.data]).toEqual([200, before])
    },
  )

  test.each([
    ['bio', 'nothing', ''],
    ['bio', 'blanks', ' \n\t '],
    ['bio', 'invisible letters', '\u3164\u200b'],
    ['bio', 'too much', 'x'.repeat(5001)],
    ['bio', 'a number', 5],
    ['bio', 'direction marks', 'turn \u202e me'],
    ['bio', 'a zero byte', 'nul \u0000'],
    ['city', 'nothing', ''],
    ['city', 'spaces', '   '],
    ['city', 'two lines', 'two\nlines'],
    ['state', 'too much', 'x'.repeat(101)],
    ['country', 'a list', ['US']],
  ])('422 for a %s of %s, and nothing changes', async (field, _, value) => {
    const user = await ada()
    const send = await stage.as(user, ['write:profile'])
    const before = (await send('GET', '/users/me')).data
    const rejected = await send('PATCH', '/users/me', { [field]: value })
    expect(refusal(rejected)).toEqual([422, 'validation_error'])
    expect(new Set(fieldsOf(rejected)?.map((fault) => fault.field))).toEqual(new Set([field]))
    expect((await send('GET', '/users/me')).data).toEqual(before)
  })

  test('accepts texts of the maximum length in any script', async () => {
    const send = await stage.as(await ada(), ['write:profile'])
    const { data } = await send('PATCH', '/users/me', { bio: '𝔸'.repeat(2500), city: '東'.repeat(100) })
    expect(data.attributes).toMatchObject({ bio: '𝔸'.repeat(2500), city: '東'.repeat(100) })
  })

  test('two concurrent changes of different fields are both stored', async () => {
    const send = await stage.as(await ada(), ['write:profile'])
    await Promise.all([send('PATCH', '/users/me', { bio: 'Both' }), send('PATCH', '/users/me', { state: 'MD' })])
    expect((await send('GET', '/users/me')).data.attributes).toMatchObject({ bio: 'Both', state: 'MD' })
  })

  test('403 with only read:profile, and the error names write:profile; another person’s profile does not change', async () => {
    const [user, other] = [await ada(), await ada()]
    const rejected = await (await stage.as(user, ['read:profile']))('PATCH', '/users/me', { bio: 'x' })
    expect(refusal(rejected)).toEqual([403, 'insufficient_scope'])
    expect(rejected.error.message).toContain('write:profile')
    await (await stage.as(user, ['write:profile']))('PATCH', '/users/me', { bio: 'Mine' })
    const others = await (await stage.as(other, ['read:profile']))('GET', '/users/me')
    expect(others.data.attributes['bio']).toBe('Numbers.\nAnd what they mean.')
  })
})
