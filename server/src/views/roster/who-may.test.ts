import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { disconnectUser, revokeInstallation } from '#access/installations/index.ts'
import { aClientToken } from '#access/tokens/testing/stage.ts'
import { type Id, newId } from '#kernel/ids.ts'
import { type CompanyRole, endRole, setRole } from '#market/companies/index.ts'
import { occasionAt } from '#test/caused-events.ts'
import { makeInvestment } from '#test/investments.ts'
import { makeOffering } from '#test/offerings.ts'
import { makeSyndicate } from '#test/syndicates.ts'
import { openProfileStage, type ProfileStage, refusal } from '#views/profile/testing/stage.ts'
import { rosterRoutes } from './http.ts'

let stage: ProfileStage
beforeAll(async () => {
  stage = await openProfileStage(rosterRoutes)
})
afterAll(() => stage.close())

const SCOPES = ['read:companies'] as const
const join = (user: Id<'user'>, company: Id<'company'>, role: CompanyRole) =>
  stage.arrange((tx) => setRole(tx, { company, user, role }, occasionAt()))

/** Revokes every installation on a company. */
async function revokeOn({ db, arrange }: ProfileStage, company: Id<'company'>): Promise<void> {
  const rows = await db.sql<{ id: Id<'installation'> }>('select id from test.installations where company_id = $1', [
    company,
  ])
  const changeContext = { cause: 'test', caused: [], onRevoked: [] }
  for (const { id } of rows) await arrange((tx) => revokeInstallation(tx, { id, role: 'founder' }, changeContext))
}

describe.each(['investors', 'fundraises'])('GET /companies/{company_id}/%s', (what) => {
  const pathOf = (company: string) => `/companies/${company}/${what}`

  test.each([
    ['founder', 200],
    ['admin', 200],
    ['editor', 200],
    ['employee', 403],
  ] as const)('for the role %s at the company the status is %i', async (role, status) => {
    const [user, company] = [await stage.user(), await stage.company({ listed: false })]
    await join(user, company, role)
    expect((await (await stage.as(user, SCOPES))('GET', pathOf(company))).status).toBe(status)
  })

  test('403 forbidden for a stranger if the company is public, otherwise the same 404 as for an unknown company', async () => {
    const send = await stage.as(await stage.user(), SCOPES)
    expect(refusal(await send('GET', pathOf(await stage.company())))).toEqual([403, 'forbidden'])
    const missing = await send('GET', pathOf(newId('company')))
    expect(refusal(missing)).toEqual([404, 'not_found'])
    const hidden = await send('GET', pathOf(await stage.company({ listed: false })))
    expect({ ...hidden.error, request_id: '' }).toEqual({ ...missing.error, request_id: '' })
  })

  test('403 for a former team member, and for an investor without a role', async () => {
    const [founder, investor, company] = [
      await stage.user(),
      await stage.user(),
      await stage.company({ listed: false }),
    ]
    await join(founder, company, 'founder')
    await stage.arrange(async (tx) => {
      await endRole(tx, { company, user: founder, role: 'founder' }, occasionAt('2026-07-01T00:00:00.000000Z'))
      await makeInvestment(tx, { investor, offering: await makeOffering(tx, { company }) })
    })
    for (const user of [founder, investor]) {
      expect(refusal(await (await stage.as(user, SCOPES))('GET', pathOf(company)))).toEqual([403, 'forbidden'])
    }
  })

  test('200 for a token on the company; other installation tokens get 403, or 404 for a hidden company', async () => {
    const [company, hidden] = [await stage.company(), await stage.company({ listed: false })]
    expect((await (await stage.installedOn({ company }, SCOPES))('GET', pathOf(company))).status).toBe(200)
    const syndicate = await stage.arrange((tx) => makeSyndicate(tx))
    const founder = await stage.user()
    await join(founder, company, 'founder')
    for (const target of [{ company: await stage.company() }, { syndicate }, { user: founder }]) {
      const send = await stage.installedOn(target, SCOPES, await stage.client())
      expect(refusal(await send('GET', pathOf(company)))).toEqual([403, 'forbidden'])
      expect(refusal(await send('GET', pathOf(hidden)))).toEqual([404, 'not_found'])
    }
  })

  test('401 without a token and after the user has disconnected the app; 403 insufficient_scope without the scope', async () => {
    const [user, company, client] = [await stage.user(), await stage.company(), await stage.client()]
    await join(user, company, 'founder')
    const path = pathOf(company)
    expect(refusal(await stage.bearer(null)('GET', path))).toEqual([401, 'invalid_token'])
    const lacking = ['read:investments', 'read:investors:pii', 'read:syndicates', 'read:explore']
    expect(refusal(await (await stage.as(user, lacking))('GET', path))).toEqual([403, 'insufficient_scope'])
    const { accessToken } = await aClientToken(stage.db, client)
    for (const bearer of [accessToken, client.keyId]) {
      expect(refusal(await stage.bearer(bearer)('GET', path))).toEqual([403, 'insufficient_scope'])
    }
    const send = await stage.as(user, SCOPES, client)
    const gone = { appId: client.app, userId: user, role: 'user' as const }
    await stage.arrange((tx) => disconnectUser(tx, gone, { cause: 'test', caused: [], onRevoked: [] }))
    expect(refusal(await send('GET', path))).toEqual([401, 'invalid_token'])
  })

  test('401 after the installation was revoked', async () => {
    const [company, client] = [await stage.company(), await stage.client()]
    const send = await stage.installedOn({ company }, SCOPES, client)
    expect((await send('GET', pathOf(company))).status).toBe(200)
    await revokeOn(stage, company)
    expect(refusal(await send('GET', pathOf(company)))).toEqual([401, 'invalid_token'])
  })

  test('404 with a token of the other world', async () => {
    const company = await stage.company()
    const send = await stage.as(await stage.user({}, 'live'), SCOPES, await stage.client({ world: 'live' }))
    expect(refusal(await send('GET', pathOf(company)))).toEqual([404, 'not_found'])
  })
})
