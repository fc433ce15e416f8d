import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { endRole, setRole } from '#market/companies/index.ts'
import { inviteUser } from '#market/offerings/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeCompany } from '#test/companies.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { OLDER, openProfileStage, type ProfileStage, refusal, type Send } from './testing/stage.ts'

let stage: ProfileStage
beforeAll(async () => {
  stage = await openProfileStage()
})
afterAll(() => stage.close())

const LIST = '/users/me/follows'
const put = (send: Send, company: string, headers = {}) => send('PUT', `${LIST}/${company}`, undefined, headers)
const remove = (send: Send, company: string) => send('DELETE', `${LIST}/${company}`)
const state = (id: string, followed: boolean, changed: boolean) => ({
  id,
  type: 'follow_state',
  attributes: { followed, changed },
})

describe('PUT /users/me/follows/{company_id}', () => {
  test('200: changed is true only the first time, a repeated request keeps the time, and the list shows the company at once', async () => {
    const send = await stage.as(await stage.user(), ['write:follows'])
    const company = await stage.company()
    const once = await put(send, company)
    expect([once.status, once.data]).toEqual([200, state(company, true, true)])
    const [entry] = (await send('GET', LIST)).list
    expect(entry?.['followed_at']).toMatch(/^\d{4}-.*\.\d{6}Z$/)
    const again = await put(send, company, OLDER)
    expect([again.status, again.data]).toEqual([200, state(company, true, false)])
    expect((await send('GET', LIST)).list).toEqual([entry])
  })

  test('422 for a body with a field and 415 for a body in another format, as the OpenAPI document says; nothing is followed', async () => {
    const send = await stage.as(await stage.user(), ['write:follows'])
    const path = `${LIST}/${await stage.company()}`
    expect(refusal(await send('PUT', path, { note: 'x' }))).toEqual([422, 'validation_error'])
    expect(refusal(await send('PUT', path, {}, { 'content-type': 'text/plain' }))).toEqual([
      415,
      'unsupported_media_type',
    ])
    expect((await send('GET', LIST)).list).toEqual([])
  })

  test('only one of ten concurrent requests gets changed: true', async () => {
    const send = await stage.as(await stage.user(), ['write:follows'])
    const company = await stage.company()
    const responses = await Promise.all(Array.from({ length: 10 }, () => put(send, company)))
    expect(responses.filter(({ data }) => data.attributes['changed'])).toHaveLength(1)
  })

  test('404 for a company that the user may not see, the same as for an unknown one', async () => {
    const user = await stage.user()
    const send = await stage.as(user, ['write:follows'])
    const hidden = await stage.company({ listed: false })
    const [unseen, missing, malformed] = [
      await put(send, hidden),
      await put(send, newId('company')),
      await put(send, 'co_x'),
    ]
    expect(refusal(unseen)).toEqual([404, 'not_found'])
    for (const other of [missing, malformed]) {
      expect({ ...other.error, request_id: '' }).toEqual({ ...unseen.error, request_id: '' })
    }
    expect(await stage.db.sql('select company_id from test.follows where user_id = $1', [user])).toEqual([])
  })

  test('404 in the other world', async () => {
    const company = await stage.company()
    const client = await stage.client({ world: 'live' })
    const send = await stage.as(await stage.user({}, 'live'), ['write:follows'], client)
    expect(refusal(await put(send, company))).toEqual([404, 'not_found'])
    expect(refusal(await remove(send, company))).toEqual([404, 'not_found'])
  })

  test.each(['read:profile', 'write:profile', 'read:mcp', 'read:follows', 'read:profile:follows'])(
    '403 with %s, which does not include write:follows',
    async (scope) => {
      const send = await stage.as(await stage.user(), [scope])
      const company = await stage.company()
      for (const rejected of [await put(send, company), await remove(send, company)]) {
        expect(refusal(rejected)).toEqual([403, 'insufficient_scope'])
        expect(rejected.headers.get('www-authenticate')).toContain('scope="write:follows"')
      }
    },
  )
})

describe('DELETE /users/me/follows/{company_id}', () => {
  test('200: changed is true if the user followed the company, otherwise false', async () => {
    const send = await stage.as(await stage.user(), ['write:follows'])
    const company = await stage.company()
    expect((await remove(send, company)).data).toEqual(state(company, false, false))
    await put(send, company)
    const gone = await remove(send, company)
    expect([gone.status, gone.data]).toEqual([200, state(company, false, true)])
    expect((await remove(send, company)).data).toEqual(state(company, false, false))
    expect((await send('GET', LIST)).list).toEqual([])
  })

  test('works for a company that is hidden now', async () => {
    const user = await stage.user()
    const send = await stage.as(user, ['write:follows'])
    const company = await stage.company({ listed: false })
    await stage.follow({ user, company })
    expect((await remove(send, company)).data).toEqual(state(company, false, true))
    expect((await remove(send, company)).data).toEqual(state(company, false, false))
  })

  test('404 for an unknown company; follows of other people stay', async () => {
    const [user, other] = [await stage.user(), await stage.user()]
    const send = await stage.as(user, ['write:follows'])
    expect(refusal(await remove(send, newId('company')))).toEqual([404, 'not_found'])
    const company = await stage.company()
    await stage.follow({ user: other, company })
    expect((await remove(send, company)).data.attributes).toEqual({ followed: false, changed: false })
    expect(await stage.db.sql('select user_id from test.follows where company_id = $1', [company])).toHaveLength(1)
  })
})

describe('which company each viewer may see', () => {
  type Terms = NonNullable<Parameters<typeof makeOffering>[1]>
  const ROUNDS: Readonly<Record<string, Terms>> = {
    'listed and open': { listed: true },
    'listed and closed': { listed: true, status: 'closed' },
    'listed and upcoming': { listed: true, status: 'upcoming' },
    'for accredited investors': { listed: true, exemption: 'reg_d_506c', accredited_only: true },
    'not listed': { listed: false },
    'never listed (506b)': { exemption: 'reg_d_506b' },
  }
  const VIEWERS = ['stranger', 'accredited', 'invited', 'investor', 'founder', 'employee', 'former founder'] as const
  type Viewer = (typeof VIEWERS)[number]

  /** `SHOWN`: for each kind of round the viewers who may see its company. `OPEN`: the rounds that accept investments. */
  const INSIDERS: readonly Viewer[] = ['invited', 'investor', 'founder', 'employee']
  const SHOWN: Readonly<Record<string, readonly Viewer[]>> = {
    'listed and open': VIEWERS,
    'listed and closed': VIEWERS,
    'listed and upcoming': INSIDERS.filter((viewer) => viewer !== 'investor'),
    'for accredited investors': ['accredited', ...INSIDERS],
    'not listed': INSIDERS,
    'never listed (506b)': INSIDERS,
  }
  const OPEN = ['listed and open', 'for accredited investors', 'not listed', 'never listed (506b)']

  async function stageFor(round: string, viewer: Viewer) {
    const user = await stage.user(viewer === 'accredited' ? { accreditation: 'verified' } : {})
    const company = await stage.arrange(async (tx) => {
      const id = await makeCompany(tx)
      const offering = await makeOffering(tx, { ...ROUNDS[round], company: id })
      if (viewer === 'invited') await inviteUser(tx, { id: offering, user }, occasionAt())
      if (viewer === 'investor') {
        await makeInvestment(tx, { offering, investor: user })
      }
      if (viewer === 'founder' || viewer === 'employee')
        await setRole(tx, { company: id, user, role: viewer }, occasionAt())
      if (viewer === 'former founder') {
        await setRole(tx, { company: id, user, role: 'founder' }, occasionAt('2026-01-05T00:00:00.000000Z'))
        await endRole(tx, { company: id, user, role: 'founder' }, occasionAt('2026-01-06T00:00:00.000000Z'))
      }
      return id
    })
    return { user, company }
  }

  const cases = Object.keys(ROUNDS).flatMap((round) =>
    VIEWERS.filter((viewer) => viewer !== 'investor' || OPEN.includes(round)).map((viewer) => [round, viewer] as const),
  )

  test.each(cases)('a round %s, seen by: %s', async (round, viewer) => {
    const { user, company } = await stageFor(round, viewer)
    const shown = SHOWN[round]?.includes(viewer) ?? false
    expect((await put(await stage.as(user, ['write:follows']), company)).status).toBe(shown ? 200 : 404)
    await stage.follow({ user, company })
    // With read:explore the token gets the user's own view, and without it the public view, as in the catalogue.
    const listed = round === 'listed and open' || round === 'listed and closed'
    const views = [
      { scopes: ['write:follows', 'read:explore'], available: shown, raising: shown && OPEN.includes(round) },
      { scopes: ['write:follows', 'read:public'], available: listed, raising: round === 'listed and open' },
    ]
    for (const { scopes, available, raising } of views) {
      const send = await stage.as(user, scopes)
      expect((await send('GET', LIST)).list).toMatchObject([{ id: company, profile_available: available, raising }])
      const profile = await send('GET', `/companies/${company}`)
      expect(profile.status).toBe(available ? 200 : 404)
      if (available) expect(profile.data.attributes['raising']).toBe(raising)
    }
  })
})
