import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PartnerService, partnerService } from '#access/apps/testing/partner-service.ts'
import { aStranger, aTeam, type Team } from '#access/apps/testing/team.ts'
import { newId } from '#kernel/ids.ts'
import { aMember, anAccount, anOrganization } from '#test/apps.ts'
import { ORGANIZATION_ROLES, type OrganizationRole } from './index.ts'

let service: PartnerService
beforeAll(async () => {
  service = await partnerService()
})
afterAll(() => service.close())

const ROOT = '/portal/api/organizations'
const fieldsOf = ({ details }: { details?: object }) => (details as { fields: readonly object[] }).fields
const auditOf = (subject: string) =>
  service.db.sql<{ action: string; actor: string; details: object }>(
    'select action, actor, details from platform.audit_entries where subject = $1 order by id',
    [subject],
  )
const end = (organization: string) =>
  service.db.sql("update platform.organizations set state = 'ended', ended_at = now() where id = $1", [organization])

describe('GET /portal/api/me', () => {
  test('200: the signed-in person, their organizations with their role, and the CSRF token for changes', async () => {
    const account = await anAccount(service.db, { name: 'Grace Hopper', email: 'grace@example.org' })
    const [one, other] = [await anOrganization(service.db), await anOrganization(service.db, { name: 'Other' })]
    await aMember(service.db, { organization: one, account, role: 'owner' })
    await aMember(service.db, { organization: other, account, role: 'developer' })
    const send = await service.as(account)
    const { status, data, meta } = await send('GET', '/portal/api/me')
    expect(status).toBe(200)
    expect(data).toMatchObject({
      id: account,
      type: 'account',
      attributes: {
        name: 'Grace Hopper',
        email: 'grace@example.org',
        organizations: expect.arrayContaining([
          expect.objectContaining({
            id: one,
            attributes: expect.objectContaining({ name: 'Partner', status: 'active', role: 'owner' }),
          }),
          expect.objectContaining({
            id: other,
            attributes: expect.objectContaining({ name: 'Other', role: 'developer' }),
          }),
        ]),
        invitations: [],
      },
    })
    expect(meta).toEqual({ csrf: expect.any(String) })
  })

  test('401 without a sign-in', async () => {
    const send = await service.as(null)
    expect(await send('GET', '/portal/api/me')).toMatchObject({ status: 401, error: { type: 'invalid_token' } })
  })
})

describe('a change without the CSRF token of the browser', () => {
  test('403, and nothing is created', async () => {
    const send = await aStranger(service)
    const response = await send('POST', ROOT, { name: 'Sneaky' }, { 'x-portico-csrf': 'wrong' })
    expect(response).toMatchObject({ status: 403, error: { type: 'forbidden' } })
    expect(await service.db.sql("select from platform.organizations where name = 'Sneaky'")).toEqual([])
  })
})

describe('POST /portal/api/organizations', () => {
  test('201: the person who creates an organization becomes its owner; the audit has an entry', async () => {
    const account = await anAccount(service.db)
    const send = await service.as(account)
    const { status, data } = await send('POST', ROOT, { name: 'Acme Tools' })
    expect(status).toBe(201)
    expect(data).toMatchObject({
      type: 'organization',
      attributes: { name: 'Acme Tools', status: 'active', role: 'owner', ended_at: null },
    })
    expect(await auditOf(data.id)).toEqual([
      { action: 'organization.created', actor: account, details: { name: 'Acme Tools' } },
    ])
    expect((await send('GET', ROOT)).list).toEqual([data])
  })

  test('a repeated request with the same Idempotency-Key creates no second organization', async () => {
    const send = await aStranger(service)
    const key = { 'idempotency-key': 'once' }
    const first = await send('POST', ROOT, { name: 'Once' }, key)
    const second = await send('POST', ROOT, { name: 'Once' }, key)
    expect(second.data).toEqual(first.data)
    expect((await send('GET', ROOT)).list).toHaveLength(1)
  })

  test.each([[''], [' padded'], ['two\nlines'], ['x'.repeat(201)], [7]])('422 for the name %j', async (name) => {
    const send = await aStranger(service)
    const response = await send('POST', ROOT, { name })
    expect(response).toMatchObject({ status: 422, error: { type: 'validation_error' } })
  })

  test.each(['Wefunder', 'We-Funder Support'])(
    '422 for %s, which begins with the platform’s own name',
    async (name) => {
      const send = await aStranger(service)
      const response = await send('POST', ROOT, { name })
      expect([response.status, fieldsOf(response.error)]).toMatchObject([422, [{ field: 'name', code: 'reserved' }]])
      expect((await send('GET', ROOT)).list).toEqual([])
    },
  )

  test('422 for a name with a web address, which would be mailed to invited people; 201 for the bare domain Acme.io', async () => {
    const send = await aStranger(service)
    const response = await send('POST', ROOT, { name: 'Prize: evil.example/win' })
    expect([response.status, fieldsOf(response.error)]).toMatchObject([422, [{ field: 'name', code: 'link' }]])
    expect((await send('GET', ROOT)).list).toEqual([])
    expect((await send('POST', ROOT, { name: 'Acme.io' })).status).toBe(201)
  })

  test('403 for the 21st organization of one owner, even if two organizations are created at once', async () => {
    const account = await anAccount(service.db)
    for (let count = 0; count < 19; count++) {
      await aMember(service.db, { organization: await anOrganization(service.db), account, role: 'owner' })
    }
    const send = await service.as(account)
    const two = await Promise.all([1, 2].map((count) => send('POST', ROOT, { name: `Last ${count}` })))
    expect(two.map(({ status }) => status).sort()).toEqual([201, 403])
  })
})

describe('GET /portal/api/organizations/{id}', () => {
  test('200 for every member of the team', async () => {
    const team = await aTeam(service)
    for (const role of ORGANIZATION_ROLES) {
      const { data } = await team[role].send('GET', `${ROOT}/${team.organization}`)
      expect(data).toMatchObject({ id: team.organization, attributes: { role } })
    }
  })

  test('404 for a stranger, as for an unknown organization', async () => {
    const { organization } = await aTeam(service)
    const send = await aStranger(service)
    const [theirs, missing] = [
      await send('GET', `${ROOT}/${organization}`),
      await send('GET', `${ROOT}/${newId('organization')}`),
    ]
    expect(theirs.status).toBe(404)
    const { request_id: _, ...theirError } = theirs.error
    expect(missing.error).toMatchObject(theirError)
    expect((await send('GET', `${ROOT}/nonsense`)).status).toBe(404)
  })
})

describe('PATCH /portal/api/organizations/{id}', () => {
  test.each<[OrganizationRole, number]>([
    ['owner', 200],
    ['admin', 200],
    ['developer', 403],
  ])('sent by a member with the role %s: %i', async (role, status) => {
    const team = await aTeam(service)
    const response = await team[role].send('PATCH', `${ROOT}/${team.organization}`, { name: 'Renamed' })
    expect(response.status).toBe(status)
    const { data } = await team.owner.send('GET', `${ROOT}/${team.organization}`)
    expect(data.attributes['name']).toBe(status === 200 ? 'Renamed' : 'Partner')
    expect(await auditOf(team.organization)).toHaveLength(status === 200 ? 1 : 0)
  })

  test('422 for a name with a web address', async () => {
    const team = await aTeam(service)
    const response = await team.owner.send('PATCH', `${ROOT}/${team.organization}`, { name: 'www.evil.example' })
    expect([response.status, fieldsOf(response.error)]).toMatchObject([422, [{ field: 'name', code: 'link' }]])
  })

  test('422 for a name that begins with the platform’s own name', async () => {
    const team = await aTeam(service)
    const response = await team.owner.send('PATCH', `${ROOT}/${team.organization}`, { name: 'Wefunder Compliance' })
    expect([response.status, fieldsOf(response.error)]).toMatchObject([422, [{ field: 'name', code: 'reserved' }]])
  })

  test('404 for a stranger; 409 if the platform ended the organization', async () => {
    const team = await aTeam(service)
    const path = `${ROOT}/${team.organization}`
    expect((await (await aStranger(service))('PATCH', path, { name: 'Mine' })).status).toBe(404)
    await end(team.organization)
    expect(await team.owner.send('PATCH', path, { name: 'Again' })).toMatchObject({
      status: 409,
      error: { type: 'illegal_transition', details: { from: 'ended', event: 'rename' } },
    })
  })
})

describe('GET /portal/api/organizations/{id}/members', () => {
  test('200 with the names, addresses and roles of all members', async () => {
    const team = await aTeam(service)
    const { list } = await team.developer.send('GET', `${ROOT}/${team.organization}/members`)
    expect(list.map(({ id, attributes }) => [id, attributes['role']]).sort()).toEqual(
      ORGANIZATION_ROLES.map((role) => [team[role].account, role]).sort(),
    )
    expect(list[0]).toMatchObject({ type: 'member', attributes: { name: 'Dev', email: expect.any(String) } })
  })

  test('404 for a stranger', async () => {
    const team = await aTeam(service)
    expect((await (await aStranger(service))('GET', `${ROOT}/${team.organization}/members`)).status).toBe(404)
  })
})

describe('PATCH and DELETE /portal/api/organizations/{id}/members/{account_id}', () => {
  const pathOf = (team: Team, account: string) => `${ROOT}/${team.organization}/members/${account}`

  test('200 with the new role, which applies from the next request on', async () => {
    const team = await aTeam(service)
    const { status, data } = await team.owner.send('PATCH', pathOf(team, team.developer.account), { role: 'admin' })
    expect([status, data.attributes['role']]).toEqual([200, 'admin'])
    expect((await team.developer.send('PATCH', `${ROOT}/${team.organization}`, { name: 'By admin' })).status).toBe(200)
    expect(await auditOf(team.organization)).toMatchObject([
      { action: 'organization.role_changed', details: { from: 'developer', to: 'admin' } },
      { action: 'organization.renamed' },
    ])
  })

  test('403 for an admin who changes or appoints an owner, and for a developer who changes any member', async () => {
    const team = await aTeam(service)
    const tries = [
      team.admin.send('PATCH', pathOf(team, team.owner.account), { role: 'developer' }),
      team.admin.send('PATCH', pathOf(team, team.developer.account), { role: 'owner' }),
      team.admin.send('DELETE', pathOf(team, team.owner.account)),
      team.developer.send('PATCH', pathOf(team, team.developer.account), { role: 'admin' }),
      team.developer.send('DELETE', pathOf(team, team.admin.account)),
    ]
    expect((await Promise.all(tries)).map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
  })

  test('204: a removed member has no access from the next request on', async () => {
    const team = await aTeam(service)
    expect((await team.admin.send('DELETE', pathOf(team, team.developer.account))).status).toBe(204)
    expect((await team.developer.send('GET', `${ROOT}/${team.organization}`)).status).toBe(404)
  })

  test('204: a developer may leave', async () => {
    const team = await aTeam(service)
    expect((await team.developer.send('DELETE', pathOf(team, team.developer.account))).status).toBe(204)
  })

  test('409 if the only owner leaves or gets another role', async () => {
    const team = await aTeam(service)
    const leave = await team.owner.send('DELETE', pathOf(team, team.owner.account))
    const demote = await team.owner.send('PATCH', pathOf(team, team.owner.account), { role: 'admin' })
    expect(leave).toMatchObject({ status: 409, error: { details: { from: 'owner', event: 'remove_member' } } })
    expect(demote.status).toBe(409)
    expect((await team.owner.send('GET', `${ROOT}/${team.organization}`)).data.attributes['role']).toBe('owner')
  })

  test('if two owners remove each other at once, one owner stays', async () => {
    const team = await aTeam(service)
    const other = await aMember(service.db, { organization: team.organization, role: 'owner' })
    const theirs = await service.as(other)
    const responses = await Promise.all([
      team.owner.send('DELETE', pathOf(team, other)),
      theirs('DELETE', pathOf(team, team.owner.account)),
    ])
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 404])
    const owners = await service.db.sql(
      "select from platform.organization_members where organization_id = $1 and role = 'owner'",
      [team.organization],
    )
    expect(owners).toHaveLength(1)
  })

  test('404 for an account outside the team, and for a stranger', async () => {
    const team = await aTeam(service)
    expect((await team.owner.send('DELETE', pathOf(team, newId('account')))).status).toBe(404)
    const send = await aStranger(service)
    expect((await send('DELETE', pathOf(team, team.developer.account))).status).toBe(404)
    expect((await send('PATCH', pathOf(team, team.developer.account), { role: 'owner' })).status).toBe(404)
  })
})
