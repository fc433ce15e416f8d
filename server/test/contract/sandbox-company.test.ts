import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from './sender.ts'
import { type App, openStage, type Person, type Stage } from './stage.ts'

let stage: Stage
let app: App
beforeAll(async () => {
  stage = await openStage()
  app = await stage.app({ scopes: ['read:companies', 'read:investments', 'read:webhooks'] })
})
afterAll(() => stage.close())

const pathOf = (path: string, of: App = app) => `/portal/api/apps/${of.id}/sandbox/${path}`
const requestCompany = ({ portal }: Person, of: App = app) => portal('POST', pathOf('company', of))
const join = async (role: 'owner' | 'admin' | 'developer' = 'developer') =>
  stage.member(app.team, role, await stage.newcomer())

type Records = {
  readonly offerings: readonly { readonly id: string; readonly company_id: string; testing_the_waters: boolean }[]
  readonly people: readonly { readonly id: string; readonly name: string }[]
  readonly examples: readonly string[]
}
const recordsOf = async ({ portal }: Person): Promise<Records> =>
  (await portal('GET', pathOf('records'))).data.attributes as unknown as Records

const count = async (table: string) => {
  const [row] = await stage.service.db.sql<{ count: string }>(`select count(*) from ${table}`)
  return Number(row?.count)
}

async function install(person: Person, target: string): Promise<string> {
  const address = `/apps/${app.key.clientId}/install?target=${target}`
  const page = await person.browser.open(address)
  const scopes = /name="scopes" value="([^"]*)"/.exec(page.text)?.[1] ?? ''
  const fields = { target, tier: 'founder', scopes, decision: 'install' }
  const { status, location } = await person.browser.submit(address, fields)
  expect(status).toBe(303)
  return new URLSearchParams(location?.split('?')[1]).get('installed') ?? ''
}

describe('POST /portal/api/apps/{id}/sandbox/company', () => {
  test.each(['owner', 'admin', 'developer'] as const)(
    'a new %s of the team, who has no user, creates a company and installs the unapproved app there',
    async (role) => {
      const ada = await join(role)
      const made = await requestCompany(ada)
      expect(made.status).toBe(201)
      expect(made.data).toMatchObject({
        type: 'sandbox_company',
        attributes: { name: expect.stringMatching(/\(sandbox\)$/) },
      })
      expect(await install(ada, made.data.id)).toMatch(/^inst_/)
    },
  )

  test('the company has the records of every scenario: both kinds of offering, investors, a syndicate that the person manages', async () => {
    const ada = await join()
    const { data } = await requestCompany(ada)
    const { offerings, people, examples } = await recordsOf(ada)
    const own = offerings.filter(({ company_id }) => company_id === data.id)
    expect(own.map(({ testing_the_waters }) => testing_the_waters).toSorted()).toEqual([false, true])
    expect(people.map(({ name }) => name).toSorted()).toEqual(['Iris Investor', 'Theo Investor'])
    const [investor, syndicate] = [people[0]?.id, examples.find((id) => id.startsWith('syn_'))]
    const invested = await ada.portal('POST', pathOf('investments'), {
      offering: (data.attributes as { offering: string }).offering,
      investor,
      amount_cents: 25_000,
    })
    expect([invested.status, invested.data['status']]).toEqual([201, 'active'])
    const reserving = own.find(({ testing_the_waters }) => testing_the_waters)?.id
    const reserved = await ada.portal('POST', pathOf('investments'), {
      offering: reserving,
      investor,
      amount_cents: 25_000,
    })
    expect([reserved.status, reserved.data['status']]).toEqual([201, 'reserved'])
    const applied = await ada.portal('POST', pathOf(`syndicates/${syndicate}/apply`), { user: investor })
    expect(applied.status).toBe(201)
    expect((await ada.portal('POST', pathOf(`memberships/${applied.data.id}/approve`), {})).status).toBe(200)
  })

  test('a second request gets the same company, even at the same moment, and two people get two companies', async () => {
    const [ada, grace] = [await join(), await join()]
    const answers = await Promise.all([
      requestCompany(ada),
      requestCompany(grace),
      requestCompany(ada),
      requestCompany(ada),
    ])
    const ids = answers.map(({ data }) => data.id)
    expect(new Set([ids[0], ids[2], ids[3]]).size).toBe(1)
    expect(ids[1]).not.toBe(ids[0])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201, 201])
    const again = await requestCompany(ada)
    expect([again.status, again.data]).toEqual([200, answers[0]?.data])
  })

  test('a person who already runs a company in the sandbox gets that company, with a new round if none is open', async () => {
    const founder = await stage.member(app.team, 'developer')
    const company = await stage.company({ founder })
    const companies = await count('test.companies')
    const first = await requestCompany(founder)
    expect([first.status, first.data.id]).toEqual([200, company])
    const { offering } = first.data.attributes as { offering: string }
    expect((await requestCompany(founder)).data).toEqual(first.data)
    await founder.portal('POST', pathOf(`offerings/${offering}/cancel`))
    const next = await requestCompany(founder)
    expect([next.status, next.data.id]).toEqual([200, company])
    expect((next.data.attributes as { offering: string }).offering).not.toBe(offering)
    expect(await count('test.companies')).toBe(companies)
  })

  test('the account is linked to the active user with its email address, but never to another account’s user', async () => {
    const ada = await join()
    await stage.sendFact('user.registered', { id: ada.user, name: 'Ada Lovelace', email: ada.email })
    const { data } = await requestCompany(ada)
    const link = await stage.operator('GET', `/platform/accounts/${ada.account}`)
    expect(link.data.attributes).toMatchObject({ users: { test: ada.user, live: null } })
    expect((await recordsOf(ada)).offerings.map(({ company_id }) => company_id)).toContain(data.id)
    const eve = await join()
    await stage.sendFact('user.registered', { id: eve.user, name: 'Mallory', email: eve.email })
    const other = await stage.newcomer()
    await stage.operator('PUT', `/platform/accounts/${other.account}/users/test`, { user: eve.user })
    expect((await requestCompany(eve)).status).toBe(201)
    const linked = await stage.operator('GET', `/platform/accounts/${eve.account}`)
    expect(linked.data.attributes).toMatchObject({ users: { test: expect.not.stringMatching(eve.user), live: null } })
  })

  test('the live world is unchanged, and the catalogue does not list the company', async () => {
    const before = [await count('live.users'), await count('live.companies'), await count('live.events')]
    const ada = await join()
    const { data } = await requestCompany(ada)
    expect([await count('live.users'), await count('live.companies'), await count('live.events')]).toEqual(before)
    const found = await stage.api(app.key.clientId)('GET', '/explore?per_page=100')
    expect([found.status, JSON.stringify(found.list).includes(data.id)]).toEqual([200, false])
    const colleague = await stage.member(app.team, 'developer')
    expect((await recordsOf(colleague)).offerings.map(({ company_id }) => company_id)).not.toContain(data.id)
    await install(ada, data.id)
    const shared = await recordsOf(colleague)
    expect(shared.offerings.map(({ company_id }) => company_id)).toContain(data.id)
    expect(shared.people).toEqual([])
  })

  test('404 outside the team, 403 for a suspended app, 409 for a disabled app or an ended team, and nothing is created', async () => {
    const left = await join()
    const member = `/portal/api/organizations/${app.team.organization}/members/${left.account}`
    await app.team.owner.portal('DELETE', member)
    const [users, companies] = [await count('test.users'), await count('test.companies')]
    const outsiders = [left, await stage.newcomer()]
    for (const outsider of outsiders) expect(refusalOf(await requestCompany(outsider))).toBe('404 not_found')
    const { team } = app
    const stopped = await stage.app({ team })
    await stage.operator('POST', `/platform/apps/${stopped.id}/suspend`, { reason: 'A test.' })
    expect(refusalOf(await requestCompany(team.owner, stopped))).toBe('403 app_suspended')
    await stage.operator('POST', `/platform/apps/${stopped.id}/lift`)
    await team.owner.portal('POST', `/portal/api/apps/${stopped.id}/disable`)
    expect(refusalOf(await requestCompany(team.owner, stopped))).toBe('409 illegal_transition')
    expect([await count('test.users'), await count('test.companies')]).toEqual([users, companies])
    const stranger = await stage.team()
    expect(refusalOf(await requestCompany(stranger.owner))).toBe('404 not_found')
    const ended = await stage.app()
    await stage.operator('POST', `/platform/organizations/${ended.team.organization}/end`, { reason: 'A test.' })
    expect(refusalOf(await requestCompany(ended.team.owner, ended))).toBe('409 illegal_transition')
  })

  test('409 for a person whose user in the sandbox was deactivated', async () => {
    const ada = await join()
    await requestCompany(ada)
    const { data } = await stage.operator('GET', `/platform/accounts/${ada.account}`)
    const { users } = data.attributes as { users: { test: string } }
    await ada.portal('POST', pathOf(`users/${users.test}/deactivate`))
    const refused = await requestCompany(ada)
    expect(refusalOf(refused)).toBe('409 illegal_transition')
    expect(refused.error.details).toEqual({ from: 'deactivated', event: 'create', allowed: [] })
  })
})
